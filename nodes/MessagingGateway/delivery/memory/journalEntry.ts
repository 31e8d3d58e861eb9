import type { IDataObject } from 'n8n-workflow';

import type { Recipient } from '../message';
import type { RecipientRow } from '../row';

/** What became of a request. A type, not an interface, as it is stored as JSON: never rename a field. */
export type JournalEntry = {
	/** The items that it answers for, each followed by the names of its recipients. */
	to: Array<number | string>;
	isBulk?: true;
	/** The gateway's answer. Without one, the request may have been queued. */
	envelope?: IDataObject;
	/** The execution that sent it, if a reply comes back. */
	execution?: string;
};

/** Returns the names that identify a recipient even if settings have changed: as entered, and as sent. */
export function namesOf({ asEntered, to }: Recipient): string[] {
	return asEntered === to ? [to] : [asEntered, to];
}

/** Returns the entry of a request that begins. */
export function entryOf(rows: readonly RecipientRow[], isBulk: boolean): JournalEntry {
	const to: JournalEntry['to'] = [];
	let last: number | undefined;
	for (const { item, recipient } of rows) {
		if (item !== last) to.push(item);
		to.push(...namesOf(recipient));
		last = item;
	}
	return { to, ...(isBulk && { isBulk }) };
}

/** Returns the items of an entry, each with the names of its recipients. */
export function* itemsOf({
	to,
}: Pick<JournalEntry, 'to'>): Generator<[item: number, names: string[]]> {
	let names: string[] = [];
	let item: number | undefined;
	for (const each of to) {
		if (typeof each === 'string') names.push(each);
		else {
			if (item !== undefined) yield [item, names];
			[item, names] = [each, []];
		}
	}
	if (item !== undefined) yield [item, names];
}

import type { IDataObject } from 'n8n-workflow';

import type { Recipient } from '../message';

/**
 * What became of a request in an earlier try of the same execution. A type, not an interface, as it
 * is stored as JSON: `envelope` where the gateway took it; without one it may have been queued.
 */
export type JournalEntry = {
	envelope?: IDataObject;
	/** Bulk: the recipients as the gateway got them; as the items had them, where that differs. */
	numbers?: string[];
	written?: string[];
	/** Bulk: the items that it answers for, as pairs of first and last. */
	items?: number[];
	/** Bulk: a hash of the device that it went through. */
	device?: string;
	/** The execution that sent it, if a reply comes back. */
	execution?: string;
};

/** Returns the entry of a bulk request that begins. */
export function bulkEntry(recipients: Recipient[], items: number[], device: string): JournalEntry {
	const numbers = recipients.map(({ to }) => to);
	const written = recipients.map((each) => each.asEntered);
	const differs = written.some((each, index) => each !== numbers[index]);
	return { numbers, ...(differs ? { written } : {}), items: toPairs(items), device };
}

/** Returns the items that a request answers for. */
export function itemsOf({ items }: Pick<JournalEntry, 'items'>): number[] {
	const all: number[] = [];
	items?.forEach((last, at) => {
		if (at % 2 === 0) return;
		for (let item = items[at - 1] as number; item <= last; item++) all.push(item);
	});
	return all;
}

/** Returns items as pairs of first and last. */
export function toPairs(items: readonly number[]): number[] {
	const pairs: number[] = [];
	for (const item of [...items].sort((a, b) => a - b)) {
		if (pairs.at(-1) === item - 1) pairs[pairs.length - 1] = item;
		else if (pairs.at(-1) !== item) pairs.push(item, item);
	}
	return pairs;
}

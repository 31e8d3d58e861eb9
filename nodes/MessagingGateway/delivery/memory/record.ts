import { randomUUID } from 'crypto';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import { hashOf } from '../../shared/text';
import type { Recipient } from '../message';
import type { RecipientEntry } from '../ledger';

/** Of the records that this release reads. */
const FORMAT = 2;

/** What became of a request. Stored as JSON: never rename a field. */
export type JournalEntry = {
	/** The items that it answers for, each followed by the names of its recipients. */
	to: Array<number | string>;
	isBulk?: true;
	/** The gateway's answer. Without one, the request may have been queued. */
	envelope?: IDataObject;
	/** The execution that sent it, if a reply comes back. */
	execution?: string;
};

/** What n8n keeps of one run of the node. Stored as JSON: never rename a field. */
export interface RunRecord {
	/** Where its items came from. After a stop, another branch of the workflow can take the place of the run. */
	source: string;
	/** By item: earlier items with the same list and text, whose requests are for it, too. */
	sameAs?: Record<number, readonly number[]>;
	/** One entry for each request. */
	requests: JournalEntry[];
	/** By item: the Send-Once Key that was recorded for it. */
	sendOnceKeys: Record<number, string>;
}

/** What n8n keeps of one execution, in all of its runs of the node. */
export interface ExecutionRecord {
	format: typeof FORMAT;
	id: string;
	/** The ID of the node that began it. Another node that has taken its place has its own history of keys. */
	node: string;
	/** How many retries have continued it. */
	generation: number;
	/** The execution that wrote it last; '' if none has. */
	execution: string;
	/** A newer retry has continued an older copy of it, so that it no longer knows everything. */
	isOutdated?: boolean;
	/** It was begun by a release whose records this one cannot read. */
	isOfOtherFormat?: boolean;
	/** n8n shut down in the middle of the first try, so the record does not know what that has sent. */
	isInterrupted?: boolean;
	/** How many marks in n8n's history of keys say that this execution has begun to send: one each time n8n has read it. */
	marks?: number;
	runs: Record<string, RunRecord>;
}

/** What a record belongs to. */
export interface RecordOptions {
	execution: string;
	node: string;
	/** Random: an execution and its retries share it, and nobody else does. Undefined before n8n 2.14. */
	token?: string;
	isRetry: boolean;
	/** Whether n8n stores the execution after each node: a retry then knows of all runs of this one but the last. */
	savesProgress?: boolean;
}

/** Returns the record of this execution, and creates it if there is none. A record of another format proves nothing. */
export function openRecord(context: IContextObject, options: RecordOptions): ExecutionRecord {
	const { execution, node, token, isRetry } = options;
	const known = context.journal as unknown as Partial<ExecutionRecord> | undefined;
	if (known?.format === FORMAT) return known as ExecutionRecord;
	// If an execution left no record, all its retries continue the same empty one.
	const own =
		isRetry && token !== undefined
			? { id: hashOf(token), execution: '' }
			: { id: randomUUID().slice(0, 13), execution };
	const record: ExecutionRecord = { format: FORMAT, ...own, node, generation: 0, runs: {} };
	if (known) record.isOfOtherFormat = true;
	context.journal = record as unknown as IDataObject;
	return record;
}

/** Returns the record of one run, or a new one if the stored run had other items. */
export function openRun({ runs }: ExecutionRecord, runKey: string, source: string): RunRecord {
	const known = runs[runKey];
	if (known?.source === source) return known;
	return (runs[runKey] = { source, requests: [], sendOnceKeys: {} });
}

/** Returns the name of a recipient in the record: as sent, and as entered if that is not the same. */
export function nameOf({ asEntered, to }: Recipient): string {
	if (asEntered === to || asEntered === `+${to}`) return asEntered;
	return `\t${asEntered}\t${to}`;
}

/**
 * Returns the keys by which a recipient is found again even if settings have changed: as sent, and as entered. A number
 * that was sent is not the same as equal digits that were entered: with a Default Country Code, these are another number.
 */
export function keysOf(name: string): string[] {
	const [, asEntered = name, to = name.replace(/^\+/, '')] = name.split('\t');
	return [`to ${to}`, `as ${asEntered}`];
}

/** Whom a request is for. */
export type Sent = Pick<RecipientEntry, 'item' | 'recipient'>;

/** Returns the entry of a request that begins. */
export function entryOf(entries: readonly Sent[], isBulk: boolean): JournalEntry {
	const to: JournalEntry['to'] = [];
	let last: number | undefined;
	for (const { item, recipient } of entries) {
		if (item !== last) to.push(item);
		to.push(nameOf(recipient));
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

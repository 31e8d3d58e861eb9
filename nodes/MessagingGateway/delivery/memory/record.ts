import { createHash, randomUUID } from 'crypto';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import { itemsOf, toPairs, type JournalEntry } from './journalEntry';

/** What n8n keeps of one run of the node. Stored as JSON: the names hold for ever. */
export interface RunRecord {
	/** By message: one entry for each request. */
	requests: Record<string, JournalEntry[]>;
	/** By message: Send-Once Keys that were recorded, each with its item. */
	sendOnceKeys: Record<string, Record<string, number>>;
	/** If n8n itself tries again: by item, the message of its last try. */
	tries?: Record<string, string>;
	/** Resource and operation of the node when it last sent. */
	operation?: string;
	/** Items for which another operation may have sent something, as pairs of first and last. */
	changed?: number[];
}

/** What n8n keeps of one execution, in all of its runs of the node. */
export interface ExecutionRecord {
	id: string;
	/** The ID of the node that began it. Records of 1.1 have none. */
	node?: string;
	/** How many retries have continued it. */
	generation: number;
	/** The execution that wrote it last; '' if none has. */
	execution: string;
	/** A newer retry has continued an older copy of it, so that it no longer knows everything. */
	isOutdated?: boolean;
	/** A release of this node whose record this one does not read has begun it. */
	isOfOtherFormat?: boolean;
	/** n8n ended in the middle of the first try, so that it does not know what that has sent. */
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

/** Returns the record of this execution, and creates it if there is none. One of another format knows nothing for certain. */
export function openRecord(context: IContextObject, options: RecordOptions): ExecutionRecord {
	const { execution, node, token, isRetry } = options;
	const known = context.journal as unknown as Partial<ExecutionRecord> | undefined;
	if (known?.id !== undefined && known.runs) return known as ExecutionRecord;
	// All retries of an execution that left no record continue one that nobody has written.
	const own =
		isRetry && token !== undefined
			? { id: hashOf(token), execution: '' }
			: { id: randomUUID().slice(0, 13), execution };
	const record: ExecutionRecord = { ...own, node, generation: 0, runs: {} };
	if (known) record.isOfOtherFormat = true;
	context.journal = record as unknown as IDataObject;
	return record;
}

/** Whether another node has begun the record: this one has taken its place, and has another history of keys. */
export function isOfOtherNode(
	{ node }: ExecutionRecord,
	{ node: own }: Pick<RecordOptions, 'node'>,
): boolean {
	return node !== undefined && node !== own;
}

/** Returns the record of one run in it, and notes in it which operation runs. */
export function openRun({ runs }: ExecutionRecord, runKey: string, operation: string): RunRecord {
	const run = (runs[runKey] ??= { requests: {}, sendOnceKeys: {} });
	if (isOfOther(run, operation)) {
		const items = Object.entries(run.requests).flatMap(([fingerprint, entries]) =>
			itemsOfMessage(fingerprint, entries),
		);
		run.changed = toPairs(items);
	}
	run.operation = operation;
	return run;
}

/** Returns the items that the requests of one message answer for. */
export function itemsOfMessage(fingerprint: string, entries: readonly JournalEntry[]): number[] {
	// The fingerprint of a single message begins with its item.
	const isSingle = fingerprint.includes(':');
	return isSingle ? [Number.parseInt(fingerprint, 10)] : entries.flatMap(itemsOf);
}

/** Whether the node did something else when it sent. Records of 1.1 tell it by their form. */
function isOfOther({ requests, operation: earlier }: RunRecord, operation: string): boolean {
	if (earlier !== undefined) return earlier !== operation;
	const isBulk = operation.endsWith('sendBulk');
	const entries = Object.values(requests).flat();
	return entries.some(({ numbers }) => (numbers !== undefined) !== isBulk);
}

export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

import { createHash, randomUUID } from 'crypto';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Failure, Outcome } from '../../gateway/outcome';
import { OUTDATED, UNCLAIMED } from './heldBack';
import { itemsOf, type JournalEntry } from './journalEntry';
import type { Message } from '../message';
import type { KeyHistory } from './keyHistory';

/** What is kept of one run of the node. */
interface Run {
	/** By message: one entry for each request. */
	requests: Record<string, JournalEntry[]>;
	/** By message: Send-Once Keys that were recorded, each with its item. */
	sendOnceKeys: Record<string, Record<string, number>>;
	/** Where n8n itself tries again: by item, the message of its last try. */
	tries?: Record<string, string>;
}

/** What is kept of one execution, in all of its runs of the node. */
interface Book {
	id: string;
	/** How many retries have continued it. */
	generation: number;
	/** The execution that wrote it last. */
	execution: string;
	/** Whether a newer retry has continued an older copy of it, so that it no longer knows everything. */
	isOutdated?: boolean;
	runs: Record<string, Run>;
}

export interface JournalOptions {
	/** Tells the runs of the node within one execution apart, as a loop has several. */
	runKey: string;
	execution: string;
	/** What only the retries of one execution share. Undefined in other runs, and in older releases of n8n. */
	retryToken?: string;
	/** Whether n8n itself runs the node again after an error. */
	retriedByHost: boolean;
}

/**
 * Remembers, inside n8n's own record of the execution, what has gone out, so that neither Retry On
 * Fail nor Retry sends it again. An entry is written before its request begins: whatever
 * interrupts the node, what was under way counts as uncertain.
 *
 * Keyed by the message's own words: a corrected message has not been sent. Costs about 40 bytes a
 * message and its envelope, or in bulk 16 bytes a number and its key; 100 bytes stay once the run
 * has succeeded.
 */
export class Journal {
	private readonly book: Book;
	private readonly run: Run;
	/** What earlier tries have left, by message. */
	private readonly earlier: ReadonlyMap<string, readonly JournalEntry[]>;
	private earlierByItem?: ReadonlyMap<number, readonly JournalEntry[]>;
	/** Whether n8n could not say if this retry is the only one. */
	private isUnclaimed = false;
	private readonly identities = new LastHash();
	private readonly devices = new LastHash();

	constructor(
		context: IContextObject,
		private readonly options: JournalOptions,
	) {
		const { runKey, execution, retriedByHost } = options;
		this.book = bookOf(context, options);
		this.run = this.book.runs[runKey] ??= { requests: {}, sendOnceKeys: {} };
		const { requests } = this.run;
		this.earlier = new Map(Object.entries(requests).map(([key, entries]) => [key, [...entries]]));
		if (!retriedByHost || this.book.execution !== execution) delete this.run.tries;
		if (retriedByHost) this.run.tries ??= {};
	}

	/**
	 * Lets only one retry continue this record: all copies of it that n8n keeps know what was sent so
	 * far, but not what another retry sends next. Must be called before anything is sent.
	 *
	 * @param cancelled aborts when the execution is canceled
	 */
	async continue(
		history: Pick<KeyHistory, 'claimOnce' | 'free'>,
		cancelled?: AbortSignal,
	): Promise<void> {
		const { book } = this;
		const { execution } = this.options;
		if (book.execution === execution) return;
		if (!book.isOutdated) {
			const name = `retry ${book.id}:${book.generation}`;
			const isFirst = await history.claimOnce(name).catch(() => undefined);
			// An agent uses its tools at once: another one has continued the record for this execution.
			if (book.execution === execution) return;
			this.isUnclaimed = isFirst === undefined;
			// Either way nothing is sent, and the next retry claims the name.
			if (this.isUnclaimed) return;
			if (isFirst && cancelled?.aborted) return await history.free([name]).catch(() => undefined);
			if (isFirst) book.generation++;
			else book.isOutdated = true;
		}
		book.execution = execution;
	}

	/**
	 * Returns why this run must not send anything: a newer retry knows more, or may exist. Then only
	 * what is recorded here is certain.
	 */
	whyHeldBack(): Failure | undefined {
		if (this.isUnclaimed) return UNCLAIMED;
		return this.book.isOutdated ? OUTDATED : undefined;
	}

	/**
	 * Returns what a message is remembered by: a hash of its words, and its item where it has a request of
	 * its own. Where n8n itself tries again, it is that of the try that sent it: nobody can have
	 * corrected the item since, and a text that holds the time reads differently each time.
	 */
	fingerprintOf(
		{ travels, identity }: Pick<Message, 'travels' | 'identity'>,
		itemIndex: number,
	): string {
		const hash = this.identities.of(identity);
		const key = travels === 'single' ? `${itemIndex}:${hash}` : hash;
		const { tries, requests, sendOnceKeys } = this.run;
		if (!tries) return key;
		const earlier = tries[itemIndex];
		if (earlier && (requests[earlier] || sendOnceKeys[earlier])) return earlier;
		return (tries[itemIndex] = key);
	}

	/** Returns what earlier tries did with this message: one entry for each request. */
	triesOf(key: string): readonly JournalEntry[] {
		return this.earlier.get(key) ?? [];
	}

	/** Returns what earlier tries did with an item, whatever it holds now. */
	triesOfItem(itemIndex: number): readonly JournalEntry[] {
		this.earlierByItem ??= byItem(this.earlier);
		return this.earlierByItem.get(itemIndex) ?? [];
	}

	/** Returns the entry of a message in a request of its own. */
	entryOf({ expectsAnswer }: Pick<Message, 'expectsAnswer'>): JournalEntry {
		return expectsAnswer ? { execution: this.options.execution } : {};
	}

	/** Returns whether the answer to what was sent comes back to another execution. */
	isAnsweredElsewhere({ execution }: JournalEntry): boolean {
		return execution !== undefined && execution !== this.options.execution;
	}

	/** Writes that a request begins, and returns a function that writes how it ended. */
	begin(key: string, entry: JournalEntry = {}): (outcome: Outcome) => void {
		(this.run.requests[key] ??= []).push(entry);
		return (outcome) => {
			if (outcome.outcome === 'accepted') entry.envelope = outcome.envelope;
			if (outcome.outcome === 'notSent') this.forget(key, entry);
		};
	}

	/** Returns whether this execution recorded the Send-Once Key for the item, which may then use it. */
	isOwnKey(key: string, sendOnceKey: string, itemIndex: number): boolean {
		const kept = this.run.sendOnceKeys[key] ?? {};
		return Object.hasOwn(kept, sendOnceKey) && kept[sendOnceKey] === itemIndex;
	}

	keepKey(key: string, sendOnceKey: string, itemIndex: number): void {
		(this.run.sendOnceKeys[key] ??= {})[sendOnceKey] = itemIndex;
	}

	dropKeys(key: string, sendOnceKeys: string[]): void {
		const kept = this.run.sendOnceKeys[key] ?? {};
		for (const each of sendOnceKeys) delete kept[each];
		if (Object.keys(kept).length === 0) delete this.run.sendOnceKeys[key];
	}

	/** Forgets the Send-Once Keys of items for which no request has begun. */
	dropKeysOfUnsent(): void {
		const { requests, sendOnceKeys } = this.run;
		for (const [key, kept] of Object.entries(sendOnceKeys)) {
			const entries = requests[key] ?? [];
			if (entries.some(({ numbers }) => !numbers)) continue;
			const begun = new Set(entries.flatMap(itemsOf));
			const unsent = Object.keys(kept).filter((each) => !begun.has(kept[each] as number));
			this.dropKeys(key, unsent);
		}
	}

	/** Returns a short hash of the device, as entries of bulk requests hold it. */
	deviceOf({ device }: Pick<Message, 'device'>): string {
		return this.devices.of(device).slice(0, 6);
	}

	/**
	 * Forgets what the run sent, as it has succeeded. The name of the record stays: in a loop, every retry
	 * of an execution that another node made fail runs this node again, and only one of them may send.
	 */
	close(): void {
		delete this.book.runs[this.options.runKey];
	}

	private forget(key: string, entry: JournalEntry): void {
		const left = this.run.requests[key]?.filter((each) => each !== entry) ?? [];
		if (left.length > 0) this.run.requests[key] = left;
		else delete this.run.requests[key];
	}
}

function byItem(all: ReadonlyMap<string, readonly JournalEntry[]>): Map<number, JournalEntry[]> {
	const found = new Map<number, JournalEntry[]>();
	for (const [key, entries] of all) {
		// The key of a message in a request of its own begins with its item.
		const alone = /^\d+(?=:)/.exec(key)?.[0];
		for (const entry of entries) {
			const items = alone === undefined ? itemsOf(entry) : [Number(alone)];
			for (const item of items) found.set(item, [...(found.get(item) ?? []), entry]);
		}
	}
	return found;
}

/** Hashes texts. Items with one text follow one another: it is hashed once. */
class LastHash {
	private last?: { text: string; hash: string };

	of(text: string): string {
		if (this.last?.text !== text) this.last = { text, hash: hashOf(text) };
		return this.last.hash;
	}
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Returns the book of this execution, or a new one; a record of another format knows nothing for certain. */
function bookOf(context: IContextObject, { execution, retryToken }: JournalOptions): Book {
	const known = context.journal as unknown as Partial<Book> | undefined;
	if (known?.id !== undefined && known.runs) return known as Book;
	// Retries of an execution that failed before this node ran continue one book that nobody wrote.
	const own =
		retryToken === undefined
			? { id: randomUUID().slice(0, 13), execution }
			: { id: hashOf(retryToken), execution: '' };
	const book: Book = { ...own, generation: 0, runs: {} };
	if (known) book.isOutdated = true;
	context.journal = book as unknown as IDataObject;
	return book;
}

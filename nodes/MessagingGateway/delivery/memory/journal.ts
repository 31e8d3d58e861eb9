import type { IContextObject } from 'n8n-workflow';

import type { Outcome } from '../../gateway/outcome';
import type { Message } from '../message';
import { itemsOf, type JournalEntry } from './journalEntry';
import {
	hashOf,
	isOfOtherNode,
	itemsOfMessage,
	openRecord,
	openRun,
	type ExecutionRecord,
	type RecordOptions,
	type RunRecord,
} from './record';
import { RetryGuard } from './retryGuard';

export interface JournalOptions extends RecordOptions {
	/** Tells the runs of the node within one execution apart, as a loop has several. */
	runKey: string;
	/** Resource and operation. */
	operation: string;
	/** Whether the text has the time or the like in it, so that a Retry may not recognize the message. */
	textChanges?: boolean;
	/** Whether n8n itself runs the node again after an error. */
	retriedByHost: boolean;
	/** Whether what may have been sent goes out again. */
	resendUncertain: boolean;
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
	readonly guard: RetryGuard;
	private readonly record: ExecutionRecord;
	private readonly run: RunRecord;
	/** Items for which another operation may have sent something. */
	private readonly changed: ReadonlySet<number>;
	/** What earlier tries have left, by message. */
	private readonly earlier: ReadonlyMap<string, readonly JournalEntry[]>;
	private earlierByItem?: ReadonlyMap<number, readonly JournalEntry[]>;
	private readonly identities = new LastHash();
	private readonly devices = new LastHash();

	constructor(
		context: IContextObject,
		private readonly options: JournalOptions,
	) {
		const { runKey, operation, execution, retriedByHost } = options;
		this.record = openRecord(context, options);
		this.guard = new RetryGuard(this.record, options);
		this.run = openRun(this.record, runKey, operation);
		const { requests, changed } = this.run;
		this.changed = new Set(itemsOf({ items: changed }));
		this.earlier = new Map(Object.entries(requests).map(([key, entries]) => [key, [...entries]]));
		if (!retriedByHost || this.record.execution !== execution) delete this.run.tries;
		if (retriedByHost) this.run.tries ??= {};
	}

	/**
	 * Returns what a message is remembered by: a hash of its words, and the item of a single message. If n8n itself
	 * tries again, it is that of the try that sent it, which this notes: nobody can have corrected the item since,
	 * and a text that holds the time reads differently each time.
	 */
	assignFingerprint(
		{ travels, identity }: Pick<Message, 'travels' | 'identity'>,
		itemIndex: number,
	): string {
		const hash = this.identities.of(identity);
		const own = travels === 'single' ? `${itemIndex}:${hash}` : hash;
		const { tries, requests, sendOnceKeys } = this.run;
		if (!tries) return own;
		const earlier = tries[itemIndex];
		if (earlier && (requests[earlier] || sendOnceKeys[earlier])) return earlier;
		return (tries[itemIndex] = own);
	}

	/** Whether the node has not run before in this execution. */
	get isFirstRun(): boolean {
		return this.options.runKey === '0';
	}

	/** Returns whether an earlier try may have sent something for an item by another operation. */
	isChanged(itemIndex: number): boolean {
		return this.changed.has(itemIndex);
	}

	get textChanges(): boolean {
		return this.options.textChanges === true;
	}

	/** Returns what earlier tries did with this message: one entry for each request. */
	triesOf(fingerprint: string): readonly JournalEntry[] {
		return this.earlier.get(fingerprint) ?? [];
	}

	/** Returns what earlier tries did, with whatever message. */
	allTries(): JournalEntry[] {
		return [...this.earlier.values()].flat();
	}

	/** Returns what earlier tries did with an item, whatever it holds now. */
	triesOfItem(itemIndex: number): readonly JournalEntry[] {
		this.earlierByItem ??= byItem(this.earlier);
		return this.earlierByItem.get(itemIndex) ?? [];
	}

	/** Returns the entry of a single message. */
	entryOf({ expectsReply }: Pick<Message, 'expectsReply'>): JournalEntry {
		return expectsReply ? { execution: this.options.execution } : {};
	}

	/** Returns whether the reply to what was sent comes back to another execution. */
	isReplyElsewhere({ execution }: JournalEntry): boolean {
		return execution !== undefined && execution !== this.options.execution;
	}

	/** Writes that a request begins, and returns a function that writes how it ended. */
	begin(fingerprint: string, entry: JournalEntry = {}): (outcome: Outcome) => void {
		const { requests } = this.run;
		const entries = (requests[fingerprint] ??= []);
		entries.push(entry);
		return (outcome) => {
			if (outcome.outcome === 'accepted') entry.envelope = outcome.envelope;
			if (outcome.outcome !== 'notSent') return;
			entries.splice(entries.indexOf(entry), 1);
			if (entries.length === 0) delete requests[fingerprint];
		};
	}

	/** Returns whether this execution recorded the Send-Once Key for the item, which may then use it. */
	isOwnKey(fingerprint: string, sendOnceKey: string, itemIndex: number): boolean {
		if (isOfOtherNode(this.record, this.options)) return false;
		const kept = this.run.sendOnceKeys[fingerprint] ?? {};
		const name = nameOf(sendOnceKey);
		return Object.hasOwn(kept, name) && kept[name] === itemIndex;
	}

	keepKey(fingerprint: string, sendOnceKey: string, itemIndex: number): void {
		(this.run.sendOnceKeys[fingerprint] ??= {})[nameOf(sendOnceKey)] = itemIndex;
	}

	dropKeys(fingerprint: string, sendOnceKeys: string[]): void {
		const kept = this.run.sendOnceKeys[fingerprint] ?? {};
		for (const each of sendOnceKeys) delete kept[nameOf(each)];
		if (Object.keys(kept).length === 0) delete this.run.sendOnceKeys[fingerprint];
	}

	/** Forgets the Send-Once Keys of items for which no request has begun. */
	dropKeysOfUnsent(): void {
		const { requests, sendOnceKeys } = this.run;
		for (const [fingerprint, kept] of Object.entries(sendOnceKeys)) {
			const entries = requests[fingerprint] ?? [];
			if (entries.some(({ numbers }) => !numbers)) continue;
			const begun = new Set(entries.flatMap(itemsOf));
			const unsent = Object.keys(kept).filter((each) => !begun.has(kept[each] as number));
			this.dropKeys(fingerprint, unsent);
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
		delete this.record.runs[this.options.runKey];
	}
}

/** An object takes one name for its prototype. No key ends with a space, so this one can belong to no other. */
function nameOf(sendOnceKey: string): string {
	return sendOnceKey === '__proto__' ? '__proto__ ' : sendOnceKey;
}

function byItem(
	all: ReadonlyMap<string, readonly JournalEntry[]>,
): ReadonlyMap<number, readonly JournalEntry[]> {
	const found = new Map<number, JournalEntry[]>();
	for (const [fingerprint, entries] of all) {
		for (const entry of entries) {
			for (const item of itemsOfMessage(fingerprint, [entry])) {
				const known = found.get(item);
				if (known) known.push(entry);
				else found.set(item, [entry]);
			}
		}
	}
	return found;
}

/** Hashes texts. Items with one text follow one another: it is hashed once. */
export class LastHash {
	private last?: { text: string; hash: string };

	of(text: string): string {
		if (this.last?.text !== text) this.last = { text, hash: hashOf(text) };
		return this.last.hash;
	}
}

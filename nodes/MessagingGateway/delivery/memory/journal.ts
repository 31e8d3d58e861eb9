import type { IContextObject } from 'n8n-workflow';

import type { Outcome } from '../../gateway/outcome';
import type { Message } from '../message';
import {
	entryOf,
	type ExecutionRecord,
	itemsOf,
	type JournalEntry,
	openRecord,
	openRun,
	type RecordOptions,
	type RunRecord,
	type Sent,
} from './record';
import { RetryGuard } from './retryGuard';

export interface JournalOptions extends RecordOptions {
	/** Tells the runs of the node within one execution apart, as a loop has several. */
	runKey: string;
	/** Where the items of the run come from. */
	source: string;
	/** Whether what may have been sent goes out again. */
	resendUncertain: boolean;
}

/**
 * Remembers, inside n8n's own record of the execution, what has gone out, so that neither Retry On
 * Fail nor Retry sends it again. An entry is written before its request begins: if
 * anything interrupts the node, requests under way count as uncertain.
 *
 * By item and recipient: in another try, n8n gives the node the same items again, even if its
 * settings have changed. Costs about 40 bytes a message and its envelope, or in bulk 16 bytes a number and up to 6 an
 * item; 100 bytes stay once the run has succeeded.
 */
export class Journal {
	readonly guard: RetryGuard;
	/** What earlier tries have begun. */
	readonly earlier: readonly JournalEntry[];
	/** In earlier tries, by item: earlier items with the same list, whose requests were for it, too. */
	readonly earlierSame: Readonly<Record<number, readonly number[]>>;
	private readonly record: ExecutionRecord;
	private readonly run: RunRecord;

	constructor(
		context: IContextObject,
		private readonly options: JournalOptions,
	) {
		this.record = openRecord(context, options);
		this.guard = new RetryGuard(this.record, options);
		this.run = openRun(this.record, options.runKey, options.source);
		this.earlier = [...this.run.requests];
		this.earlierSame = { ...this.run.sameAs };
	}

	/** Whether the node has not run before in this execution. */
	get isFirstRun(): boolean {
		return this.options.runKey === '0';
	}

	/** Returns whether the reply to what was sent comes back to another execution. */
	isReplyElsewhere({ execution }: JournalEntry): boolean {
		return execution !== undefined && execution !== this.options.execution;
	}

	/** Writes that a request begins, and returns a function that writes how it ended. */
	begin(
		sent: readonly Sent[],
		{ travels, expectsReply }: Pick<Message, 'travels' | 'expectsReply'>,
	): (outcome: Outcome) => void {
		const { requests } = this.run;
		const entry = entryOf(sent, travels !== 'single');
		if (expectsReply) entry.execution = this.options.execution;
		requests.push(entry);
		return (outcome) => {
			if (outcome.outcome === 'accepted') entry.envelope = outcome.envelope;
			// Requests under way are at the end.
			else if (outcome.outcome === 'notSent') requests.splice(requests.lastIndexOf(entry), 1);
		};
	}

	/** Notes that the requests of an earlier item carry the list of this one, too. */
	noteSame(item: number, first: number): void {
		const known = this.run.sameAs?.[item] ?? [];
		if (!known.includes(first)) (this.run.sameAs ??= {})[item] = [...known, first];
	}

	/** Returns whether this execution recorded the Send-Once Key for the item, which may then use it. */
	isOwnKey(item: number, sendOnceKey: string): boolean {
		const isOwn = this.record.node === this.options.node;
		return isOwn && this.run.sendOnceKeys[item] === sendOnceKey;
	}

	keepKey(item: number, sendOnceKey: string): void {
		this.run.sendOnceKeys[item] = sendOnceKey;
	}

	dropKeys(items: readonly number[]): void {
		for (const item of items) delete this.run.sendOnceKeys[item];
	}

	/** Forgets the Send-Once Keys of items for which no request has begun. */
	dropKeysOfUnsent(): void {
		const { requests, sendOnceKeys } = this.run;
		const begun = new Set(requests.flatMap((entry) => [...itemsOf(entry)].map(([item]) => item)));
		this.dropKeys(
			Object.keys(sendOnceKeys)
				.map(Number)
				.filter((item) => !begun.has(item)),
		);
	}

	/**
	 * Forgets what the run sent, because it succeeded. The record's name stays: if another node failed, every retry
	 * runs this node again in a loop, and only one retry may send.
	 */
	close(): void {
		delete this.record.runs[this.options.runKey];
	}
}

import type { Failure, Outcome } from '../gateway/outcome';
import type { Gateway } from '../gateway/request';
import { Breather } from '../shared/time';
import type { DeliverySettings } from './deliverySettings';
import { Dispatch, type DispatchOptions } from './dispatch';
import { mustGiveUp, NO_REFUSALS, notTried, refusalsAfter } from './giveUp';
import { Grouping } from './grouping';
import type { Mailing } from './mailing';
import { EarlierTries } from './memory/earlierTries';
import type { Journal } from './memory/journal';
import type { KeyHistory } from './memory/keyHistory';
import type { ReadItem, ReadyItem } from './message';
import { Batching } from './pace/batching';
import { type Job, runInLanes } from './pace/lanes';
import { Pace } from './pace/pace';
import { NOT_SENT_TO, type RecipientRow, type Row } from './row';
import { RunKeys } from './runKeys';
import { CANCELED, failureOf, isFailure } from './shipment';

/** The dependencies of a delivery. */
export interface DeliveryOptions {
	settings: DeliverySettings;
	journal: Journal;
	keyHistory: KeyHistory;
	gateway: Gateway;
	/** Aborts when the execution is canceled. */
	canceled?: AbortSignal;
	log(message: string): void;
}

/** Sends the messages of one run of the node: groups items into mailings, and sends these request by request. */
export class Delivery {
	private readonly batching: Batching;
	private readonly pace: Pace;
	private readonly grouping = new Grouping();
	private readonly halting = new AbortController();
	readonly keys: RunKeys;
	private readonly earlierTries: EarlierTries;
	private readonly dispatchOptions: DispatchOptions;
	private refusals = NO_REFUSALS;
	/** The failure that ends all further tries, even in a run that continues after failures. */
	private finalFailure?: Failure;

	/**
	 * @param count how many items there are
	 * @param items the items, read lazily
	 */
	constructor(
		private readonly options: DeliveryOptions,
		private readonly count: number,
		private readonly items: AsyncIterable<ReadItem> | Iterable<ReadItem>,
	) {
		const { settings, journal, keyHistory, gateway, canceled, log } = options;
		const { halt } = this;
		this.batching = new Batching(settings, halt, log);
		this.pace = Pace.join(settings.subscription, settings.requestsPerMinute, halt);
		this.earlierTries = new EarlierTries(journal, settings.resendUncertain);
		this.keys = new RunKeys({
			journal,
			history: keyHistory,
			earlierTries: this.earlierTries,
			resendUncertain: settings.resendUncertain,
			halt,
			canceled,
		});
		this.dispatchOptions = {
			settings,
			journal,
			keys: this.keys,
			gateway,
			pace: this.pace,
			halt,
			markBegun: async (rows) => await this.markBegun(rows),
			onFailure: (failure) => this.stopAt(failure),
		};
	}

	/** All recipients of the items, with their results. */
	get rows(): readonly Row[] {
		return this.grouping.rows;
	}

	/** Aborts when nothing new may begin: after a failure that stops the node, after giving up, or on cancellation. */
	get halt(): AbortSignal {
		return this.halting.signal;
	}

	/** Resolves when everything is sent, or when nothing more may begin and no request is under way. */
	async run(): Promise<void> {
		const { canceled, settings, journal } = this.options;
		const halt = () => {
			this.halting.abort();
			// n8n stores a canceled execution next. The keys of messages that have not begun will be free.
			journal.dropKeysOfUnsent();
		};
		if (canceled?.aborted) halt();
		canceled?.addEventListener('abort', halt);
		try {
			await this.earlierTries.read();
			await runInLanes(this.jobs(), settings.maxConcurrency);
			while (this.keys.hasWaiting) await runInLanes(this.jobsOfNext(), settings.maxConcurrency);
		} finally {
			canceled?.removeEventListener('abort', halt);
			this.pace.leave();
			await this.keys.recordEarlier();
		}
		if (canceled?.aborted) this.failNotBegun();
		else if (this.finalFailure) this.failNotTried(this.finalFailure);
	}

	/** Whether items are still read. They are even after giving up, because each gets a result. */
	private get isReading(): boolean {
		const isGivenUp = this.finalFailure !== undefined && this.options.canceled?.aborted !== true;
		return !this.halt.aborted || isGivenUp;
	}

	/**
	 * A single message is ready as soon as its item is read. Bulk texts wait until all items are
	 * read, so that equal ones travel together and nothing goes out if a wrong item stops the node.
	 */
	private async *jobs(): AsyncGenerator<Job> {
		const breather = new Breather();
		if (!this.isReading) return;
		for await (const item of this.items) {
			if (breather.isDue()) await breather.breathe();
			if ('failure' in item) this.refuse(item);
			else {
				const mailing = await this.add(item, breather);
				if (item.message.travels === 'single') yield this.jobOf(mailing);
			}
			if (!this.isReading) break;
		}
		for (const mailing of this.grouping.bulk) yield this.jobOf(mailing);
	}

	/** Adds an item to its mailing, and decides about its recipients. */
	private async add(ready: ReadyItem, breather: Breather): Promise<Mailing> {
		const { mailing, rows, sameAs } = await this.grouping.add(ready, breather, (first) =>
			this.earlierTries.wereAlsoFor(first, ready.index),
		);
		if (sameAs !== undefined) this.options.journal.noteSame(ready.index, sameAs);
		this.keys.add(ready, rows);
		for (const row of rows) {
			if (breather.isDue()) await breather.breathe();
			this.decide(row, mailing);
		}
		return mailing;
	}

	/** The items that get the key of an item whose message was not sent. */
	private async *jobsOfNext(): AsyncGenerator<Job> {
		const breather = new Breather();
		for await (const { ready, rows } of this.keys.next()) {
			const mailing = this.grouping.again(ready, rows);
			for (const row of rows) {
				if (breather.isDue()) await breather.breathe();
				this.decide(row, mailing);
			}
			yield this.jobOf(mailing);
		}
	}

	private jobOf(mailing: Mailing): Job {
		return { lane: mailing.lane, run: async () => await this.send(mailing) };
	}

	/** An item that cannot be sent has the reason as its result. */
	private refuse({ index, failure }: { index: number; failure: Failure }): void {
		const row = this.earlierTries.rowUnlessSent(index, failure);
		this.grouping.rows.push(row);
		// A message that an earlier try sent, or may have sent, does not stop the run.
		if (row.reason?.outcome === 'notSent') this.stopAt(failure);
	}

	/** Records the results that are known before anything is sent. */
	private decide(row: RecipientRow, mailing: Mailing): void {
		const { journal } = this.options;
		const { recipient } = row;
		const earlier = this.earlierTries.shipmentOf(row);
		const waits = this.keys.whyWaiting(row);
		const heldBack = journal.guard.whyHeldBack();
		if (earlier) {
			row.shipment = earlier;
			// Another item of this run does not send the same text to this number either.
			mailing.copyFor(recipient).shipment ??= earlier;
			this.keys.recordLater(row);
		} else if (recipient.skip) row.reason = NOT_SENT_TO[recipient.skip];
		else {
			row.isResent = this.earlierTries.isResend(row);
			row.reason = waits ?? heldBack;
			// It may have been sent before it had the key.
			if (heldBack?.cause === 'interrupted') this.keys.recordLater(row);
		}
	}

	private async send(mailing: Mailing): Promise<void> {
		const isList = mailing.message.travels === 'list';
		while (!this.halt.aborted && mailing.hasNext()) {
			const giveBack = await this.batching.next();
			const dispatch = new Dispatch(this.dispatchOptions, mailing);
			const outcome = await dispatch.send();
			const [first] = dispatch.rows;
			if (outcome && first) this.stopAfter(outcome, first.recipient.to);
			else giveBack();
			if (!isList) await this.keys.free(dispatch.rows);
		}
		// The one key of a list depends on all of its requests.
		if (isList) await this.keys.free(mailing.all());
	}

	/**
	 * Marks that this execution has begun to send. A retry needs the mark if n8n ends before it saves the execution. A
	 * Send-Once Key is a mark, too. A single message is not worth the extra call.
	 */
	private async markBegun(rows: readonly Row[]): Promise<void> {
		const { journal, keyHistory } = this.options;
		const isOne = this.count === 1 && this.rows.length === 1 && journal.isFirstRun;
		if (!isOne && rows.some(({ sendOnceKey }) => sendOnceKey === '')) {
			await journal.guard.markBegun(keyHistory);
		}
	}

	/** Begins nothing new after a failure that stops the node. */
	private stopAt(outcome: Outcome): void {
		if (!this.options.settings.continueOnFail && isFailure(outcome)) this.halting.abort();
	}

	/** Begins nothing new after a failure that stops the node, or that every further message would have. */
	private stopAfter(outcome: Outcome, recipient: string): void {
		this.stopAt(outcome);
		this.refusals = refusalsAfter(this.refusals, outcome, recipient);
		if (this.halt.aborted || !mustGiveUp(outcome, this.refusals)) return;
		this.finalFailure = outcome;
		this.halting.abort();
	}

	/** In a canceled run, every item says whether it was begun. */
	private failNotBegun(): void {
		const { rows } = this.grouping;
		const read = new Set(rows.map(({ item }) => item));
		for (const row of this.rowsWithoutResult()) row.reason = failureOf(row, CANCELED);
		for (let item = 0; item < this.count; item++) {
			if (!read.has(item)) rows.push(this.earlierTries.rowUnlessSent(item, CANCELED));
		}
	}

	/** In a run that has given up, every item that was not begun gets the same reason. */
	private failNotTried(cause: Failure): void {
		const rows = this.rowsWithoutResult();
		const failure = notTried(cause, new Set(rows.map(({ item }) => item)).size);
		for (const row of rows) row.reason = failureOf(row, failure);
	}

	private rowsWithoutResult(): Row[] {
		const { rows, bulk } = this.grouping;
		// A request of this run may have carried the text to the number for another item.
		for (const mailing of bulk) {
			for (const row of mailing.all()) {
				const carried = mailing.copyFor(row.recipient).shipment;
				if (!row.reason && carried?.outcome) row.shipment ??= carried;
			}
		}
		return rows.filter(({ shipment, reason }) => !shipment?.outcome && !reason);
	}
}

import { type Failure, notSentBecauseOf, type Outcome } from '../gateway/outcome';
import { Breather } from '../shared/time';
import type { DeliverySettings } from './deliverySettings';
import { Dispatch, type DispatchOptions } from './dispatch';
import { mustGiveUp, NO_REFUSALS, notTried, refusalsAfter } from './pace/giveUp';
import { Grouping } from './grouping';
import type { Mailing } from './mailing';
import { EarlierTries } from './memory/earlierTries';
import { unlessSent } from './memory/heldBack';
import type { Journal } from './memory/journal';
import type { KeyHistory } from './memory/keyHistory';
import type { ReadyItem, Recipient } from './message';
import { Batching } from './pace/batching';
import { type Job, runInLanes } from './pace/lanes';
import { Pace } from './pace/pace';
import { keyTaken, OPTED_OUT, type RecipientRow, type Row } from './row';
import { RunKeys } from './runKeys';
import { CANCELED, isFailure } from './shipment';

/** What a delivery needs from outside. */
export interface DeliveryOptions {
	settings: DeliverySettings;
	journal: Journal;
	keyHistory: KeyHistory;
	/** Aborts when the execution is canceled. */
	canceled?: AbortSignal;
	log(message: string): void;
}

/** Sends the messages of one run of the node: groups items into mailings, and sends these request by request. */
export class Delivery {
	private readonly batching: Batching;
	private readonly pace: Pace;
	private readonly grouping: Grouping;
	private readonly halting = new AbortController();
	private readonly keys: RunKeys;
	private readonly earlierTries: EarlierTries;
	private readonly dispatchOptions: DispatchOptions;
	private refusals = NO_REFUSALS;
	/** The failure after which nothing more is tried, although the run goes on after failures. */
	private hopeless?: Failure;

	/** @param read resolves to an item that is ready to be sent; throws if it cannot be sent as it is */
	constructor(
		private readonly options: DeliveryOptions,
		private readonly items: number,
		private readonly read: (index: number) => Promise<ReadyItem>,
	) {
		const { settings, journal, keyHistory, canceled, log } = options;
		const { halt } = this;
		this.batching = new Batching(settings, halt, log);
		this.pace = Pace.join(settings.subscription, settings, halt);
		this.earlierTries = new EarlierTries(journal, settings.resendUncertain);
		this.keys = new RunKeys(journal, keyHistory, settings.resendUncertain, halt, canceled);
		this.grouping = new Grouping(journal, this.earlierTries);
		this.dispatchOptions = {
			settings,
			journal,
			keys: this.keys,
			pace: this.pace,
			halt,
			markBegun: async (rows) => await this.markBegun(rows),
			onFailure: (failure) => this.stopAt(failure),
		};
	}

	/** Everybody whom the items ask for, with what became of the message. */
	get rows(): readonly Row[] {
		return this.grouping.rows;
	}

	/** Keys that n8n could not free although their messages were not sent. */
	get unreleasedKeys(): readonly string[] {
		return this.keys.unreleased;
	}

	/** Keys of messages that an earlier try has sent, which n8n could not record. */
	get unrecordedKeys(): readonly string[] {
		return this.keys.unrecorded;
	}

	/** Aborts when nothing new may begin: after a failure that stops the node, or a cancellation. */
	get halt(): AbortSignal {
		return this.halting.signal;
	}

	/** Resolves when everything is sent, or when nothing more may begin and no request is under way. */
	async run(): Promise<void> {
		const { canceled, settings, journal } = this.options;
		const halt = () => {
			this.halting.abort();
			// n8n stores a canceled execution next; the keys of what has not begun will be free.
			journal.dropKeysOfUnsent();
		};
		if (canceled?.aborted) halt();
		canceled?.addEventListener('abort', halt);
		try {
			await runInLanes(this.jobs(), settings.maxConcurrency);
		} finally {
			canceled?.removeEventListener('abort', halt);
			this.pace.leave();
			await this.keys.recordEarlier();
		}
		if (canceled?.aborted) this.tellWhatWasNotBegun();
		else if (this.hopeless) this.tellWhatWasNotTried(this.hopeless);
	}

	/** Whether items are still read: also after giving up, as each says what became of it. */
	private get isReading(): boolean {
		const isGivenUp = this.hopeless !== undefined && this.options.canceled?.aborted !== true;
		return !this.halt.aborted || isGivenUp;
	}

	/**
	 * A single message is ready as soon as its item is read. Bulk texts wait until all items are
	 * read, so that equal ones travel together and nothing goes out if a wrong item stops the node.
	 */
	private async *jobs(): AsyncGenerator<Job> {
		const breather = new Breather();
		for (let index = 0; index < this.items && this.isReading; index++) {
			if (breather.isDue()) await breather.breathe();
			const ready = await this.readItem(index);
			if (!ready) continue;
			const fingerprint = this.options.journal.assignFingerprint(ready.message, index);
			const mailing = this.grouping.add(ready, fingerprint);
			if (ready.message.travels === 'single') yield* this.jobOf(mailing);
		}
		for (const mailing of this.grouping.bulk) yield* this.jobOf(mailing);
	}

	private async *jobOf(mailing: Mailing): AsyncGenerator<Job> {
		const breather = new Breather();
		for (const row of mailing.all()) {
			if (breather.isDue()) await breather.breathe();
			this.decide(row, mailing);
		}
		if (mailing.hasNext() && !this.halt.aborted) {
			yield { lane: mailing.lane, run: async () => await this.send(mailing) };
		}
	}

	/** Reads an item. If it cannot be sent, the reason becomes its result. */
	private async readItem(index: number): Promise<ReadyItem | undefined> {
		try {
			const ready = await this.read(index);
			const { settings } = this.options;
			// The first item with a key has it, even if its message goes out after those of later items.
			// An item whose recipients have all opted out sends nothing, and leaves the key to others.
			const isSent = ready.message.recipients.some((to) => !isOptedOut(to, settings));
			if (isSent) this.keys.reserve(ready.sendOnceKey, index);
			return ready;
		} catch (error) {
			const failure = notSentBecauseOf(error);
			const row = this.earlierTries.rowUnlessSent(index, failure);
			this.grouping.rows.push(row);
			// What an earlier try has sent, or may have sent, stops nothing.
			if (row.reason?.outcome === 'notSent') this.stopAt(failure);
			return undefined;
		}
	}

	/** Writes down what is known of a row before anything is sent. */
	private decide(row: RecipientRow, { fingerprint, shipments }: Mailing): void {
		const { settings } = this.options;
		const { recipient, sendOnceKey } = row;
		const heldBack = this.earlierTries.whyHeldBack(row, fingerprint);
		const earlier = shipments.find(recipient);
		const isSkipped = isOptedOut(recipient, settings);
		const isTaken = !isSkipped && this.keys.isReservedByAnother(row);
		// A bulk request of an earlier try may belong to another item; a request of one message belongs to this item.
		if (earlier?.isEarlier && !(isTaken && earlier.isBulk)) {
			row.shipment = earlier;
			this.keys.recordLater(row, fingerprint);
		} else if (isTaken) row.reason = keyTaken(sendOnceKey, true);
		else if (isSkipped) row.reason = OPTED_OUT;
		else if (heldBack) {
			row.reason = heldBack;
			// It may have been sent before it had the key.
			if (heldBack.cause === 'changed' || heldBack.cause === 'interrupted') {
				this.keys.recordLater(row, fingerprint);
			}
		} else if (this.earlierTries.isResend(fingerprint, row)) row.isResent = true;
	}

	private async send(mailing: Mailing): Promise<void> {
		const isList = mailing.message.travels === 'list';
		while (!this.halt.aborted && mailing.hasNext()) {
			const giveBack = await this.batching.next();
			const dispatch = new Dispatch(this.dispatchOptions, mailing);
			const outcome = await dispatch.send();
			if (outcome) this.stopAfter(outcome, dispatch.rows[0]?.recipient.to ?? '');
			else giveBack();
			if (!isList) await this.keys.free(dispatch.rows, mailing);
		}
		// The one key of a list depends on all of its requests.
		if (isList) await this.keys.free(mailing.all(), mailing);
	}

	/**
	 * Lets a retry know that this execution has begun to send, if n8n ends before it has stored that. A key says so by
	 * itself; for one single message, it would cost more than it helps.
	 */
	private async markBegun(rows: readonly Row[]): Promise<void> {
		const { journal, keyHistory } = this.options;
		const isOne = this.items === 1 && rows.length === 1 && journal.isFirstRun;
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
		this.hopeless = outcome;
		this.halting.abort();
	}

	/** In a canceled run, every item says whether it was begun. */
	private tellWhatWasNotBegun(): void {
		const { rows } = this.grouping;
		const read = new Set(rows.map(({ item }) => item));
		for (const row of this.rowsWithoutResult()) {
			row.reason = row.isResent ? unlessSent(CANCELED) : CANCELED;
		}
		for (let item = 0; item < this.items; item++) {
			if (!read.has(item)) rows.push(this.earlierTries.rowUnlessSent(item, CANCELED));
		}
	}

	/** In a run that has given up, all that was not begun says why, in the same words. */
	private tellWhatWasNotTried(cause: Failure): void {
		const rows = this.rowsWithoutResult();
		const failure = notTried(cause, new Set(rows.map(({ item }) => item)).size);
		for (const row of rows) row.reason = row.isResent ? unlessSent(failure) : failure;
	}

	private rowsWithoutResult(): Row[] {
		const { rows, bulk } = this.grouping;
		// A request of this run may have carried the text to the number for another item.
		for (const mailing of bulk) {
			for (const row of mailing.all()) {
				const carried = mailing.shipments.find(row.recipient);
				if (!row.reason && carried?.outcome) row.shipment ??= carried;
			}
		}
		return rows.filter(({ shipment, reason }) => !shipment?.outcome && !reason);
	}
}

/** A number can be written in several ways, and somebody who opted out in one of them gets nothing. */
function isOptedOut(
	{ to, readings = [to] }: Recipient,
	{ skipNumbers }: DeliverySettings,
): boolean {
	return readings.some((reading) => skipNumbers.has(reading));
}

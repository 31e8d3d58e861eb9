import {
	type Failure,
	isFailure,
	mayHaveLeft,
	notSentBecauseOf,
	type Outcome,
} from '../gateway/outcome';
import { Breather, pause } from '../shared/time';
import { CANCELED, CircuitBreaker, notTried, type Stop } from './circuitBreaker';
import { Dispatch, type DispatchOptions } from './dispatch';
import { Grouping } from './grouping';
import { type Entry, Ledger, type RecipientEntry, resultOf } from './ledger';
import { isLate, leaveOutIfLate } from './late';
import type { Mailing } from './mailing';
import { EarlierTries } from './memory/earlierTries';
import type { ReadItem, ReadyItem } from './message';
import { Batching } from './pace/batching';
import { type Job, runInLanes } from './pace/lanes';
import { RateLimiter } from './pace/rateLimiter';
import { type RunContext, stopsAtFailure } from './runContext';
import { RunKeys } from './runKeys';
import { firstNotSent, keyTaken, noNumber, NOT_SENT_TO } from './skipped';

/** Milliseconds at the end of a run that must end, for its last request: a short time would make messages uncertain. */
const LAST_REQUEST = 15_000;

/** A dry run and a test wait for nobody. */
const NO_WAITS = {
	...{ subscription: '', requestsPerMinute: 0 },
	...{ batchSize: 0, batchInterval: 0, randomDelay: 0 },
};

/** Sends the messages of one run of the node: groups items into mailings, and sends these request by request. */
export class Delivery {
	private readonly batching: Batching;
	private readonly limiter: RateLimiter;
	private readonly ledger = new Ledger();
	private readonly grouping = new Grouping();
	private readonly halting = new AbortController();
	private firstReady?: ReadyItem;
	readonly keys: RunKeys;
	private readonly dispatchOptions: DispatchOptions;
	/** Why the run was stopped from outside. */
	private stopped?: Failure;
	private readonly breaker = new CircuitBreaker(this.halt);

	private constructor(
		private readonly context: RunContext,
		private readonly count: number,
		private readonly items: AsyncIterable<ReadItem> | Iterable<ReadItem>,
		private readonly earlierTries: EarlierTries,
	) {
		const { mode, account, options, ports } = context;
		const { halt } = this;
		const waits = mode === 'send' ? { ...account, ...options } : NO_WAITS;
		this.batching = new Batching(waits, halt, ports.log);
		const startsBy = context.n8n.endsAt - LAST_REQUEST;
		this.limiter = RateLimiter.join(waits.subscription, waits.requestsPerMinute, halt, startsBy);
		this.keys = new RunKeys(context, earlierTries, halt);
		this.dispatchOptions = {
			run: context,
			ledger: this.ledger,
			keys: this.keys,
			limiter: this.limiter,
			halt,
			markBegun: async (entries) => await this.markBegun(entries),
			onFailure: (failure) => this.stopAt(failure),
		};
	}

	/**
	 * Resolves when everything is sent, or when nothing more may begin and no request is under way.
	 *
	 * @param count how many items there are
	 * @param items the items, read lazily
	 */
	static async run(
		context: RunContext,
		count: number,
		items: AsyncIterable<ReadItem> | Iterable<ReadItem>,
	): Promise<Delivery> {
		const { journal, keyHistory, canceled } = context.ports;
		await journal.guard.continue(keyHistory, canceled);
		const earlierTries = await EarlierTries.read(journal, context.options.resendUncertain);
		const delivery = new Delivery(context, count, items, earlierTries);
		await delivery.run();
		return delivery;
	}

	/** All recipients of the items, with their results. */
	get entries(): readonly Entry[] {
		return this.ledger.entries;
	}

	/** The first item with a message to send. */
	get first(): ReadyItem | undefined {
		return this.firstReady;
	}

	/** Aborts when nothing new may begin: after a failure that stops the node, after giving up, or on cancellation. */
	get halt(): AbortSignal {
		return this.halting.signal;
	}

	private async run(): Promise<void> {
		const { canceled, journal } = this.context.ports;
		const over = new AbortController();
		void this.stopInTime(over.signal);
		const halt = () => {
			this.stop(CANCELED);
			// n8n stores a canceled execution next. The keys of messages that have not begun will be free.
			journal.dropKeysOfUnsent();
		};
		if (canceled?.aborted) halt();
		canceled?.addEventListener('abort', halt);
		let broken: { error: unknown } | undefined;
		try {
			await runInLanes(this.jobs(), this.context.options.maxConcurrency);
		} catch (error) {
			this.halting.abort();
			broken = { error };
		}
		canceled?.removeEventListener('abort', halt);
		over.abort();
		this.limiter.leave();
		await this.keys.recordEarlier(this.entries);
		this.decideBehind();
		if (broken) this.breakOff(notSentBecauseOf(broken.error));
		else if (this.stopped) this.failNotBegun(this.stopped);
		else if (this.breaker.stop) this.failNotTried(this.breaker.stop);
	}

	/** Whether items are still read. They are even after giving up, because each gets a result. */
	private get isReading(): boolean {
		return !this.halt.aborted || (this.breaker.stop !== undefined && !this.stopped);
	}

	/** Begins nothing new when the run has to end, because its caller does not wait any longer. */
	private async stopInTime(over: AbortSignal): Promise<void> {
		const { startsBy } = this.limiter;
		if (startsBy === Infinity) return;
		await pause(startsBy - performance.now(), over);
		if (!over.aborted) this.stop(this.limiter.outOfTime());
	}

	/** Begins nothing new, and reads no more items. */
	private stop(why: Failure): void {
		this.stopped ??= why;
		this.halting.abort();
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
		const { index, message } = ready;
		const { ledger, earlierTries } = this;
		const mailing = this.grouping.mailingOf(ready);
		const first = this.grouping.sameListAs(ready, earlierTries.sourcesOf(index));
		const isSame = first !== undefined;
		if (isSame) this.context.ports.journal.noteSame(index, first);
		for (const { asEntered, why } of isSame ? [] : message.refusals) {
			ledger.note(index, { is: 'leftOut', why: noNumber(why) }, asEntered);
		}
		// A message that is too late leaves its key to others.
		const isBehind = !isLate(ready) && this.keys.hold(ready);
		// If an earlier item has the same list and text, they are one message. One entry of the later item says so.
		for (const recipient of isSame ? message.recipients.slice(0, 1) : message.recipients) {
			if (breather.isDue()) await breather.breathe();
			const mayRepeat = earlierTries.isResend({ item: index, recipient });
			const entry = ledger.add(ready, recipient, mayRepeat);
			mailing.add(entry);
			this.decide(entry, isBehind);
			if (entry.state.is === 'waiting') this.firstReady ??= ready;
		}
		return mailing;
	}

	private jobOf(mailing: Mailing): Job {
		return { lane: mailing.lane, run: async () => await this.send(mailing) };
	}

	/** An item that cannot be sent has the reason as its result. */
	private refuse({ index, failure }: { index: number; failure: Failure }): void {
		const state = this.earlierTries.unlessSent(index, failure);
		this.ledger.note(index, state);
		// A message that an earlier try sent, or may have sent, does not stop the run.
		if (resultOf({ state })?.outcome === 'notSent') this.stopAt(failure);
	}

	/** Writes what is known before anything is sent. */
	private decide(entry: RecipientEntry, isBehind: boolean): void {
		const { ledger } = this;
		const { skip } = entry.recipient;
		const earlier = this.earlierTries.requestOf(entry);
		const heldBack = this.context.ports.journal.guard.whyHeldBack();
		if (earlier) ledger.replay(entry, earlier);
		else if (skip) ledger.leaveOut(entry, NOT_SENT_TO[skip]);
		else if (isBehind) ledger.putBehind(entry);
		else if (heldBack) ledger.leaveOut(entry, heldBack);
		else leaveOutIfLate(ledger, entry);
	}

	/**
	 * Leaves out what waits for the first item with its key, now that it is known what became of that. If that was not
	 * sent because nothing more might begin, this gets the same reason as everything else.
	 */
	private decideBehind(): void {
		const { ledger, entries } = this;
		const behind = entries.filter(({ state }) => state.is === 'behind');
		if (behind.length === 0) return;
		const used = new Set(entries.filter(usesKey).map(({ sendOnceKey }) => sendOnceKey));
		for (const entry of behind) {
			const { sendOnceKey: key } = entry;
			if (used.has(key)) ledger.leaveOut(entry, keyTaken(key, true));
			else if (!this.halt.aborted) ledger.leaveOut(entry, firstNotSent(key));
		}
	}

	private async send(mailing: Mailing): Promise<void> {
		const isList = mailing.message.travels === 'list';
		while (!this.halt.aborted && mailing.hasNext()) {
			const settle = await this.breaker.admit(mailing.message.travels !== 'single');
			const giveBack = await this.batching.next();
			const dispatch = new Dispatch(this.dispatchOptions, mailing);
			const outcome = await dispatch.send();
			const [first] = dispatch.entries;
			if (!first || !outcome) giveBack();
			if (outcome) this.stopAt(outcome);
			settle(first && outcome, first?.recipient.to);
			if (this.breaker.stop) this.halting.abort();
			if (!isList) await this.keys.free(dispatch.entries);
		}
		// The one key of a list depends on all of its requests.
		if (isList) await this.keys.free(mailing.all());
	}

	/**
	 * Marks that this execution has begun to send. A retry needs the mark if n8n ends before it saves the execution. A
	 * Send-Once Key is a mark, too. A single message is not worth the extra call.
	 */
	private async markBegun(entries: readonly Entry[]): Promise<void> {
		const { journal, keyHistory } = this.context.ports;
		const isOne = this.count === 1 && this.entries.length === 1 && journal.isFirstRun;
		if (!isOne && entries.some(({ sendOnceKey }) => sendOnceKey === '')) {
			await journal.guard.markBegun(keyHistory);
		}
	}

	/** Begins nothing new after a failure that stops the node. */
	private stopAt(outcome: Outcome): void {
		if (stopsAtFailure(this.context) && isFailure(outcome)) this.halting.abort();
	}

	/** After an error of the node itself, every item has a result, and a request that is under way is uncertain. */
	private breakOff(failure: Failure): void {
		const { ledger } = this;
		for (const entry of ledger.unsettled()) {
			if (entry.state.is === 'inRequest') ledger.leaveOut(entry, mayHaveLeft(failure));
		}
		this.failNotBegun(failure);
	}

	/** In a run that was canceled or broke off, every item says whether it was begun. */
	private failNotBegun(failure: Failure): void {
		const { ledger, earlierTries } = this;
		const read = new Set(this.entries.map(({ item }) => item));
		for (const entry of ledger.unsettled()) ledger.leaveOut(entry, failure);
		for (let item = 0; item < this.count; item++) {
			if (!read.has(item)) ledger.note(item, earlierTries.unlessSent(item, failure));
		}
	}

	/** In a run that has given up, every item that was not begun gets the same reason. */
	private failNotTried(stop: Stop): void {
		const entries = this.ledger.unsettled();
		const failure = notTried(stop, new Set(entries.map(({ item }) => item)).size);
		for (const entry of entries) this.ledger.leaveOut(entry, failure);
	}
}

/** Whether the message went out, or may have, now or earlier. */
function usesKey(entry: Entry): boolean {
	const result = resultOf(entry);
	if (result?.outcome === 'skipped') return result.why === 'sendOnceKey';
	return result?.outcome === 'accepted' || result?.outcome === 'uncertain';
}

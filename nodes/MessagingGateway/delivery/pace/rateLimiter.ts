/**
 * How a request gets its permit, from all executions of an account in this process:
 *
 *     asks ──▶ waits ──────────▶ has a permit ──▶ under way ──▶ accepted, or failed for good
 *               ▲  the oldest of       │              │
 *               │  whose turn it is    │ not used     │ refused (429): everybody cools down
 *               └──────────────────────┴──────────────┘ and it keeps its place
 *
 * 1. A `FairQueue` says who is next: executions take turns, and newcomers come first, nine in a row at most.
 * 2. A `SlidingWindow` says when, if the credential has a limit.
 * 3. An `AdaptiveLimit` says when, once the gateway has refused a request: after each `Cooldown` one goes first, and
 *    each answer lets more go, no faster than the gateway accepted them. It is forgotten when the last execution has left.
 * 4. A message is given up after too many cooldowns in a row in which the gateway accepted nothing, or after too many
 *    refusals of its own.
 *
 * Both limits get events (`started`, `accepted`, `refused`), and know nothing of each other.
 */
import once from 'lodash/once';
import { type Failure, hasNotArrived, isBusy, notSent, type Outcome } from '../../gateway/outcome';
import { pause } from '../../shared/time';
import { AdaptiveLimit, type Started } from './adaptiveLimit';
import { FairQueue, Line } from './fairQueue';
import { SlidingWindow } from './slidingWindow';

/** A message with more refusals than this, and than Max Retries, is given up, although the gateway accepts others. */
const MOST_REFUSALS = 10;

/** Milliseconds: nobody is told to come back earlier. */
const LEAST_WAIT = 10_000;

/** One request may start. Every permit must be ended, used or not. */
export interface Permit {
	/** Call it right before the request starts: its minute counts from here. If false, the gateway is busy: wait again. */
	start(): boolean;
	/** @param outcome of the request; without it the permit was not used, and another gets it */
	end(outcome?: Outcome): void;
}

/** A message in the queue. It keeps its place until it is settled. */
export interface QueueEntry {
	number: number;
	hasAsked: boolean;
	/** How many cooldowns in a row it waits for while the gateway accepts nothing from anybody. */
	maxRetries: number;
	/** How often it was refused. */
	refusals: number;
	/** How many cooldowns were over when it was refused for the first time. */
	cooldownsBefore: number;
}

interface Waiter {
	number: number;
	entry: QueueEntry;
	limiter: RateLimiter;
	resolve(given?: Permit | Failure): void;
}

/** The limiters that somebody uses, or whose last minute still counts, by account. */
const limiters = new Map<string, SharedLimiter>();
/** The accounts that nobody uses any more, in the order in which their last minutes end. */
const unused = new Set<string>();

/**
 * The limiter of one account, as one execution sees it. All executions of this process share it and take
 * turns. When the last of them has left, what was learned is forgotten; the requests of its last minute are kept
 * until another execution comes after that minute.
 */
export class RateLimiter {
	/** This execution's waiting requests. */
	readonly line = new Line<Waiter>();
	private readonly onHalt = () => this.shared.leaveQueue(this);

	private constructor(
		private readonly shared: SharedLimiter,
		private readonly account: string,
		/** What the credential allows; 0 is no limit. Of several executions the lowest counts. */
		readonly requestsPerMinute: number,
		private readonly halt: AbortSignal,
		/** By `performance.now()`: no request of this execution may start later. */
		readonly startsBy: number,
	) {
		shared.setLimit(this, 1);
		halt.addEventListener('abort', this.onHalt);
	}

	/**
	 * @param account equal for two executions whose messages count for one limit; '' shares with nobody
	 * @param halt aborts when the execution needs no more permits
	 * @param startsBy by `performance.now()`: a request that would have to wait for longer fails at once
	 */
	static join(
		account: string,
		requestsPerMinute: number,
		halt: AbortSignal,
		startsBy = Infinity,
	): RateLimiter {
		forgetUnused();
		const shared = limiters.get(account) ?? new SharedLimiter();
		if (account !== '') limiters.set(account, shared);
		unused.delete(account);
		return new RateLimiter(shared, account, requestsPerMinute, halt, startsBy);
	}

	/** How many limiters are kept. */
	static get count(): number {
		return limiters.size;
	}

	/** Whether no request has to wait: there is no limit, and the gateway was never busy. */
	get isFree(): boolean {
		return this.shared.isFree;
	}

	/** Gives a message its place in the queue. */
	newEntry(maxRetries = 3): QueueEntry {
		const number = this.shared.entries++;
		return { number, hasAsked: false, maxRetries, refusals: 0, cooldownsBefore: 0 };
	}

	/**
	 * Resolves to a permit when one more request may start; to a failure at once if the gateway asks for a
	 * longer pause than anybody should wait for, if the message has waited too often, or if it cannot start in time; to
	 * undefined when everything halts.
	 */
	async permit(entry = this.newEntry()): Promise<Permit | Failure | undefined> {
		if (this.halt.aborted) return undefined;
		return await new Promise((resolve) => {
			this.shared.ask({ number: entry.number, entry, limiter: this, resolve });
		});
	}

	/** Returns the failure of a message that could not start in time. */
	outOfTime(): Failure {
		return this.shared.outOfTime();
	}

	/** Returns the failure of a message that was refused, if it must not wait any more. */
	givenUp(entry: QueueEntry, refusal: Failure): Failure | undefined {
		return this.shared.givenUp(entry, refusal);
	}

	/** The execution needs no more permits. */
	leave(): void {
		this.halt.removeEventListener('abort', this.onHalt);
		if (this.shared.remove(this)) unused.add(this.account);
		forgetUnused();
	}
}

function forgetUnused(): void {
	const time = performance.now();
	for (const account of unused) {
		if (limiters.get(account)?.isNeeded(time)) return;
		unused.delete(account);
		limiters.delete(account);
	}
}

/** The limiter of one account: who may start a request, and when. */
class SharedLimiter {
	/** How many queue entries there were. */
	entries = 0;
	/** How many executions have each limit. Few limits differ, however many there are. */
	private readonly limits = new Map<number, number>();
	private readonly window = new SlidingWindow();
	private adaptive = new AdaptiveLimit();
	private readonly queue = new FairQueue<Waiter>();
	/** Permits whose requests have not started yet, and when they were given, the oldest first. */
	private readonly reserved = new Map<Permit, number>();
	/** Rings when the next permit may be given. One timer, however many wait. */
	private alarm?: { at: number; off: AbortController };

	/** Whether no request has to wait. */
	get isFree(): boolean {
		return this.window.limit === Infinity && this.adaptive.cooldown.count === 0;
	}

	/** Whether somebody uses it, or the requests of the last minute still count when everybody has left. */
	isNeeded(time: number): boolean {
		return this.limits.size > 0 || this.window.count(time) > 0;
	}

	/** Adds an execution with its limit, or removes it. The lowest limit counts. */
	setLimit({ requestsPerMinute }: RateLimiter, by: 1 | -1): void {
		const limit = requestsPerMinute || Infinity;
		const count = (this.limits.get(limit) ?? 0) + by;
		if (count > 0) this.limits.set(limit, count);
		else this.limits.delete(limit);
		this.window.limit = Math.min(...this.limits.keys());
		this.serve();
	}

	/** @returns whether nobody uses it any more */
	remove(limiter: RateLimiter): boolean {
		this.leaveQueue(limiter);
		this.setLimit(limiter, -1);
		if (this.limits.size > 0) return false;
		this.adaptive = this.adaptive.forgotten();
		return true;
	}

	ask(waiter: Waiter): void {
		const { limiter, entry, resolve } = waiter;
		const { startsBy } = limiter;
		if (startsBy < Infinity && this.nextAt(performance.now()) > startsBy)
			return resolve(this.outOfTime());
		this.queue.add(limiter.line, waiter, entry.hasAsked);
		entry.hasAsked = true;
		// A later waiter cannot change when the first is served.
		if (this.queue.size === 1) this.serve();
	}

	/** Says when to try again, for those who wait only so long. */
	outOfTime(): Failure {
		const now = performance.now();
		const ms = Math.max(LEAST_WAIT, this.nextAt(now) - now);
		const { busy } = this.adaptive.cooldown;
		return notSent({
			what: busy?.what ?? 'It was not yet the turn of this message',
			advice: `Call this tool again in ${Math.ceil(ms / 1_000)} seconds.`,
			httpCode: busy?.httpCode,
		});
	}

	/** Removes an execution's waiters, which resolve to undefined. */
	leaveQueue({ line }: RateLimiter): void {
		for (const { resolve } of this.queue.remove(line)) resolve();
		this.serve();
	}

	/** @param refusal the last one; without it, that of anybody */
	givenUp(entry: QueueEntry, refusal = this.adaptive.cooldown.busy): Failure | undefined {
		const { maxRetries, refusals, cooldownsBefore } = entry;
		const { fruitless, count } = this.adaptive.cooldown;
		if (!refusal || refusals === 0) return undefined;
		if (maxRetries === 0) return refusal;
		const { advice, ...rest } = refusal;
		delete rest.retry;
		if (Math.min(fruitless, count - cooldownsBefore) > maxRetries) {
			const times = maxRetries === 1 ? 'once' : `${maxRetries} times in a row`;
			return {
				...rest,
				advice: `n8n waited ${times} (the limit in 'Max Retries'), and the gateway accepted no messages. ${advice}`,
			};
		}
		if (refusals <= Math.max(MOST_REFUSALS, maxRetries)) return undefined;
		return {
			...rest,
			advice: `The gateway has refused this message ${refusals} times while it accepted others. ${advice}`,
		};
	}

	/** Gives permits to all who may have one now, and sets the alarm for the next. */
	private serve(): void {
		const now = performance.now();
		const failure = this.adaptive.cooldown.failureWithoutAsking(now);
		let at = 0;
		while (this.queue.size > 0) {
			at = failure ? 0 : this.nextAt(now);
			if (at > now) break;
			const { limiter, entry, resolve } = this.queue.shift() as Waiter;
			resolve(failure ?? this.givenUp(entry) ?? this.give(limiter.line, entry, now));
		}
		if (this.queue.size === 0) this.stopAlarm();
		else if (!(this.alarm && this.alarm.at <= at)) void this.setAlarm(at);
	}

	/** Returns when one more request may start. */
	private nextAt(now: number): number {
		if (this.isFree) return 0;
		const reserved = [...this.reserved.values()];
		return Math.max(this.adaptive.nextAt(now, reserved), this.window.nextAt(now, reserved));
	}

	private async setAlarm(at: number): Promise<void> {
		this.stopAlarm();
		const alarm = (this.alarm = { at, off: new AbortController() });
		await pause(Math.ceil(at - performance.now()), alarm.off.signal);
		if (this.alarm !== alarm) return;
		this.alarm = undefined;
		this.serve();
	}

	private stopAlarm(): void {
		this.alarm?.off.abort();
		this.alarm = undefined;
	}

	private give(line: Line<Waiter>, entry: QueueEntry, now: number): Permit {
		let started: Started | undefined;
		const permit: Permit = {
			start: () => {
				// The gateway has become busy since.
				if (!this.reserved.delete(permit)) return false;
				line.given++;
				const time = performance.now();
				this.window.started(time);
				started = this.adaptive.started(time);
				return true;
			},
			end: once((outcome?: Outcome) => {
				this.reserved.delete(permit);
				if (started) this.ended(started, line, entry, outcome);
				this.serve();
			}),
		};
		this.reserved.set(permit, now);
		return permit;
	}

	private ended(started: Started, line: Line<Waiter>, entry: QueueEntry, outcome?: Outcome): void {
		const { adaptive } = this;
		const now = performance.now();
		if (!outcome || hasNotArrived(outcome)) return adaptive.unanswered(started, now);
		if (!isBusy(outcome)) return adaptive.accepted(started, now);
		// These permits may not be used any more, and some of them open a file for hours.
		if (adaptive.refused(started, outcome, now)) this.reserved.clear();
		line.given--;
		if (entry.refusals++ === 0) entry.cooldownsBefore = adaptive.cooldown.over(now);
	}
}

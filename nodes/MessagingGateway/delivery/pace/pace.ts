/**
 * How a request gets its turn, from all executions of a subscription in this process:
 *
 *     asks ──▶ waits ──────────▶ has a turn ──▶ under way ──▶ taken, or failed for good
 *               ▲  the oldest of       │            │
 *               │  whose turn it is    │ not used   │ refused (429): everybody pauses
 *               └──────────────────────┴────────────┘ and it keeps its place
 *
 * 1. A `FairQueue` says who is next: executions take turns, and newcomers come first, nine in a row at most.
 * 2. A `RollingWindow` says when, if the credential says what the plan allows.
 * 3. A `LearnedPlan` says when, once the gateway has refused a request: after each of the `Pauses` one goes first, and
 *    each answer lets more go, no faster than at the gap that was learned from what the gateway took. It is forgotten
 *    when the last execution has left.
 * 4. A message is given up after too many pauses in a row in which the gateway took nothing, or after too many refusals
 *    of its own.
 */
import once from 'lodash/once';
import { type Failure, isBusy, notSent, type Outcome } from '../../gateway/outcome';
import { pause } from '../../shared/time';
import { FairQueue, Line } from './fairQueue';
import { LearnedPlan } from './learnedPlan';
import { RollingWindow } from './rollingWindow';

/** A message with more refusals than this, and than Max Retries, is given up, although the gateway takes others. */
const MOST_REFUSALS = 10;

/** Milliseconds: nobody is told to come back earlier. */
const LEAST_WAIT = 10_000;

/** One request may begin. Every turn must be ended, used or not. */
export interface Turn {
	/** Call it right before the request begins: its minute counts from here. If false, the gateway is busy: wait again. */
	begin(): boolean;
	/** @param outcome of the request; without it the turn was not used, and another gets it */
	end(outcome?: Outcome): void;
}

/** A message in the queue. It keeps its place until it is settled. */
export interface Ticket {
	number: number;
	hasAsked: boolean;
	/** How many pauses in a row it waits for while the gateway takes nothing from anybody. */
	maxRetries: number;
	/** How often it was refused. */
	refusals: number;
	/** How many pauses were over when it was refused for the first time. */
	pausesBefore: number;
}

interface Waiter {
	number: number;
	ticket: Ticket;
	pace: Pace;
	resolve(given?: Turn | Failure): void;
}

/** The paces that somebody uses, or whose last minute still counts, by subscription. */
const paces = new Map<string, SharedPace>();
/** The subscriptions of those that nobody uses any more, in the order in which their last minutes end. */
const unused = new Set<string>();

/**
 * The pace of one subscription, as one execution sees it. All executions of this process share it and take
 * turns. When the last of them has left, what was learned is forgotten; the requests of its last minute are kept
 * until another execution comes after that minute.
 */
export class Pace {
	/** This execution's waiting requests. */
	readonly turns = new Line<Waiter>();
	private readonly onHalt = () => this.shared.leaveQueues(this);

	private constructor(
		private readonly shared: SharedPace,
		private readonly subscription: string,
		/** What the plan allows; 0 is no limit. Of several executions the lowest counts. */
		readonly requestsPerMinute: number,
		private readonly halt: AbortSignal,
		/** By `performance.now()`: no request of this execution may begin later. */
		readonly beginsBy: number,
	) {
		shared.count(this, 1);
		halt.addEventListener('abort', this.onHalt);
	}

	/**
	 * @param subscription equal for two executions whose messages count for one plan; '' shares with nobody
	 * @param halt aborts when the execution needs no more turns
	 * @param beginsBy by `performance.now()`: a request that would have to wait for longer fails at once
	 */
	static join(
		subscription: string,
		requestsPerMinute: number,
		halt: AbortSignal,
		beginsBy = Infinity,
	): Pace {
		forgetUnused();
		const shared = paces.get(subscription) ?? new SharedPace();
		if (subscription !== '') paces.set(subscription, shared);
		unused.delete(subscription);
		return new Pace(shared, subscription, requestsPerMinute, halt, beginsBy);
	}

	/** How many paces are kept. */
	static get count(): number {
		return paces.size;
	}

	/** Whether no request has to wait: there is no limit, and the gateway was never busy. */
	get isFree(): boolean {
		return this.shared.isFree;
	}

	/** Gives a message its place in the queue. */
	ticket(maxRetries = 3): Ticket {
		const number = this.shared.tickets++;
		return { number, hasAsked: false, maxRetries, refusals: 0, pausesBefore: 0 };
	}

	/**
	 * Resolves to a turn when one more request may begin; to a failure at once if the gateway asks for a
	 * longer pause than anybody should wait for, if the message has waited too often, or if it cannot begin in time; to
	 * undefined when everything halts.
	 */
	async turn(ticket = this.ticket()): Promise<Turn | Failure | undefined> {
		if (this.halt.aborted) return undefined;
		return await new Promise((resolve) => {
			this.shared.ask({ number: ticket.number, ticket, pace: this, resolve });
		});
	}

	/** Returns the failure of a message that could not begin in time. */
	outOfTime(): Failure {
		return this.shared.outOfTime();
	}

	/** Returns the failure of a message that was refused, if it must not wait any more. */
	givenUp(ticket: Ticket, refusal: Failure): Failure | undefined {
		return this.shared.givenUp(ticket, refusal);
	}

	/** The execution needs no more turns. */
	leave(): void {
		this.halt.removeEventListener('abort', this.onHalt);
		if (this.shared.remove(this)) unused.add(this.subscription);
		forgetUnused();
	}
}

function forgetUnused(): void {
	const time = performance.now();
	for (const subscription of unused) {
		if (paces.get(subscription)?.isNeeded(time)) return;
		unused.delete(subscription);
		paces.delete(subscription);
	}
}

/** The pace of one subscription: who may begin a request, and when. */
class SharedPace {
	/** How many tickets there were. */
	tickets = 0;
	/** How many executions have each limit. Few limits differ, however many there are. */
	private readonly limits = new Map<number, number>();
	private readonly window = new RollingWindow();
	private learned = new LearnedPlan(this.window);
	private readonly turns = new FairQueue<Waiter>();
	/** Rings when the next turn may begin. One timer, however many wait. */
	private alarm?: { at: number; off: AbortController };

	/** Whether no request has to wait. */
	get isFree(): boolean {
		return this.window.limit === Infinity && this.learned.pauses.count === 0;
	}

	/** Whether somebody uses it, or the requests of the last minute still count when everybody has left. */
	isNeeded(time: number): boolean {
		return this.limits.size > 0 || this.window.count(time) > 0;
	}

	/** Counts the executions that have a limit. The lowest limit counts. */
	count({ requestsPerMinute }: Pace, by: number): void {
		const limit = requestsPerMinute || Infinity;
		const count = (this.limits.get(limit) ?? 0) + by;
		if (count > 0) this.limits.set(limit, count);
		else this.limits.delete(limit);
		this.window.limit = Math.min(...this.limits.keys());
		this.serve();
	}

	/** @returns whether nobody uses it any more */
	remove(pace: Pace): boolean {
		this.leaveQueues(pace);
		this.count(pace, -1);
		if (this.limits.size > 0) return false;
		this.learned = new LearnedPlan(this.window);
		return true;
	}

	ask(waiter: Waiter): void {
		const { pace, ticket, resolve } = waiter;
		if (this.nextAt(performance.now()) > pace.beginsBy) return resolve(this.outOfTime());
		this.turns.add(pace.turns, waiter, ticket.hasAsked);
		ticket.hasAsked = true;
		// A later waiter cannot change when the first is served.
		if (this.turns.size === 1) this.serve();
	}

	/** Says when to try again, for those who wait only so long. */
	outOfTime(): Failure {
		const time = performance.now();
		const ms = Math.max(LEAST_WAIT, this.nextAt(time) - time);
		const { busy } = this.learned.pauses;
		return notSent({
			what: busy?.what ?? 'It was not yet the turn of this message',
			advice: `Call this tool again in ${Math.ceil(ms / 1_000)} seconds.`,
			httpCode: busy?.httpCode,
		});
	}

	/** Removes an execution's waiters, which resolve to undefined. */
	leaveQueues({ turns }: Pace): void {
		for (const { resolve } of this.turns.remove(turns)) resolve();
		this.serve();
	}

	/** @param refusal the last one; without it, that of anybody */
	givenUp(ticket: Ticket, refusal = this.learned.pauses.busy): Failure | undefined {
		const { maxRetries, refusals, pausesBefore } = ticket;
		const { fruitless, count } = this.learned.pauses;
		if (!refusal || refusals === 0) return undefined;
		if (maxRetries === 0) return refusal;
		const { advice, ...rest } = refusal;
		delete rest.retry;
		if (Math.min(fruitless, count - pausesBefore) > maxRetries) {
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

	/** Gives turns to all who may have one now, and sets the alarm for the next. */
	private serve(): void {
		const time = performance.now();
		const failure = this.learned.pauses.failureWithoutAsking(time);
		let at = 0;
		while (this.turns.size > 0) {
			at = failure ? 0 : this.nextAt(time);
			if (at > time) break;
			const { pace, ticket, resolve } = this.turns.shift() as Waiter;
			resolve(failure ?? this.givenUp(ticket) ?? this.newTurn(pace.turns, ticket, time));
		}
		if (this.turns.size === 0) this.stopAlarm();
		else if (!(this.alarm && this.alarm.at <= at)) void this.setAlarm(at);
	}

	/** When the next request may begin. */
	private nextAt(time: number): number {
		return Math.max(this.learned.nextAt(time), this.window.nextAt(time));
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

	private newTurn(line: Line<Waiter>, ticket: Ticket, time: number): Turn {
		const { learned, window } = this;
		const place = window.give(time);
		let hasBegun = false;
		return {
			begin: () => {
				hasBegun = window.begin(place, performance.now());
				if (!hasBegun) return false;
				line.given++;
				learned.begin(place);
				return true;
			},
			end: once((outcome?: Outcome) => {
				window.takeBack(place);
				const now = performance.now();
				if (hasBegun) learned.end(place, now, outcome);
				if (outcome && isBusy(outcome)) {
					line.given--;
					const { count, end } = learned.pauses;
					if (ticket.refusals++ === 0) ticket.pausesBefore = end > now ? count - 1 : count;
				}
				this.serve();
			}),
		};
	}
}

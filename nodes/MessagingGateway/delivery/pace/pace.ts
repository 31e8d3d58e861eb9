/**
 * How a request gets its turn, from all executions of a subscription in this process:
 *
 *     asks ──▶ waits ──────────▶ has a turn ──▶ under way ──▶ taken, or failed for good
 *               ▲  the oldest of       │            │
 *               │  whose turn it is    │ not used   │ refused (429): everybody pauses
 *               └──────────────────────┴────────────┘ and it keeps its place
 *
 * 1. A `FairQueue` says who is next: executions take turns, and those without one yet come first.
 * 2. A `RollingWindow` says when, if the credential says what the plan allows.
 * 3. A `LearnedPlan` says when, once the gateway has refused a request: after its pause one goes first, then two, then
 *    four, until a window is full that was learned from what the gateway took. From then on that window says when,
 *    until the last execution has left: who comes then gets an answer of the gateway's own.
 * 4. A message is given up if it had to wait for too many pauses in a row in which the gateway took nothing.
 */
import type { Failure, Outcome } from '../../gateway/outcome';
import { FairQueue, Line } from './fairQueue';
import { isBusy, LearnedPlan } from './learnedPlan';
import { pause } from './pause';
import { type Place, RollingWindow, WINDOW } from './rollingWindow';

/** Refusals of one message after which it is given up, although the gateway takes others. */
const MOST_REFUSALS = 10;

/**
 * Files that are open, or being opened, while their requests wait: enough to use any plan, and few
 * enough for the memory and for the server of the files.
 */
const MOST_FILES = 20;

/** The limits that one execution brings along. */
export interface PaceLimits {
	/** What the plan allows; 0 is no limit. Of several executions the lowest counts. */
	requestsPerMinute: number;
}

/** One request may begin. Every turn must be ended, used or not. */
export interface Turn {
	/**
	 * Call it right before the request begins: its minute counts from here.
	 *
	 * @returns false if the gateway has become busy since: wait for another turn
	 */
	begin(): boolean;
	/** @param outcome of the request; without it the turn was not used, and another gets it */
	end(outcome?: Outcome): void;
}

/** A message in the queue. It keeps its place until it is settled. */
export interface Ticket {
	number: number;
	hasWaited: boolean;
	/** In how many pauses in a row it waits while the gateway takes nothing from anybody. */
	maxRetries: number;
	/** How often it was refused. */
	refusals: number;
	/** How many pauses there were before it was refused for the first time. */
	pausesBefore: number;
}

/** One execution in the queues of a pace. */
interface Member {
	limits: PaceLimits;
	turns: Line<TurnWaiter>;
	files: Line<FileWaiter>;
}

interface TurnWaiter {
	number: number;
	ticket: Ticket;
	member: Member;
	resolve(turn?: Turn | Failure): void;
}

interface FileWaiter {
	number: number;
	member: Member;
	/** @param end is called when the file does not count any more */
	resolve(end?: () => void): void;
}

/** The paces that somebody uses, or whose last minute still counts, by subscription. */
const paces = new Map<string, SharedPace>();
/** Those that nobody uses any more, in the order in which their last minutes end. */
const idle: Array<{ subscription: string; until: number }> = [];

/**
 * The pace of one subscription, as one execution sees it. All executions of this process share it and take
 * turns. When the last of them has left, what was learned is forgotten; where one had a limit, the requests of its
 * last minute are kept until another execution comes after that minute.
 */
export class Pace {
	private readonly member: Member;
	private hasLeft = false;

	private constructor(
		private readonly shared: SharedPace,
		private readonly subscription: string,
		limits: PaceLimits,
		private readonly halt: AbortSignal,
	) {
		this.member = { limits, turns: new Line(), files: new Line() };
		shared.add(this.member);
		halt.addEventListener('abort', this.onHalt);
	}

	/**
	 * @param subscription equal for two executions whose messages count for one plan; '' shares with nobody
	 * @param halt aborts when the execution needs no more turns
	 */
	static join(subscription: string, limits: PaceLimits, halt: AbortSignal): Pace {
		forgetIdle();
		const shared = paces.get(subscription) ?? new SharedPace();
		if (subscription !== '') paces.set(subscription, shared);
		return new Pace(shared, subscription, limits, halt);
	}

	/** How many paces are kept. */
	static get count(): number {
		return paces.size;
	}

	/** Whether nobody has to wait for anybody: there is no limit, and the gateway was never busy. */
	get isFree(): boolean {
		return this.shared.isFree;
	}

	/** Gives a message its place in the queue. */
	ticket(maxRetries = 3): Ticket {
		return this.shared.ticket(maxRetries);
	}

	/**
	 * Resolves to a turn when one more request may begin; to a failure at once if the gateway asks for a
	 * longer pause than anybody should wait for, or if the message has waited too often; to undefined when everything halts.
	 */
	async turn(ticket = this.ticket()): Promise<Turn | Failure | undefined> {
		return this.halt.aborted ? undefined : await this.shared.turn(this.member, ticket);
	}

	/** Returns the failure of a message that was refused, if it must not wait any more. */
	givenUp(ticket: Ticket, refusal: Failure): Failure | undefined {
		return this.shared.givenUp(ticket, refusal);
	}

	/**
	 * Resolves when one more request may open its file before it asks for its turn, to a function that must
	 * be called when it has left; to undefined when everything halts.
	 */
	async file(): Promise<(() => void) | undefined> {
		return this.halt.aborted ? undefined : await this.shared.file(this.member);
	}

	/** The execution needs no more turns. */
	leave(): void {
		const { shared, subscription } = this;
		this.halt.removeEventListener('abort', this.onHalt);
		if (this.hasLeft) return;
		this.hasLeft = true;
		if (shared.remove(this.member)) {
			if (subscription !== '' && shared.isRemembered) {
				shared.idleUntil = now() + WINDOW;
				idle.push({ subscription, until: shared.idleUntil });
			} else {
				paces.delete(subscription);
			}
		}
		forgetIdle();
	}

	private readonly onHalt = () => this.shared.leaveQueues(this.member);
}

function forgetIdle(): void {
	const time = now();
	for (let [first] = idle; first && first.until <= time; [first] = idle) {
		idle.shift();
		// Somebody may have used it since.
		if (paces.get(first.subscription)?.idleUntil === first.until) paces.delete(first.subscription);
	}
}

/** The pace of one subscription: who may begin a request, and when. */
class SharedPace {
	/** When it is forgotten, if nobody uses it any more. */
	idleUntil?: number;
	private users = 0;
	private tickets = 0;
	/** How many executions have each limit. Few limits differ, however many there are. */
	private readonly limits = new Map<number, number>();
	private readonly window = new RollingWindow();
	private learned = new LearnedPlan();
	private readonly turns = new FairQueue<TurnWaiter>();
	private readonly files = new FairQueue<FileWaiter>();
	private openFiles = 0;
	/** Rings when the next turn may begin. One timer, however many wait. */
	private alarm?: { at: number; off: AbortController };

	/** Whether nobody has to wait for anybody. */
	get isFree(): boolean {
		return this.window.limit === Infinity && !this.learned.isKnown;
	}

	/** Whether the requests of the last minute still count when everybody has left. */
	get isRemembered(): boolean {
		return this.window.limit < Infinity && this.window.count(now()) > 0;
	}

	add({ limits }: Member): void {
		this.users++;
		this.idleUntil = undefined;
		this.count(limits, 1);
		this.adjust();
	}

	/** @returns whether nobody is left */
	remove(member: Member): boolean {
		this.leaveQueues(member);
		this.users--;
		this.count(member.limits, -1);
		if (this.users > 0) this.adjust();
		else this.learned = new LearnedPlan();
		return this.users === 0;
	}

	ticket(maxRetries: number): Ticket {
		const number = this.tickets++;
		return { number, hasWaited: false, maxRetries, refusals: 0, pausesBefore: 0 };
	}

	async turn(member: Member, ticket: Ticket): Promise<Turn | Failure | undefined> {
		return await new Promise((resolve) => {
			// Who comes after others changes nothing for these.
			const isFirst = this.turns.size === 0;
			const { number, hasWaited } = ticket;
			ticket.hasWaited = true;
			this.turns.add(member.turns, { number, ticket, member, resolve }, hasWaited);
			if (isFirst) this.serve();
		});
	}

	/** Resolves when one more may open its file before its turn, to a function that ends that. */
	async file(member: Member): Promise<(() => void) | undefined> {
		return await new Promise((resolve) => {
			this.files.add(member.files, { number: this.tickets++, member, resolve });
			this.serveFiles();
		});
	}

	/** Those who leave get nothing. */
	leaveQueues({ turns, files }: Member): void {
		for (const { resolve } of this.turns.remove(turns)) resolve();
		for (const { resolve } of this.files.remove(files)) resolve();
		this.serve();
	}

	givenUp(ticket: Ticket, refusal: Failure): Failure | undefined {
		const { maxRetries } = ticket;
		const { fruitless, pauses } = this.learned;
		if (maxRetries === 0) return refusal;
		const { advice, ...rest } = refusal;
		delete rest.retry;
		if (Math.min(fruitless, pauses - ticket.pausesBefore) > maxRetries) {
			const times = maxRetries === 1 ? 'once' : `${maxRetries} times in a row`;
			return {
				...rest,
				advice: `n8n has waited ${times}, as 'Max Retries' says, and the gateway accepted no message at all. ${advice}`,
			};
		}
		if (ticket.refusals <= Math.max(MOST_REFUSALS, maxRetries)) return undefined;
		return {
			...rest,
			advice: `The gateway has refused this message ${ticket.refusals} times while it accepted others. ${advice}`,
		};
	}

	private count({ requestsPerMinute }: PaceLimits, by: number): void {
		const limit = requestsPerMinute || Infinity;
		const count = (this.limits.get(limit) ?? 0) + by;
		if (count > 0) this.limits.set(limit, count);
		else this.limits.delete(limit);
	}

	/** The lowest limit of those who use it counts. */
	private adjust(): void {
		this.window.limit = Math.min(...this.limits.keys());
		this.serve();
		this.serveFiles();
	}

	/** Gives turns to all who may have one now, and sets the alarm for the next. */
	private serve(): void {
		const time = now();
		const refusal = this.learned.refusal(time);
		let at = 0;
		while (this.turns.size > 0) {
			at = refusal ? 0 : Math.max(this.learned.nextAt(time), this.window.nextAt(time));
			if (at > time) break;
			const { member, ticket, resolve } = this.turns.shift() as TurnWaiter;
			resolve(refusal ?? this.failureOf(ticket) ?? this.newTurn(member, ticket, time));
		}
		if (this.turns.size === 0) {
			this.alarm?.off.abort();
			this.alarm = undefined;
		} else if (at < Infinity && !(this.alarm && this.alarm.at <= at)) {
			void this.setAlarm(at);
		}
	}

	/** Returns the failure of a message that was refused before, and has waited too often since. */
	private failureOf(ticket: Ticket): Failure | undefined {
		const { busy } = this.learned;
		return busy && ticket.refusals > 0 ? this.givenUp(ticket, busy) : undefined;
	}

	private serveFiles(): void {
		const most = this.isFree ? Infinity : MOST_FILES;
		while (this.files.size > 0 && this.openFiles < most) {
			const { member, resolve } = this.files.shift() as FileWaiter;
			member.files.turns++;
			resolve(this.newFile());
		}
	}

	private newFile(): () => void {
		this.openFiles++;
		let isOver = false;
		return () => {
			if (isOver) return;
			isOver = true;
			this.openFiles--;
			this.serveFiles();
		};
	}

	private async setAlarm(at: number): Promise<void> {
		this.alarm?.off.abort();
		const alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		await pause(Math.ceil(at - now()), alarm.off.signal);
		if (this.alarm !== alarm) return;
		this.alarm = undefined;
		this.serve();
	}

	private newTurn({ turns }: Member, ticket: Ticket, time: number): Turn {
		const { learned, window } = this;
		const pass = learned.give(time);
		const place: Place = { at: time, isUnderWay: false };
		window.give(place);
		let isEnded = false;
		return {
			begin: () => {
				if (!learned.begin(pass, now())) return false;
				turns.turns++;
				window.begin(place, now());
				return true;
			},
			end: (outcome) => {
				if (isEnded) return;
				isEnded = true;
				place.isUnderWay = false;
				if (!pass.hasBegun) window.takeBack(place);
				learned.end(pass, now(), outcome);
				if (outcome && isBusy(outcome)) {
					turns.turns--;
					if (ticket.refusals++ === 0) ticket.pausesBefore = learned.pauses - 1;
				}
				this.serve();
			},
		};
	}
}

/** Returns milliseconds of a clock that never goes back and that nobody can set. */
export function now(): number {
	return performance.now();
}

import type { Failure, Outcome } from '../../gateway/outcome';
import { BusyGate } from './busyGate';
import { FairQueue, Line } from './fairQueue';
import { pause } from './pause';
import { RollingWindow } from './rollingWindow';
import { Tally } from './tally';

/** The limits that one execution brings along. */
export interface PaceLimits {
	/** What the plan allows; 0 is no limit. Of several executions the lowest counts. */
	requestsPerMinute: number;
	/** Requests that the execution may have under way at once. On its own, it is never held up below that. */
	maxConcurrency: number;
}

/** One request may begin. Whoever gets a turn must end it, used or not. */
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

/** One execution in the queues of a pace. */
export class Member {
	readonly turns = new Line<TurnWaiter>();
	readonly files = new Line<FileWaiter>();

	constructor(readonly limits: PaceLimits) {}
}

interface TurnWaiter {
	member: Member;
	resolve(turn?: Turn | Failure): void;
}

interface FileWaiter {
	member: Member;
	/** @param end is called when the file does not count any more */
	resolve(end?: () => void): void;
}

/**
 * Files that are open, or being opened, while their requests wait: enough to use any plan, and few
 * enough for the memory and for the server of the files.
 */
const MOST_FILES = 20;

/** The pace of one subscription: who may begin a request, and when. */
export class SharedPace {
	/** When its last minute is over, if nobody uses it any more. */
	idleUntil?: number;
	private users = 0;
	private readonly limits = new Tally();
	private readonly concurrencies = new Tally();
	private readonly window = new RollingWindow();
	private gate = new BusyGate();
	private readonly turns = new FairQueue<TurnWaiter>();
	private readonly files = new FairQueue<FileWaiter>();
	private openFiles = 0;
	/** Rings when the next turn may begin. One timer, however many wait. */
	private alarm?: { at: number; off: AbortController };

	/** Whether nobody has to wait for anybody. */
	get isFree(): boolean {
		return this.window.limit === Infinity && !this.gate.wasBusy;
	}

	/** Whether the requests of the last minute still count when everybody has left. */
	get isRemembered(): boolean {
		return this.window.limit < Infinity && this.window.recent(now()) > 0;
	}

	add({ limits }: Member): void {
		this.users++;
		this.idleUntil = undefined;
		this.limits.add(limits.requestsPerMinute || Infinity);
		this.concurrencies.add(limits.maxConcurrency);
		this.adjust();
	}

	/** @returns whether nobody is left */
	remove(member: Member): boolean {
		this.leaveQueues(member);
		this.users--;
		this.limits.remove(member.limits.requestsPerMinute || Infinity);
		this.concurrencies.remove(member.limits.maxConcurrency);
		if (this.users > 0) this.adjust();
		// A person who tries again now gets an answer of the gateway's own.
		else this.gate = new BusyGate();
		return this.users === 0;
	}

	/** @param isReturned it gave back a turn that it could not use, and comes first */
	async turn(member: Member, isReturned: boolean): Promise<Turn | Failure | undefined> {
		return await new Promise((resolve) => {
			// Who comes after others changes nothing for these.
			const isFirst = this.turns.size === 0;
			const waiter = { member, resolve };
			if (isReturned) this.turns.addReturned(member.turns, waiter);
			else this.turns.add(member.turns, waiter);
			if (isFirst) this.serve();
		});
	}

	/** Resolves when one more may open its file before its turn, to a function that ends that. */
	async file(member: Member): Promise<(() => void) | undefined> {
		return await new Promise((resolve) => {
			this.files.add(member.files, { member, resolve });
			this.serveFiles();
		});
	}

	/** Those who leave get nothing. */
	leaveQueues({ turns, files }: Member): void {
		for (const { resolve } of this.turns.remove(turns)) resolve();
		for (const { resolve } of this.files.remove(files)) resolve();
		this.serve();
	}

	/** The lowest limit and the highest concurrency of those who use it count. */
	private adjust(): void {
		this.window.limit = this.limits.lowest();
		this.gate.leastAllowance = this.concurrencies.highest();
		this.serve();
		this.serveFiles();
	}

	/** Gives turns to all who may have one now, and sets the alarm for the next. */
	private serve(): void {
		const time = now();
		const refusal = this.gate.refusal(time);
		let at = 0;
		while (this.turns.size > 0) {
			at = refusal ? 0 : Math.max(this.gate.nextAt(), this.window.nextAt(time));
			if (at > time) break;
			const waiter = this.turns.shift() as TurnWaiter;
			waiter.resolve(refusal ?? this.newTurn(waiter.member, time));
		}
		if (this.turns.size === 0) {
			this.alarm?.off.abort();
			this.alarm = undefined;
		} else if (at < Infinity && !(this.alarm && this.alarm.at <= at)) {
			void this.setAlarm(at);
		}
	}

	private serveFiles(): void {
		const most = this.isFree ? Infinity : MOST_FILES;
		while (this.files.size > 0 && this.openFiles < most) {
			const { member, resolve } = this.files.shift() as FileWaiter;
			member.files.hadTurn = true;
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

	private newTurn({ turns }: Member, time: number): Turn {
		const { gate, window } = this;
		const pass = gate.pass();
		const place = window.give(time);
		let isEnded = false;
		return {
			begin: () => {
				if (!gate.begin(pass)) return false;
				turns.hadTurn = true;
				window.begin(place, now());
				return true;
			},
			end: (outcome) => {
				if (isEnded) return;
				isEnded = true;
				// Does nothing once the request has begun.
				window.takeBack(place);
				const time = now();
				gate.end(pass, { now: time, recent: window.recent(time) }, outcome);
				this.serve();
			},
		};
	}
}

/** Returns milliseconds of a clock that never goes back and that nobody can set. */
export function now(): number {
	return performance.now();
}

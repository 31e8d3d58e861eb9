import type { Failure, Outcome } from '../../gateway/outcome';
import { BusyGate, type Pass } from './busyGate';
import { pause } from './pause';
import { RollingWindow } from './rollingWindow';

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

interface Waiter {
	pace: Pace;
	resolve(turn: Turn | Failure | undefined): void;
}

/** The paces that somebody uses, or whose last minute still counts, by subscription. */
const paces = new Map<string, SharedPace>();

/**
 * The pace of one subscription, as one execution sees it. All executions of this process share it,
 * first come, first served. It lasts as long as one of them uses it; where one of them had a limit,
 * the requests of its last minute are kept until another execution comes after that minute.
 */
export class Pace {
	private readonly onHalt = () => this.shared.leaveQueue(this);

	private constructor(
		private readonly shared: SharedPace,
		readonly limits: PaceLimits,
		private readonly halt: AbortSignal,
	) {
		halt.addEventListener('abort', this.onHalt);
	}

	/**
	 * @param subscription equal for two executions whose messages count for one plan
	 * @param halt aborts when the execution needs no more turns
	 */
	static join(subscription: string, limits: PaceLimits, halt: AbortSignal): Pace {
		forgetIdle();
		const common = paces.get(subscription) ?? new SharedPace();
		paces.set(subscription, common);
		const pace = new Pace(common, limits, halt);
		common.add(pace);
		return pace;
	}

	/** How many paces are kept. */
	static get count(): number {
		return paces.size;
	}

	/**
	 * Resolves to a turn when one more request may begin; to a failure at once if the gateway asks for a
	 * longer pause than anybody should wait for; to undefined when everything halts.
	 */
	async turn(): Promise<Turn | Failure | undefined> {
		return this.halt.aborted ? undefined : await this.shared.turn(this);
	}

	/** The execution needs no more turns. */
	leave(): void {
		this.halt.removeEventListener('abort', this.onHalt);
		this.shared.remove(this);
		forgetIdle();
	}
}

function forgetIdle(): void {
	for (const [subscription, pace] of paces) {
		if (pace.isIdle()) paces.delete(subscription);
	}
}

class SharedPace {
	private readonly members = new Set<Pace>();
	private readonly window = new RollingWindow();
	private gate = new BusyGate();
	/** First come, first served. */
	private readonly waiting = new Set<Waiter>();
	/** Rings when the next turn may begin. One timer, however many wait. */
	private alarm?: { at: number; off: AbortController };

	add(pace: Pace): void {
		this.members.add(pace);
		this.adjust();
	}

	remove(pace: Pace): void {
		if (!this.members.delete(pace)) return;
		this.leaveQueue(pace);
		if (this.members.size > 0) this.adjust();
		// A person who tries again now gets an answer of the gateway's own.
		else this.gate = new BusyGate();
	}

	isIdle(): boolean {
		const isLimited = this.window.limit < Infinity;
		return this.members.size === 0 && !(isLimited && this.window.recent(now()) > 0);
	}

	async turn(pace: Pace): Promise<Turn | Failure | undefined> {
		return await new Promise((resolve) => {
			this.waiting.add({ pace, resolve });
			this.serve();
		});
	}

	/** Those who leave get no turn. */
	leaveQueue(pace: Pace): void {
		for (const waiter of this.waiting) {
			if (waiter.pace !== pace) continue;
			this.waiting.delete(waiter);
			waiter.resolve(undefined);
		}
		this.serve();
	}

	/** The lowest limit and the highest concurrency of those who use it count. */
	private adjust(): void {
		const all = [...this.members].map(({ limits }) => limits);
		const limits = all.map(({ requestsPerMinute }) => requestsPerMinute || Infinity);
		this.window.limit = limits.reduce((a, b) => Math.min(a, b), Infinity);
		this.gate.leastAllowance = all.reduce((most, { maxConcurrency }) => {
			return Math.max(most, maxConcurrency);
		}, 0);
		this.serve();
	}

	/** Gives turns to all who may have one now, and sets the alarm for the next. */
	private serve(): void {
		const time = now();
		const refusal = this.gate.refusal(time);
		let at = 0;
		for (const waiter of this.waiting) {
			at = refusal ? 0 : Math.max(this.gate.nextAt(), this.window.nextAt(time));
			if (at > time) break;
			this.waiting.delete(waiter);
			waiter.resolve(refusal ?? this.newTurn());
		}
		if (this.waiting.size === 0) {
			this.alarm?.off.abort();
			this.alarm = undefined;
		} else if (at < Infinity && !(this.alarm && this.alarm.at <= at)) {
			void this.setAlarm(at);
		}
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

	private newTurn(): Turn {
		const { gate } = this;
		const pass: Pass = gate.pass();
		let state: 'given' | 'begun' | 'ended' = 'given';
		this.window.reserve();
		return {
			begin: () => {
				if (!gate.isValid(pass)) return false;
				state = 'begun';
				this.window.begin(now());
				return true;
			},
			end: (outcome) => {
				if (state === 'ended') return;
				if (state === 'given') this.window.release();
				const time = now();
				gate.end(pass, { now: time, recent: this.window.recent(time) }, outcome);
				state = 'ended';
				this.serve();
			},
		};
	}
}

/** Milliseconds of a clock that never goes back and that nobody can set. */
function now(): number {
	return performance.now();
}

import type { Failure, Outcome } from '../../gateway/outcome';
import { durationText } from '../../shared/text';
import { type Place, RollingWindow, WINDOW } from './rollingWindow';

/** Milliseconds: a message that would wait longer fails at once, with the time in its error. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: the longest pause before one request tries again, whatever the gateway asked for. */
const LONGEST_REST = 300_000;

/** Milliseconds of the pauses in a row if the gateway does not say how long. Most plans count by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** Milliseconds after which a request that is under way keeps no other from going first. */
const SLOW = 3_000;

/** By how much the window becomes shorter when the pace becomes faster. */
const STEP = 0.15;

/** Milliseconds in which everything must be accepted before the pace becomes faster. */
const SHORTEST_PROOF = 5_000;

/** The most windows between two times at which the pace becomes faster. */
const MOST_WINDOWS = 32;

/** The permission for one request to begin. */
export interface Pass extends Place {
	/** How many pauses there were before. */
	round: number;
	hasBegun: boolean;
}

type BusyFailure = Failure & Required<Pick<Failure, 'retry'>>;

/**
 * What a gateway takes, learned from its refusals: so many requests in a rolling window. Without a refusal there is
 * no limit. What a refused request shows is that the gateway was full: what it took just before, until it has room
 * again, is the window. From then on requests begin as the window allows. It becomes shorter, step by step, while
 * everything is accepted and somebody waits; a refusal takes back the last step, and makes the next one come later.
 */
export class LearnedPlan {
	private readonly window = new RollingWindow<Pass>();
	/** Pauses so far. */
	pauses = 0;
	/** Pauses in a row in which the gateway took nothing. */
	fruitless = 0;
	/** Whether the gateway says how long: then no time is less than a second. */
	private tells = false;
	/** The answer that made the last pause. */
	busy?: Failure;
	private busyUntil = 0;
	private opensAt = 0;
	/** How many requests may be under way at once, until as many as the limit were taken. */
	private allowance = Infinity;
	/** Turns of this round that count for the allowance, the oldest first. */
	private recent: Pass[] = [];
	/** The round from which on what was taken shows the window. */
	private since = 0;
	/** The window before it became faster, for as long as it may turn out to be too fast. */
	private trial?: { limit: number; length: number };
	/** In how many windows everything must be accepted before the pace becomes faster: more after each trial that failed. */
	private windows = 1;
	/** When the window was changed, and how many were accepted since. */
	private changedAt = 0;
	private taken = 0;

	get isKnown(): boolean {
		return this.pauses > 0;
	}

	/** Returns when one more request may begin: 0 for now. */
	nextAt(now: number): number {
		if (this.opensAt > now) return this.opensAt;
		return Math.max(this.carefulAt(now), this.window.nextAt(now));
	}

	give(now: number): Pass {
		const pass = { at: now, isUnderWay: false, round: this.pauses, hasBegun: false };
		this.window.give(pass);
		if (this.allowance < Infinity) this.recent.push(pass);
		return pass;
	}

	/** Returns whether the request of a pass may begin: there was no pause since it was given. */
	begin(pass: Pass, now: number): boolean {
		if (pass.round !== this.pauses) return false;
		pass.hasBegun = true;
		this.window.begin(pass, now);
		return true;
	}

	/** @param outcome of the request; without it, it never began */
	end(pass: Pass, now: number, outcome?: Outcome): void {
		pass.isUnderWay = false;
		this.recent = this.recent.filter((each) => each !== pass);
		if (outcome && !isBusy(outcome)) this.fruitless = 0;
		if (!outcome) this.window.takeBack(pass);
		else if (isBusy(outcome)) this.refused(pass, outcome, now);
		else if (pass.round === this.pauses) this.accepted(pass);
		// It left before the pause, and was taken.
		else if (pass.round >= this.since) this.learn();
	}

	/** Returns the failure of a message that would wait too long, without asking the gateway. */
	refusal(now: number): Failure | undefined {
		if (!this.busy || this.opensAt - now <= LONGEST_WAIT) return undefined;
		const { what, httpCode } = this.busy;
		return {
			outcome: 'notSent',
			origin: 'gateway',
			what,
			advice: `Wait another ${durationText(this.busyUntil - now)}: the gateway asked n8n to pause, so n8n did not send this message.`,
			...(httpCode === undefined ? {} : { httpCode }),
		};
	}

	private carefulAt(now: number): number {
		if (this.allowance === Infinity) return 0;
		const { recent, allowance } = this;
		while (recent[0] && recent[0].at <= now - SLOW) recent.shift();
		const holding = recent[recent.length - allowance];
		return holding ? holding.at + SLOW : 0;
	}

	private accepted({ at }: Pass): void {
		const { window } = this;
		if (this.allowance < Infinity) {
			this.allowance++;
			if (this.allowance <= window.limit) return;
			this.allowance = Infinity;
			this.recent = [];
			this.changedAt = at;
			this.taken = 0;
		} else if (window.limit < Infinity && at > this.changedAt) {
			this.taken++;
			const windows = Math.max(this.windows, SHORTEST_PROOF / window.length);
			if (this.taken >= Math.max(2, window.limit * windows)) this.becomeFaster(at);
		}
	}

	private becomeFaster(at: number): void {
		const { window, taken } = this;
		const isFull = at - this.changedAt <= (1.25 * taken * window.length) / window.limit;
		// If it took longer and nobody waited for an answer, nobody waited for the window: it has shown nothing.
		if (isFull || window.wasHeld) {
			this.trial = { limit: window.limit, length: window.length };
			if (isFull) window.length *= 1 - STEP;
			else window.limit++;
		}
		window.wasHeld = false;
		this.changedAt = at;
		this.taken = 0;
	}

	private refused(pass: Pass, busy: BusyFailure, now: number): void {
		this.window.takeBack(pass);
		const told = busy.retry.afterMs;
		if (pass.round !== this.pauses) {
			// Of requests that left together, the first makes the pause; a later answer may ask for a longer one.
			if (told !== undefined && this.opensAt > now && now + told > this.busyUntil)
				this.pause(busy, told, now);
			return;
		}
		this.fruitless++;
		this.pause(busy, this.pauseFor(told), now);
		if (this.allowance > 1) {
			// The gateway took something in this round: that is the window, unless the last step was too much.
			this.since = this.trial ? Infinity : this.pauses;
			if (this.trial) this.windows = Math.min(2 * this.windows, MOST_WINDOWS);
			Object.assign(this.window, this.trial);
			this.trial = undefined;
		}
		this.pauses++;
		// These turns may not begin any more, and some of them open a file for hours.
		this.window.takeBackGiven();
		this.recent = [];
		this.allowance = 1;
		this.learn();
	}

	/** Of several pauses in a row in which the gateway took nothing, each is longer than the last. */
	private pauseFor(told: number | undefined): number {
		this.tells ||= told !== undefined;
		if (told === undefined && this.tells) told = UNTOLD_WAITS[0];
		if (told === undefined) {
			return UNTOLD_WAITS[Math.min(this.fruitless, UNTOLD_WAITS.length) - 1] as number;
		}
		return Math.max(told, Math.min(told * 2 ** (this.fruitless - 1), LONGEST_WAIT));
	}

	private pause(busy: Failure, ms: number, now: number): void {
		this.busy = busy;
		this.busyUntil = now + ms;
		this.opensAt = now + Math.min(ms, LONGEST_REST);
	}

	/** Takes for the window what was accepted last before the pause: as many as make the fastest pace until its end. */
	private learn(): void {
		const { window, opensAt, since, pauses } = this;
		const before = window.used.filter(
			({ round, isUnderWay }) => round >= since && round < pauses && !isUnderWay,
		);
		let fastest = 0;
		before.forEach(({ at }, index) => {
			const [count, length] = [before.length - index, opensAt - at];
			if (count / length < fastest) return;
			fastest = count / length;
			window.limit = count;
			window.length = Math.min(length, WINDOW);
		});
	}
}

/** Whether the gateway asks everybody to wait. */
export function isBusy(outcome: Outcome): outcome is BusyFailure {
	if (outcome.outcome === 'accepted' || !outcome.retry) return false;
	return outcome.retry.busy === true || outcome.retry.afterMs !== undefined;
}

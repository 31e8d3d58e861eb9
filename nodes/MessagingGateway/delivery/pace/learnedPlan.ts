import type { Failure, Outcome } from '../../gateway/outcome';
import { durationText } from '../../shared/text';
import { type Place, RollingWindow } from './rollingWindow';

/** Milliseconds: a message that would wait longer fails at once, with the time in its error. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: the longest pause before one request tries again, whatever the gateway asked for. */
const LONGEST_REST = 300_000;

/** Milliseconds of the pauses in a row if the gateway does not say how long. Most plans count by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** Milliseconds after which a request that is under way keeps no other from going first. */
const SLOW = 3_000;

/** By how much the window becomes shorter, at first and at most, when the pace becomes faster. */
const [SMALLEST_STEP, LARGEST_STEP] = [0.1, 0.5];

/** Milliseconds in which everything must be accepted before the pace becomes faster. */
const SHORTEST_PROOF = 5_000;

/** So many requests show how fast a gateway is. */
const ENOUGH = 10;

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
	/** The limit before the pause. */
	private most = Infinity;
	/** When the first request of the window that was learned began. */
	private firstAt = 0;
	/** How many show the window that was learned. */
	private shown = 0;
	/** How many were taken in this round. */
	private takenInRound = 0;
	/** The window before it became faster, for as long as it may turn out to be too fast. */
	private trial?: { limit: number; length: number };
	private step = SMALLEST_STEP;
	private windows = 1;
	/** Whether the last refusal was one of a window that had not just become shorter. */
	private mayLearn = true;
	private changedAt = 0;
	private taken = 0;

	get isKnown(): boolean {
		return this.pauses > 0;
	}

	/** Returns when one more request may begin: 0 for now, Infinity for after another has ended. */
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
		else if (pass.round >= this.since && this.mayLearn) this.learn();
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
		this.takenInRound++;
		if (this.allowance < Infinity) {
			this.allowance++;
			if (this.allowance <= window.limit) return;
			this.allowance = Infinity;
			this.recent = [];
			this.changedAt = at;
			this.taken = 0;
		} else if (window.limit < Infinity && at > this.changedAt) {
			this.taken++;
			const due = Math.max(
				2,
				window.limit * Math.max(this.windows, SHORTEST_PROOF / window.length),
			);
			if (this.taken >= due) this.becomeFaster(at, due);
		}
	}

	private becomeFaster(at: number, taken: number): void {
		const { window, trial } = this;
		const isFull = at - this.changedAt <= (1.25 * taken * window.length) / window.limit;
		// If it took longer and nobody waited for an answer, nobody waited for the window: it has shown nothing.
		if (isFull || window.wasHeld) {
			this.step = trial ? Math.min(2 * this.step, LARGEST_STEP) : SMALLEST_STEP;
			this.trial = { limit: window.limit, length: window.length };
			if (isFull) {
				window.length *= 1 - this.step;
			} else {
				const more = Math.ceil(this.step * window.limit);
				window.length *= 1 + more / window.limit;
				window.limit += more;
			}
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
		if (this.takenInRound > 0) {
			this.since = this.pauses;
			this.most = this.window.limit;
			this.mayLearn = this.trial === undefined;
			Object.assign(this.window, this.trial);
			this.windows = Math.min(Math.max(1, this.windows * (this.trial ? 2 : 0.5)), MOST_WINDOWS);
			this.trial = undefined;
		}
		this.pauses++;
		this.takenInRound = 0;
		this.recent = [];
		this.allowance = 1;
		this.step = SMALLEST_STEP;
		if (this.mayLearn) this.learn();
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

	/** Takes what was accepted before the pause for the window. */
	private learn(): void {
		const { window, opensAt, most } = this;
		const before = window.used.filter(
			({ round, isUnderWay }) => round >= this.since && round < this.pauses && !isUnderWay,
		);
		if (before.length > 0) {
			this.shown =
				most < Infinity
					? Math.min(before.length, Math.max(most, ENOUGH))
					: densest(before, opensAt);
			window.limit = Math.min(this.shown, most);
			this.firstAt = (before[before.length - this.shown] as Pass).at;
		}
		// Nothing was taken: there is room later than it seemed.
		if (this.shown > 0) window.length = ((opensAt - this.firstAt) * window.limit) / this.shown;
	}
}

/** Returns how many of the latest requests make the fastest pace until `end`. */
function densest(places: readonly Place[], end: number): number {
	let [best, fastest] = [0, 0];
	places.forEach(({ at }, index) => {
		const count = places.length - index;
		if (count / (end - at) >= fastest) [best, fastest] = [count, count / (end - at)];
	});
	return best;
}

/** Whether the gateway asks everybody to wait. */
export function isBusy(outcome: Outcome): outcome is BusyFailure {
	if (outcome.outcome === 'accepted' || !outcome.retry) return false;
	return outcome.retry.busy === true || outcome.retry.afterMs !== undefined;
}

import type { Failure, Outcome } from '../../gateway/outcome';
import { durationText } from '../../shared/text';
import { type Place, type RollingWindow, WINDOW } from './rollingWindow';

/** Milliseconds: a message that would wait longer fails at once, with the time in its error. */
export const LONGEST_WAIT = 60_000;

/** Milliseconds: the longest pause before one request tries again, whatever the gateway asked for. */
const LONGEST_REST = 300_000;

/** Milliseconds of the pauses in a row if the gateway does not say how long. Most plans count by the minute. */
const UNTOLD_WAITS = [1_000, 10_000, 60_000] as const;

/** Milliseconds for which the others wait for an answer, at most. */
const SLOW = 4_000;

/** The gap right after a pause, in milliseconds, and what is left of it after each answer. */
const [CAREFUL, RAMP] = [1_000, 0.87];

/** By how much the pace becomes faster than what was learned, and by how many times less if that was often too much. */
const [STEP, MOST_CAUTION] = [0.2, 8];

/** The same, once a plan is learned anew. */
const CAUTION_ANEW = 2;

/** Milliseconds in which everything must be accepted before that. */
const SHORTEST_PROOF = 5_000;

type BusyFailure = Failure & Required<Pick<Failure, 'retry'>>;

/** What a gateway takes. */
interface Plan {
	/** Milliseconds between two requests. */
	gap: number;
	/** How many are under way at once. */
	most: number;
}

/**
 * What a gateway takes, learned from its refusals. Without a refusal there is no limit. A refused request shows that
 * the gateway was full: what it took just before, until it has room again, is the plan. After a pause the gap begins
 * at a second, and shrinks with each answer until it is the one that was learned. From then on the plan grows step by
 * step while everything is accepted and somebody waits. A refusal takes back the last step; what comes after that is
 * smaller and comes later. If much less was taken than the plan says, the plan is learned anew.
 */
export class LearnedPlan {
	/** Pauses so far. */
	pauses = 0;
	/** Pauses in a row in which the gateway took nothing. */
	fruitless = 0;
	/** The answer that made the last pause. */
	busy?: Failure;
	private busyUntil = 0;
	private opensAt = 0;
	/** Whether the gateway says how long: then no time is less than a second. */
	private tells = false;
	private plan: Plan = { gap: 0, most: Infinity };
	/** The plan before its last step. */
	private before?: Plan;
	/** Milliseconds between two requests for now. */
	private gap = 0;
	private underWay = 0;
	/** From when on what was accepted shows the plan. */
	private since = 0;
	private proof = SHORTEST_PROOF;
	private caution = 1;
	/** When the gap changed; whether somebody had to wait since, and whether for an answer. */
	private changedAt = 0;
	private isAwaited = false;
	private wasFull = false;
	/** Whether the last step was of those that are under way at once. */
	private steppedMost = false;

	/** @param window all requests */
	constructor(private readonly window: RollingWindow) {}

	get isKnown(): boolean {
		return this.pauses > 0;
	}

	/** Returns when one more request may begin. */
	nextAt(now: number): number {
		const { opensAt, fruitless } = this;
		if (!this.isKnown) return 0;
		const { last } = this.window;
		// After a pause, one goes first.
		if (last < opensAt) return opensAt;
		const isFull = this.underWay >= this.plan.most;
		const next = last + (isFull || fruitless > 0 ? Math.max(SLOW, this.gap) : this.gap);
		if (next > now) {
			this.isAwaited = true;
			this.wasFull ||= isFull;
		}
		return next;
	}

	begin(place: Place): void {
		place.others = this.underWay++;
	}

	/** @param outcome of the request of a place, if there is one */
	end(place: Place, now: number, outcome?: Outcome): void {
		this.underWay--;
		place.end = now;
		if (!outcome) return;
		place.isTaken = !isBusy(outcome);
		if (isBusy(outcome)) this.refused(place, outcome, now);
		// It left before the pause, and was taken.
		else if (place.at < this.opensAt) this.learn(this.evidence());
		else this.accepted(place, now);
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

	private accepted({ at }: Place, now: number): void {
		const { gap, plan, changedAt } = this;
		this.fruitless = 0;
		if (at < changedAt) return;
		if (gap > plan.gap) {
			this.gap = Math.max(plan.gap, gap * RAMP);
		} else {
			if (!this.isAwaited || at - changedAt < this.proof * this.caution) return;
			this.grow();
		}
		this.changedAt = now;
		this.isAwaited = this.wasFull = false;
	}

	/** Makes one step, by turns of the gap and of how many are under way, if somebody waited for that. */
	private grow(): void {
		const { gap, most } = (this.before = this.plan);
		const step = STEP / this.caution;
		this.steppedMost = this.wasFull && !this.steppedMost;
		this.plan = this.steppedMost
			? { gap, most: Math.ceil(most * (1 + step)) }
			: { gap: gap * (1 - step), most };
		this.gap = this.plan.gap;
	}

	private refused(place: Place, busy: BusyFailure, now: number): void {
		const told = busy.retry.afterMs;
		if (place.at < this.opensAt) {
			// Of requests that left together, the first makes the pause; a later answer may ask for a longer one.
			if (told !== undefined && this.opensAt > now && now + told > this.busyUntil)
				this.pause(busy, told, now);
			return;
		}
		const isFirst = this.fruitless++ === 0;
		if (isFirst) this.since = this.opensAt;
		this.pauses++;
		this.pause(busy, this.pauseFor(told), now);
		// These turns may not begin any more, and some of them open a file for hours.
		this.window.takeBackGiven();
		const taken = this.evidence();
		if (isFirst) this.stepBack(place, taken);
		if (this.since === Infinity) return;
		this.gap = CAREFUL;
		this.caution = Math.min(this.caution, CAUTION_ANEW);
		this.learn(taken);
	}

	/** Takes back the last step, if what was taken since then shows that the plan is right but for that. */
	private stepBack({ others }: Place, taken?: Evidence): void {
		const { plan, before } = this;
		if (before) this.caution = Math.min(2 * this.caution, MOST_CAUTION);
		this.before = undefined;
		const gap = before?.gap ?? plan.gap / RAMP;
		if (!taken || taken.gap > 1.5 * gap) return;
		this.since = Infinity;
		const most = Math.min(before?.most ?? plan.most, taken.most);
		// If more were under way than the gateway has ever taken, they were too many, and not too fast.
		this.plan = others >= most && most < plan.most ? { gap: plan.gap, most } : { gap, most };
		this.gap = this.plan.gap;
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
		this.changedAt = this.opensAt;
	}

	private learn(taken?: Evidence): void {
		if (!taken) return;
		this.plan = taken;
		this.proof = Math.max(SHORTEST_PROOF, Math.min(taken.length, WINDOW));
		this.gap = Math.max(taken.gap, Math.min(this.gap, CAREFUL));
	}

	/** Returns the plan that what was taken before the pause shows; undefined if nothing was. */
	private evidence(): Evidence | undefined {
		const { opensAt, since } = this;
		const taken = this.window.used.filter(
			({ at, isTaken }) => isTaken && at >= since && at < opensAt,
		);
		if (taken.length === 0) return undefined;
		const ends = taken.map(({ end }) => end).sort((one, other) => one - other);
		let [gap, length, most, ended] = [Infinity, 0, 1, 0];
		taken.forEach(({ at }, index) => {
			// The last of them count: as many as make the fastest pace.
			const pace = (opensAt - at) / (taken.length - index);
			if (pace <= gap) [gap, length] = [pace, opensAt - at];
			while ((ends[ended] as number) <= at) ended++;
			most = Math.max(most, index + 1 - ended);
		});
		return { gap, most, length };
	}
}

interface Evidence extends Plan {
	/** Milliseconds that it took. */
	length: number;
}

/** Whether the gateway asks everybody to wait. */
export function isBusy(outcome: Outcome): outcome is BusyFailure {
	if (outcome.outcome === 'accepted' || !outcome.retry) return false;
	return outcome.retry.busy === true || outcome.retry.afterMs !== undefined;
}

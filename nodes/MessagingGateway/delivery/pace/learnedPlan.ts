import { type BusyFailure, isBusy, hasNotArrived, type Outcome } from '../../gateway/outcome';
import { Pauses } from './pauses';
import type { Place, RollingWindow } from './rollingWindow';

/** Milliseconds for which the others wait for an answer, at most. */
const SLOW = 4_000;

/** Milliseconds after which a request that is under way, such as a long upload, does not count for the others. */
const LONGEST_HOLD = 12_000;

/** By how much the plan grows in one step, and how many times later and smaller a step may become. */
const [STEP, MOST_CAUTION] = [0.15, 8];

/** A step needs twice as many accepted requests as have shown the plan, in these bounds, or this many milliseconds. */
const [LEAST_PROOF, MOST_PROOF, LONGEST_PROOF] = [20, 40, 40_000];

/** A plan that is slower than it was by this factor has changed. */
const CHANGED = 1.5;

/** How many more may be under way with each answer after a pause, if the plan is known. */
const REGAINED = 3;

/** If fewer requests were accepted before the first refusal, the learned gap is at most this many milliseconds. */
const [THIN, THIN_GAP] = [10, 1_000];

/** A newly learned gap is at most this many times the old one; if that plan was new, twice as many, or `THIN_GAP`. */
const SLOWER = 2;

/** What a gateway takes. */
interface Plan {
	/** Milliseconds between two requests. */
	gap: number;
	/** How many are under way at once. */
	most: number;
}

/**
 * What a gateway takes, learned from its refusals. Without a refusal there is no limit. A refused request shows that
 * the gateway was full: what it took just before, until it has room again, is the plan. After a pause one request goes
 * first, and with each answer one or a few more may be under way. While everything is accepted and somebody waits, the plan
 * grows step by step. A refusal takes back the last step, and the next one is smaller and comes later; a refusal without
 * a step before makes the plan a little slower. If the gateway took much less than the plan says, the plan is learned anew.
 */
export class LearnedPlan {
	readonly pauses = new Pauses();
	private plan: Plan = { gap: 0, most: Infinity };
	/** The plan before its last step, for as long as that step is not proven. */
	private before?: Plan;
	/** The longest gap that may be learned from the last refusal. */
	private longest = Infinity;
	/** Requests that were accepted from here on show the plan; Infinity if it is known. */
	private since = Infinity;
	/** Whether answers since the last pause began are still to be looked at: all together, when it ends. */
	private isToLearn = false;
	/** How many may be under way after a pause. */
	private allowance = Infinity;
	/** Requests that count as under way, the oldest first. */
	private readonly underWay = new Set<Place>();
	private proof = MOST_PROOF;
	private caution = 1;
	/** When the plan changed, and how many were accepted since. */
	private changedAt = 0;
	private taken = 0;
	/** Whether somebody had to wait since, and whether for an answer. */
	private isAwaited = false;
	private wasFull = false;
	/** Whether the last step was of those that are under way at once. */
	private steppedMost = false;

	/** @param window all requests */
	constructor(private readonly window: RollingWindow) {}

	/** Returns when one more request may begin. */
	nextAt(now: number): number {
		const { pauses, plan, allowance, window } = this;
		if (pauses.count === 0) return 0;
		const { last } = window;
		// After a pause, one goes first.
		if (last < pauses.end) return pauses.end;
		const underWay = this.countAt(now) + window.givenSince(now - LONGEST_HOLD);
		const isFull = underWay >= Math.min(plan.most, allowance);
		const next = last + (isFull ? Math.max(SLOW, plan.gap) : plan.gap);
		if (next > now) {
			this.isAwaited = true;
			this.wasFull ||= underWay >= plan.most;
		}
		return next;
	}

	begin(place: Place): void {
		if (this.isToLearn) this.learn();
		place.others = this.countAt(place.at);
		this.underWay.add(place);
	}

	/** @param outcome of the request of a place, if there is one */
	end(place: Place, now: number, outcome?: Outcome): void {
		this.underWay.delete(place);
		place.end = now;
		if (!outcome || hasNotArrived(outcome)) return;
		if (!isBusy(outcome)) this.accepted(place, now);
		else if (place.at < this.pauses.end) this.pauses.extend(outcome, now);
		else this.refused(place, outcome, now);
	}

	/** Returns how many are under way. */
	private countAt(now: number): number {
		for (const place of this.underWay) {
			if (place.at > now - LONGEST_HOLD) break;
			this.underWay.delete(place);
		}
		return this.underWay.size;
	}

	private accepted(place: Place, now: number): void {
		const { pauses, window } = this;
		place.isTaken = true;
		if (place.at < pauses.end) {
			// It left before the pause. Of a slow gateway, nothing else may have been answered when the pause is over.
			if (window.last < pauses.end || this.plan.gap === 0) this.isToLearn = true;
			return;
		}
		pauses.fruitless = 0;
		this.allowance += this.since === Infinity ? REGAINED : 1;
		if (place.at < this.changedAt) return;
		this.taken++;
		const proof = Math.min(this.proof, LONGEST_PROOF / this.plan.gap);
		if (this.isAwaited && this.taken >= proof * this.caution) this.grow(now);
	}

	/** Makes one step, by turns of the gap and of how many are under way, if somebody waited for that. */
	private grow(now: number): void {
		// The last step has proved to be right.
		if (this.before) this.caution = Math.max(1, this.caution / 2);
		const { gap, most } = (this.before = this.plan);
		const step = STEP / this.caution;
		this.steppedMost = this.wasFull && !this.steppedMost;
		const next = this.steppedMost
			? { gap, most: Math.ceil(most * (1 + step)) }
			: { gap: gap * (1 - step), most };
		this.change(next, now);
	}

	private change(plan: Plan, now = this.pauses.end): void {
		this.plan = plan;
		this.changedAt = now;
		this.taken = 0;
		this.isAwaited = this.wasFull = false;
	}

	private refused(place: Place, busy: BusyFailure, now: number): void {
		const { pauses, window } = this;
		const lastEnd = pauses.end;
		pauses.begin(busy, now);
		// These turns may not begin any more, and some of them open a file for hours.
		window.takeBackGiven();
		this.allowance = 1;
		if (pauses.fruitless > 1) this.longest *= SLOWER;
		else {
			const isNew = this.since < Infinity;
			this.since = lastEnd;
			this.stepBack(place, isNew);
		}
		this.learn();
	}

	/** Takes back the last step, if there was one, unless the gateway has taken much less than the plan says. */
	private stepBack({ others }: Place, isNew: boolean): void {
		const { before } = this;
		this.before = undefined;
		if (before) this.change(before);
		const { gap, most } = this.plan;
		// Those that are under way may be taken as well.
		const seen = this.evidence(({ isTaken, end }) => isTaken || end === Infinity);
		if (!seen || seen.gap > CHANGED * gap) {
			// A plan that is new at its first refusal was learned from too little.
			const [caution, least] = isNew && !before ? [2, THIN_GAP] : [1, 0];
			this.caution = caution;
			this.longest = Math.max(SLOWER * caution * gap, least) || Infinity;
			return;
		}
		this.proof = MOST_PROOF;
		this.caution = before
			? Math.min(2 * this.caution, MOST_CAUTION)
			: Math.max(1, this.caution / 2);
		this.since = Infinity;
		if (before) return;
		// If more were under way than the gateway has ever taken, they were too many, and not too fast.
		if (others >= seen.most && seen.most < most) this.change({ gap, most: seen.most });
		else this.change({ gap: this.slower(gap), most });
	}

	/** Returns a gap one step longer, but not slower than what the gateway took in all. */
	private slower(gap: number): number {
		const taken = this.evidence()?.gap ?? Infinity;
		return Math.min(gap / (1 - STEP), Math.max(gap, taken));
	}

	private learn(): void {
		this.isToLearn = false;
		if (this.since === Infinity) return;
		const taken = this.evidence();
		if (!taken) return;
		const { most, count } = taken;
		// Executions that have left, or another n8n, may have used the rest of the plan.
		const isThin = this.longest === Infinity && count < THIN;
		const gap = Math.min(taken.gap, this.longest, isThin ? THIN_GAP : Infinity);
		this.proof = Math.min(MOST_PROOF, Math.max(LEAST_PROOF, 2 * count));
		this.change({ gap, most });
	}

	/** Returns the plan that the requests show which were taken before the pause; undefined if there are none. */
	private evidence(
		isCounted = ({ isTaken }: Place) => isTaken,
	): (Plan & { count: number }) | undefined {
		const { since, pauses } = this;
		const taken = this.window.used.filter(
			(place) => place.at >= since && place.at < pauses.end && isCounted(place),
		);
		if (taken.length === 0) return undefined;
		const ends = taken.map(({ end }) => end).sort((one, other) => one - other);
		let [gap, most, ended] = [Infinity, 1, 0];
		taken.forEach(({ at }, index) => {
			// The last of them count: as many as make the fastest pace.
			gap = Math.min(gap, (pauses.end - at) / (taken.length - index));
			while ((ends[ended] as number) <= at) ended++;
			most = Math.max(most, index + 1 - ended);
		});
		return { gap, most, count: taken.length };
	}
}

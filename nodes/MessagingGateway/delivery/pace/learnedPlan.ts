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

/** A step that is refused costs a pause: it comes so many times the last pause after the last change, at least. */
const PAUSES = 1.5;

/** A plan that is slower than it was by this factor has changed. */
const CHANGED = 1.5;

/** How many more may be under way with each answer after several pauses in a row, if the plan is known. */
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
 * first; while the plan is not known, each answer lets one more be under way. While everything is accepted, the plan
 * grows step by step in what requests wait for: their pace, or how many are under way. A refusal takes back the last
 * step, and the next one of its kind is smaller and comes later. A refusal without such a step makes the plan a little
 * slower; if the gateway took much less than the plan says, the plan is learned anew.
 */
export class LearnedPlan {
	readonly pauses = new Pauses();
	private plan: Plan = { gap: 0, most: Infinity };
	/** The last step, for as long as it is not proven, and the plan before it. */
	private step?: { of: keyof Plan; from: Plan };
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
	private caution = { gap: 1, most: 1 };
	/** When the plan changed, and how many were accepted since. */
	private changedAt = 0;
	private taken = 0;
	/** What the last who had to wait since waited for. */
	private awaited?: keyof Plan;

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
		if (next > now) this.awaited = underWay >= plan.most ? 'most' : 'gap';
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
		const { pauses, window, awaited } = this;
		place.isTaken = true;
		if (place.at < pauses.end) {
			// It left before the pause. Of a slow gateway, nothing else may have been answered when the pause is over.
			if (window.last < pauses.end || this.plan.gap === 0) this.isToLearn = true;
			return;
		}
		pauses.wasFruitful(now);
		this.allowance += this.since === Infinity ? REGAINED : 1;
		if (place.at < this.changedAt) return;
		this.taken++;
		if (!awaited) return;
		const caution = this.caution[awaited];
		const proof = Math.min(this.proof, LONGEST_PROOF / this.plan.gap);
		const ms = Math.min(PAUSES * caution * pauses.lasted, LONGEST_PROOF);
		if (this.taken >= proof * caution && now - this.changedAt >= ms) this.grow(awaited, now);
	}

	private grow(of: keyof Plan, now: number): void {
		const { step, caution, plan } = this;
		// The last step has proved to be right.
		if (step) caution[step.of] = Math.max(1, caution[step.of] / 2);
		this.step = { of, from: plan };
		const by = STEP / caution[of];
		const next = of === 'gap' ? plan.gap * (1 - by) : Math.ceil(plan.most * (1 + by));
		this.change({ ...plan, [of]: next }, now);
	}

	private change(plan: Plan, now = this.pauses.end): void {
		this.plan = plan;
		this.changedAt = now;
		this.taken = 0;
		this.awaited = undefined;
	}

	private refused(place: Place, busy: BusyFailure, now: number): void {
		const { pauses, window } = this;
		const lastEnd = pauses.end;
		pauses.begin(busy, now);
		// These turns may not begin any more, and some of them open a file for hours.
		window.takeBackGiven();
		if (pauses.fruitless > 1) this.longest *= SLOWER;
		else this.stepBack(place, lastEnd);
		this.allowance = this.since === Infinity && pauses.fruitless === 1 ? Infinity : 1;
		this.learn();
	}

	/** Takes back the last step. Without one, the plan is a little slower, or is learned anew. */
	private stepBack({ others }: Place, lastEnd: number): void {
		const { step, caution } = this;
		const { gap, most } = this.plan;
		const isNew = this.since < Infinity;
		this.step = undefined;
		this.since = lastEnd;
		// Those that are under way may be taken as well.
		const seen = this.evidence(({ isTaken, end }) => isTaken || end === Infinity);
		if (!step && seen.gap > CHANGED * gap) {
			// A plan that is new at its first refusal was learned from too little.
			const [factor, least] = isNew ? [2, THIN_GAP] : [1, 0];
			this.caution = { gap: factor, most: factor };
			this.longest = Math.max(SLOWER * factor * gap, least) || Infinity;
			return;
		}
		this.proof = MOST_PROOF;
		this.since = Infinity;
		if (step) {
			caution[step.of] = Math.min(2 * caution[step.of], MOST_CAUTION);
			return this.change(step.from);
		}
		this.caution = { gap: 1, most: 1 };
		// If more were under way than the gateway has ever taken, they were too many, and not too fast.
		if (others >= seen.most && seen.most < most) this.change({ gap, most: seen.most });
		else this.change({ gap: gap / (1 - STEP), most });
	}

	private learn(): void {
		this.isToLearn = false;
		if (this.since === Infinity) return;
		const { most, count, ...taken } = this.evidence();
		if (count === 0) return;
		// Executions that have left, or another n8n, may have used the rest of the plan.
		const isThin = this.longest === Infinity && count < THIN;
		const gap = Math.min(taken.gap, this.longest, isThin ? THIN_GAP : Infinity);
		this.proof = Math.min(MOST_PROOF, Math.max(LEAST_PROOF, 2 * count));
		this.change({ gap, most });
	}

	/** Returns the plan that the requests show which were taken since the last pause, and how many these are. */
	private evidence(isCounted = ({ isTaken }: Place) => isTaken): Plan & { count: number } {
		const { pauses } = this;
		// A pause is for what was taken since the last one, or in as long a time before it.
		const since = Math.min(this.since, 2 * pauses.begun - pauses.end);
		// Some that had left before may still have been under way.
		const counted = this.window.used.filter(
			(place) => place.at > since - LONGEST_HOLD && place.at < pauses.end && isCounted(place),
		);
		const ends = counted.map(({ end }) => end).sort((one, other) => one - other);
		let [gap, most, count, ended] = [Infinity, 1, 0, 0];
		counted.forEach(({ at }, index) => {
			while ((ends[ended] as number) <= at) ended++;
			if (at < since) return;
			count++;
			// The last of them count: as many as make the fastest pace.
			gap = Math.min(gap, (pauses.end - at) / (counted.length - index));
			most = Math.max(most, index + 1 - ended);
		});
		return { gap, most, count };
	}
}

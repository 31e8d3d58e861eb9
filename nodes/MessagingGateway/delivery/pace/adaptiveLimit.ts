import type { BusyFailure } from '../../gateway/outcome';
import { Cooldown } from './cooldown';

/** Milliseconds for which the others wait for an answer, at most. */
const SLOW = 4_000;

/** Milliseconds after which a request that is under way, such as a long upload, does not count for the others. */
const LONGEST_HOLD = 12_000;

/** By how much the limit rises in one step, and how many times later and smaller a step may become. */
const [STEP, MOST_CAUTION] = [0.15, 8];

/** A step needs twice as many accepted requests as have shown the limit, in these bounds, or this many milliseconds. */
const [LEAST_PROOF, MOST_PROOF, LONGEST_PROOF] = [20, 40, 40_000];

/** A step that is refused costs a cooldown: it comes so many times the last one after the last change, at least. */
const COOLDOWNS = 1.5;

/** A gateway that is slower than the limit by this factor has changed. */
const CHANGED = 1.5;

/** How many more may be under way with each answer after several cooldowns in a row, if the limit is known. */
const REGAINED = 3;

/** If fewer requests were accepted before the first refusal, the learned gap is at most this many milliseconds. */
const [THIN, THIN_GAP] = [10, 1_000];

/** A newly learned gap is at most this many times the old one; if that limit was new, twice as many, or `THIN_GAP`. */
const SLOWER = 2;

/** So much is remembered of the requests: milliseconds, and how many at least. */
const [MEMORY, MEMORY_LENGTH] = [61_000, 1_000];

/** What a gateway accepts. */
interface Limit {
	/** Milliseconds between the starts of two requests. */
	gap: number;
	/** How many are under way at once. */
	concurrency: number;
}

/** A request that has started. */
export interface Started {
	readonly at: number;
	/** How many others were under way then. */
	readonly others: number;
	/** When it was answered: never, so far. */
	end: number;
	/** It was answered, and the gateway did not refuse it as busy. */
	isAccepted: boolean;
}

/**
 * What a gateway accepts, learned from its refusals. Without a refusal there is no limit. A refused request shows that
 * the gateway was full: what it accepted just before, until it has room again, is the limit. After a cooldown one request
 * goes first; while the limit is not known, each answer lets one more be under way. While everything is accepted, the
 * limit rises step by step in what requests wait for: the gap, or how many are under way. A refusal takes back the last
 * step, and the next one of its kind is smaller and comes later. A refusal without such a step makes the gap a little
 * longer; if the gateway accepted much less than the limit says, the limit is learned anew.
 */
export class AdaptiveLimit {
	readonly cooldown = new Cooldown();
	private limit: Limit = { gap: 0, concurrency: Infinity };
	/** The last step, for as long as it is not proven, and the limit before it. */
	private step?: { of: keyof Limit; from: Limit };
	/** The longest gap that may be learned from the last refusal. */
	private longestGap = Infinity;
	/** Requests that were accepted from here on show the limit; Infinity if it is known. */
	private since = Infinity;
	/** Whether answers since the last cooldown began are still to be looked at: all together, when it ends. */
	private isToLearn = false;
	/** How many may be under way after a cooldown. */
	private allowance = Infinity;
	/** Requests that count as under way, the oldest first. */
	private readonly underWay = new Set<Started>();
	private proof = MOST_PROOF;
	private caution = { gap: 1, concurrency: 1 };
	/** When the limit changed, and how many were accepted since. */
	private changedAt = 0;
	private accepts = 0;
	/** What the last who had to wait since waited for. */
	private awaited?: keyof Limit;

	/** @param requests those of the last minute, the oldest first */
	constructor(private readonly requests: Started[] = []) {}

	/** Forgets what was learned, but not the requests of the last minute: the next refusal is understood by them. */
	forgotten(): AdaptiveLimit {
		return new AdaptiveLimit(this.requests);
	}

	/**
	 * Returns when one more request may start.
	 *
	 * @param reserved when the permits were given whose requests have not started yet, the oldest first
	 */
	nextAt(now: number, reserved: readonly number[]): number {
		const { cooldown, limit, allowance, requests } = this;
		if (cooldown.count === 0) return 0;
		const last = Math.max(requests.at(-1)?.at ?? -Infinity, reserved.at(-1) ?? -Infinity);
		// After a cooldown, one goes first.
		if (last < cooldown.end) return cooldown.end;
		const starting = reserved.filter((at) => at > now - LONGEST_HOLD).length;
		const underWay = this.countAt(now) + starting;
		const isFull = underWay >= Math.min(limit.concurrency, allowance);
		const next = last + (isFull ? Math.max(SLOW, limit.gap) : limit.gap);
		if (next > now) this.awaited = underWay >= limit.concurrency ? 'concurrency' : 'gap';
		return next;
	}

	/** A request has started. Tell what became of it: `accepted`, `refused` or `unanswered`. */
	started(now: number): Started {
		const request = { at: now, others: this.countAt(now), end: Infinity, isAccepted: false };
		this.underWay.add(request);
		this.remember(request);
		if (this.isToLearn) this.learn();
		return request;
	}

	/** The gateway did not refuse the request as busy, whatever it thinks of the message. */
	accepted(request: Started, now: number): void {
		const { cooldown, awaited } = this;
		this.unanswered(request, now);
		request.isAccepted = true;
		if (request.at < cooldown.end) {
			// It left before the cooldown. Of a slow gateway, nothing else may have been answered when that is over.
			if (this.lastStart < cooldown.end || this.limit.gap === 0) this.isToLearn = true;
			return;
		}
		cooldown.accepted(now);
		this.allowance += this.since === Infinity ? REGAINED : 1;
		if (request.at < this.changedAt) return;
		this.accepts++;
		if (!awaited) return;
		const caution = this.caution[awaited];
		const proof = Math.min(this.proof, LONGEST_PROOF / this.limit.gap);
		const ms = Math.min(COOLDOWNS * caution * cooldown.lasted, LONGEST_PROOF);
		if (this.accepts >= proof * caution && now - this.changedAt >= ms) this.rise(awaited, now);
	}

	/**
	 * The gateway was too busy for the request.
	 *
	 * @returns whether a new cooldown begins
	 */
	refused(request: Started, busy: BusyFailure, now: number): boolean {
		const { cooldown } = this;
		this.unanswered(request, now);
		const { end } = cooldown;
		if (request.at < end) {
			cooldown.extend(busy, now);
			return false;
		}
		cooldown.begin(busy, now);
		if (cooldown.fruitless > 1) this.longestGap *= SLOWER;
		else this.stepBack(request, end);
		this.allowance = this.since === Infinity && cooldown.fruitless === 1 ? Infinity : 1;
		this.learn();
		return true;
	}

	/** The request shows nothing of the limit: it did not arrive. */
	unanswered(request: Started, now: number): void {
		this.underWay.delete(request);
		request.end = now;
	}

	private get lastStart(): number {
		return this.requests.at(-1)?.at ?? -Infinity;
	}

	/** Returns how many are under way. */
	private countAt(now: number): number {
		for (const request of this.underWay) {
			if (request.at > now - LONGEST_HOLD) break;
			this.underWay.delete(request);
		}
		return this.underWay.size;
	}

	private remember(request: Started): void {
		const { requests } = this;
		requests.push(request);
		const recent = requests.findIndex(({ at }) => at > request.at - MEMORY);
		const many = requests.length > 2 * MEMORY_LENGTH ? requests.length - MEMORY_LENGTH : 0;
		// In pieces, as that moves the rest.
		requests.splice(0, Math.max(recent, many));
	}

	private rise(of: keyof Limit, now: number): void {
		const { step, caution, limit } = this;
		// The last step has proved to be right.
		if (step) caution[step.of] = Math.max(1, caution[step.of] / 2);
		this.step = { of, from: limit };
		const by = STEP / caution[of];
		const next = of === 'gap' ? limit.gap * (1 - by) : Math.ceil(limit.concurrency * (1 + by));
		this.change({ ...limit, [of]: next }, now);
	}

	private change(limit: Limit, now = this.cooldown.end): void {
		this.limit = limit;
		this.changedAt = now;
		this.accepts = 0;
		this.awaited = undefined;
	}

	/** Takes back the last step. Without one, the gap is a little longer, or the limit is learned anew. */
	private stepBack({ others }: Started, lastEnd: number): void {
		const { step, caution } = this;
		const { gap, concurrency } = this.limit;
		const isNew = this.since < Infinity;
		this.step = undefined;
		this.since = lastEnd;
		// Those that are under way may be accepted as well.
		const seen = this.evidence(({ isAccepted, end }) => isAccepted || end === Infinity);
		if (!step && seen.gap > CHANGED * gap) {
			// A limit that is new at its first refusal was learned from too little.
			const [factor, least] = isNew ? [2, THIN_GAP] : [1, 0];
			this.caution = { gap: factor, concurrency: factor };
			this.longestGap = Math.max(SLOWER * factor * gap, least) || Infinity;
			return;
		}
		this.proof = MOST_PROOF;
		this.since = Infinity;
		if (step) {
			caution[step.of] = Math.min(2 * caution[step.of], MOST_CAUTION);
			return this.change(step.from);
		}
		this.caution = { gap: 1, concurrency: 1 };
		// If more were under way than the gateway has ever accepted, they were too many, and not too fast.
		if (others >= seen.concurrency && seen.concurrency < concurrency)
			this.change({ gap, concurrency: seen.concurrency });
		else this.change({ gap: gap / (1 - STEP), concurrency });
	}

	private learn(): void {
		this.isToLearn = false;
		if (this.since === Infinity) return;
		const { concurrency, count, ...shown } = this.evidence();
		if (count === 0) return;
		// Executions that have left, or another n8n, may have used the rest of the limit.
		const isThin = this.longestGap === Infinity && count < THIN;
		const gap = Math.min(shown.gap, this.longestGap, isThin ? THIN_GAP : Infinity);
		this.proof = Math.min(MOST_PROOF, Math.max(LEAST_PROOF, 2 * count));
		this.change({ gap, concurrency });
	}

	/** Returns the limit that the requests show which were accepted since the last cooldown, and how many these are. */
	private evidence(isCounted = ({ isAccepted }: Started) => isAccepted): Limit & { count: number } {
		const { cooldown } = this;
		// A cooldown is for what was accepted since the last one, or in as long a time before it.
		const since = Math.min(this.since, 2 * cooldown.begun - cooldown.end);
		// Some that had left before may still have been under way.
		const counted = this.requests.filter(
			(request) =>
				request.at > since - LONGEST_HOLD && request.at < cooldown.end && isCounted(request),
		);
		const ends = counted.map(({ end }) => end).sort((one, other) => one - other);
		let [gap, concurrency, count, ended] = [Infinity, 1, 0, 0];
		counted.forEach(({ at }, index) => {
			while ((ends[ended] as number) <= at) ended++;
			if (at < since) return;
			count++;
			// The last of them count: as many as make the fastest pace.
			gap = Math.min(gap, (cooldown.end - at) / (counted.length - index));
			concurrency = Math.max(concurrency, index + 1 - ended);
		});
		return { gap, concurrency, count };
	}
}

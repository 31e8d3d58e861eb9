/**
 * Milliseconds. A second more than the minute of the plans: the gateway counts when a request arrives,
 * and some take longer to arrive than others.
 */
export const WINDOW = 61_000;

/** Milliseconds: a request that is under way keeps its place for so long, even if the window is shorter. */
const LONGEST_HOLD = 10_000;

/** At least so many requests are remembered where nobody has a limit, for a limit that comes later. */
const MOST_WITHOUT_LIMIT = 1_000;

/** Of more requests than this only so many are looked at: the gap hardly differs. */
const MOST_LOOKED_AT = 100;

/** A place in the window, for one request. */
export interface Place {
	/** When it was given, and then when its request began. */
	at: number;
	/** Its request has begun, and was not answered yet. */
	isUnderWay: boolean;
}

/**
 * At most `limit` requests begin within `length` milliseconds: at once while half of the limit is left, and then at
 * even gaps, so that nobody ever waits for a whole window. A place is free again when its request has left the window.
 */
export class RollingWindow<P extends Place = Place> {
	limit = Infinity;
	length = WINDOW;
	/** Whether somebody had to wait for an answer to another's request. */
	wasHeld = false;
	/** Places whose requests have begun, the oldest first. */
	readonly used: P[] = [];
	/** Places whose requests have not begun yet. */
	private readonly given = new Set<P>();
	private lastGivenAt = 0;

	give(place: P): void {
		this.given.add(place);
		this.lastGivenAt = place.at;
	}

	/** The request of a place begins. */
	begin(place: P, now: number): void {
		this.given.delete(place);
		place.at = now;
		place.isUnderWay = true;
		this.used.push(place);
		this.forget(now);
	}

	/** The request of a place did not begin, or the gateway refused it: another may have the place. */
	takeBack(place: P): void {
		if (this.given.delete(place)) {
			if (place.at < this.lastGivenAt) return;
			this.lastGivenAt = 0;
			for (const { at } of this.given) this.lastGivenAt = Math.max(this.lastGivenAt, at);
		} else {
			const index = this.used.lastIndexOf(place);
			if (index >= 0) this.used.splice(index, 1);
		}
	}

	/** Requests that have not begun will not: they need new places. */
	takeBackGiven(): void {
		this.given.clear();
		this.lastGivenAt = 0;
	}

	/** Returns how many requests began within the window. */
	count(now: number): number {
		return this.used.length - this.before(now - this.length);
	}

	/** Returns when one more request may begin: 0 for now. */
	nextAt(now: number): number {
		const { used, given, length } = this;
		if (this.limit === Infinity) return 0;
		const first = this.before(now - length);
		const held = this.heldUntil(first, now);
		const limit = this.limit - held.length;
		if (limit < 1) this.wasHeld = true;
		if (limit < 1) return held[held.length - this.limit] as number;
		const count = used.length - first + given.size;
		if (count < limit / 2) return 0;
		return nextStart(limit, {
			count,
			// A place that is not used yet counts from now at the earliest. It holds up the others only a little.
			endOf: (index) => (used[first + index]?.at ?? now) + length,
			last: Math.max(used.at(-1)?.at ?? 0, this.lastGivenAt),
		});
	}

	/** Returns until when requests that have left the window keep their places, as the gateway still works on them. */
	private heldUntil(first: number, now: number): number[] {
		const held: number[] = [];
		for (let index = first - 1; index >= 0; index--) {
			const { at, isUnderWay } = this.used[index] as P;
			if (at <= now - LONGEST_HOLD) break;
			if (isUnderWay) held.unshift(at + LONGEST_HOLD);
		}
		return held;
	}

	/** Returns how many of the oldest requests began at `time` or before. */
	private before(time: number): number {
		let [low, high] = [0, this.used.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.used[middle] as P).at <= time) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Forgets what has left the window, in pieces, as that moves the rest. */
	private forget(now: number): void {
		const { used, limit, length } = this;
		let old = this.before(now - Math.max(length, WINDOW));
		if (limit === Infinity && used.length > 2 * MOST_WITHOUT_LIMIT) {
			old = Math.max(old, used.length - MOST_WITHOUT_LIMIT);
		}
		if (old > 0) used.splice(0, old);
	}
}

/** The requests that count in a window, the oldest first. */
interface Known {
	count: number;
	/** Returns when the window of one of them ends. */
	endOf(index: number): number;
	/** When the last of them began. */
	last: number;
}

/**
 * Returns when one more request may begin. The places that are left in the window, and those that become free in it,
 * are spread at the smallest even gap at which no later request finds the window full: so there is a place
 * after every gap, and none is lost.
 *
 * @param limit requests that may begin within one window
 */
export function nextStart(limit: number, { count, endOf, last }: Known): number {
	// Requests that must have left the window before one more may begin.
	const tooMany = count + 1 - limit;
	const free = tooMany > 0 ? endOf(tooMany - 1) : last;
	let gap = 0;
	for (
		let index = Math.max(0, tooMany);
		index < count;
		index += Math.ceil(count / MOST_LOOKED_AT)
	) {
		// How many more may begin until this one's window ends, one at that moment included.
		const places = limit - count + index + 1;
		gap = Math.max(gap, (endOf(index) - last) / places);
	}
	return Math.max(free, last + gap);
}

/**
 * Milliseconds. A second more than the minute of the plans: the gateway counts when a request arrives,
 * and some take longer to arrive than others.
 */
export const WINDOW = 61_000;

/** How many requests are remembered at least while nobody has a limit, in case one is set later. */
const MOST_WITHOUT_LIMIT = 1_000;

/** At most this many are examined; more would hardly change the gap. */
const MOST_LOOKED_AT = 100;

/** A place in the window, for one request. */
export interface Place {
	/** When it was given, and then when its request began. */
	at: number;
	/** When its request was answered: never, so far. */
	end: number;
	/** Its request was answered, and the gateway did not refuse it as busy. */
	isTaken: boolean;
	/** How many others were under way when its request began. */
	others: number;
}

/**
 * At most `limit` requests begin within `WINDOW` milliseconds: at once while half of the limit is left, and then at
 * even gaps, so that nobody ever waits for a whole window. A place is free again when its request has left the window.
 */
export class RollingWindow {
	limit = Infinity;
	/** Places whose requests have begun, the oldest first. */
	readonly used: Place[] = [];
	/** Places whose requests have not begun yet. */
	private readonly unused = new Set<Place>();

	/** Returns how many places were given after `time`, and have not begun yet. */
	givenSince(time: number): number {
		let count = 0;
		for (const { at } of this.unused) if (at > time) count++;
		return count;
	}

	/** When the last place was given, or its request began. */
	get last(): number {
		let last = this.used.at(-1)?.at ?? -Infinity;
		for (const { at } of this.unused) last = Math.max(last, at);
		return last;
	}

	give(now: number): Place {
		const place = { at: now, end: Infinity, isTaken: false, others: 0 };
		this.unused.add(place);
		return place;
	}

	/** @returns whether the request of a place may begin: nobody has taken the place back */
	begin(place: Place, now: number): boolean {
		if (!this.unused.delete(place)) return false;
		place.at = now;
		this.used.push(place);
		this.forget(now);
		return true;
	}

	/** The request of a place did not begin: another may have the place. */
	takeBack(place: Place): void {
		this.unused.delete(place);
	}

	/** Requests that have not begun will not: they need new places. */
	takeBackGiven(): void {
		this.unused.clear();
	}

	/** Returns how many requests began within the window. */
	count(now: number): number {
		return this.used.length - this.before(now - WINDOW);
	}

	/**
	 * Returns when one more request may begin. The places that are left in the window, and those that become free in
	 * it, are spread at the smallest even gap at which no later request finds the window full: so there is a place
	 * after every gap, and none is lost.
	 */
	nextAt(now: number): number {
		const { used, unused, limit } = this;
		if (limit === Infinity) return 0;
		const first = this.before(now - WINDOW);
		const count = used.length - first + unused.size;
		if (count < limit / 2) return 0;
		// A place that is not used yet counts from now at the earliest. It holds up the others only a little.
		const endOf = (index: number) => (used[first + index]?.at ?? now) + WINDOW;
		// Requests that must have left the window before one more may begin.
		const tooMany = Math.max(0, count + 1 - limit);
		const { last } = this;
		let next = tooMany > 0 ? endOf(tooMany - 1) : last;
		const step = Math.ceil(count / MOST_LOOKED_AT);
		for (let index = tooMany; index < count; index += step) {
			// How many more may begin until this one's window ends, one at that moment included.
			const places = limit - count + index + 1;
			next = Math.max(next, last + (endOf(index) - last) / places);
		}
		return next;
	}

	/** Returns how many of the oldest requests began at `time` or before. */
	private before(time: number): number {
		const { used } = this;
		let [low, high] = [0, used.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((used[middle] as Place).at <= time) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Forgets what has left the window, in pieces, as that moves the rest. */
	private forget(now: number): void {
		const { used, limit } = this;
		let old = this.before(now - WINDOW);
		if (limit === Infinity && used.length > 2 * MOST_WITHOUT_LIMIT) {
			old = Math.max(old, used.length - MOST_WITHOUT_LIMIT);
		}
		if (old > 0) used.splice(0, old);
	}
}

/**
 * Milliseconds. A second more than the minute of the plans: the gateway counts when a request arrives,
 * and some take longer to arrive than others.
 */
export const WINDOW = 61_000;

/** How many requests are remembered at least while nobody has a limit, in case one is set later. */
const MOST_WITHOUT_LIMIT = 1_000;

/** At most this many are examined; more would hardly change the gap. */
const MOST_LOOKED_AT = 100;

/**
 * The limit in the credential: at most `limit` requests start within `WINDOW` milliseconds. They start at once while half
 * of the limit is left, and then at even gaps, so that nobody ever waits for a whole window.
 */
export class SlidingWindow {
	limit = Infinity;
	/** When requests started, the oldest first. */
	private readonly starts: number[] = [];

	/** A request has started. */
	started(now: number): void {
		this.starts.push(now);
		this.forget(now);
	}

	/** Returns how many requests started within the window. */
	count(now: number): number {
		return this.starts.length - this.before(now - WINDOW);
	}

	/**
	 * Returns when one more request may start. The starts that are left in the window, and those that become free in
	 * it, are spread at the smallest even gap at which no later request finds the window full: so there is one
	 * after every gap, and none is lost.
	 *
	 * @param reserved when the permits were given whose requests have not started yet, the oldest first
	 */
	nextAt(now: number, reserved: readonly number[]): number {
		const { starts, limit } = this;
		if (limit === Infinity) return 0;
		const first = this.before(now - WINDOW);
		const count = starts.length - first + reserved.length;
		if (count < limit / 2) return 0;
		// A permit that is not used yet counts from now at the earliest. It holds up the others only a little.
		const endOf = (index: number) => (starts[first + index] ?? now) + WINDOW;
		// Requests that must have left the window before one more may start.
		const tooMany = Math.max(0, count + 1 - limit);
		const last = Math.max(starts.at(-1) ?? -Infinity, reserved.at(-1) ?? -Infinity);
		let next = tooMany > 0 ? endOf(tooMany - 1) : last;
		const step = Math.ceil(count / MOST_LOOKED_AT);
		for (let index = tooMany; index < count; index += step) {
			// How many more may start until this one's window ends, one at that moment included.
			const left = limit - count + index + 1;
			next = Math.max(next, last + (endOf(index) - last) / left);
		}
		return next;
	}

	/** Returns how many of the oldest requests started at `time` or before. */
	private before(time: number): number {
		const { starts } = this;
		let [low, high] = [0, starts.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((starts[middle] as number) <= time) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Forgets what has left the window, in pieces, as that moves the rest. */
	private forget(now: number): void {
		const { starts, limit } = this;
		let old = this.before(now - WINDOW);
		if (limit === Infinity && starts.length > 2 * MOST_WITHOUT_LIMIT) {
			old = Math.max(old, starts.length - MOST_WITHOUT_LIMIT);
		}
		if (old > 0) starts.splice(0, old);
	}
}

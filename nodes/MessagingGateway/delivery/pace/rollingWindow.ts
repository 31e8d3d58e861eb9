import { nextStart } from './spacing';

/**
 * Milliseconds. A second more than the minute of the plans: the gateway counts when a request arrives,
 * and some take longer to arrive than others.
 */
export const WINDOW = 61_000;

/** At least so many starts are remembered where nobody has a limit, for executions that bring one. */
const MOST_WITHOUT_LIMIT = 1_000;

/** A place in the window whose request has not begun yet. */
export interface Place {
	givenAt: number;
}

/**
 * Counts the requests of the last minute, and says when one more may begin: at once while half of the
 * limit is left, and then at even gaps, so that nobody ever waits for a whole minute.
 */
export class RollingWindow {
	/** At most this many requests begin within the window. */
	limit = Infinity;
	/** Times of the requests that began, the oldest first. */
	private readonly starts: number[] = [];
	/** Places that were given and are not used yet. */
	private readonly places = new Set<Place>();
	private lastGivenAt = 0;

	give(now: number): Place {
		this.forget(now);
		const place = { givenAt: now };
		this.places.add(place);
		this.lastGivenAt = now;
		return place;
	}

	/** The place is not used, and another may have it. */
	takeBack(place: Place): void {
		if (!this.places.delete(place) || place.givenAt < this.lastGivenAt) return;
		this.lastGivenAt = 0;
		for (const { givenAt } of this.places) this.lastGivenAt = Math.max(this.lastGivenAt, givenAt);
	}

	/** The request of a place begins. */
	begin(place: Place, now: number): void {
		this.places.delete(place);
		this.starts.push(now);
		this.forget(now);
	}

	/** Returns how many requests began in the last minute. */
	recent(now: number): number {
		return this.starts.length - this.outdated(now);
	}

	/** Returns the time when one more request may begin: 0 if it may begin now. */
	nextAt(now: number): number {
		const { starts, places, limit } = this;
		const recent = this.recent(now);
		const first = starts.length - recent;
		const count = recent + places.size;
		if (count < limit / 2) return 0;
		return nextStart(limit, {
			count,
			// A place that is not used yet counts from now at the earliest. It holds up the others only a little.
			endOf: (index) => (starts[first + index] ?? now) + WINDOW,
			last: Math.max(recent > 0 ? (starts.at(-1) as number) : 0, this.lastGivenAt),
		});
	}

	/** Returns how many of the oldest starts have left the window. */
	private outdated(now: number): number {
		let old = 0;
		while ((this.starts[old] ?? Infinity) <= now - WINDOW) old++;
		return old;
	}

	/** Forgets what has left the window. What is too much without a limit goes in pieces, as that moves the rest. */
	private forget(now: number): void {
		const { starts, limit } = this;
		let old = this.outdated(now);
		const isFull = limit === Infinity && starts.length > 2 * MOST_WITHOUT_LIMIT;
		if (isFull) old = Math.max(old, starts.length - MOST_WITHOUT_LIMIT);
		starts.splice(0, old);
	}
}

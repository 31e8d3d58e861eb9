/**
 * Milliseconds. A second more than the minute of the plans: the gateway counts when a request arrives,
 * and some take longer to arrive than others.
 */
export const WINDOW = 61_000;

/** At least so many starts are remembered where nobody has a limit, for executions that bring one. */
const MOST_WITHOUT_LIMIT = 1_000;

/** Counts the requests of the last minute, and says when one more may begin. */
export class RollingWindow {
	/** At most this many requests begin within the window. */
	limit = Infinity;
	/** Times of the requests that began, the oldest first. */
	private readonly starts: number[] = [];
	/** Turns that were given and have not begun yet. */
	private reserved = 0;

	reserve(): void {
		this.reserved++;
	}

	/** A reserved turn is not used. */
	release(): void {
		this.reserved--;
	}

	/** The request of a reserved turn begins. */
	begin(now: number): void {
		this.reserved--;
		this.starts.push(now);
		this.forget(now);
	}

	/** Returns how many requests began in the last minute. */
	recent(now: number): number {
		this.forget(now);
		return this.starts.length;
	}

	/**
	 * Returns the time when one more request may begin: 0 if it may begin now, Infinity if that depends on
	 * turns that have not begun yet.
	 */
	nextAt(now: number): number {
		this.forget(now);
		// How many of the known requests have to leave the window first.
		const missing = this.reserved + this.starts.length + 1 - this.limit;
		const leaving = this.starts[missing - 1];
		return missing <= 0 ? 0 : leaving === undefined ? Infinity : leaving + WINDOW;
	}

	/** Forgets what has left the window. What is too much without a limit goes in pieces, as that moves the rest. */
	private forget(now: number): void {
		const { starts, limit } = this;
		let old = 0;
		while ((starts[old] ?? Infinity) <= now - WINDOW) old++;
		const isFull = limit === Infinity && starts.length > 2 * MOST_WITHOUT_LIMIT;
		if (isFull) old = Math.max(old, starts.length - MOST_WITHOUT_LIMIT);
		starts.splice(0, old);
	}
}

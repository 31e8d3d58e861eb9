/** Of more requests than this only so many are looked at: the gap hardly differs. */
const MOST_LOOKED_AT = 100;

/** The requests that count in a window, the oldest first. */
export interface Known {
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

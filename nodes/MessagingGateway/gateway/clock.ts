/** Milliseconds: the longest time that Node.js can count in one timer. */
const LONGEST = 2 ** 31 - 1;

/** Aborts after `ms` milliseconds, at once where they are over. */
export function clockOf(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.max(0, Math.min(ms, LONGEST)));
}

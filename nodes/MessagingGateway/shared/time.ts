/** Milliseconds: the longest time that Node.js can count in one timer. */
export const LONGEST_TIME = 2 ** 31 - 1;

/** Aborts after `ms` milliseconds, at once where they are over. */
export function clockOf(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.max(0, Math.min(ms, LONGEST_TIME)));
}

/** What `work` comes to, or `late` in its place where that takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
	const clock = clockOf(ms);
	let ring: () => void = () => undefined;
	const rung = new Promise<void>((resolve) => {
		ring = resolve;
	});
	clock.addEventListener('abort', ring);
	try {
		return await Promise.race([work, rung.then(late)]);
	} finally {
		// A clock runs on, and would hold an answer in memory as long.
		clock.removeEventListener('abort', ring);
	}
}

/** Milliseconds: the longest time that Node.js can count in one timer. */
export const LONGEST_TIME = 2 ** 31 - 1;

/** Returns a signal that aborts after `ms` milliseconds, at once if `ms` is 0 or less. */
export function timeoutSignal(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.max(0, Math.min(ms, LONGEST_TIME)));
}

/** Resolves to the value of `work`, or to that of `onTimeout` after `ms` milliseconds. */
export async function withTimeout<T>(ms: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
	const signal = timeoutSignal(ms);
	let expire: () => void = () => undefined;
	const expired = new Promise<void>((resolve) => {
		expire = resolve;
	});
	signal.addEventListener('abort', expire);
	try {
		return await Promise.race([work, expired.then(onTimeout)]);
	} finally {
		// The timer keeps running, and the listener would keep the answer in memory until it ends.
		signal.removeEventListener('abort', expire);
	}
}

/** Units of time, in seconds. */
const UNITS = [
	['day', 86_400],
	['hour', 3_600],
	['minute', 60],
] as const;

/** Returns a time as people say it, rounded up: `61 seconds`, `3 minutes`. */
export function durationText(ms: number): string {
	const seconds = Math.max(1, Math.ceil(ms / 1000));
	const [unit, length] = UNITS.find((each) => seconds > 2 * each[1]) ?? (['second', 1] as const);
	const count = Math.ceil(seconds / length);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

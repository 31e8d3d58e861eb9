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

/** Units of time, in seconds. */
const UNITS = [
	['day', 86_400],
	['hour', 3_600],
	['minute', 60],
] as const;

/** Returns the milliseconds that the gateway asks to wait (RFC 9110, 10.2.3: seconds or a date). */
export function retryAfterMs(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return undefined;
	if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
	const date = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

export function durationText(ms: number): string {
	const seconds = Math.max(1, Math.ceil(ms / 1000));
	const [unit, length] = UNITS.find((each) => seconds > 2 * each[1]) ?? (['second', 1] as const);
	const count = Math.ceil(seconds / length);
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

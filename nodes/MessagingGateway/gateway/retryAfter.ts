/** Returns the milliseconds that the gateway asks to wait (RFC 9110, 10.2.3: seconds or a date). */
export function retryAfterMs(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return undefined;
	if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
	const date = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Milliseconds. Less is as good as no time: the gateway would still be busy, and every try would be wasted. */
const SHORTEST_PAUSE = 1_000;

/**
 * Returns the pause that the gateway asks for (RFC 9110, 10.2.3: seconds or a date); undefined if it asks
 * for none. `afterMs` is undefined if it does not say how long, or less than a second.
 */
export function readRetryAfter(
	headers: Record<string, unknown>,
): { afterMs: number | undefined } | undefined {
	const ms = millisecondsIn(headers);
	if (ms === undefined) return undefined;
	return { afterMs: ms < SHORTEST_PAUSE ? undefined : ms };
}

function millisecondsIn(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return undefined;
	if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
	const until = toTime(value);
	// The gateway's clock may differ from that of n8n.
	return until === undefined ? undefined : until - (toTime(headers.date) ?? Date.now());
}

/** Returns the milliseconds of a date with a time of day; undefined if it is none. */
function toTime(value: unknown): number | undefined {
	if (typeof value !== 'string' || !/\d\d:\d\d:\d\d/.test(value)) return undefined;
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : time;
}

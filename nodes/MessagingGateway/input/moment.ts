/** Reads dates with a time of day, which n8n gives as text, or as the date of a library. */

const DAY = 86_400_000;

/** Milliseconds since 1970. A smaller number is no time of a message: it may be one of seconds. */
const LEAST_MILLISECONDS = 1e11;

/** A time on the clock, with or without its zone (ISO 8601). */
const ISO_TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Returns the moment that a value names; undefined if it is not a date.
 *
 * @param value ISO text, a JavaScript or a Luxon date, or milliseconds since 1970
 * @param timezone of the workflow, for a text without a zone
 */
export function momentOf(value: unknown, timezone: string): Date | undefined {
	const moment = typeof value === 'string' ? inText(value.trim(), timezone) : inDate(value);
	return moment === undefined || Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** Returns a moment as a person of a time zone reads it: 2026-11-28 18:00. */
export function clockText(moment: Date, timeZone: string): string {
	return moment.toLocaleString('sv-SE', { timeZone }).slice(0, 16);
}

/** A Luxon date has no class that two copies of the library share. */
function inDate(value: unknown): Date | undefined {
	if (value instanceof Date) return value;
	if (typeof value === 'number') return value < LEAST_MILLISECONDS ? undefined : new Date(value);
	const { toMillis } = (value ?? {}) as { toMillis?: () => unknown };
	return typeof toMillis === 'function' ? new Date(Number(toMillis.call(value))) : undefined;
}

function inText(text: string, timezone: string): Date | undefined {
	const [, day = '', time = '00:00', zone] = ISO_TIME.exec(text) ?? [];
	const asUtc = new Date(`${day}T${time}Z`);
	// JavaScript makes March 3 of February 31.
	const isDay = !Number.isNaN(asUtc.getTime()) && asUtc.toISOString().startsWith(day);
	if (day === '' || !isDay) return undefined;
	return zone === undefined
		? inTimezone(asUtc, timezone)
		: new Date(`${day}T${time}${offset(zone)}`);
}

/** JavaScript reads +01:00, but not +01 and, behind a space, not +0100. */
function offset(zone: string): string {
	const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
	return sign ? `${sign}${hours}:${minutes}` : 'Z';
}

/**
 * n8n's date field gives a time without its offset, which n8n's own nodes read in the server's time zone. An ambiguous
 * local time means the first one. A skipped local time moves forward by the length of the gap.
 */
function inTimezone(asUtc: Date, timeZone: string): Date {
	const offsets = [-DAY, DAY].map((away) => offsetAt(asUtc.getTime() + away, timeZone));
	const first = asUtc.getTime() - Math.max(...offsets);
	const isShown = first + offsetAt(first, timeZone) === asUtc.getTime();
	return new Date(isShown ? first : asUtc.getTime() - Math.min(...offsets));
}

/** Returns by how many milliseconds the clocks of a time zone are ahead of UTC at a moment. */
function offsetAt(moment: number, timeZone: string): number {
	const second = Math.floor(moment / 1000) * 1000;
	const shown = new Date(second).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
	return new Date(`${shown}Z`).getTime() - second;
}

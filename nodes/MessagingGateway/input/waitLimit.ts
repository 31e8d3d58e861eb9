import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { WaitLimit } from '../shared/question';
import { isBlank } from './text';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const UNITS: Record<string, number> = { minutes: MINUTE, hours: 60 * MINUTE, days: DAY };

const LOCAL_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$/;

/**
 * Returns the option Limit Wait Time, in the format of n8n's own nodes; undefined if it is not set.
 *
 * @param timezone of the workflow, for a time without an offset
 * @throws InputError if the time is not valid, or in the past
 */
export function parseWaitLimit(option: unknown, timezone: string): WaitLimit | undefined {
	const { values } = (option ?? {}) as { values?: IDataObject };
	if (!values) return undefined;
	return values.limitType === 'atSpecifiedTime'
		? { until: untilOf(values.maxDateAndTime, timezone) }
		: { milliseconds: durationOf({ resumeAmount: 1, resumeUnit: 'hours', ...values }) };
}

function durationOf({ resumeAmount, resumeUnit }: IDataObject): number {
	const unit = UNITS[String(resumeUnit)] ?? NaN;
	const milliseconds = isBlank(resumeAmount) ? NaN : Number(resumeAmount) * unit;
	if (milliseconds > 0 && Date.now() + milliseconds < WAIT_INDEFINITELY.getTime()) {
		return milliseconds;
	}
	throw new InputError(
		"n8n cannot wait for the time in 'Limit Wait Time'",
		"Enter an 'Amount' above 0 and choose its 'Unit', or remove the option to wait without a limit.",
	);
}

function untilOf(value: unknown, timezone: string): Date {
	const text = String(value).trim();
	const until = LOCAL_TIME.test(text)
		? inTimezone(text, timezone)
		: new Date(value as string | number | Date);
	if (isBlank(value) || Number.isNaN(until.getTime())) {
		throw new InputError(
			"'Max Date and Time' in 'Limit Wait Time' is not a date",
			'Choose a date and a time, or check the expression that provides them.',
		);
	}
	if (until.getTime() > Date.now()) return until;
	throw new InputError(
		"'Max Date and Time' in 'Limit Wait Time' is in the past, so nobody could answer",
		'Choose a later date and time.',
	);
}

/**
 * n8n's date field gives a time without its offset, which n8n's own nodes read in the server's time zone. An ambiguous
 * local time means the first one. A skipped local time moves forward by the length of the gap.
 */
function inTimezone(local: string, timeZone: string): Date {
	const asUtc = new Date(`${local.slice(0, 10)}T${local.slice(11) || '00:00'}Z`);
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

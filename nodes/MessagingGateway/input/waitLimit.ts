import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { WaitLimit } from '../shared/question';
import { momentOf } from './moment';
import { isBlank } from './text';

const MINUTE = 60_000;
const UNITS: Record<string, number> = { minutes: MINUTE, hours: 60 * MINUTE, days: 1440 * MINUTE };

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
	const until = momentOf(value, timezone);
	if (!until) {
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

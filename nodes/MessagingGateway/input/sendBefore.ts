import type { Deadline } from '../shared/deadline';
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { clockText, momentOf } from './moment';
import { isBlank, toReadable } from './text';

/**
 * Returns the option Send Before, which the node has.
 *
 * @param timezone of the workflow, for a time without a zone
 * @throws InputError if it is not a date: a message that must not be late is not sent without its time
 */
export function parseSendBefore(value: unknown, timezone: string): Deadline {
	const at = momentOf(value, timezone);
	if (at) return { at: at.getTime(), asText: clockText(at, timezone) };
	const what = isBlank(value) ? 'is empty' : `is ${quote(toReadable(value))}, which is not a date`;
	throw new InputError(
		`The option 'Send Before' ${what}`,
		'Enter a date and time, such as 2026-11-28 18:00, or correct the expression that provides it.',
	);
}

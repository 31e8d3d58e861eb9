/** The options that keep a run from sending: Dry Run, and Test Number, which sends to one person only. */

import { parseSwitch } from '../input/optionValue';
import { isBlank } from '../input/text';
import type { People } from '../numbers/numberList';
import { parsePhoneNumber } from '../numbers/phoneNumber';
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { givenBy, type GivenOptions, guardBy } from './givenOptions';

const DRY_RUN_ADVICE =
	'Correct it: use true (dry run) or false (send). Until then nothing goes out, so that nobody gets a message by mistake.';

/**
 * Returns whether the option Dry Run, which the node has, is on.
 *
 * @param read returns its value for the first item
 * @throws InputError if the value means neither yes nor no: then nothing may be sent
 */
export function readDryRun(read: () => unknown): boolean {
	const value = guardBy(read, 'Dry Run', DRY_RUN_ADVICE);
	const isOn = parseSwitch(value);
	if (isOn !== undefined) return isOn;
	throw new InputError(
		value === undefined || value === null
			? "The expression in the option 'Dry Run' returns nothing"
			: `The option 'Dry Run' is ${shown(value)}, which means neither yes nor no`,
		DRY_RUN_ADVICE,
	);
}

/** @throws InputError if an item differs from the first, which decides for the whole run */
export function checkDryRun(read: () => unknown, isDryRun: boolean): void {
	if (parseSwitch(givenBy(read)) === isDryRun) return;
	throw new InputError(
		`The option 'Dry Run' is ${isDryRun ? 'on' : 'off'} for the first item, but not for this one`,
		"'Dry Run' applies to the whole run of the node. In later executions, separate the items with an If node before it.",
	);
}

function shown(value: unknown): string {
	return typeof value === 'object' ? 'an object or a list' : quote(String(value));
}

const TEST_ADVICE =
	'Enter your own phone number, or remove the option to send to everybody. Until then nothing goes out.';

/**
 * Returns the number that gets the first message instead of its recipient.
 *
 * @param read returns its value for the first item
 * @param countryCode of the option or the credential, '' if there is none
 * @param allowed the only numbers that may get messages, if there is such a list
 * @throws InputError if it is not a number: then nothing may be sent
 */
export function readTestNumber(
	given: GivenOptions,
	read: () => unknown,
	countryCode: string,
	allowed?: People,
): string {
	const value = guardBy(read, 'Test Number', TEST_ADVICE);
	if (isBlank(value)) {
		throw new InputError(
			given.isExpression('testNumber')
				? "The expression in the option 'Test Number' returns nothing"
				: "The option 'Test Number' is empty",
			TEST_ADVICE,
		);
	}
	const number = parsePhoneNumber(value, countryCode, 'refuse', " in the option 'Test Number'");
	if (!allowed || allowed.includes(number)) return number.digits;
	throw new InputError("The number in 'Test Number' is not in 'Allowed Numbers'", TEST_ADVICE);
}

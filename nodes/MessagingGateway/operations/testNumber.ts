import { isBlank } from '../input/text';
import type { People } from '../numbers/numberList';
import { isUsable, readPhoneNumber, whyRefused } from '../numbers/phoneNumber';
import { InputError } from '../shared/inputError';
import { type GivenOptions, guardBy } from './givenOptions';

const ADVICE =
	'Enter your own phone number, or remove the option to send to everybody. Until then nothing goes out.';

/**
 * Returns the number that gets the first message in place of everybody else, '' without the option.
 *
 * @param read returns its value for the first item
 * @param countryCode of the option or the credential, '' if there is none
 * @param allowed who alone may get something, if there is such a list
 * @throws InputError if it is no number: then nothing may go out
 */
export function readTestNumber(
	given: GivenOptions,
	read: () => unknown,
	countryCode: string,
	allowed?: People,
): string {
	if (!given.has('testNumber')) return '';
	const value = guardBy(read, 'Test Number', ADVICE);
	if (isBlank(value)) {
		throw new InputError(
			given.isExpression('testNumber')
				? "The expression in the option 'Test Number' gives nothing"
				: "The option 'Test Number' is empty",
			ADVICE,
		);
	}
	const number = readPhoneNumber(value, countryCode);
	if (isUsable(number)) {
		if (!allowed || allowed.includes(number)) return number.digits;
		throw new InputError("The option 'Test Number' is not in 'Allowed Numbers'", ADVICE);
	}
	const { entry, reason, advice } = whyRefused(value, number);
	throw new InputError(`${entry} in the option 'Test Number' ${reason}`, advice);
}

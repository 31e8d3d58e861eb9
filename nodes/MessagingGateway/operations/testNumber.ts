import { doubtOf, refusalOf } from '../input/notAPhoneNumber';
import { readPhoneNumber } from '../input/phoneNumber';
import { isBlank } from '../input/text';
import { InputError } from '../shared/inputError';
import { guardBy, type GivenOptions } from './givenOptions';

const ADVICE =
	'Enter your own phone number, or remove the option to send to everybody. Until then nothing goes out.';

/**
 * Returns the number that gets the first message in place of everybody else, '' without the option.
 *
 * @param read returns its value for the first item
 * @param countryCode what replaces a single leading 0
 * @throws InputError if it is no number: then nothing may go out
 */
export function readTestNumber(
	given: GivenOptions,
	read: () => unknown,
	countryCode: string,
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
	if (number && !number.isDoubtful) return number.digits;
	const { entry, reason, advice } = number ? doubtOf(value, countryCode) : refusalOf(value);
	throw new InputError(`${entry} in the option 'Test Number' ${reason}`, advice);
}

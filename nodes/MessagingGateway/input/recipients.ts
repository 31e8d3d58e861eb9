import { InputError } from '../shared/inputError';
import { parsePhoneNumber, type PhoneNumber } from './phoneNumber';
import { isBlank } from './text';

const MOST_SHOWN = 3;

/**
 * The numbers of a bulk list, duplicates included.
 *
 * @param value text with one number a line, or separated by commas or semicolons; or an array
 * @throws InputError naming what is no number; one wrong number refuses the whole list
 */
export function parseRecipients(value: unknown, countryCode: string): PhoneNumber[] {
	const entries = entriesOf(value).filter((entry) => !isBlank(entry));
	if (entries.length === 0) {
		throw new InputError(
			'The list of phone numbers is empty',
			'Enter one number a line, or check the expression that gives them.',
		);
	}
	const numbers: PhoneNumber[] = [];
	const errors: InputError[] = [];
	for (const entry of entries) {
		try {
			numbers.push(parsePhoneNumber(entry, countryCode));
		} catch (error) {
			errors.push(error as InputError);
		}
	}
	const [first] = errors;
	if (first) throw manyRefused(errors, first);
	return numbers;
}

function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? value.split(/[\n\r,;]/) : [value];
}

function manyRefused(errors: InputError[], { advice }: InputError): InputError {
	const shown = errors.slice(0, MOST_SHOWN).map(({ what }) => what);
	const more = errors.length - shown.length;
	return new InputError(
		`${shown.join('; ')}${more > 0 ? `; and ${more} more like that` : ''}`,
		advice,
	);
}

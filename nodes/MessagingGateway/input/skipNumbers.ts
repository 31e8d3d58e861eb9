import { Breather } from '../shared/time';
import { InputError } from '../shared/inputError';
import { forEmptyList } from './listExpression';
import { refusalOf } from './notAPhoneNumber';
import { type PhoneNumber, readPhoneNumber } from './phoneNumber';
import { readingsOfOptOut } from './readings';
import { entriesOf } from './recipients';
import { isBlank } from './text';

/** The numbers that get nothing. */
export interface OptOuts {
	/** Each number in all of its readings. */
	readings: ReadonlySet<string>;
	/** How many of them have no country code, neither of their own nor a Default Country Code. */
	withoutCode: number;
}

export const NOBODY: OptOuts = { readings: new Set(), withoutCode: 0 };

const UNTIL_THEN =
	'Until then the node sends nothing, so that nobody who opted out gets a message.';

/**
 * Resolves to the numbers that opted out.
 *
 * @param value like that of a bulk list; a field left empty and an empty array are an empty list
 * @param expression that gives the value, if it is one: it must give something
 * @throws InputError if an entry is not a phone number, or all are blank: somebody who opted out would get messages
 */
export async function parseSkipNumbers(
	value: unknown,
	countryCodes: readonly string[],
	expression?: string,
): Promise<OptOuts> {
	if (isEmptyList(value, expression)) return NOBODY;
	const [countryCode = ''] = countryCodes;
	const readings = new Set<string>();
	const wrong: unknown[] = [];
	let withoutCode = 0;
	const breather = new Breather();
	for (const entry of entriesOf(value)) {
		if (breather.isDue()) await breather.breathe();
		const number = readPhoneNumber(entry, countryCode);
		if (number) {
			for (const reading of readingsOfOptOut(number, countryCodes)) readings.add(reading);
			if (isWithoutCode(number)) withoutCode++;
		} else if (!isBlank(entry)) wrong.push(entry);
	}
	if (wrong.length > 0) throw wrongEntries(wrong);
	if (readings.size === 0) throw nothingGiven(expression);
	return { readings, withoutCode };
}

function isEmptyList(value: unknown, expression?: string): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return expression === undefined && (value === '' || value === null || value === undefined);
}

function isWithoutCode({ digits }: PhoneNumber): boolean {
	return digits.startsWith('0') && !digits.startsWith('00');
}

function wrongEntries(wrong: unknown[]): InputError {
	const { entry, reason } = refusalOf(wrong[0]);
	const others = wrong.length - 1;
	const more =
		others > 0 ? `; ${others} more ${others === 1 ? 'entry is' : 'entries are'} wrong` : '';
	return new InputError(
		`${entry} in the option 'Skip Numbers' ${reason}${more}`,
		`Correct or remove ${more ? 'them' : 'it'}. ${UNTIL_THEN}`,
	);
}

function nothingGiven(expression?: string): InputError {
	return expression === undefined
		? new InputError(
				"The option 'Skip Numbers' holds no number",
				`Enter the numbers, or leave the field empty if there are none. ${UNTIL_THEN}`,
			)
		: new InputError(
				"The expression in the option 'Skip Numbers' gives no number",
				`Check the name of the field in it. If the list may be empty, use ${forEmptyList(expression)} ${UNTIL_THEN}`,
			);
}

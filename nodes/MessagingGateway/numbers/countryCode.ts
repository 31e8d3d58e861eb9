import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { isBlank, toReadable } from '../input/text';
import { countryCalled, homeOf } from './plan';
import { plainTextOf, withoutPunctuation } from './written';

/** Endings that people and spreadsheets add to a code: “62.0”, “+62 (0)”. */
const BEHIND_CODE = /\s*(?:\.0{1,2}|[([{]\s*0\s*[)\]}])\s*$/;

/**
 * Returns the Default Country Code, '' if there is none: a calling code (62), one with an area (1868), or a country in
 * capital letters (ID), because several countries can share a code.
 *
 * @param place where people find the setting, e.g. “in the credential”
 * @throws InputError if it is set to something else
 */
export function parseCountryCode(value: unknown, place: string): string {
	if (isBlank(value)) return '';
	const code = withoutPunctuation(plainTextOf(value).replace(BEHIND_CODE, ''))
		.replace(/^(?:\+|00)/, '')
		.toUpperCase();
	if (homeOf(code)) return code;
	const meant = countryCalled(code);
	throw new InputError(
		`${quote(toReadable(value))} is not a country code${meant ? `: did you mean ${meant}?` : ''}`,
		`Enter the digits of a country code, e.g. 62, or a country, e.g. ID, in 'Default Country Code' ${place}.`,
	);
}

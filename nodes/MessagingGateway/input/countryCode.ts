import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { plainTextOf, withoutDecoration } from './decoration';
import { isBlank, toReadable } from './text';

/** The country codes that ITU-T E.164 assigns. No code is the beginning of another. */
export const COUNTRY_CODE =
	'(?:1|7|2(?:[07]|1[1-368]|[2-46]\\d|5[0-8]|9[01789])|3(?:[0-469]|[57]\\d|8[0-35-79])|4(?:[013-9]|2[013])|5(?:[1-8]|[09]\\d)|6(?:[0-6]|7[02-9]|8[0-35-9]|9[0-2])|8(?:[1246]|0[08]|5[02356]|7[08]|8[0-368])|9(?:[0-58]|6[0-8]|7[0-79]|9[2-68]))';

/** The countries of the North American plan share the 1, and some call their area code a country code: 1-868. */
const ENTERED_CODE = new RegExp(`^(?:${COUNTRY_CODE}|1[2-9]\\d\\d)$`);

/** By the first three digits of a number: how many of them are its country code, 0 if none. */
const CODE_LENGTHS = Array.from({ length: 1_000 }, (_, first) => {
	const digits = String(first).padStart(3, '0');
	return new RegExp(`^${COUNTRY_CODE}`).exec(digits)?.[0].length ?? 0;
});

/** What people and spreadsheets write behind a code: “62.0”, “+62 (0)”. */
const BEHIND_CODE = /\s*(?:\.0{1,2}|[([{]\s*0\s*[)\]}])\s*$/;

/** Countries with numbers that begin with a 0 also if they are called from abroad. */
const KEEPING_ZERO = new Set([
	'39',
	'378',
	'225',
	'226',
	'227',
	'229',
	'241',
	'242',
	'247',
	'250',
	'992',
]);

/** Returns the country code that digits begin with; '' if they begin with none. */
export function countryCodeIn(digits: string): string {
	return digits.slice(0, CODE_LENGTHS[Number(digits.slice(0, 3))] ?? 0);
}

/**
 * Returns an international number without the 0 behind its country code, which is dialed inside the country only:
 * 620812… is 62812…. Unchanged where a country's numbers begin with 0, as in Italy.
 */
export function withoutTrunkZero(digits: string): string {
	const code = countryCodeIn(digits);
	if (KEEPING_ZERO.has(code)) return digits;
	return code + digits.slice(code.length).replace(/^0+/, '');
}

/**
 * Returns the digits of a country code, '' if there is none.
 *
 * @param place where people find the setting, e.g. “in the credential”
 * @throws InputError if it is set to something that is no country code
 */
export function parseCountryCode(value: unknown, place: string): string {
	if (isBlank(value)) return '';
	const code = withoutDecoration(plainTextOf(value).replace(BEHIND_CODE, '')).replace(
		/^(?:\+|00)/,
		'',
	);
	if (ENTERED_CODE.test(code)) return code;
	throw new InputError(
		`${quote(toReadable(value))} is not a country code`,
		`Enter only its digits in 'Default Country Code' ${place}, e.g. 62.`,
	);
}

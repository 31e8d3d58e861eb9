import { InputError } from '../shared/inputError';
import { quote } from '../shared/quote';
import { findLookalike, refusalOf, toReadable } from './notAPhoneNumber';
import { isBlank, withPlainPunctuation } from './text';

/** What people and spreadsheets put between digits, besides spaces: dashes, dots, brackets. */
const PUNCTUATION = '[-.()[\\]{}]';
const DECORATION = /[-.()[\]{}\s]/g;

/** A country code as ITU-T E.164 assigns or reserves it: no code is the beginning of another. */
const COUNTRY_CODE =
	'(?:1|7|2(?:[07]|[1-689]\\d)|3(?:[0-469]|[578]\\d)|4(?:[013-9]|2\\d)|5(?:[1-8]|[09]\\d)|6(?:[0-6]|[7-9]\\d)|8(?:[1246]|[035789]\\d)|9(?:[0-58]|[679]\\d))';

/**
 * “+62 (0)812…”: ITU-T E.123 puts the 0 in brackets that is dialed inside the country only. Takes
 * linear time, as no two neighboring parts of the pattern can match the same characters.
 */
const TRUNK_ZERO = new RegExp(
	`^(${PUNCTUATION}*(?:(?:\\+|00)${PUNCTUATION}*)?${COUNTRY_CODE}${PUNCTUATION}*)[([{]0[)\\]}]`,
);

/** “6281234567890.0”, as programs write a whole number. With other dots, this one is a separator too. */
const DECIMAL_ZERO = /^([^.]*\d)\.0{1,2}$/;

/** Saves most numbers the search for one of the two. */
const MAYBE_NOT_DIALED = /0\s*[)\]}]|\.\s*0/;

const INTERNATIONAL_PREFIX = /^(\+|00)/;

/** ITU-T E.164 allows 15 digits; the shortest subscriber numbers with their country code have 6. */
const DIGITS = /^\d{6,15}$/;

export interface PhoneNumber {
	/** 6 to 15 digits, as the gateway gets them. */
	digits: string;
	/** The same without the country code that replaced a leading 0: equal whatever that code is set to. */
	asEntered: string;
	/**
	 * What `digits` would be if a spreadsheet has dropped a leading 0. Undefined if it cannot have: no country code is
	 * set, or the number begins with 0 or with that code.
	 */
	withZero?: string;
}

/**
 * Returns the phone number that a person typed or a program provided.
 *
 * @param countryCode digits that replace a single leading 0
 * @throws InputError if the value is not a phone number
 */
export function parsePhoneNumber(value: unknown, countryCode = ''): PhoneNumber {
	if (isBlank(value)) {
		throw new InputError(
			'The phone number is missing',
			'Enter a number, e.g. 081234567890, or check the expression that provides it.',
		);
	}
	const number = readPhoneNumber(value, countryCode);
	if (number) return number;
	const { entry, reason, advice } = refusalOf(value);
	throw new InputError(`${entry} ${reason}`, advice);
}

/** Like `parsePhoneNumber`, but returns undefined for what is not a phone number. */
export function readPhoneNumber(value: unknown, countryCode: string): PhoneNumber | undefined {
	const text = toPlainText(value);
	const plain = DIGITS.test(text) ? text : undecorated(text);
	if (plain === undefined) return undefined;
	const asEntered = plain.replace(INTERNATIONAL_PREFIX, '');
	const isLocal = asEntered.startsWith('0') && !asEntered.startsWith('00');
	const digits = isLocal && countryCode !== '' ? countryCode + asEntered.slice(1) : asEntered;
	if (!DIGITS.test(digits)) return undefined;
	const mayLackZero =
		countryCode !== '' && plain === digits && !isLocal && !digits.startsWith(countryCode);
	return mayLackZero
		? { digits, asEntered, withZero: countryCode + digits }
		: { digits, asEntered };
}

/**
 * Returns the digits of a country code, '' if there is none.
 *
 * @param place where people find the setting, e.g. “in the credential”
 * @throws InputError if it is set to something else
 */
export function parseCountryCode(value: unknown, place: string): string {
	const code = withPlainPunctuation(toPlainText(value ?? ''))
		.replace(DECORATION, '')
		.replace(INTERNATIONAL_PREFIX, '');
	if (!/^[1-9]\d{0,3}$/.test(code) && !isBlank(value)) {
		throw new InputError(
			`${quote(toReadable(value))} is not a country code`,
			`Enter only its digits in 'Default Country Code' ${place}, e.g. 62.`,
		);
	}
	return code;
}

/** Returns undefined for a text that only looks like a phone number, such as a date. */
function undecorated(decorated: string): string | undefined {
	const text = withPlainPunctuation(decorated);
	if (findLookalike(text)) return undefined;
	const dialed = MAYBE_NOT_DIALED.test(text)
		? text.replace(/\s/g, '').replace(DECIMAL_ZERO, '$1').replace(TRUNK_ZERO, '$1')
		: text;
	return dialed.replace(DECORATION, '');
}

function toPlainText(value: unknown): string {
	if (typeof value === 'string') return value;
	return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : '';
}

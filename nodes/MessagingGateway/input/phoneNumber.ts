import { InputError } from '../shared/inputError';
import { COUNTRY_CODE, withoutTrunkZero } from './countryCode';
import { plainTextOf, withoutDecoration } from './decoration';
import { doubtOf, findLookalike, refusalOf } from './notAPhoneNumber';
import { isBlank } from './text';

const PUNCTUATION = '[-.()[\\]{}]';

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

/** As most lists have it, which is nothing else and needs no closer look. */
const PLAIN = /^\+?\d{6,15}$/;

export interface PhoneNumber {
	/** 6 to 15 digits, as the gateway gets them. */
	digits: string;
	/** The same without the country code that replaced a leading 0: equal whatever that code is set to. */
	asEntered: string;
	/** Whether it was entered with + or 00 in front, which only a country code follows. */
	isInternational: boolean;
	/**
	 * Whether a spreadsheet may have dropped a leading 0: a country code is set, and the number begins neither with it
	 * nor with 0, + or 00.
	 */
	isDoubtful: boolean;
	/** All readings of the number, where some have opted out. */
	readings?: readonly string[];
}

/** What becomes of a number that may have lost its leading 0. */
export type Doubtful = 'refuse' | 'send';

/**
 * Returns the phone number that a person typed or a program provided.
 *
 * @param countryCode digits that replace a single leading 0
 * @throws InputError if the value is not a phone number, or a doubtful one that is to be refused
 */
export function parsePhoneNumber(
	value: unknown,
	countryCode = '',
	doubtful: Doubtful = 'refuse',
): PhoneNumber {
	if (isBlank(value)) {
		throw new InputError(
			'The phone number is missing',
			'Enter a number, e.g. 081234567890, or check the expression that provides it.',
		);
	}
	const number = readPhoneNumber(value, countryCode);
	if (number && !(number.isDoubtful && doubtful === 'refuse')) return number;
	const { entry, reason, advice } = number ? doubtOf(value, countryCode) : refusalOf(value);
	throw new InputError(`${entry} ${reason}`, advice);
}

/** Like `parsePhoneNumber`, but returns undefined for what is not a phone number. */
export function readPhoneNumber(value: unknown, countryCode: string): PhoneNumber | undefined {
	const isPlain = typeof value === 'string' && PLAIN.test(value);
	const plain = isPlain ? value : undecorated(plainTextOf(value));
	if (plain === undefined) return undefined;
	const number = plain.replace(INTERNATIONAL_PREFIX, '');
	const isLocal = number.startsWith('0') && !number.startsWith('00');
	const isInternational = plain !== number && !number.startsWith('0');
	const asEntered = isInternational ? withoutTrunkZero(number) : number;
	const digits = isLocal ? withCode(number, countryCode) : inside(asEntered, countryCode);
	if (!DIGITS.test(digits)) return undefined;
	// Every number begins with a code that is not set.
	const isDoubtful = plain === number && !isLocal && !number.startsWith(countryCode);
	return { digits, asEntered, isInternational, isDoubtful };
}

function withCode(local: string, countryCode: string): string {
	return countryCode === '' ? local : countryCode + local.slice(1);
}

/** “62 0812…” with the code 62: what follows the code is dialed inside the country. */
function inside(number: string, countryCode: string): string {
	const hasZero = countryCode !== '' && number.startsWith(`${countryCode}0`);
	return hasZero ? withoutTrunkZero(number) : number;
}

/** Returns undefined for a text that only looks like a phone number, such as a date. */
function undecorated(text: string): string | undefined {
	if (findLookalike(text)) return undefined;
	const dialed = MAYBE_NOT_DIALED.test(text)
		? text.replace(/\s/g, '').replace(DECIMAL_ZERO, '$1').replace(TRUNK_ZERO, '$1')
		: text;
	return withoutDecoration(dialed);
}

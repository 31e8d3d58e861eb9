import { InputError } from '../shared/inputError';
import { quote } from '../shared/quote';
import { isBlank } from './text';

/** What people and spreadsheets put between digits: space of any kind, invisible marks, dashes, dots, brackets. */
const DECORATION = /[\s\p{Z}\p{Cf}\p{Pd}\p{Ps}\p{Pe}\u2212.·․・．]/gu;

/** A zero in brackets after a country code, or after the only dot. */
const ODD_ZERO = /^\s*(\+|00)[^()]*\(0\)|^[^.]*\d{6}\.0{1,2}\s*$/;

/** ITU-T E.164 allows 15 digits; the shortest subscriber numbers with their country code have 6. */
const DIGITS = /^\d{6,15}$/;

export interface PhoneNumber {
	/** 6 to 15 digits, as the gateway gets them. */
	digits: string;
	/** A leading 0 gave way to the country code. */
	countryCodeAdded: boolean;
	/** It begins with neither 0 nor the country code: a spreadsheet may have dropped the 0. */
	mayLackZero: boolean;
	/** It holds a zero that is not dialled: “+62 (0)812…”, or the “.0” of a number that a program has written. */
	hasOddZero: boolean;
}

/**
 * @param value what a person typed or a program gave: a text or a number
 * @param countryCode digits; takes the place of a single leading 0
 * @throws InputError where it is no phone number
 */
export function parsePhoneNumber(value: unknown, countryCode = ''): PhoneNumber {
	const text = plainText(value);
	const plain = text.replace(DECORATION, '');
	const international = plain.replace(/^(\+|00)/, '');
	const isLocal = /^0(?!0)/.test(international);
	const countryCodeAdded = isLocal && countryCode !== '';
	const digits = countryCodeAdded ? countryCode + international.slice(1) : international;
	if (!DIGITS.test(digits)) throw refused(value, plain);
	return {
		digits,
		countryCodeAdded,
		mayLackZero: plain === digits && !isLocal && !digits.startsWith(countryCode),
		hasOddZero: ODD_ZERO.test(text),
	};
}

/** @throws InputError where the option is set to something else than digits */
export function parseCountryCode(value: unknown): string {
	const code = plainText(value ?? '')
		.replace(DECORATION, '')
		.replace(/^(\+|00)/, '');
	if (!/^[1-9]\d{0,3}$/.test(code) && !isBlank(value)) {
		throw new InputError(
			`The Default Country Code ${quote(shownOf(value))} is not a country code`,
			'Enter its digits only, e.g. 62.',
		);
	}
	return code;
}

function plainText(value: unknown): string {
	if (typeof value === 'string') return value;
	return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : '';
}

/** What a program gave may be such that it cannot be written as JSON. */
function shownOf(value: unknown): string {
	if (typeof value !== 'object') return String(value);
	try {
		return String(JSON.stringify(value));
	} catch {
		return 'An object';
	}
}

function refused(value: unknown, plain: string): InputError {
	if (isBlank(value)) {
		return new InputError(
			'The phone number is missing',
			'Enter a number, e.g. 081234567890, or check the expression that gives it.',
		);
	}
	const shown = quote(shownOf(value));
	if (/^\d+(,\d+)?e\d+$/i.test(plain.replace('+', ''))) {
		return new InputError(
			`${shown} is a number that a spreadsheet has shortened`,
			'Format the column as text in the spreadsheet and enter the whole number again.',
		);
	}
	return new InputError(
		`${shown} is not a phone number`,
		'Enter 6 to 15 digits, with the country code or a leading 0, e.g. 6281234567890 or 081234567890.',
	);
}

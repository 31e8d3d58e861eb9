import { InputError } from '../shared/inputError';
import { count, quote } from '../shared/text';
import { shapeErrorOf, singleIn } from '../input/shape';
import { isBlank, toReadable } from '../input/text';
import {
	countryCodeIn,
	Fit,
	type Home,
	homeOf,
	isUsual,
	lengthsOf,
	nameOf,
	nameOfCode,
	readAtHome,
	type Reading,
	readInternational,
} from './plan';
import {
	NOT_A_NUMBER,
	readWritten,
	type Refusal,
	SHORTEST,
	TWO_NUMBERS,
	type Written,
} from './written';

/** ITU-T E.164 allows 15 digits; the shortest subscriber numbers with their country code have 6. */
const SENDABLE = /^\d{6,15}$/;

export interface PhoneNumber {
	/** 6 to 15 digits, as the gateway gets them. */
	digits: string;
	/** Without the country code from the settings, so that it does not depend on them. */
	asEntered: string;
	/** Whether it was entered with + or 00 in front, so that a country code follows. */
	isInternational: boolean;
	/** Why it may be wrong or ambiguous. */
	doubt?: Refusal;
	/** It was entered without + and is read as one of another country; or as one at home, but is mobile elsewhere, too. */
	guess?: 'isAbroad' | 'mayBeAbroad';
}

/** Whether only the gateway knows its country: a Default Country Code would have replaced the 0. */
export function isLocal({ digits }: PhoneNumber): boolean {
	return digits.startsWith('0');
}

/** How a doubtful number is treated. */
export type Doubtful = 'refuse' | 'send';

/**
 * Returns the phone number that a person typed or a program provided.
 *
 * @throws InputError if there is none; for the parameters, see `readPhoneNumber`
 */
export function parsePhoneNumber(...given: Parameters<typeof readPhoneNumber>): PhoneNumber {
	const number = readPhoneNumber(...given);
	if (number instanceof InputError) throw number;
	return number;
}

/**
 * Returns a phone number, or an error if the value is not one, or is a doubtful one to be refused.
 *
 * @param countryCode the Default Country Code: a calling code or a country, '' if it is not set
 * @param place where it was entered, for the error: “ in the option 'Test Number'”
 * @param field the name of its field, for the error about a list or an object: “phone”
 */
export function readPhoneNumber(
	given: unknown,
	countryCode: string,
	doubtful: Doubtful = 'refuse',
	place = '',
	field = '',
): PhoneNumber | InputError {
	const value = singleIn(given);
	const shape = shapeErrorOf(value, place, field);
	if (shape) return shape;
	if (isBlank(value)) {
		return new InputError(
			'The phone number is missing',
			'Enter a number, e.g. 081234567890, or check the expression that provides it.',
		);
	}
	const read = numberIn(value, homeOf(countryCode));
	const isSendable = 'digits' in read && SENDABLE.test(read.digits);
	if (isSendable && (!read.doubt || doubtful === 'send')) return read;
	const { reason, advice } = 'digits' in read ? (read.doubt ?? NOT_A_NUMBER) : read;
	return new InputError(`${quote(toReadable(value))}${place} ${reason}`, advice);
}

/** The digits to send to, and why they may be wrong. No digits: it is never sent, whatever the options. */
type Found = Pick<PhoneNumber, 'digits' | 'doubt' | 'guess'>;

function numberIn(value: unknown, home: Home | undefined): PhoneNumber | Refusal {
	const written = readWritten(value);
	if ('reason' in written) return written;
	if (written.beforeSlash.some((each) => isWhole(each, home))) return TWO_NUMBERS;
	const plain = abroad(written);
	const found = find(plain, home);
	const { withoutIndex = written.plain } = written;
	if (withoutIndex === written.plain) return numberOf(plain, found);
	const other = find(withoutIndex, home);
	if (found.doubt || other.digits === found.digits) return numberOf(withoutIndex, other);
	if (other.doubt) return numberOf(plain, found);
	return numberOf(plain, mayBe('', [found, other]));
}

/** Whether digits before a slash are a number by themselves, so that another one follows. */
function isWhole(plain: string, home: Home | undefined): boolean {
	return plain.replace('+', '').length >= SHORTEST && !find(plain, home).doubt;
}

/** Returns the digits without a 0 that is dialed inside the country only. In Italy and some others it is dialed always. */
function abroad({ plain, withoutZero = plain }: Written): string {
	const fitOf = (each: string) => readInternational(each.replace(/^(?:\+|00)/, '')).fit;
	return withoutZero !== plain && fitOf(withoutZero) > fitOf(plain) ? withoutZero : plain;
}

function numberOf(plain: string, { digits, doubt, guess }: Found): PhoneNumber {
	const isInternational = /^(?:\+|00)/.test(plain) && !digits.startsWith('0');
	const asEntered = isInternational ? digits : plain.replace('+', '');
	return { digits, asEntered, isInternational, ...(doubt && { doubt }), ...(guess && { guess }) };
}

/**
 * Finds the number that digits mean, perhaps with a plus sign in front: as one with a country code, or as one at home.
 * Digits without plus and 0 are a number at home only if it is a mobile one, or if people there write exactly these
 * digits. The better fit wins: mobile before landline. If both fit equally, it is the one that is written exactly so.
 */
function find(plain: string, home: Home | undefined): Found {
	// If no country is set, the gateway adds its own.
	if (/^0(?!0)/.test(plain)) return home ? dialed(plain, home) : { digits: plain };
	const digits = plain.replace(/^(?:\+|00)/, '');
	const isBare = digits === plain;
	const foreign = readInternational(digits);
	if (!home || plain.startsWith('+')) {
		if (foreign.fit > Fit.None) return withCode(foreign, isBare, home);
		return isBare ? withoutCode(plain) : noFit(digits, foreign);
	}
	const hasCode = !isBare || countryCodeIn(foreign.digits) === home.countryCode;
	if (hasCode && foreign.fit === Fit.Mobile) return withCode(foreign, isBare, home);
	// In many countries a landline can begin with any digits; in Japan and a few others, a number can begin with 00.
	const here = readAtHome(home, plain);
	const isHere = here.fit > (hasCode ? Fit.Length : Fit.None) && isUsual(here);
	const fitHere = here.fit === Fit.Mobile || isHere ? here.fit : Fit.None;
	const isForeign = foreign.fit >= (hasCode ? Fit.Length : Fit.Mobile);
	if (isForeign && !isHere && fitHere < Fit.Mobile) return withCode(foreign, isBare, home);
	if (fitHere > foreign.fit || (isHere && fitHere === foreign.fit)) {
		const mayBeAbroad = isBare && !hasCode && foreign.fit === Fit.Mobile;
		return { digits: here.digits, ...(mayBeAbroad && { guess: 'mayBeAbroad' }) };
	}
	if (fitHere > Fit.None) return mayBe(plain, [here, foreign]);
	if (hasCode) return noFit(digits, foreign);
	return noFit(plain, here, home, foreign.fit > Fit.None);
}

/** Returns a number with its country code, doubtful if the code is rather there twice than a part of the number. */
function withCode(reading: Reading, isBare: boolean, home: Home | undefined): Found {
	const { digits, fit } = reading;
	const code = countryCodeIn(digits);
	const rest = digits.slice(code.length);
	const isAbroad = isBare && code !== home?.countryCode;
	const found: Found = { digits, ...(isAbroad && { guess: 'isAbroad' }) };
	if (!rest.startsWith(code)) return found;
	const inner = readInternational(rest);
	const isDoubtful = isBare && (fit === Fit.Length || (inner.fit > Fit.None && inner.fit === fit));
	return inner.fit > fit || isDoubtful ? mayBe(digits, [reading, inner]) : found;
}

/** One 0 in front: a number of the country, or one abroad as people there dial it. */
function dialed(plain: string, home: Home): Found {
	const here = readAtHome(home, plain);
	return here.fit > Fit.None ? here : noFit(home.countryCode + plain.slice(1), here, home);
}

/** Digits that begin neither with + nor 0 nor with a country code that they fit, if no country is set. */
function withoutCode(plain: string): Found {
	// Too short or too long for any country.
	if (!SENDABLE.test(plain)) return { digits: plain };
	return unsure(
		'',
		'has no country code, or a wrong number of digits',
		"Correct it; or set 'Default Country Code' in the credential, or in the options of this node, to the country of such numbers, e.g. 34 or ES; or enter the number with + and its country code.",
	);
}

/** @param hasCode whether the digits may begin with a country code, so that a message to them as they are may arrive */
function noFit(digits: string, reading: Reading, home?: Home, hasCode = true): Found {
	const code = countryCodeIn(reading.digits);
	if (code === '') {
		return unsure(digits, 'does not begin with an existing country code', 'Correct it.', hasCode);
	}
	const country = home ?? homeOf(code);
	const name = country ? nameOf(country) : `+${code}`;
	if (home && reading.fit > Fit.None) {
		const advice = 'Enter it as people there write it, or enter it with + and its country code.';
		return unsure(digits, `is not a mobile number of ${name}`, advice, hasCode);
	}
	const [, zero = '', national = ''] = /^(0?)(.*)/.exec(reading.digits.slice(code.length)) ?? [];
	const behind = zero ? ' after the 0' : home ? '' : ' after the country code';
	const lengths = country ? lengthsOf(country) : [];
	const why = [0, ...lengths].includes(lengths.length && national.length)
		? ''
		: `: it has ${count(national.length, 'digit')}${behind} instead of ${range(lengths)}`;
	const advice = home ? 'Correct it, or enter it with + and its country code.' : 'Correct it.';
	return unsure(digits, `is not a phone number of ${name}${why}`, advice, hasCode);
}

/** Returns the least and the most of some numbers: “9 to 12”. */
function range(numbers: readonly number[]): string {
	const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
	return least === most ? String(least) : `${least} to ${most}`;
}

function mayBe(digits: string, readings: readonly Found[]): Found {
	const named = readings.map(
		(each) => `+${each.digits} (${nameOfCode(countryCodeIn(each.digits))})`,
	);
	const reason = `may be ${named.join(' or ')}`;
	return unsure(digits, reason, 'Enter only that number, with + and its country code.');
}

function unsure(digits: string, reason: string, advice: string, maySend = true): Found {
	const more =
		maySend && SENDABLE.test(digits)
			? " To send to such numbers as they are, set the option 'Doubtful Numbers' to 'Send'."
			: '';
	return { digits, doubt: { reason, advice: advice + more } };
}

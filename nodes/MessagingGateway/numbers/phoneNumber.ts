import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { isBlank, toReadable } from '../input/text';
import {
	countryCodeIn,
	Fit,
	type Home,
	homeOf,
	mobileNumberIn,
	nameOf,
	nameOfCode,
	readAtHome,
	type Reading,
	readInternational,
} from './plan';
import { readWritten, type Refusal, refusalOf, type Written } from './written';

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
	doubt?: Doubt;
}

/** “entry reason” is a sentence without its period. */
export type Doubt = Pick<Refusal, 'reason' | 'advice'> & {
	/** No country code is in the digits, so a message to them as they are cannot arrive. */
	lacksCode?: boolean;
};

/** How a doubtful number is treated. */
export type Doubtful = 'refuse' | 'send';

/** The digits to send to, and why they may be wrong. No digits: it is never sent, whatever the options. */
export interface Found {
	digits: string;
	doubt?: Doubt;
}

/**
 * Returns the phone number that a person typed or a program provided.
 *
 * @param countryCode the Default Country Code: a calling code or a country, '' if it is not set
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
	if (isUsable(number, doubtful)) return number;
	const { entry, reason, advice } = whyRefused(value, number);
	throw new InputError(`${entry} ${reason}`, advice);
}

/** Whether a number can be sent to. */
export function isUsable(
	number: PhoneNumber | undefined,
	doubtful: Doubtful = 'refuse',
): number is PhoneNumber {
	if (!number || !SENDABLE.test(number.digits)) return false;
	return !number.doubt || doubtful === 'send';
}

/** Says why a value is refused. */
export function whyRefused(value: unknown, number: PhoneNumber | undefined): Refusal {
	if (!number?.doubt) return refusalOf(value);
	const { reason, advice, lacksCode = false } = number.doubt;
	const more = SENDABLE.test(number.digits) && !lacksCode ? SEND_ANYWAY : '';
	return { entry: quote(toReadable(value)), reason, advice: advice + more };
}

/** Like `parsePhoneNumber`, but returns undefined for anything but a phone number, and keeps doubtful numbers. */
export function readPhoneNumber(value: unknown, countryCode: string): PhoneNumber | undefined {
	const written = readWritten(value);
	if (!written) return undefined;
	const home = homeOf(countryCode);
	const { withoutIndex } = written;
	const plain = abroad(written);
	const found = find(plain, home);
	if (withoutIndex === undefined) return numberOf(plain, found);
	const other = find(withoutIndex, home);
	if (found.doubt || other.digits === found.digits) return numberOf(withoutIndex, other);
	if (other.doubt) return numberOf(plain, found);
	return numberOf(plain, { digits: '', doubt: mayBe([found.digits, other.digits]) });
}

/** Returns the digits without a 0 that is dialed inside the country only. In Italy and some others it is dialed always. */
function abroad({ plain, withoutZero }: Written): string {
	if (withoutZero === undefined) return plain;
	const fit = (each: string) => fitOf(readInternational(each.replace(/^(?:\+|00)/, '')));
	return fit(withoutZero) > fit(plain) ? withoutZero : plain;
}

function numberOf(plain: string, { digits, doubt }: Found): PhoneNumber {
	const isInternational = /^(?:\+|00)/.test(plain) && !digits.startsWith('0');
	const asEntered = isInternational ? digits : plain.replace('+', '');
	return { digits, asEntered, isInternational, ...(doubt && { doubt }) };
}

function find(plain: string, home: Home | undefined): Found {
	const mobile = mobileNumberIn(plain, home);
	return mobile === undefined ? readDigits(plain, home) : { digits: mobile };
}

/** Reads digits, perhaps with a plus sign in front. Slow. */
export function readDigits(plain: string, home: Home | undefined): Found {
	if (plain.startsWith('+')) return withCode(plain.slice(1));
	if (plain.startsWith('0')) return home ? dialed(plain, home) : dialedAnywhere(plain);
	return home ? bare(plain, home) : bareAnywhere(plain);
}

/** A number with its country code. */
function withCode(digits: string): Found {
	const reading = readInternational(digits);
	if (reading && reading.fit > Fit.None) return { digits: reading.digits };
	return { digits, doubt: noFit(reading ? nameWithCode(reading.countryCode) : '', reading) };
}

/** A number with 0 in front, if no country is set. The gateway adds its own country code to one with a single 0. */
function dialedAnywhere(plain: string): Found {
	return plain.startsWith('00') ? withCode(plain.slice(2)) : { digits: plain };
}

/** A number with 0 in front: of the country, or abroad. */
function dialed(plain: string, home: Home): Found {
	const here = readAtHome(home, plain);
	if (plain.startsWith('00')) {
		// In Japan and a few other countries, 00 is not the international prefix.
		const least = Math.max(Fit.Length, fitOf(readInternational(plain.slice(2))));
		return here && here.fit > least ? { digits: here.digits } : withCode(plain.slice(2));
	}
	if (here && here.fit > Fit.None) return { digits: here.digits };
	return {
		digits: home.countryCode + plain.slice(1),
		doubt: noFit(nameOf(home), here),
	};
}

/** Digits without a leading + or 0, if no country is set: they must begin with a country code. */
function bareAnywhere(plain: string): Found {
	const reading = readInternational(plain);
	if (reading && reading.fit > Fit.None) return { digits: reading.digits };
	if (!SENDABLE.test(plain)) return { digits: plain };
	return {
		digits: '',
		doubt: {
			reason: 'has no country code, or a wrong number of digits',
			advice:
				"Correct it; or set 'Default Country Code' in the credential, or in the options of this node, to the country of such numbers, e.g. 34 or ES; or enter the number with + and its country code.",
		},
	};
}

/** Digits without a leading + or 0: with a country code, or as inside the country, perhaps without their 0. */
function bare(plain: string, home: Home): Found {
	const foreign = readInternational(plain);
	const hasOwnCode = fitOf(foreign) > Fit.None && foreign?.countryCode === home.countryCode;
	if (foreign && hasOwnCode && foreign.fit === Fit.Mobile) return { digits: foreign.digits };
	const here = readAtHome(home, plain);
	const isUsual = here !== undefined && here.fit > Fit.None && here.isUsual();
	const fitHere = here && (here.fit > Fit.Length || isUsual) ? here.fit : Fit.None;
	// “62812…” with the code 62. In many countries a landline can have any digits.
	if (foreign && hasOwnCode && !isUsual && fitHere < Fit.Mobile) return { digits: foreign.digits };
	const more = fitHere - fitOf(foreign);
	if (here && fitHere > Fit.None && (more > 0 || (more === 0 && isUsual))) {
		return { digits: here.digits };
	}
	if (foreign?.fit === Fit.Mobile && more < 0 && !isUsual) return { digits: foreign.digits };
	if (here && foreign && fitHere > Fit.None && foreign.fit > Fit.None) {
		return { digits: plain, doubt: mayBe([here.digits, foreign.digits]) };
	}
	const lacksCode = !plain.startsWith(home.countryCode) && fitOf(foreign) === Fit.None;
	return { digits: plain, doubt: { ...noFit(nameOf(home), here ?? foreign), lacksCode } };
}

function fitOf(reading?: Reading): Fit {
	return reading?.fit ?? Fit.None;
}

const HOW_TO_BE_SURE = 'Correct it, or enter it with + and its country code.';
const SEND_ANYWAY =
	" To send to such numbers as they are, set the option 'Doubtful Numbers' to 'Send'.";

/** @param place “Spain (34)”; '' if the number begins with no country code */
function noFit(place: string, reading?: Reading): Doubt {
	if (place === '') {
		return { reason: 'does not begin with an existing country code', advice: HOW_TO_BE_SURE };
	}
	const length = reading ? reading.digits.length - reading.countryCode.length : 0;
	const why = reading && !reading.hasLength ? `: it has ${length} digits` : '';
	return { reason: `is not a phone number of ${place}${why}`, advice: HOW_TO_BE_SURE };
}

function mayBe(numbers: readonly string[]): Doubt {
	const named = numbers.map((each) => `+${each} (${nameOfCode(countryCodeIn(each))})`);
	return {
		reason: `may be ${named.join(' or ')}`,
		advice: 'Enter it with + and its country code.',
	};
}

function nameWithCode(countryCode: string): string {
	const home = homeOf(countryCode);
	return home ? nameOf(home) : `+${countryCode}`;
}

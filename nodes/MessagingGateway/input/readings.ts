import { countryCodeIn } from './countryCode';
import type { PhoneNumber } from './phoneNumber';

/** What people dial in front of a number inside their country, besides a 0: Hungary; Russia and its neighbors. */
const NATIONAL_PREFIX = /^(?:06|80?)/;

/** A digit that numbers of mobile phones have or lack, depending on who writes them: Mexico, Argentina, Brazil. */
const MOBILE_DIGITS = [
	[/^521(\d{10})$/, '52$1'],
	[/^549(\d{10})$/, '54$1'],
	[/^(55\d\d)9(\d{8})$/, '$1$2'],
] as const;

/** Digits. Nearly no number is longer without its country code. */
const LONGEST_NATIONAL = 12;

/**
 * Returns a number with its readings, where some have opted out.
 *
 * @param countryCodes undefined if nobody has
 */
export function withReadings(number: PhoneNumber, countryCodes?: readonly string[]): PhoneNumber {
	if (!countryCodes) return number;
	return { ...number, readings: readingsOfRecipient(number, countryCodes) };
}

/**
 * Returns the readings of a number that gets a message. It gets none if one of them is a reading of a number that
 * opted out, in whatever way the two are written: to skip one too many harms nobody.
 *
 * @param countryCodes that may belong in front: of the item and of the credential
 */
export function readingsOfRecipient(
	number: PhoneNumber,
	countryCodes: readonly string[],
): string[] {
	const international = internationalOf(number, countryCodes);
	const national = nationalOf(number);
	const readings = [...international, ...national.map(inCountry)];
	const isUnknown = countryCodes.length === 0;
	for (const each of international) {
		const code = countryCodeIn(each);
		const isOwn = isUnknown || countryCodes.some((own) => own.startsWith(code));
		if (isOwn) readings.push(inCountry(each.slice(code.length)));
	}
	if (isUnknown) readings.push(...national.map(anywhere));
	return readings;
}

/**
 * Returns the readings of a number that opted out.
 *
 * @param countryCodes like those of `readingsOfRecipient`
 */
export function readingsOfOptOut(number: PhoneNumber, countryCodes: readonly string[]): string[] {
	const readings = internationalOf(number, countryCodes);
	if (countryCodes.length === 0) {
		for (const each of [...readings]) {
			readings.push(anywhere(each.slice(countryCodeIn(each).length)));
		}
	}
	for (const each of nationalOf(number)) readings.push(inCountry(each));
	return readings;
}

/** Returns what a number may be with its country code. */
function internationalOf(number: PhoneNumber, countryCodes: readonly string[]): string[] {
	const { asEntered } = number;
	const found: string[] = [];
	if (!asEntered.startsWith('0')) addWritings(asEntered, found);
	for (const national of nationalOf(number)) {
		for (const code of countryCodes) addWritings(code + national, found);
	}
	return found;
}

/** Returns what a number may be without its country code, none if it certainly has one. */
function nationalOf({ asEntered, isInternational }: PhoneNumber): string[] {
	if (isInternational) return [];
	if (asEntered.length > LONGEST_NATIONAL && countryCodeIn(asEntered) !== '') return [];
	const national = [withoutZeros(asEntered)];
	const rest = asEntered.replace(NATIONAL_PREFIX, '');
	if (rest !== asEntered) national.push(rest);
	return national;
}

/** Adds an international number, and what others may write for it. */
function addWritings(digits: string, found: string[]): void {
	found.push(digits);
	const code = countryCodeIn(digits);
	if (digits.startsWith('0', code.length)) {
		found.push(code + withoutZeros(digits.slice(code.length)));
	}
	for (const [pattern, shorter] of code.startsWith('5') ? MOBILE_DIGITS : []) {
		found.push(digits.replace(pattern, shorter));
	}
}

/** The reading of a number without its country code. No international number begins with 0. */
function inCountry(national: string): string {
	return `0${withoutZeros(national)}`;
}

/** The reading of a number whose country nobody knows, or of one that is compared with it. */
function anywhere(national: string): string {
	return `*${withoutZeros(national)}`;
}

function withoutZeros(digits: string): string {
	return digits.replace(/^0+/, '');
}

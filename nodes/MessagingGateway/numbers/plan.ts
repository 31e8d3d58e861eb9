/**
 * The numbering plans of all countries, from libphonenumber's metadata. Of its three sizes, only the largest tells
 * mobile numbers from landlines: with "mobile" (99 KB instead of 157), a tenth of all numbers is refused; with "min",
 * almost all.
 */
import {
	Metadata,
	parsePhoneNumberFromString,
	type CountryCode,
	type MetadataJson,
	type PhoneNumber,
} from 'libphonenumber-js/core';
import plans from 'libphonenumber-js/max/metadata';

import { getOrAdd } from '../shared/getOrAdd';

const metadata = plans as unknown as MetadataJson & { nonGeographic: Record<string, unknown> };

/** How a country has changed its mobile numbers. All patterns are for the digits behind the country code. */
interface Change {
	/** Digits that only one of the two forms of a number has. */
	extra: RegExp;
	/** The form that today's plan no longer has, although accounts do. */
	old?: RegExp;
	/** What old address books have in front of a number, and what is there today. */
	written?: [before: RegExp, today: string];
}

/** WhatsApp keeps the number with which an account was opened, even if the country has added or removed digits since. */
const CHANGES: Partial<Record<string, Change>> = {
	// Mexico, where a prefix was dialed until 2019; Argentina; Brazil; Ivory Coast; Benin; Gabon.
	52: {
		extra: /^1(?=\d{10}$)/,
		old: /^1\d{10}$/,
		written: [/^(?:01|04[45]|1)(?=\d{10}$)/, ''],
	},
	54: { extra: /^9(?=\d{10}$)/ },
	55: { extra: /(?<=^\d\d)9(?=[6-9]\d{7}$)/, old: /^\d\d[6-9]\d{7}$/ },
	225: { extra: /^\d\d(?=\d{8}$)/, old: /^\d{8}$/ },
	229: { extra: /^01(?=\d{8}$)/, old: /^\d{8}$/ },
	241: { extra: /^0(?=[1-7]\d{6}$)/, written: [/^(?=[1-7]\d{6}$)/, '0'] },
};

/** How well a number fits its country, from worst to best. */
export enum Fit {
	/** No mobile number of the country has this length. */
	None,
	/** The country's mobile numbers have this length; the range was unknown when this package was made. */
	Length,
	/** A known range of landlines, or of other numbers that are not mobile. */
	Number,
	/** A known range of mobile numbers. */
	Mobile,
}

/** A possible reading of digits. */
export interface Reading {
	/** The whole number with its country code. */
	digits: string;
	fit: Fit;
	/** The digits that were read, as people write such numbers today. */
	written: string;
}

/** The country that numbers without a country code belong to. */
export interface Home {
	country: CountryCode;
	countryCode: string;
}

/**
 * Returns the country of a Default Country Code: a calling code (62), one with an area (1868), or a country in capital
 * letters (ID). Undefined if there is none.
 */
export function homeOf(code: string): Home | undefined {
	const country = code in metadata.countries ? (code as CountryCode) : firstCountryOf(code);
	return country && { country, countryCode: String(metadata.countries[country]?.[0]) };
}

function firstCountryOf(code: string): CountryCode | undefined {
	if (/^1[2-9]\d\d$/.test(code)) return parse(`+${code}2222222`)?.country ?? 'US';
	return metadata.country_calling_codes[code]?.[0];
}

/** Returns the country code that digits begin with, '' if they begin with none. No code is the beginning of another. */
export function countryCodeIn(digits: string): string {
	for (const length of [1, 2, 3]) {
		const code = digits.slice(0, length);
		if (code in metadata.country_calling_codes || code in metadata.nonGeographic) return code;
	}
	return '';
}

/** Returns the name of a country with its code: “Spain (34)”. */
export function nameOf({ country, countryCode }: Home): string {
	return `${regionName(country)} (${countryCode})`;
}

/** Returns the name for a country code: “Spain”, or “United States (+1)” if several countries share it. */
export function nameOfCode(countryCode: string): string {
	const [first, ...others] = metadata.country_calling_codes[countryCode] ?? [];
	if (!first) return `+${countryCode}`;
	return others.length === 0 ? regionName(first) : `${regionName(first)} (+${countryCode})`;
}

let names: Intl.DisplayNames | undefined;

function regionName(country: CountryCode): string {
	names ??= new Intl.DisplayNames(['en'], { type: 'region' });
	return names.of(country) ?? country;
}

/** Returns the country that people call by another code or by its English name: UK is GB. Undefined if there is none. */
export function countryCalled(name: string): string | undefined {
	if (/^[A-Z]{2}$/.test(name)) {
		const { region = '' } = new Intl.Locale(`und-${name}`);
		return homeOf(region) && region;
	}
	const countries = Object.keys(metadata.countries) as CountryCode[];
	const letters = (text: string) => text.replace(/\P{L}/gu, '').toUpperCase();
	return countries.find((each) => letters(regionName(each)) === letters(name) && name !== '');
}

/** Reads digits with their country code. */
export function readInternational(digits: string): Reading {
	const isKnown = isMobile(digits) || isOldForm(digits);
	if (isKnown) return { digits, fit: Fit.Mobile, written: digits };
	const found = parse(`+${digits}`);
	return readingOf(found && isWhole(found, digits) ? found : undefined, digits, digits);
}

/** Whether the library added no digits, and removed only those that are dialed inside the country. */
function isWhole(
	{ countryCallingCode: code, nationalNumber }: PhoneNumber,
	digits: string,
): boolean {
	const written = digits.slice(code.length);
	if (!written.endsWith(nationalNumber)) return written.length > nationalNumber.length;
	const dialed = written.slice(0, -nationalNumber.length);
	return dialed === '' || mobilesOf(code).prefixes.includes(dialed);
}

/** Reads digits as people in a country do: as a number there, or as a foreign one as they dial it. */
export function readAtHome({ country, countryCode }: Home, digits: string): Reading {
	const change = CHANGES[countryCode]?.written;
	const written = change ? digits.replace(...change) : digits;
	const isDialed = written.startsWith('0') && mobilesOf(countryCode).prefixes.includes('0');
	const mobile = countryCode + (isDialed ? written.slice(1) : written);
	if (isMobile(mobile)) return { digits: mobile, fit: Fit.Mobile, written };
	// The library would remove the code from digits that begin with it.
	const found = written.startsWith(countryCode)
		? parse(`+${countryCode}${written}`)
		: parse(written, country);
	const reading = readingOf(found, countryCode + written, written);
	const isOld = reading.fit < Fit.Number && isOldForm(reading.digits);
	return isOld ? { ...reading, fit: Fit.Number } : reading;
}

/** Returns whether people in its country write a number exactly like this. */
export function isUsual({ digits, fit, written }: Reading): boolean {
	const formatted = parse(`+${digits}`)?.formatNational() ?? '';
	// Countries with several formats have none for an unknown range, so its usual form is unknown.
	const isFormatted = fit > Fit.Length || /\D/.test(formatted);
	return isFormatted && formatted.replace(/\D/g, '') === written;
}

/** Returns how many digits the mobile numbers of a country can have. */
export function lengthsOf({ country }: Home): readonly number[] {
	return mobilesOf(country).lengths;
}

/** Returns the same form of an account for all forms of its number. */
export function accountOf(digits: string): string {
	const [code, national] = split(digits);
	const extra = CHANGES[code]?.extra;
	return extra ? code + national.replace(extra, '') : digits;
}

function isOldForm(digits: string): boolean {
	const [code, national] = split(digits);
	return CHANGES[code]?.old?.test(national) ?? false;
}

/** Whether digits certainly are a mobile number of a known range: a fast way to what the library finds. */
function isMobile(digits: string): boolean {
	const [code, national] = split(digits);
	return mobilesOf(code).ranges.test(national);
}

function split(digits: string): [countryCode: string, national: string] {
	const code = countryCodeIn(digits);
	return [code, digits.slice(code.length)];
}

function parse(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
	const options = { extract: false, ...(defaultCountry && { defaultCountry }) };
	return parsePhoneNumberFromString(text, options, metadata);
}

/** Returns the extension that a number is written with, if there is one. */
export function extensionIn(text: string): string | undefined {
	return parse(text, 'US')?.ext;
}

function readingOf(found: PhoneNumber | undefined, digits: string, written: string): Reading {
	if (!found) return { digits, fit: Fit.None, written };
	return { digits: found.number.slice(1), fit: fitOf(found), written };
}

function fitOf(found: PhoneNumber): Fit {
	const type = found.getType();
	if (type !== undefined) return type.includes('MOBILE') ? Fit.Mobile : Fit.Number;
	const { country, countryCallingCode, nationalNumber } = found;
	const { lengths, prefixes } = mobilesOf(country ?? countryCallingCode);
	// The 0 is dialed before the number, but is not part of it.
	const hasZero = prefixes.includes('0') && nationalNumber.startsWith('0');
	return !hasZero && lengths.includes(nationalNumber.length) ? Fit.Length : Fit.None;
}

/** The part of a numbering plan that the library's types leave out. */
interface Plan {
	nationalPrefix(): string | 0 | undefined;
	type(name: string): { pattern(): string; possibleLengths(): number[] } | undefined;
}

const known = new Map<string, ReturnType<typeof findMobiles>>();

/** Returns the mobile numbers, without their country code, of a country, or of all that share a country code. */
function mobilesOf(place: string): ReturnType<typeof findMobiles> {
	return getOrAdd(known, place, () => findMobiles(place));
}

function findMobiles(place: string) {
	const sharing = metadata.country_calling_codes[place] ?? [];
	const all = (place in metadata.countries ? [place as CountryCode] : sharing).map((country) => {
		const selected = new Metadata(metadata);
		selected.selectNumberingPlan(country);
		return selected.numberingPlan as unknown as Plan;
	});
	// As in the library: mobile numbers without their own range are in the landlines' range.
	const mobiles = all.flatMap((plan) => {
		const own = plan.type('MOBILE');
		return (own?.pattern() ? own : plan.type('FIXED_LINE')) ?? [];
	});
	const patterns = mobiles.map((each) => each.pattern()).join('|') || '(?!)';
	return {
		ranges: new RegExp(`^(?:${patterns})$`),
		lengths: mobiles.flatMap((each) => each.possibleLengths()),
		/** What is dialed in front of a number inside the country: usually 0. */
		prefixes: all.flatMap((plan) => plan.nationalPrefix() || []),
	};
}

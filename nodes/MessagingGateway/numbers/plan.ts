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

const metadata = plans as unknown as MetadataJson & { nonGeographic: Record<string, unknown> };

/** The maximum of ITU-T E.164. */
const MOST_DIGITS = 15;

/**
 * Forms of one account: WhatsApp keeps the number with which it was opened, even if the country has since added or
 * removed a digit. Mexico, Argentina, Brazil, Ivory Coast, Benin, Gabon.
 */
const FORMS = [
	[/^521(\d{10})$/, '52$1'],
	[/^549(\d{10})$/, '54$1'],
	[/^(55\d\d)9(\d{8})$/, '$1$2'],
	[/^225\d\d(\d{8})$/, '225$1'],
	[/^22901(\d{8})$/, '229$1'],
	[/^2410([1-7]\d{6})$/, '241$1'],
] as const;

/** Forms that today's plans no longer have. */
const OLD_FORM = /^(?:521\d{10}|55\d\d[6-9]\d{7}|22[59]\d{8})$/;

/**
 * Outdated numbers that are still in many address books: with the prefix dialed inside Mexico until 2019, and those of
 * Gabon before they got a 0 in the same year.
 */
const OLD_WRITINGS: Partial<Record<CountryCode, [RegExp, string]>> = {
	MX: [/^(?:01|04[45]|1)(?=\d{10}$)/, ''],
	GA: [/^(?=[1-7]\d{6}$)/, '0'],
};

/** How well a reading fits, from worst to best. */
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
	countryCode: string;
	fit: Fit;
	/** Whether a number of this country can have this length at all. */
	hasLength: boolean;
	/** Whether people in its country write exactly the digits that were read. Slow. */
	isUsual(): boolean;
}

/** The country that numbers without a country code belong to. */
export interface Home {
	country: CountryCode;
	countryCode: string;
}

const homes = new Map<string, Home | undefined>();

/**
 * Returns the country of a Default Country Code: a calling code (62), one with an area (1868), or a country in capital
 * letters (ID). Undefined if there is none.
 */
export function homeOf(code: string): Home | undefined {
	if (!homes.has(code)) homes.set(code, findHome(code));
	return homes.get(code);
}

function findHome(code: string): Home | undefined {
	const country = Object.hasOwn(metadata.countries, code) ? (code as CountryCode) : countryOf(code);
	return country && { country, countryCode: String(metadata.countries[country]?.[0]) };
}

function countryOf(code: string): CountryCode | undefined {
	if (Object.hasOwn(metadata.country_calling_codes, code)) {
		return metadata.country_calling_codes[code]?.[0];
	}
	if (!/^1[2-9]\d\d$/.test(code)) return undefined;
	return parsePhoneNumberFromString(`+${code}2222222`, metadata)?.country ?? 'US';
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

function regionName(country: CountryCode): string {
	return new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country;
}

/** Reads digits with their country code. Returns undefined if they begin with none. */
export function readInternational(digits: string): Reading | undefined {
	const found = parsePhoneNumberFromString(`+${digits}`, { extract: false }, metadata);
	const reading = readingOf(digits, found);
	return reading && OLD_FORM.test(digits) ? { ...reading, digits, fit: Fit.Mobile } : reading;
}

/** Reads digits as people in a country do: as a number there, or as a foreign one as they dial it. */
export function readAtHome({ country, countryCode }: Home, digits: string): Reading | undefined {
	const [before, today] = OLD_WRITINGS[country] ?? ['', ''];
	const written = digits.replace(before, today);
	const options = { defaultCountry: country, extract: false };
	const reading = readingOf(written, parsePhoneNumberFromString(written, options, metadata));
	const old = countryCode + digits.replace(countryCode === '55' ? /^0/ : '', '');
	const isOld = OLD_FORM.test(old) && (reading?.fit ?? Fit.None) < Fit.Number;
	if (!isOld) return reading;
	return { digits: old, countryCode, fit: Fit.Number, hasLength: true, isUsual: () => true };
}

/** Returns a number with 0 in front in its form with a country code. */
export function digitsIn(countryCode: string, local: string): string {
	const home = homeOf(countryCode);
	if (!home) return local;
	return mobileNumberIn(local, home) ?? readAtHome(home, local)?.digits ?? local;
}

/** Returns the same form of an account for all forms of its number. */
export function accountOf(digits: string): string {
	if (!/^[25]/.test(digits)) return digits;
	return FORMS.reduce((each, [pattern, form]) => each.replace(pattern, form), digits);
}

function readingOf(written: string, found: PhoneNumber | undefined): Reading | undefined {
	if (!found || found.number.length > MOST_DIGITS + 1) return undefined;
	const fit = fitOf(found);
	return {
		digits: found.number.slice(1),
		countryCode: found.countryCallingCode,
		fit,
		hasLength: fit > Fit.None || found.isPossible(),
		isUsual: () => isUsual(found, written, fit),
	};
}

/** An unknown range has no format in countries with several, so its usual form is unknown. */
function isUsual(found: PhoneNumber, written: string, fit: Fit): boolean {
	const formatted = found.formatNational();
	const isFormatted = fit > Fit.Length || /\D/.test(formatted);
	return isFormatted && formatted.replace(/\D/g, '') === written;
}

function fitOf(found: PhoneNumber): Fit {
	const type = found.getType();
	if (type !== undefined) return type.includes('MOBILE') ? Fit.Mobile : Fit.Number;
	const { country, countryCallingCode: code, nationalNumber } = found;
	const countries = country ? [country] : (metadata.country_calling_codes[code] ?? []);
	const isAsLong = countries.map(planOf).some((plan) => {
		// The 0 is dialed before the number, but is not part of it.
		if (nationalNumber.startsWith('0') && plan.nationalPrefix() === '0') return false;
		return mobilesOf(plan)?.possibleLengths().includes(nationalNumber.length);
	});
	return isAsLong ? Fit.Length : Fit.None;
}

/** The part of a plan that the library's types leave out. */
interface Plan {
	nationalPrefix(): string | 0 | undefined;
	nationalPrefixForParsing(): string | 0 | undefined;
	type(name: 'MOBILE' | 'FIXED_LINE'): Range | undefined;
}

interface Range {
	pattern(): string;
	possibleLengths(): number[];
}

/** As in the library: mobile numbers without their own range are in the landlines' range. */
function mobilesOf(plan: Plan): Range | undefined {
	const own = plan.type('MOBILE');
	return own?.pattern() ? own : plan.type('FIXED_LINE');
}

function planOf(country: CountryCode): Plan {
	const all = new Metadata(metadata);
	all.selectNumberingPlan(country);
	return all.numberingPlan as unknown as Plan;
}

/** The mobile numbers of all countries that share a code. */
interface MobilePlan {
	/** Takes a number without its country code. */
	isMobile(national: string): boolean;
	/** Whether a number can begin with a prefix that is dialed inside the country only. If so, the library reads it. */
	mayHavePrefix(national: string): boolean;
	/** Whether a 0, and nothing else, is dialed before a number inside the country. */
	dialsZero: boolean;
}

const mobilePlans = new Map<string, MobilePlan | undefined>();

function mobilePlanOf(countryCode: string): MobilePlan | undefined {
	if (!mobilePlans.has(countryCode)) mobilePlans.set(countryCode, makeMobilePlan(countryCode));
	return mobilePlans.get(countryCode);
}

function makeMobilePlan(countryCode: string): MobilePlan | undefined {
	const all = (metadata.country_calling_codes[countryCode] ?? []).map(planOf);
	const mobiles = all.map((plan) => mobilesOf(plan)?.pattern()).filter((each) => each);
	if (mobiles.length === 0) return undefined;
	const prefixes = all.map((plan) => plan.nationalPrefixForParsing()).filter((each) => each);
	const mobile = new RegExp(`^(?:${mobiles.join('|')})$`);
	const prefix = new RegExp(`^(?:${prefixes.join('|') || '0'})`);
	return {
		isMobile: (national) => mobile.test(national),
		mayHavePrefix: (national) => prefix.test(national),
		dialsZero: prefixes.length === all.length && prefixes.every((each) => each === '0'),
	};
}

/**
 * Returns the mobile number if the digits are certainly one of a known range; undefined if they need a closer look.
 * The result is the library's, in a fiftieth of its time.
 *
 * @param plain digits, perhaps with a plus sign in front
 */
export function mobileNumberIn(plain: string, home: Home | undefined): string | undefined {
	if (plain.startsWith('+')) return mobileWithCode(plain.slice(1));
	if (!home) return plain.startsWith('0') ? undefined : mobileWithCode(plain);
	const plan = mobilePlanOf(home.countryCode);
	if (plain.startsWith(home.countryCode)) return mobileWithCode(plain);
	if (!plan || OLD_WRITINGS[home.country]) return undefined;
	if (plain.startsWith('0')) {
		const national = plain.slice(1);
		const isRead = plan.dialsZero && !national.startsWith('0') && !plan.isMobile(plain);
		return isRead && plan.isMobile(national) ? home.countryCode + national : undefined;
	}
	if (!plan.isMobile(plain) || plan.mayHavePrefix(plain)) return undefined;
	return mayBeMobileWithCode(plain) ? undefined : home.countryCode + plain;
}

function mobileWithCode(digits: string): string | undefined {
	const code = countryCodeIn(digits);
	const plan = mobilePlanOf(code);
	const national = digits.slice(code.length);
	const isRead = plan?.isMobile(national) && !plan.mayHavePrefix(national);
	return isRead && digits.length <= MOST_DIGITS ? digits : undefined;
}

function mayBeMobileWithCode(digits: string): boolean {
	const code = countryCodeIn(digits);
	const plan = mobilePlanOf(code);
	const national = digits.slice(code.length);
	return (
		!!plan && (plan.isMobile(national) || plan.mayHavePrefix(national) || OLD_FORM.test(digits))
	);
}

/** Google's own implementation of the numbering plans: another one than the node has. */
import { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } from 'google-libphonenumber';

const util = PhoneNumberUtil.getInstance();

export const KINDS = { mobile: PhoneNumberType.MOBILE, landline: PhoneNumberType.FIXED_LINE };

/** A number of a country, and how people there write it. */
export interface Example {
	country: string;
	code: string;
	kind: keyof typeof KINDS;
	/** With the country code. */
	digits: string;
	national: string;
	international: string;
}

export const EXAMPLES: Example[] = util
	.getSupportedRegions()
	.sort()
	.flatMap((country) =>
		(Object.keys(KINDS) as Array<keyof typeof KINDS>).flatMap((kind) => {
			const found = util.getExampleNumberForType(country, KINDS[kind]);
			return found ? [exampleOf(country, kind, found)] : [];
		}),
	);

function exampleOf(
	country: string,
	kind: Example['kind'],
	found: NonNullable<ReturnType<typeof util.getExampleNumberForType>>,
): Example {
	return {
		country,
		kind,
		code: String(found.getCountryCode()),
		digits: util.format(found, PhoneNumberFormat.E164).slice(1),
		national: util.format(found, PhoneNumberFormat.NATIONAL),
		international: util.format(found, PhoneNumberFormat.INTERNATIONAL),
	};
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Ways to write a number; undefined where a country does not have that way. */
export const WRITINGS: Record<string, (example: Example) => string | undefined> = {
	'as at home': ({ national }) => national,
	'digits only': ({ national }) => digitsOf(national),
	'without the dropped 0': ({ national }) =>
		digitsOf(national).startsWith('0') ? digitsOf(national).replace(/^0+/, '') : undefined,
	'with +': ({ international }) => international,
	'digits with the code': ({ digits }) => digits,
	'with 00': ({ digits }) => `00${digits}`,
	'with + and (0)': ({ national, international, code }) =>
		digitsOf(national).startsWith('0')
			? international.replace(new RegExp(`^\\+${code} 0?`), `+${code} (0)`)
			: undefined,
};

/** Returns whether Google's implementation knows the number, or finds it as long as a mobile number of its country. */
export function mayExist(digits: string): boolean {
	try {
		const number = util.parse(`+${digits}`);
		if (util.isValidNumber(number)) return true;
		const kind = PhoneNumberType.MOBILE;
		return util.isPossibleNumberForType(number, kind);
	} catch {
		return false;
	}
}

/** Returns what Google's implementation reads in a country; undefined for a number that it does not know. */
export function readByGoogle(text: string, country: string): string | undefined {
	try {
		const number = util.parse(text, country);
		return util.isValidNumber(number)
			? util.format(number, PhoneNumberFormat.E164).slice(1)
			: undefined;
	} catch {
		return undefined;
	}
}

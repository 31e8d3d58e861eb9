/** The part of the package that the tests use. It has no types of its own. */
declare module 'google-libphonenumber' {
	interface ParsedNumber {
		getCountryCode(): number;
	}
	export enum PhoneNumberFormat {
		E164,
		INTERNATIONAL,
		NATIONAL,
	}
	export enum PhoneNumberType {
		FIXED_LINE,
		MOBILE,
	}
	export class PhoneNumberUtil {
		static getInstance(): PhoneNumberUtil;
		getSupportedRegions(): string[];
		getExampleNumberForType(country: string, type: PhoneNumberType): ParsedNumber | null;
		format(number: ParsedNumber, format: PhoneNumberFormat): string;
		parse(text: string, country?: string): ParsedNumber;
		isValidNumber(number: ParsedNumber): boolean;
		isPossibleNumberForType(number: ParsedNumber, type: PhoneNumberType): boolean;
	}
}

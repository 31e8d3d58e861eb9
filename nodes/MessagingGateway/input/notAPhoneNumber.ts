import { quote } from '../shared/quote';
import { withPlainPunctuation } from './text';

/** Why an entry cannot be a recipient. “entry reason” is a sentence without its period. */
export interface Refusal {
	/** The entry in quotation marks, fit for a sentence that a person reads. */
	entry: string;
	reason: string;
	/** One sentence or two: what to correct. */
	advice: string;
}

/** Something whose digits look like a phone number. */
interface Lookalike {
	/** Takes a text with plain punctuation. */
	looksLike: (text: string) => boolean;
	reason: string;
	advice: string;
}

const MINUS_IN_FRONT = /^\s*-[^a-z\d]*\d/i;

const DATE =
	/^\s*(\d{4}|\d{1,2})\s*([-./])\s*(\d{1,2})\s*\2\s*(\d{4}|\d{1,2})(?:[T,\s]+\d{1,2}:\d\d.*|\s*)$/s;

const IPV4_ADDRESS = /^\s*(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|\s*$)){4}$/;

const SHORTENED = /^\s*\+?\d+([.,]\d+)?e\+?\d+\s*$/i;

/** What people put between two numbers in one cell: a sign, or a word such as “or”. */
const BETWEEN_NUMBERS = /[,;/|&\n\r]|\s\p{L}+\s/u;

/** What is longer is not looked through, because it would take long. */
const LONGEST_CELL = 10_000;

const NUMBER_LIKE = /^[-+.()[\]{}\s\d]+$/;

const IF_IT_IS_ONE =
	'Check where the number comes from. If it really is a phone number, write its digits without dots, dashes and slashes.';

const lookalikes: Lookalike[] = [
	{
		looksLike: (text) => MINUS_IN_FRONT.test(text),
		reason: 'begins with a minus sign',
		advice:
			'Enter the number without it. If a spreadsheet calculated the number, format the column as text and enter the number again.',
	},
	{ looksLike: isDate, reason: 'is a date, not a phone number', advice: IF_IT_IS_ONE },
	{
		looksLike: (text) => IPV4_ADDRESS.test(text),
		reason: 'is an IP address, not a phone number',
		advice: IF_IT_IS_ONE,
	},
];

const shortened: Lookalike = {
	looksLike: (text) => SHORTENED.test(text),
	reason: 'is not the whole phone number: your spreadsheet shortened it',
	advice: 'Format the column as text in the spreadsheet and enter the whole number again.',
};

/**
 * Returns what a text is if its digits could be taken for a phone number, but it is something else.
 *
 * @param text with plain punctuation
 */
export function findLookalike(text: string): Lookalike | undefined {
	return lookalikes.find(({ looksLike }) => looksLike(text));
}

/** Says why a value is not a phone number. */
export function refusalOf(value: unknown): Refusal {
	const shown = toReadable(value);
	const entry = quote(shown);
	const text = withPlainPunctuation(shown);
	const lookalike = [...lookalikes, shortened].find(({ looksLike }) => looksLike(text));
	if (lookalike) return { entry, reason: lookalike.reason, advice: lookalike.advice };
	const count =
		shown.length > LONGEST_CELL
			? 0
			: numbersIn(Array.isArray(value) ? value.map(toReadable) : partsOf(text));
	if (count > 1) {
		return {
			entry,
			reason: `contains ${count} phone numbers, not one`,
			advice:
				"Give each number an item of its own, or, for a text, a line of its own in the list of 'Send Bulk'.",
		};
	}
	return {
		entry,
		reason: 'is not a phone number',
		advice:
			'Enter 6 to 15 digits, with the country code or a leading 0, e.g. 6281234567890 or 081234567890.',
	};
}

/** Returns how many phone numbers there are, 0 if there is something else, too. */
function numbersIn(parts: string[]): number {
	return parts.every(isLikeNumber) ? parts.length : 0;
}

/** Two numbers may be separated by nothing but space, but there is space in a single number as well. */
function partsOf(text: string): string[] {
	const parts = text.split(BETWEEN_NUMBERS).filter((part) => part.trim() !== '');
	return parts.length > 1 ? parts : text.trim().split(/\s+/);
}

function isLikeNumber(text: string): boolean {
	const digits = text.replace(/\D/g, '').length;
	return digits >= 6 && digits <= 15 && NUMBER_LIKE.test(text) && !findLookalike(text);
}

/** A program may provide an object that cannot be written as JSON. */
export function toReadable(value: unknown): string {
	if (typeof value !== 'object') return String(value);
	try {
		return String(JSON.stringify(value)).replace(/^"|"$/g, '');
	} catch {
		return 'An object';
	}
}

/** Year, month and day in the orders that people and programs write. */
function isDate(text: string): boolean {
	const [, first = '', , second = '', third = ''] = DATE.exec(text) ?? [];
	const [a, b, c] = [Number(first), Number(second), Number(third)];
	if (first.length === 4) return isYear(a) && isMonth(b) && isDay(c);
	const endsWithYear = third.length === 2 || isYear(c);
	return endsWithYear && ((isDay(a) && isMonth(b)) || (isMonth(a) && isDay(b)));
}

const isYear = (n: number) => n >= 1900 && n < 2100;
const isMonth = (n: number) => n >= 1 && n <= 12;
const isDay = (n: number) => n >= 1 && n <= 31;

import { quote } from '../shared/text';
import { withPlainPunctuation } from './decoration';
import { toReadable } from './text';

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

/** Year, month and day in any order, and what may follow: a time of day. */
const DATE = /^(\d{4}|\d{1,2}) ?([-./ ]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{1,2})([T, ].*)?$/;

const TIME = /^[T, ]+\d{1,2}[:.]\d\d/;

const IPV4_ADDRESS = /^\s*(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|\s*$)){4}$/;

const SHORTENED = /^\s*\+?\d+([.,]\d+)?e\+?\d+\s*$/i;

/** A number with a point in it, and no other dot. */
const WITH_POINT = /^([^.]*\d)\.(\d+)\s*$/;

/** The ends of cells and lines. Between the digits of a number there may be one, too. */
const CELL_END = /[\t\n\v\f\r]/;

/** What people put between two numbers in one cell: a sign, or a word such as “or”. */
const BETWEEN_NUMBERS = /[,;/|&\t\n\r]|\s\p{L}+\s/u;

/** What is longer is not looked through, because it would take long. */
const LONGEST_CELL = 10_000;

const NUMBER_LIKE = /^[-+.()[\]{}\s\d]+$/;

/** Digits. Nobody writes a number in parts that are all longer. */
const LONGEST_PART = 6;

const IF_IT_IS_ONE =
	'Check where the number comes from. If it really is a phone number, write its digits without dots, dashes and slashes.';

const ONE_EACH =
	"Give each number an item of its own, or, for a text, a line of its own in the list of 'Send Bulk'.";

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
	{
		looksLike: hasDecimals,
		reason: 'has decimals, as no phone number does',
		advice: IF_IT_IS_ONE,
	},
	{
		looksLike: areTwo,
		reason: 'contains more than one phone number',
		advice: ONE_EACH,
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
	const isLong = shown.length > LONGEST_CELL;
	const text = isLong ? '' : withPlainPunctuation(shown);
	const count = isLong
		? 0
		: numbersIn(Array.isArray(value) ? value.map(toReadable) : partsOf(text));
	if (count > 1) {
		return { entry, reason: `contains ${count} phone numbers, not one`, advice: ONE_EACH };
	}
	const lookalike = [...lookalikes, shortened].find(({ looksLike }) => looksLike(text));
	if (lookalike) return { entry, reason: lookalike.reason, advice: lookalike.advice };
	return {
		entry,
		reason: 'is not a phone number',
		advice:
			'Enter 6 to 15 digits, with the country code or a leading 0, e.g. 6281234567890 or 081234567890.',
	};
}

/** Says why a number that may have lost its leading 0 is not sent to. */
export function doubtOf(value: unknown, countryCode: string): Refusal {
	return {
		entry: quote(toReadable(value)),
		reason: `begins neither with 0 or + nor with the Default Country Code ${countryCode}: a spreadsheet may have dropped the 0`,
		advice:
			"Format the column as text, and enter the number with its 0 or with + and its country code. To send to such numbers as they are, set the option 'Doubtful Numbers' to 'Send'.",
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
	const digits = digitsIn(text);
	return digits >= 6 && digits <= 15 && NUMBER_LIKE.test(text) && !findLookalike(text);
}

/** Whether two numbers stand side by side: in two cells or lines, or each as long as a number. */
function areTwo(text: string): boolean {
	const cells = text.split(CELL_END).filter((part) => part.trim() !== '');
	if (cells.length > 1 && cells.every(isLikeNumber)) return true;
	if (!NUMBER_LIKE.test(text)) return false;
	// “0049170 12345678”: the 00 stands for a +.
	const number = text.replace(/^\s*00/, '');
	return [/\s/, /[-.()[\]{}\s]/].some((between) => {
		const parts = number.split(between).filter((part) => part !== '');
		return parts.length > 1 && parts.every((part) => digitsIn(part) > LONGEST_PART);
	});
}

/**
 * A price or a sum. A last group of digits behind a dot is as long as the others, or has three digits or more
 * and other signs before it.
 */
function hasDecimals(text: string): boolean {
	const [, whole = '', decimals = ''] = WITH_POINT.exec(text) ?? [];
	if (/^0{1,2}$/.test(decimals)) return false;
	return decimals.length > 2 ? /^\s*\d{9,}$/.test(whole) : digitsIn(whole) >= 6;
}

function digitsIn(text: string): number {
	return text.replace(/\D/g, '').length;
}

/** Year, month and day in the orders that people and programs write. */
function isDate(text: string): boolean {
	const [, first = '', sign = '', second = '', third = '', rest = ''] =
		DATE.exec(text.trim().replace(/\s+/g, ' ')) ?? [];
	const [a, b, c] = [Number(first), Number(second), Number(third)];
	const hasLongYear = first.length + third.length > 4;
	// Spaces stand between the digits of many numbers, too.
	if (
		sign === ' ' ? !hasLongYear || rest !== '' : !hasLongYear && rest !== '' && !TIME.test(rest)
	) {
		return false;
	}
	if (first.length === 4) return isYear(a) && isMonth(b) && isDay(c);
	const endsWithYear = third.length === 2 || isYear(c);
	return endsWithYear && ((isDay(a) && isMonth(b)) || (isMonth(a) && isDay(b)));
}

const isYear = (n: number) => n >= 1900 && n < 2100;
const isMonth = (n: number) => n >= 1 && n <= 12;
const isDay = (n: number) => n >= 1 && n <= 31;

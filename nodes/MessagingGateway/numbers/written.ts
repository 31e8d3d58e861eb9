/** Reads numbers as people, spreadsheets and chat programs write them, which no numbering plan covers. */
import { quote } from '../shared/text';
import { isBlank, toReadable } from '../input/text';

const ASCII = /^[\t-~]*$/;

/** Characters. Anything longer is not a number, and is not read at all. */
const LONGEST_NUMBER = 1_000;

/** The separators of people and spreadsheets between digits: spaces, dashes, dots, brackets. */
const DECORATION = /[-.()[\]{}\s]/g;

const DIGIT = /^\p{Nd}$/u;

/** “6281234567890.0”, as programs write a whole number. With other dots, this one is a separator too. */
const DECIMAL_ZERO = /^([^.]*\d)\.0{1,2}\s*$/;

/** “+62 (0)812…” */
const INSIDE_ONLY = /^(\s*(?:\+|00)[\d\s]{1,6})[([{]\s*0\s*[)\]}]/;

/** Four inside the smallest countries; abroad, some dial up to five digits in front. */
const DIGITS = /^\+?\d{4,20}$/;

/** The most usual writing of all: nothing else begins with a plus sign and has spaces only. */
const SPACED = /^\+\d[\d ]{5,20}$/;

/** Characters. Two numbers have more. */
const LONGEST_ONE = 14;

/** Digits of the shortest number without an index. */
const SHORTEST = 7;

/** Why an entry is not a phone number. “entry reason” is a sentence without its period. */
export interface Refusal {
	/** The entry in quotation marks, fit for a sentence that a person reads. */
	entry: string;
	reason: string;
	/** One sentence or two: what to correct. */
	advice: string;
}

/** The digits of an entry, perhaps with a plus sign in front. */
export interface Written {
	plain: string;
	/** The same without digits that may be the index of a list. */
	withoutIndex?: string;
	/** The same without a 0 in brackets behind the country code: in most countries it is dialed inside only. */
	withoutZero?: string;
}

/** Something whose digits look like a phone number. */
type Lookalike = Omit<Refusal, 'entry'> & {
	/** Takes a text with plain punctuation. */
	looksLike: (text: string) => boolean;
};

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';

/** With dots, dashes, slashes or spaces; perhaps with a time of day. */
const DATE = new RegExp(
	`^\\s*(?:${YEAR}([-./ ]) ?${MONTH}\\1 ?${DAY}|(?:${DAY}([-./ ]) ?${MONTH}\\2|${MONTH}([-./ ]) ?${DAY}\\3) ?${YEAR})(?:[T,\\s]+\\d{1,2}[:.].*)?\\s*$`,
);

const IPV4_ADDRESS = /^\s*(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|\s*$)){4}$/;

/** A price or a sum: one dot, six digits or more before it, and something else than .0 and .00 behind it. */
const DECIMALS = /^(?=(?:[^.\d]*\d){6})[^.]*\d\.(?!0{1,2}\s*$)\d{1,2}\s*$/;

/** Separators of two numbers in a cell. */
const BETWEEN_NUMBERS = /[,;/|&\t\n\v\f\r]+|\s+\p{L}+\s+/u;

const IF_IT_IS_ONE =
	'Check where the number comes from. If it really is a phone number, write its digits without dots, dashes and slashes.';

const lookalikes: Lookalike[] = [
	{
		looksLike: (text) => /@(?:lid|g\.us|broadcast|newsletter)\s*$/i.test(text),
		reason: 'is a WhatsApp ID, not a phone number',
		advice:
			"Use the person's phone number. The trigger or gateway that provided this ID often has it in another field.",
	},
	{
		looksLike: (text) => /^\s*-[^a-z\d]*\d/i.test(text),
		reason: 'begins with a minus sign',
		advice:
			'Enter the number without it. If a spreadsheet calculated the number, format the column as text and enter the number again.',
	},
	{
		looksLike: (text) => DATE.test(text),
		reason: 'is a date, not a phone number',
		advice: IF_IT_IS_ONE,
	},
	{
		looksLike: (text) => IPV4_ADDRESS.test(text),
		reason: 'is an IP address, not a phone number',
		advice: IF_IT_IS_ONE,
	},
	{
		looksLike: (text) => DECIMALS.test(text),
		reason: 'has decimals, unlike any phone number',
		advice: IF_IT_IS_ONE,
	},
	{
		looksLike: (text) => /^\s*\+?\d+([.,]\d+)?e\+?\d+\s*$/i.test(text),
		reason: 'is not the whole phone number: your spreadsheet shortened it',
		advice: 'Format the column as text in the spreadsheet and enter the whole number again.',
	},
	{
		looksLike: areTwo,
		reason: 'contains more than one phone number',
		advice: "Use one item, or one line of the list in 'Send Bulk', for each number.",
	},
];

/** Returns the digits in a value; undefined if it is not a phone number in any country. */
export function readWritten(value: unknown): Written | undefined {
	if (typeof value === 'string' && DIGITS.test(value)) return { plain: value };
	const spaced = typeof value === 'string' && SPACED.test(value) ? value.replace(/ /g, '') : '';
	if (spaced !== '' && spaced.length <= LONGEST_ONE) return { plain: spaced };
	const text = withoutMark(withoutAddress(plainTextOf(value)));
	if (lookalikes.some(({ looksLike }) => looksLike(text))) return undefined;
	const plain = digitsOf(text);
	if (plain === undefined) return undefined;
	const rest = indexIn(text);
	const withoutIndex = rest === undefined ? undefined : digitsOf(rest);
	const dialedAbroad = text.replace(INSIDE_ONLY, '$1');
	const withoutZero = dialedAbroad === text ? undefined : digitsOf(dialedAbroad);
	return {
		plain,
		...(withoutIndex !== undefined && { withoutIndex }),
		...(withoutZero !== undefined && { withoutZero }),
	};
}

/** Returns the reason why a value is not a phone number in any country. */
export function refusalOf(value: unknown): Refusal {
	const text = withoutMark(withoutAddress(plainTextOf(toReadable(value))));
	const { reason, advice } = lookalikes.find(({ looksLike }) => looksLike(text)) ?? {
		reason: 'is not a phone number',
		advice:
			'Enter a number with its country code, or as it is written in its country, e.g. +34 612 34 56 78 or 081234567890.',
	};
	return { entry: quote(toReadable(value)), reason, advice };
}

function digitsOf(text: string): string | undefined {
	const plain = withoutDecoration(text.replace(DECIMAL_ZERO, '$1'));
	return DIGITS.test(plain) ? plain : undefined;
}

/** Returns a value as text with plain punctuation if it may hold a number, otherwise ''. */
export function plainTextOf(value: unknown): string {
	if (typeof value === 'string') {
		return value.length <= LONGEST_NUMBER ? withPlainPunctuation(value) : '';
	}
	return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : '';
}

/** Returns a text with plain punctuation without its separators. */
export function withoutDecoration(text: string): string {
	return text.replace(DECORATION, '');
}

/** “62812…@c.us” and other addresses of chat programs. Those of WhatsApp always have a country code. */
function withoutAddress(text: string): string {
	const [, whatsApp] =
		/^\s*\+?(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)\s*$/i.exec(text) ??
		/^\s*(?:https?:\/\/)?(?:www\.)?wa\.me\/\+?(\d+)\/?(?:\?.*)?$/i.exec(text) ??
		/^\s*(?:https?:\/\/)?(?:api|web)\.whatsapp\.com\/send\/?\?phone=(?:\+|%2b)?(\d+)(?:&.*)?$/i.exec(
			text,
		) ??
		[];
	if (whatsApp !== undefined) return `+${whatsApp}`;
	return text.replace(/^\s*(?:tel|whatsapp|sms):(?:\/\/)?/i, '');
}

/** “- 0812…”, “1. 0812…”, “0812… (2)”: removes marks that cannot be part of a number. */
function withoutMark(text: string): string {
	const unmarked = text.replace(/^\s*(?:[•‣◦⁃∙*]\s*|-\s+|#\d{1,4}\s+(?=\D*\d))+/, '');
	const [, first] =
		/^\s*(?:[1-9]\d{0,3}[.):]|\[\d{1,4}\])\s+([^\s].*)$/s.exec(unmarked) ??
		/^\s*\([1-9]\d{0,3}\)\s+([+0].*)$/s.exec(unmarked) ??
		[];
	const isIndex = first !== undefined && !/\.\s/.test(first) && hasNumber(first);
	const body = isIndex ? first : unmarked;
	const [, last] = /^(.*\S)\s*(?:\s\(\d{1,3}\)|\[\d{1,3}\])\s*$/s.exec(body) ?? [];
	return last !== undefined && hasNumber(last) ? last : body;
}

/** Returns a text without digits that may be an index, or a part of the number: “(1) 415…”, “0812…-2”. */
function indexIn(text: string): string | undefined {
	const [, first] = /^\s*\(?\d{1,4}(?:\)|\t|\s-)\s*([^\s].*)$/s.exec(text) ?? [];
	if (first !== undefined && digitCount(first) > 9) return first;
	const [, last] =
		/^(.*\d)\s*-\s*\d$/s.exec(text.trimEnd()) ??
		/^(\+?\d{9,})\s*[-.(]\s*\d{1,3}\)?$/.exec(text.trim()) ??
		[];
	return last !== undefined && hasNumber(last) ? last : undefined;
}

function hasNumber(text: string): boolean {
	return digitCount(text) >= SHORTEST;
}

function digitCount(text: string): number {
	return text.replace(/\D/g, '').length;
}

/** Replaces the digits, plus signs, spaces, dashes, dots and brackets of all scripts with those of ASCII. */
function withPlainPunctuation(text: string): string {
	if (ASCII.test(text)) return text;
	return text
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Z}/gu, ' ')
		.replace(/(?!\d)\p{Nd}/gu, asciiDigit)
		.replace(/[\uFF0B\uFE62]/g, '+')
		.replace(/[\u2212\uFE63\uFF0D]/g, '-')
		.replace(/^\s*(?:(?!-)\p{Pd}|·\s)/u, '')
		.replace(/\p{Pd}/gu, '-')
		.replace(/\p{Ps}/gu, '(')
		.replace(/\p{Pe}/gu, ')')
		.replace(/[·․・．]/g, '.');
}

/** Unicode holds the digits of each script side by side, from 0 to 9. */
function asciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let below = 0;
	while (DIGIT.test(String.fromCodePoint(code - below - 1))) below++;
	return String(below % 10);
}

/** Whether the text has two numbers side by side, with a sign or a word between them, or each as long as a number. */
function areTwo(text: string): boolean {
	return [BETWEEN_NUMBERS, /\s/, /[-.()[\]{}\s]/].some((between) => {
		const parts = text
			.replace(/^\s*00/, '')
			.split(between)
			.filter((part) => !isBlank(part));
		return (
			parts.length > 1 &&
			parts.every((part) => /^[-+.()[\]{}\s\d]+$/.test(part) && digitCount(part) >= SHORTEST)
		);
	});
}

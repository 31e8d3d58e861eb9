/** Reads numbers as people, spreadsheets and chat programs write them, which no numbering plan covers. */
import { isBlank, toReadable } from '../input/text';

/** Characters. Anything longer is not a number, and is not read at all. */
const LONGEST_NUMBER = 1_000;

/** Digits of the shortest number in a list with an index, or beside another number. */
const SHORTEST = 7;

/** Four inside the smallest countries; abroad, some dial up to five digits in front. */
const DIGITS = /^\+?\d{4,20}$/;

/** Certainly a number: digits only, or a plus sign, digits and spaces for one number at most. */
const SIMPLE = /^(?:\+?\d{4,20}|\+\d(?: ?\d){4,12})$/;

/** The separators of people and spreadsheets between digits: spaces, dashes, dots, brackets. */
const DECORATION = /[-.()[\]{}\s]/g;

/** “6281234567890.0”, as programs write a whole number. With other dots, this one is a separator too. */
const DECIMAL_ZERO = /^([^.]*\d)\.0{1,2}\s*$/;

/** “+62 (0)812…” */
const INSIDE_ONLY = /^(\s*(?:\+|00)[\d\s]{1,6})[([{]\s*0\s*[)\]}]/;

/** “62812…@c.us” and links to a chat. WhatsApp's addresses always have a country code. */
const CHAT_ADDRESS = /^\s*\+?(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)\s*$/i;
const CHAT_LINK =
	/^\s*(?:https?:\/\/)?(?:(?:www\.)?wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)(?:\+|%2b)?(\d+)\/?(?:[?&].*)?$/i;

const BULLETS = /^(?:\s*(?:[•‣◦⁃∙*]|-\s|#\d{1,4}\s(?=\D*\d)))+/;
const MARK_IN_FRONT = /^\s*(?:(?:[1-9]\d{0,3}[.):]|\[\d{1,4}\])\s+|\([1-9]\d{0,3}\)\s+(?=[+0]))/;
const MARK_BEHIND = /(?:\s\(\d{1,3}\)|\[\d{1,3}\])\s*$/;
const INDEX_IN_FRONT = /^\s*\(?\d{1,4}(?:\)|\t|\s-)\s*/;
const INDEX_BEHIND = /(?:(?<=\d)\s*-\s*\d|(?<=^\s*\+?\d{9,})\s*[-.(]\s*\d{1,3}\)?)\s*$/;

/** Why an entry is not a phone number. */
export interface Refusal {
	/** “entry reason” is a sentence without its period. */
	reason: string;
	/** One sentence or two: what to correct. */
	advice: string;
}

/** The digits of an entry, perhaps with a plus sign in front. */
export interface Written {
	plain: string;
	/** The same without digits that may be the index of a list. If there are none, it may be missing. */
	withoutIndex?: string;
	/** The same without a 0 in brackets behind the country code: in most countries it is dialed inside only. */
	withoutZero?: string;
}

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

const IF_IT_IS_ONE =
	'Check where the number comes from. If it really is a phone number, write its digits without dots, dashes and slashes.';

/** Texts with the digits of a phone number that are not one. The tests take a text with plain punctuation. */
const lookalikes: Array<[looksLike: Pick<RegExp, 'test'>, reason: string, advice: string]> = [
	[
		/@(?:lid|g\.us|broadcast|newsletter)\s*$/i,
		'is a WhatsApp ID, not a phone number',
		"Use the person's phone number. The trigger or gateway that provided this ID often has it in another field.",
	],
	[
		/^\s*-[^a-z\d]*\d/i,
		'begins with a minus sign',
		'Enter the number without it. If a spreadsheet calculated the number, format the column as text and enter the number again.',
	],
	[DATE, 'is a date, not a phone number', IF_IT_IS_ONE],
	[IPV4_ADDRESS, 'is an IP address, not a phone number', IF_IT_IS_ONE],
	[DECIMALS, 'has decimals, which a phone number never has', IF_IT_IS_ONE],
	[
		/^\s*\+?\d+([.,]\d+)?e\+?\d+\s*$/i,
		'is not the whole phone number: your spreadsheet shortened it',
		'Format the column as text in the spreadsheet and enter the whole number again.',
	],
	[
		{ test: areTwo },
		'contains more than one phone number',
		"Use one item, or one line of the list in 'Send Bulk', for each number.",
	],
];

export const NOT_A_NUMBER: Refusal = {
	reason: 'is not a phone number',
	advice:
		'Enter a number with its country code, or as it is written in its country, e.g. +34 612 34 56 78 or 081234567890.',
};

/** Returns the digits in a value, or the reason why it is not a phone number in any country. */
export function readWritten(value: unknown): Written | Refusal {
	if (typeof value === 'string' && SIMPLE.test(value)) return { plain: value.replace(/ /g, '') };
	const text = withoutMark(withoutAddress(plainTextOf(toReadable(value))));
	const lookalike = lookalikes.find(([looksLike]) => looksLike.test(text));
	if (lookalike) return { reason: lookalike[1], advice: lookalike[2] };
	const plain = plainTextOf(value) && digitsOf(text);
	if (!plain) return NOT_A_NUMBER;
	const withoutZero = digitsOf(text.replace(INSIDE_ONLY, '$1'));
	return { plain, withoutIndex: digitsOf(withoutIndex(text)), withoutZero };
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

function withoutAddress(text: string): string {
	const digits = (CHAT_ADDRESS.exec(text) ?? CHAT_LINK.exec(text))?.[1];
	return digits ? `+${digits}` : text.replace(/^\s*(?:tel|whatsapp|sms):(?:\/\/)?/i, '');
}

/** “- 0812…”, “1. 0812…”, “0812… (2)”: removes marks that cannot be part of a number. */
function withoutMark(text: string): string {
	const unmarked = text.replace(BULLETS, '');
	const rest = without(MARK_IN_FRONT, unmarked);
	// With dots and spaces between its digits, the number may begin with what looks like a mark.
	return without(MARK_BEHIND, /\.\s/.test(rest) ? unmarked : rest);
}

/** “(1) 415…”, “0812…-2”: removes digits that may be an index or a part of the number. */
function withoutIndex(text: string): string {
	const rest = without(INDEX_IN_FRONT, text, 10);
	return rest === text ? without(INDEX_BEHIND, text) : rest;
}

/** Removes a mark from a text, if a number with at least this many digits is left. */
function without(mark: RegExp, text: string, least = SHORTEST): string {
	const rest = text.replace(mark, '');
	return hasNumber(rest, least) ? rest : text;
}

function hasNumber(text: string, least = SHORTEST): boolean {
	return text.replace(/\D/g, '').length >= least;
}

/** Whether a text has two numbers side by side, with a sign or a word between them, or each as long as a number. */
function areTwo(text: string): boolean {
	return [/[,;/|&\t\n\v\f\r]|\s\p{L}+\s/u, /\s/, DECORATION].some((between) => {
		const all = text.replace(/^\s*00/, '').split(between);
		const parts = all.filter((part) => !isBlank(part));
		const isNumber = (part: string) => /^[-+.()[\]{}\s\d]+$/.test(part) && hasNumber(part);
		return parts.length > 1 && parts.every(isNumber);
	});
}

/** Replaces the digits, plus signs, spaces, dashes, dots and brackets of all scripts with those of ASCII. */
function withPlainPunctuation(text: string): string {
	if (/^[\t-~]*$/.test(text)) return text;
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
	while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below++;
	return String(below % 10);
}

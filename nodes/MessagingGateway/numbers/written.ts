/** Reads numbers as people, spreadsheets and chat programs write them, which no numbering plan covers. */
import { toReadable } from '../input/text';
import { extensionIn } from './plan';

/** Characters. Anything longer is not a number, and is not read at all. */
const LONGEST_NUMBER = 1_000;

/** Digits of the shortest number in a list with an index, or beside another number. */
export const SHORTEST = 7;

/** Four inside the smallest countries; abroad, some dial up to five digits in front. */
const DIGITS = /^\+?\d{4,20}$/;

/** Certainly a number: digits only, or a plus sign, digits and spaces for one number at most. */
const SIMPLE = /^(?:\+?\d{4,20}|\+\d(?: ?\d){4,12})$/;

/**
 * What the library takes as punctuation of a number, except tildes, which it also takes as the mark of an extension, and
 * dots in a row, which stand in place of digits.
 */
const NUMBER = /^(?!.*\.\.)[-+./()[\]{}\s\d]*$/;

/** “6281234567890.0”, as programs write a whole number. With other dots, this one is a separator too. */
const DECIMAL_ZERO = /^([^.]*\d)\.0{1,2}\s*$/;

/** “+62 (0)812…” */
const INSIDE_ONLY = /^([(\s]*(?:\+|00)[-)\d\s]{1,7})[([{]\s*0\s*[)\]}]/;

/** What programs write in front of a number: “tel:”, “p:”, “TEL;TYPE=cell:”. */
const LABEL =
	/^(?:(?:(?:item\d+\.)?tel(?:;[^:]*:|\b)|(?:telp|phone|mobile|cell|whatsapp|wa|hp|sms(?:to)?|callto)\b|[mpt](?=\s*:))[.:\s]*(?:\/\/)?)+/i;

/** “62812…@c.us” and links to a chat. WhatsApp's addresses always have a country code. */
const CHAT_ADDRESS = /^\+?(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i;
const CHAT_LINK =
	/^(?:(?:https?:\/\/)?(?:[\w-]+\.)*(?:wa\.me|whatsapp\.com)|(?:whatsapp|intent):\/)\/\S*$/i;
const NUMBER_IN_PATH = /\/((?:[-+.()\d]|%2b|%20)+)\/?$/i;

/** Quotation marks, bullets and other signs without a meaning around a number, also those that nobody sees. */
const MARK = String.raw`["'${'`'}=<>*_,;:|!•‣◦⁃∙·・\p{Pi}\p{Pf}\p{So}\p{Sk}\p{Cc}\s]`;
const MARKS_IN_FRONT = new RegExp(
	String.raw`^(?:${MARK}|(?![-−])\p{Pd}|-\s|#\d{1,4}\s(?=\D*\d))+`,
	'u',
);
const MARKS_BEHIND = new RegExp(String.raw`(?<!${MARK})${MARK}+$`, 'u');
const INDEX_MARK = /^(?:(?:[1-9]\d{0,3}[.):]|\[\d{1,4}\])\s+|\([1-9]\d{0,3}\)\s+(?=[+0]))/;
const INDEX_MARK_BEHIND = /(?:\s\(\d{1,3}\)|\[\d{1,3}\])$/;
const INDEX_IN_FRONT = /^\(?\d{1,4}(?:\)|\t|\s-|\/)\s*/;
const INDEX_BEHIND = /(?:(?<=\d)\s*-\s*[1-9]|(?<=^\+?\d{9,})\s*[-.(]\s*\d{1,3}\)?)$/;

/** “0812-3456-7890/91”: the last digits of another number. */
const ANOTHER_END = /\d{4}\s*\/\s*\d{1,2}$/;

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
	/** The digits before each slash: if they are a whole number, there are two. */
	beforeSlash: string[];
}

const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH = '(?:0?[1-9]|1[0-2])';
const YEAR = '(?:19|20)\\d\\d';

/** With dots, dashes, slashes or spaces; perhaps with a time of day. A year beside a slash may be that of an order. */
const DATE = new RegExp(
	`^(?:${YEAR}([-./ ]) ?${MONTH}\\1 ?${DAY}|(?:${DAY}([-./ ]) ?${MONTH}\\2|${MONTH}([-./ ]) ?${DAY}\\3) ?${YEAR})(?:[T,\\s]+\\d{1,2}[:.].*)?$|^${YEAR} ?/|/ ?${YEAR}$`,
);

const IPV4_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;

/** A price or a sum: one dot, six digits or more before it, and something else than .0 and .00 behind it. */
const DECIMALS = /^(?=(?:[^.\d]*\d){6})[^.]*\d\.(?!0{1,2}$)\d{1,2}$/;

const IF_IT_IS_ONE =
	'Check where the number comes from. If it really is a phone number, write its digits without dots, dashes and slashes.';

export const TWO_NUMBERS: Refusal = {
	reason: 'contains more than one phone number',
	advice: "Use one item, or one line of the list in 'Send Bulk', for each number.",
};

/** Texts with the digits of a phone number that are not one. The tests take a text with plain punctuation. */
const lookalikes: Array<[looksLike: RegExp, reason: string, advice: string]> = [
	[
		/@(?:lid|g\.us|broadcast|newsletter)$/i,
		'is a WhatsApp ID, not a phone number',
		"Use the person's phone number. The trigger or gateway that provided this ID often has it in another field.",
	],
	[
		/^[([{]*-[^a-z\d]*\d/i,
		'begins with a minus sign',
		'Enter the number without it. If a spreadsheet calculated the number, format the column as text and enter the number again.',
	],
	[DATE, 'is a date, not a phone number', IF_IT_IS_ONE],
	[IPV4_ADDRESS, 'is an IP address, not a phone number', IF_IT_IS_ONE],
	[DECIMALS, 'has decimals, which a phone number never has', IF_IT_IS_ONE],
	[
		/^\+?\d+([.,]\d+)?e\+?\d+$/i,
		'is not the whole phone number: your spreadsheet shortened it',
		'Format the column as text in the spreadsheet and enter the whole number again.',
	],
];

export const NOT_A_NUMBER: Refusal = {
	reason: 'is not a phone number',
	advice:
		'Enter a number with its country code, or as it is written in its country, e.g. +34 612 34 56 78 or 081234567890.',
};

/** Returns the digits in a value, or the reason why it is not a phone number in any country. */
export function readWritten(value: unknown): Written | Refusal {
	if (typeof value === 'string' && SIMPLE.test(value)) {
		return { plain: value.replace(/ /g, ''), beforeSlash: [] };
	}
	const text = withoutIndexMark(withoutAddress(plainTextOf(toReadable(value))));
	const lookalike = lookalikes.find(([looksLike]) => looksLike.test(text));
	if (lookalike) return { reason: lookalike[1], advice: lookalike[2] };
	if (areTwo(text)) return TWO_NUMBERS;
	const plain = plainTextOf(value) && digitsOf(text);
	const extension = !plain && extensionIn(text);
	if (extension) {
		const reason = `has the extension ${extension}, and messengers know no extensions`;
		return { reason, advice: 'Enter a number that has none, such as a mobile number.' };
	}
	if (!plain) return NOT_A_NUMBER;
	const slashes = [...text.matchAll(/\/(?=.*\d)/g)];
	return {
		plain,
		withoutIndex: digitsOf(withoutIndex(text)),
		withoutZero: digitsOf(text.replace(INSIDE_ONLY, '$1')),
		beforeSlash: slashes.flatMap(({ index }) => digitsOf(text.slice(0, index)) ?? []),
	};
}

function digitsOf(text: string): string | undefined {
	const number = text.replace(DECIMAL_ZERO, '$1');
	const plain = withoutPunctuation(number);
	return NUMBER.test(number) && DIGITS.test(plain) ? plain : undefined;
}

/** Returns a value as text with plain punctuation if it may hold a number, otherwise ''. */
export function plainTextOf(value: unknown): string {
	if (typeof value === 'string') {
		return value.length <= LONGEST_NUMBER ? withPlainPunctuation(value) : '';
	}
	return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : '';
}

/** Returns a number with plain punctuation without its separators. */
export function withoutPunctuation(text: string): string {
	return text.replace(/[-./()[\]{}\s]/g, '');
}

const withoutMarks = (text: string) => text.replace(MARKS_IN_FRONT, '').replace(MARKS_BEHIND, '');

/** “tel:0812…”, “62812…@c.us”, “https://wa.me/62812…”: returns the number alone. */
function withoutAddress(text: string): string {
	const unmarked = withoutMarks(text);
	const digits = CHAT_ADDRESS.exec(unmarked)?.[1] ?? numberInLink(unmarked);
	if (digits) return digits.replace(/^(?=[1-9])/, '+');
	return withoutMarks(unmarked.replace(LABEL, '').replace(/^%2b/i, '+'));
}

function numberInLink(text: string): string | undefined {
	const address = /^https?:|^\w+:\/\//i.test(text) ? text : `https://${text}`;
	if (!CHAT_LINK.test(text) || !URL.canParse(address)) return undefined;
	const { searchParams, pathname } = new URL(address);
	const number = searchParams.get('phone') ?? NUMBER_IN_PATH.exec(pathname)?.[1] ?? '';
	return number.replace(/%2b|%20/gi, ' ').trim();
}

/** “1. 0812…”, “0812… (2)”: removes marks that cannot be part of a number. */
function withoutIndexMark(text: string): string {
	const rest = without(INDEX_MARK, text, 4);
	// With dots and spaces between its digits, the number may begin with what looks like a mark.
	return without(INDEX_MARK_BEHIND, /\.\s/.test(rest) ? text : rest);
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

/** Whether a text has two numbers, with a sign or a word between them, or all its parts are as long as a number. */
function areTwo(text: string): boolean {
	const parts = text.split(/[^-.()[\]{} \d]+/).filter((part) => hasNumber(part));
	if (parts.length > 1 || ANOTHER_END.test(text)) return true;
	return [/\s/, /[-.()[\]{}\s]/].some((between) => {
		const all = text.replace(/^00/, '').split(between).filter(Boolean);
		return all.length > 1 && all.every((part) => NUMBER.test(part) && hasNumber(part));
	});
}

/** Replaces the digits, signs and spaces of all scripts with those of ASCII, and removes marks that nobody sees. */
function withPlainPunctuation(text: string): string {
	if (/^[\t-~]*$/.test(text)) return text;
	// Digits that are raised or in a circle are no part of a number.
	return text
		.replace(/\p{No}/gu, '#')
		.normalize('NFKC')
		.replace(/[\p{Cf}\p{M}]/gu, '')
		.replace(/(?!\d)\p{Nd}/gu, asciiDigit)
		.replace(/^\s*(?:(?![-−])\p{Pd}|[·・•]\s)/u, '')
		.replace(/[−ー]|\p{Pd}/gu, '-')
		.replace(/\p{Ps}/gu, '(')
		.replace(/\p{Pe}/gu, ')')
		.replace(/[·‧•∙⋅・]/g, '.')
		.replace(/∕/g, '/')
		.replace(/\p{Z}/gu, ' ');
}

/** Unicode holds the digits of each script side by side, from 0 to 9. */
function asciiDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let below = 0;
	while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below++;
	return String(below % 10);
}

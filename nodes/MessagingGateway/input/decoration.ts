const ASCII = /^[\t-~]*$/;

/** Characters. What is longer is no number, and is not read at all. */
const LONGEST_NUMBER = 1_000;

/** What people and spreadsheets put between digits: spaces, dashes, dots, brackets. */
const DECORATION = /[-.()[\]{}\s]/g;

const DIGIT = /^\p{Nd}$/u;

/** Returns a value as text if it may hold a number, otherwise ''. */
export function plainTextOf(value: unknown): string {
	if (typeof value === 'string') {
		return value.length <= LONGEST_NUMBER ? withPlainPunctuation(value) : '';
	}
	return Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : '';
}

/** Returns a text with plain punctuation without what people put between digits. */
export function withoutDecoration(text: string): string {
	return text.replace(DECORATION, '');
}

/**
 * Replaces the many kinds of digits, plus signs, spaces, dashes, dots and brackets with those of ASCII, and drops
 * invisible marks. A dash in front is dropped unless it is a minus sign: it is a bullet of a list.
 */
export function withPlainPunctuation(text: string): string {
	if (ASCII.test(text)) return text;
	return text
		.replace(/\p{Cf}/gu, '')
		.replace(/\p{Z}/gu, ' ')
		.replace(/(?!\d)\p{Nd}/gu, asciiDigit)
		.replace(/[\uFF0B\uFE62]/g, '+')
		.replace(/[\u2212\uFE63\uFF0D]/g, '-')
		.replace(/^\s*(?!-)\p{Pd}/u, '')
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

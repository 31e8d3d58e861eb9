/** Texts: visible characters, excerpts of strangers' words, and numbers and times for a sentence. */

import { createHash } from 'crypto';

import { getOrAdd } from './getOrAdd';

const VISIBLE = /[^\s\p{Cf}]/u;

/** Whether a text has a visible character. */
export function isVisible(text: string): boolean {
	return VISIBLE.test(text);
}

/**
 * Returns a text without white space and invisible characters at its ends. A regular expression that trims both ends
 * would take hours for a million spaces in the middle.
 */
export function trimmed(text: string): string {
	const start = text.search(VISIBLE);
	if (start < 0) return '';
	let end = text.length;
	while (!isVisible(text.charAt(end - 1))) end--;
	return text.slice(start, end);
}

/** Like `trimmed`, but also removes invisible characters in the middle. For texts without any, such as an address. */
export function withoutInvisible(text: string): string {
	return trimmed(text.replace(/\p{Cf}/gu, ''));
}

/** Everything that nobody sees: space, control and format characters, and letters without a glyph. */
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

/**
 * Returns the characters that nobody sees in a text, with their places: “U+FEFF in front, U+0020 at the end”; '' if there
 * are none. A plain space inside is none of them.
 */
export function hiddenIn(text: string): string {
	const characters = [...text];
	const isSeen = (character: string) => !INVISIBLE.test(character);
	const first = characters.findIndex(isSeen);
	const last = characters.length - 1 - [...characters].reverse().findIndex(isSeen);
	const places = new Map<string, Set<string>>();
	for (const [at, character] of characters.entries()) {
		const place = at < first ? 'in front' : at > last ? 'at the end' : 'inside';
		if (isSeen(character) || (place === 'inside' && character === ' ')) continue;
		const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
		getOrAdd(places, place, () => new Set()).add(`U+${code}`);
	}
	return [...places].map(([place, codes]) => `${[...codes].join(' ')} ${place}`).join(', ');
}

/** Returns the http or https address in a text. Space and invisible characters around it are ignored. */
export function webAddress(text: unknown): URL | undefined {
	const address = withoutInvisible(String(text));
	const url = URL.canParse(address) ? new URL(address) : undefined;
	return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

/** Joins sentences with spaces. Empty ones are left out. */
export function sentences(...parts: Array<string | false | undefined>): string {
	return parts.filter(Boolean).join(' ');
}

/** Returns a number with thousands separators: `12,000`. */
export function figure(n: number): string {
	return n.toLocaleString('en-US');
}

/** Returns a number and its noun: `1 request`, `12,000 requests`. */
export function count(n: number, noun: string): string {
	return `${figure(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/**
 * Returns the first texts, and how many more there are: `a, b and 2 more`.
 *
 * @param most how many are shown
 * @param all how many there are, if `texts` has only the first of them
 */
export function firstOf(texts: readonly string[], most: number, all = texts.length): string {
	const more = all - Math.min(most, texts.length);
	return `${texts.slice(0, most).join(', ')}${more > 0 ? ` and ${figure(more)} more` : ''}`;
}

/** Units of time, in seconds. */
const UNITS = [
	['day', 86_400],
	['hour', 3_600],
	['minute', 60],
] as const;

/** Returns a duration in words, rounded up: `61 seconds`, `3 minutes`. */
export function durationText(ms: number): string {
	const seconds = Math.max(1, Math.ceil(ms / 1000));
	const [unit, length] = UNITS.find((each) => seconds > 2 * each[1]) ?? (['second', 1] as const);
	return count(Math.ceil(seconds / length), unit);
}

const LONGEST_EXCERPT = 300;

/**
 * Returns strangers' words as one line of at most 300 characters, without markup, control characters and direction
 * marks.
 */
export function excerpt(text: string): string {
	const line = withoutMarkup(
		text
			.slice(0, 20 * LONGEST_EXCERPT)
			.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
			.replace(/>/g, '›')
			.replace(/`/g, 'ˋ'),
	).trim();
	if (line.length <= LONGEST_EXCERPT) return line;
	return `${line
		.slice(0, LONGEST_EXCERPT)
		.replace(/\p{Cs}/u, '')
		.trim()} …`;
}

/** Control and format characters, except those of white space and those that join others. */
const HIDDEN = /(?![\s\u200C\u200D])[\p{Cc}\p{Cf}]/u;

/**
 * Returns an excerpt in quotation marks, without the period at its end. It names hidden characters, which may be what is
 * wrong: “0812” (with a hidden character: U+001F in front).
 */
export function quote(text: string): string {
	const words = excerpt(text);
	const start = text.slice(0, LONGEST_EXCERPT);
	const hidden = HIDDEN.test(start) ? ` (with a hidden character: ${hiddenIn(start)})` : '';
	return `“${words.replace(/[.\s]+$/, '') || words}”${hidden}`;
}

/**
 * Returns a text in which n8n's editor finds no HTML element, entity or Markdown link. The editor renders hints, error
 * descriptions and notices as HTML, with links and images:
 * https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/frontend/editor-ui/src/features/ndv/runData/components/error/NodeErrorView.vue
 */
export function withoutMarkup(text: string): string {
	return text
		.replace(/</g, '‹')
		.replace(/&(?=#?\w+;)/g, '＆')
		.replace(/\]\(/g, '] (');
}

const ENTITIES: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

/** Returns an excerpt of the text of an HTML page. */
export function textOfHtml(html: string): string {
	return excerpt(
		html
			.slice(0, 200 * LONGEST_EXCERPT)
			.replace(/<(script|style|head)\b[^]*?(<\/\1\s*>|$)/gi, ' ')
			.replace(/<[a-z/!?][^>]*(>|$)/gi, ' ')
			.replace(/&(\w{2,4}|#\d{1,7}|#x[\da-f]{1,6});/gi, characterOf)
			.replace(/</g, '‹')
			.replace(/>/g, '›'),
	);
}

function characterOf(entity: string, name: string): string {
	if (!name.startsWith('#')) return ENTITIES[name] ?? entity;
	const code = Number(`0${name.slice(1)}`);
	return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** Returns a text of 16 characters that is the same for equal texts, and different for others. */
export function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

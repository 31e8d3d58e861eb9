import { excerpt, LONGEST_EXCERPT } from '../shared/quote';

const ENTITIES: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

/** Returns the text of a page without its markup. */
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

/** Returns the title of a page, or its text if it has no title; '' if a person could not read it. */
export function wordsOfHtml(html: string): string {
	const title = /<title[^>]{0,99}>([^<]{1,300})/i.exec(html)?.[1] ?? '';
	const words = textOfHtml(title) || textOfHtml(html);
	const unreadable = words.match(/\uFFFD/g)?.length ?? 0;
	return /[\p{L}\p{N}]/u.test(words) && unreadable * 10 < words.length ? words : '';
}

/** Text from outside, made fit to stand in a sentence that a person reads. */

const LONGEST_EXCERPT = 300;

const ENTITIES: Record<string, string> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
	nbsp: ' ',
};

/** One line, without control or direction characters, of at most 300 characters. */
export function excerpt(text: string): string {
	const line = text
		.slice(0, 20 * LONGEST_EXCERPT)
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
		.trim();
	if (line.length <= LONGEST_EXCERPT) return line;
	return `${line
		.slice(0, LONGEST_EXCERPT)
		.replace(/\p{Cs}$/u, '')
		.trim()} …`;
}

/** What a page says, without its markup; empty where it says nothing. */
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
	const code = Number(name.replace(/^#x/i, '0x').replace('#', ''));
	return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** The title of a page, or what it says; empty where that is nothing that a person could read. */
export function wordsOfHtml(html: string): string {
	const title = /<title[^>]{0,99}>([^<]{1,300})/i.exec(html)?.[1] ?? '';
	const words = textOfHtml(title) || textOfHtml(html);
	const unreadable = words.match(/\uFFFD/g)?.length ?? 0;
	return /[\p{L}\p{N}]/u.test(words) && unreadable * 10 < words.length ? words : '';
}

/** An excerpt in quotation marks, ready to follow a colon. */
export function quote(text: string): string {
	const words = excerpt(text);
	return `“${words.replace(/[.\s]+$/, '') || words}”`;
}

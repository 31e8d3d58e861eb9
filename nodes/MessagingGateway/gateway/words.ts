/** Text from outside, made fit to stand in a sentence that a person reads. */

const LONGEST_EXCERPT = 300;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

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
			.replace(/<[^>]*(>|$)/g, ' ')
			.replace(/&(\w{2,4});/g, (whole, name: string) => ENTITIES[name] ?? whole)
			.replace(/[<>]/g, ' '),
	);
}

/** The title of a page, or what it says. */
export function wordsOfHtml(html: string): string {
	const title = /<title[^>]{0,99}>([^<]{1,300})/i.exec(html)?.[1] ?? '';
	return textOfHtml(title) || textOfHtml(html);
}

/** An excerpt in quotation marks, ready to follow a colon. */
export function quote(text: string): string {
	return `“${excerpt(text).replace(/[.\s]+$/, '')}”`;
}

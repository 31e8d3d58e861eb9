/** Text from outside, made fit for a sentence that a person reads. */

export const LONGEST_EXCERPT = 300;

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

/** An excerpt in quotation marks, ready to follow a colon. */
export function quote(text: string): string {
	const words = excerpt(text);
	return `“${words.replace(/[.\s]+$/, '') || words}”`;
}

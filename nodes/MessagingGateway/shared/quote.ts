export const LONGEST_EXCERPT = 300;

/** Returns one line of at most 300 characters, without control or direction characters. */
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

/** Returns an excerpt in quotation marks, without the period at its end. */
export function quote(text: string): string {
	const words = excerpt(text);
	return `“${words.replace(/[.\s]+$/, '') || words}”`;
}

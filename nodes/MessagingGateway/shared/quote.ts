export const LONGEST_EXCERPT = 300;

/**
 * Returns one line of at most 300 characters, without control or direction characters, in which nothing is markup:
 * for words of strangers, which n8n's editor would show as HTML.
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
		.replace(/\p{Cs}$/u, '')
		.trim()} …`;
}

/** Returns an excerpt in quotation marks, without the period at its end. */
export function quote(text: string): string {
	const words = excerpt(text);
	return `“${words.replace(/[.\s]+$/, '') || words}”`;
}

/**
 * Returns a text in which n8n's editor finds no element, entity or Markdown link. It shows hints, error descriptions and
 * notices as HTML, with links and images:
 * https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/frontend/editor-ui/src/features/ndv/runData/components/error/NodeErrorView.vue
 */
export function withoutMarkup(text: string): string {
	return text
		.replace(/</g, '‹')
		.replace(/&(?=#?\w+;)/g, '＆')
		.replace(/\]\(/g, '] (');
}

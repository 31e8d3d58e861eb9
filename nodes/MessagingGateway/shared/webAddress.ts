/** Returns the http or https address in a text, without space and invisible characters around it. */
export function webAddress(text: unknown): URL | undefined {
	const trimmed = String(text)
		.replace(/\p{Cf}/gu, '')
		.trim();
	const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

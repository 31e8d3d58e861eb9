import { withoutInvisible } from './trimmed';

/** Returns the http or https address in a text, without space and invisible characters around it. */
export function webAddress(text: unknown): URL | undefined {
	const address = withoutInvisible(String(text));
	const url = URL.canParse(address) ? new URL(address) : undefined;
	return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

/** Replaces a secret. */
const REDACTED = '***';

/**
 * Returns a function that removes `secret` from any JSON value or text, keys included: a gateway that
 * repeats the access token in its answer must not bring it into an execution that n8n saves.
 */
export function redactorOf(secret: string): <T>(value: T) => T {
	const pattern = patternOf(secret);
	const clean = (text: string) => text.replace(pattern, REDACTED);
	const redact = (value: unknown): unknown => {
		if (typeof value === 'string') return clean(value);
		if (typeof value === 'number') return String(value) === secret ? REDACTED : value;
		if (Array.isArray(value)) return value.map(redact);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [clean(key), redact(entry)]),
		);
	};
	return <T>(value: T) => redact(value) as T;
}

/** Matches the secret in every way that JSON, a URL, a form or a page may write it. */
function patternOf(secret: string): RegExp {
	const parts = secret.match(/\\+|[^]/g)?.map(writingsOf) ?? ['(?!)'];
	return new RegExp(parts.join(''), 'gi');
}

/**
 * A character, or some backslashes in a row. A token holds printable ASCII only, so two hexadecimal
 * digits are enough. Repetitions are limited, because an answer of a million backslashes would otherwise
 * take hours to search.
 */
function writingsOf(part: string): string {
	if (/[a-z0-9]/i.test(part)) return part;
	const code = part.charCodeAt(0);
	const hex = code.toString(16);
	const written = `u00${hex}|%(?:25){0,4}${hex}|&(?:#0{0,6}${code}|#x0{0,6}${hex}|[a-z]{2,6});|\\x${hex}`;
	return part.startsWith('\\')
		? `(?:${written}){${part.length},${9 * part.length}}`
		: `(?:\\\\|%5c){0,8}(?:${written})`;
}

/** What takes the place of a secret. */
const REDACTED = '***';

/**
 * Makes a function that takes `secret` out of any JSON value or text, keys included: a gateway that
 * repeats the access token in its answer must not bring it into an execution that n8n saves.
 */
export function redactorOf(secret: string): <T>(value: T) => T {
	const forms = [...new Set([secret, encodeURIComponent(secret)])].filter((form) => form !== '');
	const clean = (text: string) =>
		forms.reduce((cleaned, form) => cleaned.split(form).join(REDACTED), text);
	const redact = (value: unknown): unknown => {
		if (typeof value === 'string') return clean(value);
		if (Array.isArray(value)) return value.map(redact);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [clean(key), redact(entry)]),
		);
	};
	return <T>(value: T) => redact(value) as T;
}

/** Characters: far more than a person types on a phone, and few enough to store. */
export const LONGEST_REPLY = 10_000;

/**
 * Returns what was typed into a field as text; '' for anything else. A form sends each line break as two
 * characters, and PostgreSQL stores no NUL.
 */
export function typedText(value: unknown): string {
	return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').replaceAll('\0', '') : '';
}

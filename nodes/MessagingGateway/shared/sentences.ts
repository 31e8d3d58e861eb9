/** Puts sentences together, without those that are empty. */
export function sentences(...parts: Array<string | false | undefined>): string {
	return parts.filter(Boolean).join(' ');
}

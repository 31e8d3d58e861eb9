const VISIBLE = /[^\s\p{Cf}]/u;

/** Returns whether a text has a visible character. */
export function isVisible(text: string): boolean {
	return VISIBLE.test(text);
}

/**
 * Returns a text without white space and invisible characters at its ends. One regular expression for both
 * ends would take hours for a million spaces in the middle.
 */
export function trimmed(text: string): string {
	const start = text.search(VISIBLE);
	let end = text.length;
	while (end > start && !isVisible(text.charAt(end - 1))) end--;
	return start < 0 ? '' : text.slice(start, end);
}

/** Like `trimmed`, without invisible characters in the middle either: for what has none, such as an address. */
export function withoutInvisible(text: string): string {
	return trimmed(text.replace(/\p{Cf}/gu, ''));
}

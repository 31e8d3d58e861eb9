/** A replacement, written so that an expression of n8n can apply it too. */
export type Cleaning = ReadonlyArray<readonly [pattern: RegExp, replacement: string]>;

const SPACE: Cleaning = [
	[/\p{Cf}/gu, ''],
	[/^\s+|\s+$/g, ''],
];

/** Adds a missing https:// and takes off a pasted /api, /api/v1 or /api/v2 and slashes at the end. */
export const BASE_URL_CLEANING: Cleaning = [
	...SPACE,
	[/^(?!https?:|.*:\/\/)(?:\/\/)?/i, 'https://'],
	[/\/+$/, ''],
	[/\/api(?:\/+v[12])?$/i, ''],
	[/\/+$/, ''],
];

const QUOTES: Cleaning[number] = [/^(["'`“„‘«])([^]*)["'`”“’»]$/, '$2'];

/** Takes off quotation marks and “Bearer ”, as people paste them together with a token. */
export const TOKEN_CLEANING: Cleaning = [
	[/^\s+|\s+$/g, ''],
	QUOTES,
	[/^\s*bearer\s+/i, ''],
	QUOTES,
	[/^\s+|\s+$/g, ''],
];

/** Applies the replacements one after the other. */
export function cleaned(text: unknown, cleaning: Cleaning): string {
	return cleaning.reduce(
		(result, [pattern, replacement]) => result.replace(pattern, replacement),
		String(text ?? ''),
	);
}

/**
 * Cleans a pasted Base URL or token. The test of the credential, which n8n runs without the node, does the same in an
 * expression.
 */

/** Replacements that an expression can apply, too. */
export type Cleaning = ReadonlyArray<readonly [pattern: RegExp, replacement: string]>;

/** The match at the end begins only at the first of many spaces. Trying each of them would take very long. */
const SPACE_AROUND: Cleaning[number] = [/^\s+|(?<!\s)\s+$/g, ''];

const SLASHES_AT_END: Cleaning[number] = [/(?<!\/)\/+$/, ''];

/** Adds a missing https://. Removes /api, /api/v1 or /api/v2 and slashes at the end. */
export const BASE_URL_CLEANING: Cleaning = [
	[/\p{Cf}/gu, ''],
	SPACE_AROUND,
	[/^(?!https?:|.*:\/\/)(?:\/\/)?/i, 'https://'],
	SLASHES_AT_END,
	[/\/api(?:\/+v[12])?$/i, ''],
	SLASHES_AT_END,
];

const QUOTES: Cleaning[number] = [/^(["'`“„‘«])([^]*)["'`”“’»]$/, '$2'];

/** Removes quotation marks and “Bearer ”, which people paste with the token. */
export const TOKEN_CLEANING: Cleaning = [
	SPACE_AROUND,
	QUOTES,
	[/^\s*bearer\s+/i, ''],
	QUOTES,
	SPACE_AROUND,
];

/** Applies the replacements one after the other. */
export function cleaned(text: unknown, cleaning: Cleaning): string {
	return cleaning.reduce(
		(result, [pattern, replacement]) => result.replace(pattern, replacement),
		String(text ?? ''),
	);
}

/** A replacement, written so that an expression of n8n can apply it too. */
export type Cleaning = ReadonlyArray<readonly [pattern: RegExp, replacement: string]>;

/** At the end it begins where no space is in front: to try each of many spaces would take very long. */
const SPACE_AROUND: Cleaning[number] = [/^\s+|(?<!\s)\s+$/g, ''];

const SLASHES_AT_END: Cleaning[number] = [/(?<!\/)\/+$/, ''];

/** Adds a missing https:// and takes off a pasted /api, /api/v1 or /api/v2 and slashes at the end. */
export const BASE_URL_CLEANING: Cleaning = [
	[/\p{Cf}/gu, ''],
	SPACE_AROUND,
	[/^(?!https?:|.*:\/\/)(?:\/\/)?/i, 'https://'],
	SLASHES_AT_END,
	[/\/api(?:\/+v[12])?$/i, ''],
	SLASHES_AT_END,
];

const QUOTES: Cleaning[number] = [/^(["'`“„‘«])([^]*)["'`”“’»]$/, '$2'];

/** Takes off quotation marks and “Bearer ”, as people paste them together with a token. */
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

import { isVisible } from '../shared/trimmed';

/** What a piece of code has given instead of words: nothing, an object, or a word that programs write for these. */
export type Hole =
	{ kind: 'empty' } | { kind: 'object'; fields: string[] } | { kind: 'word'; word: string };

/** What JavaScript makes of missing values in the middle of a text. */
const WORD = /\b(?:undefined|null|NaN)\b|\[object \w+\]|Invalid Date(?:Time)?/;

const MOST_FIELDS = 50;

/** Whether a text may hold such a word. */
export function mayHoldWord(text: string): boolean {
	return WORD.test(text);
}

/**
 * Returns what is missing in the value of a piece of code.
 *
 * @param code where the word stands on purpose if it stands there, too; undefined if the value is a person's own data
 */
export function holeIn(value: unknown, code?: string): Hole | undefined {
	if (value === undefined || value === null || Number.isNaN(value)) return { kind: 'empty' };
	if (Array.isArray(value) && value.length === 0) return { kind: 'empty' };
	if (typeof value === 'object') return holeInObject(value);
	if (typeof value !== 'string') return undefined;
	// Somebody wants a new line there.
	if (!isVisible(value)) return value.includes('\n') ? undefined : { kind: 'empty' };
	const word = WORD.exec(value)?.[0];
	const isIt = code === undefined ? word === value.trim() : word && !code.includes(word);
	return word && isIt ? { kind: 'word', word } : undefined;
}

/** Dates, and lists of texts, are objects that can be read. */
function holeInObject(value: object): Hole | undefined {
	const text = shownAs(value);
	if (text.includes('[object ')) {
		return {
			kind: 'object',
			fields: Array.isArray(value) ? [] : Object.keys(value).slice(0, MOST_FIELDS),
		};
	}
	const word = WORD.exec(text)?.[0];
	return word === undefined ? undefined : { kind: 'word', word };
}

function shownAs(value: object): string {
	try {
		return String(value);
	} catch {
		return '[object Object]';
	}
}

import { withoutEscapes, type Unescaped } from './escapes';
import { placesOf } from './places';

/** Replaces a secret. */
const REDACTED = '***';

/** Characters of a part or of a code of the secret: what is shorter may stand in any text. */
const SHORTEST = 8;

/** How often a text is looked at again without its escapes: JSON in an address in JSON has three kinds. */
const MOST_LEVELS = 5;

/**
 * Returns a function that removes `secret` from any JSON value or text, keys included: a gateway that
 * repeats the access token in its answer must not bring it into an execution that n8n saves. Takes linear time.
 */
export function redactorOf(secret: string): <T>(value: T) => T {
	const writings = writingsOf(secret);
	// Without its escapes, a text is never longer.
	const shortest = Math.min(...writings.map(({ length }) => length));
	const clean = (text: string) => (text.length < shortest ? text : without(writings, text));
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

/** Returns what to look for: the secret, its second part as in `12|…`, and both in base64 and hexadecimal. */
function writingsOf(secret: string): string[] {
	const second = secret.slice(secret.indexOf('|') + 1);
	const whole = second.length >= SHORTEST ? [secret, second] : [secret];
	const codes = whole.flatMap(codesOf).filter((code) => code.length >= SHORTEST);
	// What looks like an escape in the secret itself is gone in a text without its escapes.
	const plain = whole.flatMap((text) => levelsOf(text).map((level) => level.text));
	return [...new Set([...plain, ...codes].map(lowerCase))];
}

/**
 * Returns a text in hexadecimal, and in base64 as it stands alone or in the middle of something: its characters depend
 * on how many bytes are in front of it, and the first and last ones also on what these are.
 */
function codesOf(text: string): string[] {
	const bytes = Buffer.from(text);
	const shifted = [0, 1, 2].map((before) => {
		const code = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
		return code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
	});
	const forAddresses = shifted.map((code) => code.replace(/\+/g, '-').replace(/\//g, '_'));
	return [bytes.toString('hex'), ...shifted, ...forAddresses];
}

function without(writings: readonly string[], text: string): string {
	const found: Array<[from: number, to: number]> = [];
	for (const level of levelsOf(text)) {
		const place = (at: number) => level.starts?.[at] ?? at;
		const lower = lowerCase(level.text);
		for (const writing of writings) {
			for (const at of placesOf(writing, lower)) {
				found.push([place(at), place(at + writing.length)]);
			}
		}
	}
	return withGaps(text, found);
}

/** Returns the text itself, the same without its escapes, without escapes in these, and so on. */
function levelsOf(text: string): Unescaped[] {
	const levels: Unescaped[] = [];
	let next: Unescaped | undefined = { text };
	while (next && levels.length <= MOST_LEVELS) {
		levels.push(next);
		next = withoutEscapes(next);
	}
	return levels;
}

function withGaps(text: string, found: Array<[from: number, to: number]>): string {
	if (found.length === 0) return text;
	let result = '';
	let end = 0;
	for (const [from, to] of found.sort(([a], [b]) => a - b)) {
		if (from >= end) result += text.slice(end, from) + REDACTED;
		end = Math.max(end, to);
	}
	return result + text.slice(end);
}

/** Of ASCII only, so that every character stays in its place. */
function lowerCase(text: string): string {
	return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

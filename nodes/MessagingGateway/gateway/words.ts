import { wordsOfHtml } from './html';
import { isObject } from './json';

/** The names that APIs give to what a person should read. */
const TELLING = ['message', 'msg', 'error', 'detail', 'description', 'reason', 'title'];

/** How many texts of one list or object are read. */
const MOST_TEXTS = 5;

/** The parts of an answer that may hold words. */
interface Said {
	body: string;
	/** The body's JSON value; undefined if it has none. */
	json: unknown;
	incomplete?: string;
}

/** Returns the gateway's own words: its `message`, a validator's `errors: { field: [text] }`, or the text of a page. */
export function wordsIn({ body, json, incomplete }: Said): string {
	if (json === undefined) return incomplete && /^\s*[[{]/.test(body) ? '' : wordsOfHtml(body);
	if (!isObject(json)) return wordsOfHtml(textsIn(json).join(' – '));
	const message = TELLING.map((name) => textsIn(json[name])).find((texts) => texts.length > 0);
	return wordsOfHtml([...(message ?? []), ...textsIn(json.errors, true)].join(' – '));
}

/** Whether a refusal is about the Device ID, for which the gateway has no code of its own: only its words tell. */
export function isAboutDevice(words: string): boolean {
	return /\bdevice[ _-]?id\b/i.test(words);
}

/** Returns the texts in a value, each after the name of its field unless that only says “message”. */
function textsIn(value: unknown, isByField = false): string[] {
	if (typeof value === 'string') return value === '' ? [] : [value];
	if (Array.isArray(value)) return value.slice(0, MOST_TEXTS).flatMap((each) => textsIn(each));
	if (!isObject(value)) return [];
	return Object.entries(value)
		.flatMap(([name, inner]) => {
			const text = textsIn(inner).join(' ');
			const isPlain = !isByField && typeof inner === 'string' && TELLING.includes(name);
			return text === '' ? [] : [isPlain ? text : `${name}: ${text}`];
		})
		.slice(0, MOST_TEXTS);
}

/** Reads the body of an answer: its JSON value, and its words for a person. */

import { textOfHtml } from '../shared/text';

/** Deeper than any envelope, and shallow enough for every program that reads it. */
const DEEPEST_NESTING = 50;

/** A text, which may hold digits, or a whole number so long that JavaScript may lose its last digits. */
const TEXT_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Returns the JSON value of a text; undefined if it is not JSON or is nested too deeply. A whole number that JavaScript
 * cannot hold exactly becomes a text with all its digits.
 */
export function parseJson(text: string): unknown {
	try {
		// trim() also removes a byte order mark, which a PHP file that was saved with one puts before every answer.
		const json = text.trim();
		const value: unknown = JSON.parse(json);
		if (!isShallow(value)) return undefined;
		return /\d{16}/.test(json) ? (JSON.parse(withLongNumbersAsText(json)) as unknown) : value;
	} catch {
		return undefined;
	}
}

/** @param json valid JSON */
function withLongNumbersAsText(json: string): string {
	return json.replace(TEXT_OR_LONG_NUMBER, (part) =>
		part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${part}"`,
	);
}

function isShallow(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > DEEPEST_NESTING) return false;
		level = level
			.filter((entry): entry is object => typeof entry === 'object' && entry !== null)
			.flatMap((entry): unknown[] => Object.values(entry));
	}
	return true;
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields in which APIs put their words for a person. */
const TELLING = ['message', 'msg', 'error', 'detail', 'description', 'reason', 'title'];

/** How many texts of one list or object are read. */
const MOST_TEXTS = 5;

/** The parts of an answer that may hold words. */
interface Said {
	body: string;
	/** The JSON value of the body; undefined if it has none. */
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

/** Whether a refusal is about the Device ID. The gateway has no code for that, so its words decide. */
export function isAboutDevice(words: string): boolean {
	return /\bdevice[ _-]?id\b/i.test(words);
}

/** Returns the texts in a value, each after the name of its field, unless that name only says “message”. */
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

/** Returns the title of a page, or its text if it has no title; '' if it is not readable, such as binary data. */
export function wordsOfHtml(html: string): string {
	const title = /<title[^>]{0,99}>([^<]{1,300})/i.exec(html)?.[1] ?? '';
	const words = textOfHtml(title) || textOfHtml(html);
	const unreadable = words.match(/\uFFFD/g)?.length ?? 0;
	return /[\p{L}\p{N}]/u.test(words) && unreadable * 10 < words.length ? words : '';
}

/** Lists and objects in place of a single value, or of a list of values. */
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { toReadable } from './text';

/** Returns a list, also one in a JSON text, as AI models write it; undefined for anything else. */
export function listIn(value: unknown): unknown[] | undefined {
	const list = fromJson(value);
	return Array.isArray(list) ? list : undefined;
}

/** Characters of a JSON text with a single value. To parse a text without end would take a second. */
const LONGEST_JSON = 10_000;

/** Returns the only entry of a list, or of a list in a list, if it is text or a number; anything else as it is. */
export function singleIn(value: unknown): unknown {
	if (typeof value === 'string' && value.length > LONGEST_JSON) return value;
	const parsed = fromJson(value);
	const entry: unknown = [parsed].flat(2).length === 1 ? [parsed].flat(2)[0] : parsed;
	return typeof entry === 'object' && entry !== null ? parsed : entry;
}

function fromJson(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/**
 * Returns the error of a list, an object or a date in place of a phone number; undefined for anything else.
 *
 * @param place where it was entered: “ in the option 'Test Number'”
 * @param field the name of its field, '' if it is unknown
 */
export function shapeErrorOf(value: unknown, place: string, field: string): InputError | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	// A Luxon date has no class that two copies of the library share.
	const isDate = value instanceof Date || 'toMillis' in value;
	const path = `${field}${isDate ? '' : pathToNumber(value, 3)}`.replace(/^\./, '');
	const example = path === field ? '' : `, such as ${path}`;
	return new InputError(
		`${quote(toReadable(value))}${place} is ${isDate ? 'a date' : nameOf(value)}, not a phone number`,
		`Check the expression or the field that provides it.${isDate ? '' : ` Choose a field of it${example}.`}`,
	);
}

function nameOf(value: object): string {
	if (!Array.isArray(value)) return 'an object';
	if (value.length === 0) return 'an empty list';
	const isOfObjects = value.some((entry) => typeof entry === 'object' && entry !== null);
	return `a list of ${isOfObjects ? 'objects' : `${value.length} entries`}`;
}

/** Returns the path to the first number in a value, such as “[0].value”; '' if there is none. */
function pathToNumber(value: object, depth: number): string {
	for (const [key, entry] of Object.entries(value).slice(0, 100) as Array<[string, unknown]>) {
		const own = Array.isArray(value)
			? `[${key}]`
			: /^[\p{L}_]\w*$/u.test(key)
				? `.${key}`
				: `["${key}"]`;
		if (typeof entry !== 'object' || entry === null) {
			if (/^(?:\D{0,20}\d){6}/.test(String(entry).slice(0, 200))) return own;
		} else {
			const rest = depth > 1 ? pathToNumber(entry, depth - 1) : '';
			if (rest !== '') return own + rest;
		}
	}
	return '';
}

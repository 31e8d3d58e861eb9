/** Lists and objects in place of a single value, or of a list of values. */

/** Returns a list, also one in a JSON text, as AI models write it; undefined for anything else. */
export function listIn(value: unknown): unknown[] | undefined {
	const list = fromJson(value);
	return Array.isArray(list) ? list : undefined;
}

/** Returns the only entry of a list, or of a list in a list, if it is text or a number; anything else as it is. */
export function singleIn(value: unknown): unknown {
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

/** What a value is, if it is neither text nor a number, and the path to a number in it. */
export interface Shape {
	/** “a list of objects” */
	name: string;
	/** “[0].value”; '' if there is no number. */
	path: string;
}

/** Returns the shape of a list or an object; undefined for anything else. */
export function shapeOf(value: unknown): Shape | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	// A Luxon date has no class that two copies of the library share.
	const isDate = value instanceof Date || 'toMillis' in value;
	const path = isDate ? '' : pathToNumber(value, 3);
	if (!Array.isArray(value)) return { name: isDate ? 'a date' : 'an object', path };
	const isOfObjects = value.some((entry) => typeof entry === 'object' && entry !== null);
	const of = isOfObjects ? 'objects' : `${value.length} entries`;
	return { name: value.length === 0 ? 'an empty list' : `a list of ${of}`, path };
}

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

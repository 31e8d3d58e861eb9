/** Deeper than any envelope, and shallow enough for every program that reads it. */
const DEEPEST_NESTING = 50;

/** Returns the JSON value of a text, or undefined if it is not JSON or nested too deeply. */
export function parseJson(text: string): unknown {
	try {
		// trim() also removes the byte order mark that a PHP file saved with one puts before every answer.
		const value: unknown = JSON.parse(text.trim());
		return isShallow(value) ? value : undefined;
	} catch {
		return undefined;
	}
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

/** Deeper than any envelope, and shallow enough for every program that reads it. */
const DEEPEST_NESTING = 50;

/** A text, which may hold digits, or a whole number with so many digits that JavaScript may lose the last ones. */
const TEXT_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Returns the JSON value of a text, or undefined if it is not JSON or nested too deeply. Whole numbers that JavaScript
 * cannot hold exactly are texts in it, with all of their digits.
 */
export function parseJson(text: string): unknown {
	try {
		// trim() also removes the byte order mark that a PHP file saved with one puts before every answer.
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

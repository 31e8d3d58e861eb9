import { InputError } from '../shared/inputError';
import { isVisible, trimmed } from '../shared/text';

/** Half a character, left by a cut through an emoji. No encoding can represent it. */
const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Whether a value is missing, or nothing in it is visible. */
export function isBlank(value: unknown): boolean {
	if (typeof value !== 'string') return value === undefined || value === null;
	return !isVisible(value);
}

/**
 * Returns a parameter's value as text that every encoding carries unharmed; '' if it is missing.
 *
 * @param name what the value is called inside a sentence, e.g. “group ID”
 */
export function toText(value: unknown, name: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InputError(
			`The ${name} is ${Array.isArray(value) ? 'a list' : 'an object'}, not text`,
			`Check the expression in ${parameterOf(name)}: choose a single field.`,
		);
	}
	return String(value).replace(HALF_CHARACTER, '\uFFFD');
}

/**
 * Returns an identifier without space or invisible marks around it; '' if it is missing.
 *
 * @throws InputError if it is a number that has lost its last digits, or NaN or infinite
 */
export function toIdentifier(value: unknown, name: string): string {
	if (typeof value === 'number' && !Number.isFinite(value)) {
		throw new InputError(
			`The ${name} is ${value}: the expression calculates with something that is not a number`,
			`Correct the expression in ${parameterOf(name)}.`,
		);
	}
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new InputError(
			`The ${name} arrived as the number ${String(value)}, and its last digits were lost`,
			'Pass it as text: format the spreadsheet column as text; in JSON, put it in quotation marks.',
		);
	}
	return trimmed(toText(value, name));
}

/** Like `toText`, but the text must not be blank. */
export function toRequiredText(value: unknown, name: string): string {
	const text = toText(value, name);
	if (isBlank(text)) {
		throw new InputError(
			`The ${name} is empty`,
			`Enter it in ${parameterOf(name)}, or check the expression there.`,
		);
	}
	return text;
}

/** Returns any value as text. A program may provide an object that cannot be written as JSON. */
export function toReadable(value: unknown): string {
	if (typeof value !== 'object') return String(value);
	try {
		return String(JSON.stringify(value)).replace(/^"|"$/g, '');
	} catch {
		return 'An object';
	}
}

/** The label of the field that people see, in single quotes: “file URL” becomes “'File URL'”. */
function parameterOf(name: string): string {
	return `'${name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())}'`;
}

/** Braces around a variable of n8n, not around some other placeholder. */
const UNFILLED =
	/\{\{\s*\$(?:\(|(?:json|input|binary|node|now|today|vars|workflow|execution|itemIndex|fromAI)\b)[^{}]*\}\}/;

/** Returns the first piece of code in a field that is set to Fixed, which n8n does not fill in. */
export function unfilledIn(field: unknown): string | undefined {
	if (typeof field !== 'string' || field.startsWith('=')) return undefined;
	return UNFILLED.exec(field)?.[0];
}

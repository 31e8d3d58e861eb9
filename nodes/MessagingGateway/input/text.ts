import { InputError } from '../shared/inputError';
import { isVisible, quote, trimmed } from '../shared/text';
import { codeIn } from './expression';

/** Half a character, left by a cut through an emoji. No encoding can represent it. */
const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** All but the line break and the tab. No messenger shows them, and some programs stop at the first. */
const CONTROL_CHARACTER = /[^\P{Cc}\n\t]/gu;

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
	const call = formatCallFor(value);
	if (call !== undefined) {
		throw new InputError(
			`The ${name} is a date, not text`,
			`Add ${call} to the expression in ${parameterOf(name)}, in front of }}.`,
		);
	}
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InputError(
			`The ${name} is ${Array.isArray(value) ? 'a list' : 'an object'}, not text`,
			`Check the expression in ${parameterOf(name)}: choose a single field.`,
		);
	}
	return String(value).replace(HALF_CHARACTER, '\uFFFD');
}

/** Like `toText`, without control characters: for a text that a person reads. */
export function toReadableText(value: unknown, name: string): string {
	return toText(value, name).replace(/\r\n?/g, '\n').replace(CONTROL_CHARACTER, '');
}

/** Returns the call that makes text of a date, of JavaScript or Luxon; undefined for any other value. */
export function formatCallFor(value: unknown): string | undefined {
	const call = ".toFormat('dd LLL yyyy')";
	if (Object.prototype.toString.call(value) === '[object Date]') return `.toDateTime()${call}`;
	const { toFormat } = (value ?? {}) as { toFormat?: unknown };
	return typeof value === 'object' && typeof toFormat === 'function' ? call : undefined;
}

/**
 * Returns an identifier without space or invisible marks around it; '' if it is missing.
 *
 * @throws InputError if it is a number that has lost its last digits, or NaN or infinite, or code that n8n did not fill in
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
	const text = trimmed(toText(value, name));
	const code = codeIn(text);
	if (code === undefined) return text;
	throw new InputError(
		`The ${name} contains ${quote(code)}, which n8n did not fill in`,
		`Set ${parameterOf(name)} to Expression: the choice appears above the field when you point at it.`,
	);
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

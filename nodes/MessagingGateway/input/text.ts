import { InputError } from '../shared/inputError';

/** Half a character, as a cut through an emoji leaves it: no encoding can carry it. */
const HALF_CHARACTER = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

const VISIBLE = /[^\s\p{Cf}]/u;

/** Whether there is nothing in a value, or nothing that can be seen. */
export function isBlank(value: unknown): boolean {
	if (typeof value !== 'string') return value === undefined || value === null;
	return !VISIBLE.test(value);
}

/** A parameter's value as text that every encoding carries unharmed; '' where there is none. */
export function toText(value: unknown, label: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'object' || typeof value === 'function') {
		throw new InputError(
			`The ${label} is ${Array.isArray(value) ? 'a list' : 'an object'}, not a text`,
			'Check the expression that gives it: choose a single field.',
		);
	}
	return String(value).replace(HALF_CHARACTER, '\uFFFD');
}

/**
 * What identifies something, without space or invisible marks around it; '' where there is none.
 *
 * @throws InputError where it is a number so long that it stands for another one by now
 */
export function toIdentifier(value: unknown, label: string): string {
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw new InputError(
			`The ${label} came as the number ${String(value)}, whose last digits are lost`,
			'Give it as a text: in a spreadsheet, format its column as text; in JSON, put it into quotation marks.',
		);
	}
	return trimmed(toText(value, label));
}

/** A text that has to be there. */
export function toRequiredText(value: unknown, label: string): string {
	const text = toText(value, label);
	if (isBlank(text)) {
		throw new InputError(
			`The ${label} is empty`,
			`Enter the ${label}, or check the expression that gives it.`,
		);
	}
	return text;
}

/** @throws InputError where it cannot stand in an address as one part of its path */
export function toGroupId(value: unknown): string {
	const id = toRequiredText(toIdentifier(value, 'group ID'), 'group ID');
	if (id === '.' || id === '..') {
		throw new InputError(
			`“${id}” is not a group ID`,
			'Copy the group ID from the gateway and run this again.',
		);
	}
	return id;
}

/** Not a pattern for both ends: one for the end would take hours for a million spaces in the middle. */
function trimmed(text: string): string {
	const start = text.search(VISIBLE);
	let end = text.length;
	while (end > start && !VISIBLE.test(text.charAt(end - 1))) end--;
	return start < 0 ? '' : text.slice(start, end);
}

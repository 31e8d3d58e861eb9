/** Reads the values of options: whole numbers and switches. */

import { LONGEST_TIME } from '../shared/time';
import { isBlank } from './text';

/**
 * Rounds a number down to a whole one, small enough for a timer of Node.js. A fraction of 1 becomes 1, because 0 often
 * has a special meaning. Returns `fallback` if the value is not a number.
 */
export function toWholeNumber(value: unknown, fallback: number): number {
	const number = isBlank(value) || typeof value === 'boolean' ? NaN : Number(value);
	if (Number.isNaN(number)) return fallback;
	const whole = Math.floor(Math.min(number, LONGEST_TIME));
	return number > 0 ? Math.max(whole, 1) : whole;
}

const ON = /^(?:true|yes|on|1)$/i;
const OFF = /^(?:false|no|off|0|)$/i;

/**
 * Returns whether a value means yes or no, as queries, forms, sheets and models write it. Undefined for anything else.
 */
export function parseSwitch(value: unknown): boolean | undefined {
	if (!['boolean', 'number', 'string'].includes(typeof value)) return undefined;
	const word = value === '' ? '' : String(value).trim() || ' ';
	if (ON.test(word)) return true;
	return OFF.test(word) ? false : undefined;
}

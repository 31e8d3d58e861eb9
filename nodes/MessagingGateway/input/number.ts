import { LONGEST_TIME } from '../shared/time';
import { isBlank } from './text';

/**
 * Rounds a number down to a whole one, small enough for a timer of Node.js. A fraction of 1 becomes 1, because 0 often
 * has a special meaning. Returns `fallback` if the value is not a number.
 */
export function toWholeNumber(value: unknown, fallback: number): number {
	const number = isBlank(value) || typeof value === 'boolean' ? NaN : Number(value);
	if (Number.isNaN(number)) return fallback;
	return number > 0 && number < 1 ? 1 : Math.floor(Math.min(number, LONGEST_TIME));
}

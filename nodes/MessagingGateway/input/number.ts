import { LONGEST_TIME } from '../shared/time';
import { isBlank } from './text';

/**
 * A whole number, rounded down, but no part of 1 to 0, which often means something else; small enough
 * for a timer of Node.js; `fallback` where it is none.
 */
export function toWholeNumber(value: unknown, fallback: number): number {
	const number = isBlank(value) || typeof value === 'boolean' ? NaN : Number(value);
	if (Number.isNaN(number)) return fallback;
	return number > 0 && number < 1 ? 1 : Math.floor(Math.min(number, LONGEST_TIME));
}

import { LONGEST_TIME } from '../gateway/clock';
import { isBlank } from './text';

/** A whole number, rounded down, and small enough for a timer of Node.js; `fallback` where it is none. */
export function toWholeNumber(value: unknown, fallback: number): number {
	const number = isBlank(value) || typeof value === 'boolean' ? NaN : Number(value);
	return Number.isNaN(number) ? fallback : Math.floor(Math.min(number, LONGEST_TIME));
}

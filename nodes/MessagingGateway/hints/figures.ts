import type { NodeExecutionHint } from 'n8n-workflow';

import { withoutMarkup } from '../shared/quote';

const MOST_SHOWN = 3;

export function info(message: string | false): NodeExecutionHint | undefined {
	return message === false
		? undefined
		: { message: withoutMarkup(message), location: 'outputPane' };
}

export function warning(message: string | false): NodeExecutionHint | undefined {
	const hint = info(message);
	return hint && { ...hint, type: 'warning' };
}

/** Returns a number with what it counts: `1 request`, `12,000 requests`. */
export function count(n: number, what: string): string {
	return `${figure(n)} ${what}${n === 1 ? '' : 's'}`;
}

export function figure(n: number): string {
	return n.toLocaleString('en-US');
}

/**
 * Returns the first three texts, and how many more there are.
 *
 * @param all how many there are, if `texts` are only the first of them
 */
export function firstOf(texts: readonly string[], all = texts.length): string {
	const more = all - Math.min(MOST_SHOWN, texts.length);
	return `${texts.slice(0, MOST_SHOWN).join(', ')}${more > 0 ? ` and ${figure(more)} more` : ''}`;
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { splitExpression } from '../input/expression';
import { placeholderIn } from '../input/placeholders';
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { problemOf, valueOf } from './missingValues';

/**
 * Checks an item's Send-Once Key from an expression. A key of which a part is missing is the same for many messages, of
 * which only the first would be sent.
 *
 * @param key the value of the whole expression
 * @throws InputError if the key, or a part of it, is missing
 */
export function checkSendOnceKey(
	context: Pick<IExecuteFunctions, 'evaluateExpression'>,
	item: number,
	expression: string,
	key: string,
): void {
	if (key === '') {
		throw new InputError(
			"The expression in the option 'Send-Once Key' returns nothing for this item",
			`Check its expression ${quote(expression)}: without a key, the message could go out twice.`,
		);
	}
	const { codes, text } = splitExpression(expression);
	// n8n has evaluated the only part already: it is the key.
	const parts = codes.length === 1 && text === '' ? [] : codes;
	for (const code of parts) {
		const value = valueOf(context, code, item);
		const problem = problemOf(value);
		if (!problem && typeof value !== 'object') continue;
		const why =
			problem?.kind === 'date' ? `it ${problem.clause}` : 'it returns neither text nor a number';
		throw partIsMissing(key, `Check ${quote(`{{ ${code} }}`)} in it: ${why}.`);
	}
	const word = placeholderIn(key, text);
	if (word === undefined) return;
	throw partIsMissing(
		key,
		`Check its expression ${quote(expression)}: ${quote(word)} appears where a value is missing.`,
	);
}

function partIsMissing(key: string, advice: string): InputError {
	return new InputError(
		`A part of the 'Send-Once Key' is missing for this item: it would be ${quote(key)}`,
		advice,
	);
}

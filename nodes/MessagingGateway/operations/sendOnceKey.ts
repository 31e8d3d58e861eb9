import type { IExecuteFunctions } from 'n8n-workflow';

import { splitExpression } from '../input/expression';
import { isBlank } from '../input/text';
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';

/** The words that JavaScript writes into a text for a missing value or an object, and a database for a missing value. */
const IN_PLACE_OF_A_VALUE = [
	/undefined|\[object \w+\]|(?<![a-z])null(?![a-z])/i,
	// Also behind a letter, where only JavaScript writes them. “Nan” is a name.
	/(?:null|NaN)(?![a-z])|(?<![A-Za-z])(?:nan|NAN)(?![A-Za-z])/,
];

/**
 * Checks an item's Send-Once Key from an expression. A key with a hole is the same for many messages, of which only
 * the first would be sent.
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
	const isWhole = codes.length === 1 && text === '';
	const hole = isWhole ? undefined : codes.find((code) => isHole(context, code, item));
	const word = IN_PLACE_OF_A_VALUE.map((each) => each.exec(key)?.[0]).find(Boolean);
	if (hole === undefined && word === undefined) return;
	throw new InputError(
		`A part of the 'Send-Once Key' is missing for this item: it would be ${quote(key)}`,
		hole === undefined
			? `Check its expression ${quote(expression)}: “${word}” appears where a value is missing.`
			: `Check ${quote(`{{ ${hole} }}`)} in it: it returns neither text nor a number.`,
	);
}

function isHole(
	context: Pick<IExecuteFunctions, 'evaluateExpression'>,
	code: string,
	item: number,
): boolean {
	try {
		const value: unknown = context.evaluateExpression(`{{ ${code} }}`, item);
		return isBlank(value) || typeof value === 'object' || Number.isNaN(value);
	} catch {
		// n8n leaves it out of the text.
		return true;
	}
}

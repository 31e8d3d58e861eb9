import type { IExecuteFunctions } from 'n8n-workflow';

import { parseCountryCode } from '../input/countryCode';
import { readsOneItem } from '../input/listExpression';
import { NOBODY, parseSkipNumbers, type OptOuts } from '../input/skipNumbers';
import { InputError, naming } from '../shared/inputError';
import { excerpt } from '../shared/quote';
import type { GivenOptions } from './givenOptions';

const NAME = 'skipNumbers';

/**
 * Resolves to the numbers that get nothing, and to what a person should know of them. Read once a run.
 *
 * @param countryCode of the credential, '' if it has none
 * @throws InputError if it is not certain who must not get a message
 */
export async function readSkipNumbers(
	context: IExecuteFunctions,
	given: GivenOptions,
	countryCode: string,
): Promise<{ optOuts: OptOuts; warnings: string[] }> {
	if (!given.has(NAME)) return { optOuts: NOBODY, warnings: [] };
	const expression = given.expressionOf(NAME);
	const codes = new Set([ownCountryCode(context, given), countryCode]);
	const countryCodes = [...codes].filter((code) => code !== '');
	return await naming(`options.${NAME}`, async () => {
		const value = valueOf(context, expression);
		const optOuts = await parseSkipNumbers(value, countryCodes, expression);
		const partial = Array.isArray(value) ? undefined : ofOneItem(context, expression);
		return { optOuts, warnings: partial === undefined ? [] : [partial] };
	});
}

function valueOf(context: IExecuteFunctions, expression?: string): unknown {
	try {
		return context.getNodeParameter(`options.${NAME}`, 0, null);
	} catch (error) {
		throw failed(error as Error, expression);
	}
}

function failed({ message }: Error, expression?: string): InputError {
	const all = expression === undefined ? undefined : readsOneItem(expression)?.forAll;
	return new InputError(
		`The expression in the option 'Skip Numbers' failed: ${excerpt(message)}`,
		all === undefined ? 'Correct it.' : `To skip the numbers of all items, use ${all}`,
	);
}

/** Returns the country code that the first item sets; a mistake in it is that item's alone. */
export function ownCountryCode(context: IExecuteFunctions, given: GivenOptions): string {
	if (!given.has('defaultCountryCode')) return '';
	try {
		const code: unknown = context.getNodeParameter('options.defaultCountryCode', 0, null);
		return parseCountryCode(code, 'in the options');
	} catch {
		return '';
	}
}

/** Returns a warning if the expression reads one of several items, as it does where a person drags a field. */
function ofOneItem(context: IExecuteFunctions, expression?: string): string | undefined {
	const one = expression === undefined ? undefined : readsOneItem(expression);
	if (!one) return undefined;
	const count = itemsOf(context, one.node);
	if (count < 2) return undefined;
	const place = one.node === undefined ? 'the input' : `“${excerpt(one.node)}”`;
	return `'Skip Numbers' holds the number of one item only, but ${place} has ${count.toLocaleString('en-US')} items. To skip the numbers of all of them, use ${one.forAll}`;
}

function itemsOf(context: IExecuteFunctions, node?: string): number {
	if (node === undefined) return context.getInputData().length;
	try {
		const proxy = context.getWorkflowDataProxy(0) as unknown as {
			$: (name: string) => { all(): unknown[] };
		};
		return proxy.$(node).all().length;
	} catch {
		return 0;
	}
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { parseCountryCode } from '../input/countryCode';
import { readsOneItem } from '../input/listExpression';
import { NOBODY, parseSkipNumbers, type OptOuts } from '../input/skipNumbers';
import { InputError, naming } from '../shared/inputError';
import { excerpt } from '../shared/quote';
import { isBlank } from '../input/text';
import { givenBy, type GivenOptions } from './givenOptions';

const NAME = 'skipNumbers';

/** What an expression has that can give another list for each item. */
const OF_ITEM = /\$(?:json|binary|item|itemIndex|input\.item)\b|\.item\b|itemMatching/;

export interface SkipNumbers {
	optOuts: OptOuts;
	/** What a person should know of them. */
	warnings: string[];
	/** @throws InputError if the expression gives an item other numbers than the first, whose list holds for all */
	check?: (index: number) => void;
}

/**
 * Resolves to the numbers that get nothing. Read once a run.
 *
 * @param countryCode of the credential, '' if it has none
 * @throws InputError if it is not certain who must not get a message
 */
export async function readSkipNumbers(
	context: IExecuteFunctions,
	given: GivenOptions,
	countryCode: string,
): Promise<SkipNumbers> {
	if (!given.has(NAME)) return { optOuts: NOBODY, warnings: [] };
	const expression = given.expressionOf(NAME);
	const codes = new Set([ownCountryCode(context, given), countryCode]);
	const countryCodes = [...codes].filter((code) => code !== '');
	return await naming(`options.${NAME}`, async () => {
		const value = valueOf(context, expression);
		const optOuts = await parseSkipNumbers(value, countryCodes, expression);
		const partial = Array.isArray(value) ? undefined : ofOneItem(context, expression);
		const warnings = partial === undefined ? [] : [partial];
		if (expression === undefined || !differs(expression, partial !== undefined)) {
			return { optOuts, warnings };
		}
		const first = JSON.stringify(value);
		return { optOuts, warnings, check: (index) => checkItem(context, index, first) };
	});
}

/** Whether an expression may give each item another list. A field that a person has dragged gets a warning instead. */
function differs(expression: string, isTold: boolean): boolean {
	return OF_ITEM.test(expression) && !(isTold && !/[?|&]/.test(expression));
}

function checkItem(context: IExecuteFunctions, index: number, first: string): void {
	const own = givenBy(() => context.getNodeParameter(`options.${NAME}`, index, null));
	if (isBlank(own) || (Array.isArray(own) && own.length === 0)) return;
	if (JSON.stringify(own) === first) return;
	throw new InputError(
		"The option 'Skip Numbers' gives other numbers for this item than for the first",
		'The list of the first item holds for the whole run. Use an expression that gives the numbers of all items, such as {{ $input.all().filter((item) => item.json.optOut).map((item) => item.json.phone) }}.',
	);
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

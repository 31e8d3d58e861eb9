import type { IExecuteFunctions } from 'n8n-workflow';

import { parseCountryCode } from '../input/countryCode';
import { readsOneItem } from '../input/listExpression';
import { NOBODY, type OptOuts, parseSkipNumbers } from '../input/skipNumbers';
import { isBlank } from '../input/text';
import { Breather } from '../shared/time';
import { InputError, naming } from '../shared/inputError';
import { excerpt } from '../shared/text';
import { givenBy, type GivenOptions, guardBy } from './givenOptions';
import { itemsOf } from './oneItem';

const NAME = 'skipNumbers';

/** What an expression has that can give another list for each item. */
const OF_ITEM =
	/\$(?:json|binary|item|itemIndex|position|input\.item)\b|\$node\[|\)\.item\b|itemMatching/;

/** What a dragged field does not have, outside of the names in quotes. */
const CONDITION = /\?|\|\||&&/;
const QUOTED = /'[^']*'|"[^"]*"/g;

/** Of a list of an item, so many numbers are compared with the first item's at its beginning, and at its end. */
const COMPARED = 50;

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
		const warnings = partial === undefined ? [] : [partial];
		const mayDiffer = expression !== undefined && differsByItem(expression, partial !== undefined);
		if (mayDiffer) await checkItems(context, value);
		return { optOuts, warnings };
	});
}

/** Whether an expression may give each item another list. A field that a person has dragged gets a warning instead. */
function differsByItem(expression: string, isTold: boolean): boolean {
	if (isTold && !CONDITION.test(expression.replace(QUOTED, ''))) return false;
	return OF_ITEM.test(expression);
}

/** @throws InputError if an item has numbers to skip that the first item does not have: its list holds for all */
async function checkItems(context: IExecuteFunctions, first: unknown): Promise<void> {
	const breather = new Breather();
	for (let index = 1; index < context.getInputData().length; index++) {
		if (breather.isDue()) await breather.breathe();
		const own = givenBy(() => context.getNodeParameter(`options.${NAME}`, index, null));
		if (isNothing(own) || isSameList(own, first)) continue;
		throw new InputError(
			`The option 'Skip Numbers' gives other numbers for item ${index + 1}, counted from 1, than for the first`,
			'One list holds for all items. Use an expression that gives the numbers of all, such as {{ $input.all().filter((item) => item.json.optOut).map((item) => item.json.phone) }}.',
		);
	}
}

function isNothing(list: unknown): boolean {
	return Array.isArray(list) ? list.every(isBlank) : isBlank(list);
}

function isSameList(list: unknown, other: unknown): boolean {
	if (!Array.isArray(list) || !Array.isArray(other)) return String(list) === String(other);
	const ends = (each: unknown[]) => [...each.slice(0, COMPARED), ...each.slice(-COMPARED)];
	return list.length === other.length && ends(list).join() === ends(other).join();
}

function valueOf(context: IExecuteFunctions, expression?: string): unknown {
	const all = expression === undefined ? undefined : readsOneItem(expression)?.forAll;
	const advice = all === undefined ? 'Correct it.' : `To skip the numbers of all items, use ${all}`;
	return guardBy(
		() => context.getNodeParameter(`options.${NAME}`, 0, null),
		'Skip Numbers',
		advice,
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

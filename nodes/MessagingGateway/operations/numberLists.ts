import type { IExecuteFunctions } from 'n8n-workflow';

import { isBlank, toReadable } from '../input/text';
import { parseCountryCode } from '../numbers/countryCode';
import { entriesOf, type ListOption, parsePeople, type People } from '../numbers/numberList';
import type { Message } from '../delivery/message';
import type { PhoneNumber } from '../numbers/phoneNumber';
import { count, sentences } from '../shared/text';
import { Breather } from '../shared/time';
import { InputError } from '../shared/inputError';
import { givenBy, type GivenOptions, guardBy } from './givenOptions';

/** The options with the numbers to skip, and with the only numbers to send to. */
type ListName = 'skipNumbers' | 'allowedNumbers';

const OPTIONS: Record<ListName, ListOption> = {
	skipNumbers: {
		label: 'Skip Numbers',
		untilThen: 'Until then the node sends nothing, so that nobody who opted out gets a message.',
		ifEmpty:
			"If the list can be empty, use an expression that returns an empty list in that case, such as {{ $('Opt-outs').all().filter((row) => Object.keys(row.json).length > 0).map((row) => row.json.phone) }}.",
	},
	allowedNumbers: {
		label: 'Allowed Numbers',
		untilThen: 'Until then the node sends nothing to anybody.',
	},
};

/** For a list in a tool. */
const NOT_BY_MODEL =
	"A tool reads the list without its input, because the AI model writes that. Use the numbers of an earlier node, such as {{ $('Customers').all().map((row) => row.json.phone) }}.";

/** If the lists of all items have more entries, only the second and the last item are compared with the first. */
const MOST_COMPARED = 200_000;
/** A list that differs by item is likely this short, and compared for every item. */
const SHORT_LIST = 3;

/** Numbers of all items, if their lists are the same. An expression returns them again for each item. */
const MOST_READ = 100_000_000;
/** With Send-Once Keys, each number of each item has a row. */
const MOST_ROWS = 1_000_000;

/** The numbers to skip, and the only numbers to send to. */
export interface NumberLists {
	optOuts?: People;
	allowed?: People;
	/** Warnings about the lists, for the output panel. */
	warnings: string[];
}

/**
 * Resolves to the people in the options 'Skip Numbers' and 'Allowed Numbers', read once a run.
 *
 * @param countryCode of the credential, '' if it has none
 * @param isWrittenByModel whether an AI model writes the input, which must not change the lists
 * @throws InputError if a list cannot be read for certain
 */
export async function readNumberLists(
	context: IExecuteFunctions,
	given: GivenOptions,
	countryCode: string,
	isWrittenByModel: boolean,
): Promise<NumberLists> {
	const code = ownCountryCode(context, given) || countryCode;
	const warnings: string[] = [];
	const read = async (name: ListName) =>
		await readList(context, given, name, code, isWrittenByModel, warnings);
	return { optOuts: await read('skipNumbers'), allowed: await read('allowedNumbers'), warnings };
}

async function readList(
	context: IExecuteFunctions,
	given: GivenOptions,
	name: ListName,
	countryCode: string,
	isWrittenByModel: boolean,
	warnings: string[],
): Promise<People | undefined> {
	if (!given.has(name)) return undefined;
	const option = OPTIONS[name];
	const { label, untilThen } = option;
	const isExpression = given.isExpression(name);
	const items = context.getInputData().length;
	const read = (index: number): unknown => context.getNodeParameter(`options.${name}`, index, null);
	// What a model writes is the item. An item that does not exist keeps it out of the list.
	const index = isWrittenByModel ? items : 0;
	const notByModel = isWrittenByModel && NOT_BY_MODEL;
	const value = guardBy(() => read(index), label, sentences('Correct it.', notByModel, untilThen));
	const people = await parsePeople(value, countryCode, isExpression, {
		...option,
		ifEmpty: notByModel || option.ifEmpty,
		isReadByItem: given.isExpression('defaultCountryCode'),
	});
	if (isExpression) await checkItems(items, read, value, label);
	if (isExpression && people.size === 1) {
		warnings.push(
			`${label}: 1 number. For the numbers of all rows of a node, use {{ $('Name of the node').all().map((row) => row.json.phone) }}.`,
		);
	}
	if (people.size === 0 && name === 'allowedNumbers') {
		warnings.push(`'${label}' is empty, so nobody gets anything.`);
	}
	return people;
}

/**
 * A list is read once a run, with the first item. If it differed by item, its other numbers would be lost silently.
 * Evaluating a long list for many items can take n8n long, so only two more items are checked then.
 *
 * @throws InputError if an item has different numbers than the first
 */
async function checkItems(
	items: number,
	read: (index: number) => unknown,
	first: unknown,
	label: string,
): Promise<void> {
	const entries = entriesOf(first).length;
	const isEach = entries <= SHORT_LIST || entries * items <= MOST_COMPARED;
	const breather = new Breather();
	for (let index = 1; index < items; index++) {
		if (!isEach && index > 1 && index < items - 1) continue;
		if (breather.isDue()) await breather.breathe();
		const own = givenBy(() => read(index));
		if (isNothing(own) || isSameList(own, first)) continue;
		throw new InputError(
			`The option '${label}' has different numbers for item ${index + 1}, counted from 1, than for the first item`,
			'One list applies to all items. Use an expression that returns the numbers of all items, such as {{ $input.all().filter((item) => item.json.optOut).map((item) => item.json.phone) }}.',
		);
	}
}

function isNothing(list: unknown): boolean {
	return Array.isArray(list) ? list.every(isBlank) : isBlank(list);
}

/** Returns whether two lists have the same entries. */
function isSameList(list: unknown, other: unknown): boolean {
	if (typeof list === 'string' && typeof other === 'string') return list === other;
	const [one, two] = [entriesOf(list), entriesOf(other)];
	return (
		one.length === two.length && one.every((entry, at) => toReadable(entry) === toReadable(two[at]))
	);
}

/**
 * Returns a hint if the list of a bulk send with one item is an expression that returns a single number.
 *
 * @throws InputError if it returns the same list for so many items that n8n would not answer for long
 */
export function checkList(context: IExecuteFunctions, given: GivenOptions): string | undefined {
	const { phoneNumbers } = context.getNode().parameters;
	const isExpression = typeof phoneNumbers === 'string' && phoneNumbers.startsWith('=');
	const hasKeys = given.has('sendOnceKey');
	if (phoneNumbers === undefined || !(isExpression || hasKeys)) return undefined;
	const items = context.getInputData().length;
	const read = (index: number) =>
		givenBy(() => context.getNodeParameter('phoneNumbers', index, ''));
	const value = read(0);
	if (items > 1) {
		const numbers = entriesOf(value).length;
		const most = hasKeys ? MOST_ROWS : MOST_READ;
		if (numbers * items <= most || !isSameList(value, read(1))) return undefined;
		throw new InputError(
			`'Phone Numbers' gives the same ${count(numbers, 'number')} for each of ${count(items, 'item')}`,
			"One list is enough. Set 'Recipients From' to 'The Input Items', and 'Phone Number Field' to the field with the number.",
		);
	}
	const isOne = isExpression && !isNothing(value) && entriesOf(value).length === 1;
	return isOne
		? "'Phone Numbers' gives 1 number. To send to all rows of a node, put that node right before this one, and set 'Recipients From' to 'The Input Items'."
		: undefined;
}

/** Returns the country code that the first item sets; a mistake in it is that item's alone. */
export function ownCountryCode(context: IExecuteFunctions, given: GivenOptions): string {
	if (!given.has('defaultCountryCode')) return '';
	try {
		const code: unknown = context.getNodeParameter('options.defaultCountryCode', 0, null);
		return parseCountryCode(code, '');
	} catch {
		return '';
	}
}

/** Returns why a number gets nothing, if it must not get anything. */
export function whySkipped(
	number: PhoneNumber,
	{ optOuts, allowed }: Pick<NumberLists, 'optOuts' | 'allowed'>,
): 'optedOut' | 'unclear' | 'notAllowed' | undefined {
	const match = optOuts?.mayInclude(number) ?? false;
	if (match) return match === true ? 'optedOut' : 'unclear';
	return allowed && !allowed.includes(number) ? 'notAllowed' : undefined;
}

/** The recipients of a list, and the entries that were left out. */
export type ListedRecipients = Pick<Message, 'recipients' | 'refusals'>;

/** How many of the latest lists are remembered. */
const MOST_LISTS = 20;

interface Known {
	value: unknown;
	rules: string;
	recipients: ListedRecipients;
}

/** Reads each list of a run once, because an expression that returns all numbers returns them again for every item. */
export class SameList {
	private readonly known: Known[] = [];

	/**
	 * Resolves to the recipients of a list: the same object for an equal list that is read by equal rules.
	 *
	 * @param read reads the list; an error is not remembered
	 */
	async recipientsOf(
		value: unknown,
		rules: string,
		read: () => Promise<ListedRecipients>,
	): Promise<ListedRecipients> {
		const same = this.known.find((each) => each.rules === rules && isSameList(each.value, value));
		if (same) return same.recipients;
		const recipients = await read();
		this.known.unshift({ value, rules, recipients });
		this.known.length = Math.min(this.known.length, MOST_LISTS);
		return recipients;
	}
}

import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/numbers/phoneNumber';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';
import {
	checkList,
	ownCountryCode,
	readNumberLists,
	SameList,
	whySkipped,
} from '../../../nodes/MessagingGateway/operations/numberLists';
import { inputErrorFrom } from '../../support/rooms';

const fail = () => {
	throw new Error('no path back');
};

/** Reads an option whose expression gives these values, one an item. */
async function read(
	name: string,
	expression: unknown,
	values: unknown[],
	options: object = {},
	ofModel?: unknown,
) {
	const parameters = { options: { [name]: expression, ...options } };
	let evaluated = 0;
	const context = {
		getNode: () => ({ parameters }) as unknown as INode,
		getInputData: () => (ofModel ? [ofModel] : values).map(() => ({ json: {} })),
		getNodeParameter: (asked: string, index: number) => {
			if (asked === 'options.defaultCountryCode') return '60';
			evaluated++;
			const value = (ofModel ? [ofModel, ...values] : values)[index];
			return typeof value === 'function' ? (value as () => unknown)() : value;
		},
	} as unknown as IExecuteFunctions;
	const lists = await readNumberLists(context, new GivenOptions(context), '62', !!ofModel);
	return { ...lists, evaluated: () => evaluated };
}

const LIST = '={{ $json.list }}';
const many = (length: number, odd?: number) =>
	Array.from({ length }, (_, index) => String(6281200000000 + (index === odd ? 7e6 : index)));
const number = (text: string, code = '') => parsePhoneNumber(text, code, 'send');

it('the lists are read with the country code of the options, which goes before that of the credential', async () => {
	const skipped = async (options: object, to: string) => {
		const lists = await read('skipNumbers', '0123456789', ['0123456789'], options);
		return whySkipped(number(to), lists);
	};
	expect(await skipped({ defaultCountryCode: '60' }, '+60123456789')).toBe('optedOut');
	expect(await skipped({}, '+62123456789')).toBe('optedOut');
});

it('opt-outs get nothing, and with Allowed Numbers nobody else gets anything', async () => {
	const { optOuts } = await read('skipNumbers', '', ['081234567890']);
	const { allowed } = await read('allowedNumbers', '', ['081234567890, +34 612 34 56 78']);
	const why = (text: string, lists: Parameters<typeof whySkipped>[1]) =>
		whySkipped(number(text, '62'), lists);
	expect(why('+62 812 3456 7890', { optOuts })).toBe('optedOut');
	expect(why('819012345678', { optOuts })).toBe('unclear');
	expect(why('+34 612 34 56 78', { optOuts })).toBeUndefined();
	expect(why('0034612345678', { allowed })).toBeUndefined();
	expect(why('+34 612 34 56 79', { allowed })).toBe('notAllowed');
	expect(why('081234567890', { allowed, optOuts })).toBe('optedOut');
	expect(why('081234567890', {})).toBeUndefined();
});

it('an empty list of allowed numbers reaches nobody, and a warning says so', async () => {
	for (const [expression, value] of [
		['', ''],
		['={{ [] }}', []],
	]) {
		const lists = await read('allowedNumbers', expression, [value]);
		expect(whySkipped(number('+6281234567890'), lists)).toBe('notAllowed');
		expect(lists.warnings).toEqual(["'Allowed Numbers' is empty, so nobody gets anything."]);
	}
	expect((await read('skipNumbers', '', [''])).warnings).toEqual([]);
});

it('a list that only one item in the middle has otherwise is refused', async () => {
	const lists = [many(5), many(5), many(5, 2), many(5)];
	expect((await inputErrorFrom(read('skipNumbers', LIST, lists))).what).toContain('for item 3');
});

it.each(['skipNumbers', 'allowedNumbers'])(
	'%s: a hint tells of an expression with one number',
	async (name) => {
		const [label] = name === 'skipNumbers' ? ['Skip Numbers'] : ['Allowed Numbers'];
		expect((await read(name, LIST, ['081234567890'])).warnings).toEqual([
			expect.stringMatching(new RegExp(`^${label}: 1 number\\. `)),
		]);
		expect((await read(name, LIST, [many(2)])).warnings).toEqual([]);
		expect((await read(name, 'fixed', ['081234567890'])).warnings).toEqual([]);
	},
);

it.each<[string, unknown[]]>([
	['no other item', ['081234567890']],
	['items with the same text', ['081234567890', '081234567890']],
	['items with the same list', [many(200), many(200)]],
	['items with none', ['081234567890', '', [], [' '], null, fail]],
	['a single number, as a list and as a text', [['081234567890'], '081234567890']],
	['a single number, as a text and as a list', ['081234567890', ['081234567890']]],
	['a number, as a number and as a text', [6281234567890, '6281234567890']],
])('the list of the first item holds for %s', async (_, values) => {
	expect((await read('skipNumbers', LIST, values)).optOuts?.size).toBeGreaterThan(0);
});

it.each<[string, unknown, unknown]>([
	['another number', '081234567890', '081334567890'],
	['a longer list', many(200), many(201)],
	['a shorter list', many(200), [...many(60), ...many(200).slice(-60)]],
	['another number in the middle of a list', many(200), many(200, 99)],
	['another entry that is no list', ['081234567890', '081334567890'], '081234567890'],
	['another first number', many(200), many(200, 0)],
	['another last number', many(200), many(200, 199)],
	['another text, as a list', many(2).join(), many(2, 1)],
])('an item with %s than the first is refused', async (_, first, second) => {
	expect(await inputErrorFrom(read('skipNumbers', LIST, [first, first, second]))).toMatchObject({
		what: "The option 'Skip Numbers' has different numbers for item 3, counted from 1, than for the first item",
		advice: expect.stringMatching(/^One list applies to all items\. /) as string,
	});
});

it.each(['skipNumbers', 'allowedNumbers'])(
	'%s of a tool are read without its item, because a model writes that',
	async (name) => {
		const ofModel = '+6281200009999';
		const lists = await read(name, LIST, ['+34 612 34 56 78'], {}, ofModel);
		const [people] = [lists.optOuts, lists.allowed].filter(Boolean);
		expect([people?.includes(number('+34612345678')), people?.includes(number(ofModel))]).toEqual([
			true,
			false,
		]);
		for (const values of [[], [fail]]) {
			const error = await inputErrorFrom(read(name, LIST, values, {}, ofModel));
			expect(error.advice).toContain('A tool reads the list without its input');
		}
	},
);

it('a long list is asked of three items only, and a fixed one of the first', async () => {
	const times = async (items: number, list: string[], expression = LIST) =>
		(await read('skipNumbers', expression, Array<unknown>(items).fill(list))).evaluated();
	expect(await times(100, many(2_000))).toBe(100);
	expect(await times(100, many(2_001))).toBe(3);
	expect(await times(100_000, many(3))).toBe(100_000);
	expect(await times(100, many(3), 'fixed')).toBe(1);
});

it.each([
	['skipNumbers', 'Skip Numbers', 'nobody who opted out gets a message'],
	['allowedNumbers', 'Allowed Numbers', 'nothing to anybody'],
])('%s that cannot be read stop the run', async (name, label, until) => {
	expect(await inputErrorFrom(read(name, LIST, [fail]))).toMatchObject({
		what: `The expression in the option '${label}' failed: no path back`,
		advice: expect.stringContaining(until) as string,
	});
	expect((await inputErrorFrom(read(name, LIST, [undefined]))).what).toBe(
		`The expression in the option '${label}' returns no number`,
	);
});

it.each<[object, unknown, string]>([
	[{}, '60', ''],
	[{ defaultCountryCode: '+60' }, '+60', '60'],
	[{ defaultCountryCode: 'x' }, 'x', ''],
])('the country code of the options %j is read for the whole run', (options, value, expected) => {
	const context = {
		getNode: () => ({ parameters: { options } }),
		getNodeParameter: () => value,
	} as unknown as IExecuteFunctions;
	expect(ownCountryCode(context, new GivenOptions(context))).toBe(expected);
});

it.each<[unknown, unknown, number, boolean]>([
	['={{ $json.phone }}', '081234567890', 1, true],
	['={{ $json.phone }}', ['081234567890'], 1, true],
	['={{ $json.phone }}', '081234567890, 081234567891', 1, false],
	['={{ $json.phone }}', '', 1, false],
	['={{ $json.phone }}', '081234567890', 2, false],
	['081234567890', '081234567890', 1, false],
])(
	'a hint tells of a bulk list of one number: %j gives %j for %s items',
	(phoneNumbers, value, items, isTold) => {
		const context = {
			getNode: () => ({ parameters: { phoneNumbers } }),
			getInputData: () => Array(items).fill({}),
			getNodeParameter: () => value,
		} as unknown as IExecuteFunctions;
		expect(checkList(context, new GivenOptions(context)) !== undefined).toBe(isTold);
	},
);

describe('a bulk list that an expression returns for every item', () => {
	const check =
		(items: number, listOf: (index: number) => unknown, parameters: object = {}) =>
		() => {
			const whole = { phoneNumbers: '={{ $input.all() }}', ...parameters };
			const context = {
				getNode: () => ({ parameters: whole }),
				getInputData: () => Array(items).fill({}),
				getNodeParameter: (_name: string, index: number) => listOf(index),
			} as unknown as IExecuteFunctions;
			return checkList(context, new GivenOptions(context));
		};
	const list = Array.from({ length: 20_000 }, (_, at) => `6281234${at}`);

	it.each<[string, unknown]>([
		['a list', list],
		['a text', list.join(', ')],
	])('is refused before it keeps n8n busy for long: %s', (_name, value) => {
		expect(check(20_000, () => value)).toThrow(
			expect.objectContaining({
				what: "'Phone Numbers' gives the same 20,000 numbers for each of 20,000 items",
				advice: expect.stringContaining("Set 'Recipients From' to 'The Input Items'") as string,
			}),
		);
		expect(check(5_000, () => value)()).toBeUndefined();
	});

	it.each([
		['a fixed list', 51, { phoneNumbers: 'fixed' }, '={{ $json.id }}', true],
		['a shorter one', 50, { phoneNumbers: 'fixed' }, '={{ $json.id }}', false],
		['an expression', 51, {}, '={{ $json.id }}', true],
		['one key for all', 51, { phoneNumbers: 'fixed' }, 'id', true],
		['another operation', 51, { phoneNumbers: undefined }, '={{ $json.id }}', false],
	])(
		'with a Send-Once Key, %s of %d items is refused earlier',
		(_, items, more, key, isRefused) => {
			const checked = check(items, () => list, { ...more, options: { sendOnceKey: key } });
			if (isRefused) expect(checked).toThrow(/gives the same 20,000 numbers for each of 51 items/);
			else expect(checked()).toBeUndefined();
		},
	);

	it('is read if it differs', () => {
		expect(check(20_000, (index) => [...list, `62${index}`])()).toBeUndefined();
	});
});

it.each<[string, value: unknown, rules: string, isRead: boolean]>([
	['an equal text', 'a, b', 'x', false],
	['an equal list', ['a', 'b'], 'x', false],
	['another text', 'a, c', 'x', true],
	['a text with the letters of a list', 'ab', 'x', true],
	['a list whose text is the same', ['d', 'e,f'], 'x', true],
	['a list that differs in one entry', ['a', 'c'], 'x', true],
	['a longer list', ['a', 'b', 'c'], 'x', true],
	['an equal list with other rules', ['a', 'b'], 'y', true],
])(
	'a list of recipients is read again if it is not the same: %s',
	async (_, value, rules, isRead) => {
		const lists = new SameList();
		const read = async () => await Promise.resolve({ recipients: [], refusals: [] });
		const before = [
			await lists.recipientsOf('a, b', 'x', read),
			await lists.recipientsOf('d,e,f', 'x', read),
			await lists.recipientsOf(['a', 'b'], 'x', read),
		];
		expect(before.includes(await lists.recipientsOf(value, rules, read))).toBe(!isRead);
	},
);

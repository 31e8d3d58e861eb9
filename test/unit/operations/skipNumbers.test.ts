import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';
import {
	ownCountryCode,
	readSkipNumbers,
} from '../../../nodes/MessagingGateway/operations/skipNumbers';
import { inputErrorFrom } from '../../support/rooms';

const fail = () => {
	throw new Error('no path back');
};

/** Reads the option whose expression gives these values, one an item. */
async function read(expression: unknown, values: unknown[], options: object = {}, rows = 3) {
	const parameters = { options: { skipNumbers: expression, ...options } };
	const context = {
		getNode: () => ({ parameters }) as unknown as INode,
		getInputData: () => values.map(() => ({ json: {} })),
		getNodeParameter: (name: string, index: number) => {
			if (name === 'options.defaultCountryCode') return '60';
			if (index >= values.length) throw new Error('There is no such item');
			const value = values[index];
			return typeof value === 'function' ? (value as () => unknown)() : value;
		},
		getWorkflowDataProxy: () => ({
			$: (node: string) => (node === 'Gone' ? fail() : { all: () => Array(rows).fill({}) }),
		}),
	} as unknown as IExecuteFunctions;
	return await readSkipNumbers(context, new GivenOptions(context), '62');
}

const LIST = '={{ $json.list }}';
const IF = "={{ $json.a ? ['0812345678'] : [] }}";
const many = (length: number, odd?: number) =>
	Array.from({ length }, (_, index) => String(6281000000 + (index === odd ? 7e6 : index)));

it('the numbers to skip are read with the country code of the options and that of the credential', async () => {
	const { optOuts } = await read('0812345678', ['0812345678'], { defaultCountryCode: '60' });
	expect([...optOuts.readings]).toEqual(
		expect.arrayContaining(['0812345678', '60812345678', '62812345678']),
	);
	const { optOuts: others } = await read('0812345678', ['0812345678']);
	expect(others.readings).not.toContain('60812345678');
});

it.each<[string, string | undefined]>([
	[
		'={{ $json.phone }}',
		'the input has 2 items. To skip the numbers of all of them, use {{ $input.all().map(i => i.json.phone) }}',
	],
	[
		"={{ $('List').item.json.phone }}",
		"“List” has 1,200 items. To skip the numbers of all of them, use {{ $('List').all().map(i => i.json.phone) }}",
	],
	["={{ $('Gone').item.json.phone }}", undefined],
	['={{ f() }}', undefined],
	['0812345678', undefined],
])('one number to skip, of %s, is told of if there are several items', async (expression, told) => {
	const { warnings } = await read(expression, ['0812345678', '0812345678'], {}, 1200);
	expect(warnings).toEqual(
		told === undefined ? [] : [`'Skip Numbers' holds the number of one item only, but ${told}`],
	);
});

it.each<[string, unknown, unknown[]]>([
	['no other item', IF, ['0812345678']],
	['items with the same text', IF, ['0812345678', '0812345678']],
	['items with the same list', IF, [many(200), many(200)]],
	['items with none', IF, ['0812345678', '', [], [' '], null, fail]],
	[
		'other numbers, of an expression that is the same for all',
		'={{ f() }}',
		['0812345678', '0813'],
	],
	['other numbers, of a dragged field', "={{ $json['a || b'] }}", ['0812345678', '0813345678']],
	['a single number, as a list and as a text', IF, [['0812345678'], '0812345678']],
])('the list of the first item holds for %s', async (_, expression, values) => {
	expect((await read(expression, values)).optOuts.readings.size).toBeGreaterThan(0);
});

it.each<[string, unknown, unknown]>([
	['another number', '0812345678', '0813345678'],
	['a longer list', many(200), many(201)],
	['another first number', many(200), many(200, 0)],
	['another last number', many(200), many(200, 199)],
	['another list, as a text', many(2), many(2, 1).join()],
	['another text, as a list', many(2).join(), many(2, 1)],
])('an item with %s to skip than the first is refused', async (_, first, second) => {
	expect(await inputErrorFrom(read(IF, [first, first, second]))).toMatchObject({
		parameter: 'options.skipNumbers',
		what: "The option 'Skip Numbers' gives other numbers for item 3, counted from 1, than for the first",
		advice:
			'One list holds for all items. Use an expression that gives the numbers of all, such as {{ $input.all().filter((item) => item.json.optOut).map((item) => item.json.phone) }}.',
	});
});

it.each([
	['={{ f() }}', 'Correct it.'],
	['fixed', 'Correct it.'],
	[LIST, 'To skip the numbers of all items, use {{ $input.all().map(i => i.json.list) }}'],
])('numbers to skip that cannot be read, of %s, stop the run', async (expression, advice) => {
	expect(await inputErrorFrom(read(expression, [fail]))).toMatchObject({
		parameter: 'options.skipNumbers',
		what: "The expression in the option 'Skip Numbers' failed: no path back",
		advice,
	});
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

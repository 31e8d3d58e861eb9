import type { IExecuteFunctions } from 'n8n-workflow';
import { TextHoles } from '../../../nodes/MessagingGateway/operations/textHoles';

/** Looks at the texts of these items, and counts how often n8n is asked for a value. */
async function look(
	parameter: string,
	items: object[],
	{ isDryRun = true, value = (_: string, item: object): unknown => item } = {},
) {
	let evaluations = 0;
	const context = {
		getInputData: () => items.map((json) => ({ json })),
		evaluateExpression: (code: string, index: number) => {
			evaluations++;
			return value(code.slice(3, -3), items[index] as object);
		},
	} as unknown as IExecuteFunctions;
	const holes = new TextHoles(context, 'text', parameter, isDryRun);
	return {
		holes,
		evaluations: () => evaluations,
		look: (texts: unknown[]) => texts.forEach((text, index) => holes.look(index, text)),
		report: async () => await holes.report(),
	};
}

const NAMES = [{ name: 'Ana' }, { name: '' }, { name: 'Ben' }, {}];

it('A field that is empty in some items is counted, with the first of them', async () => {
	const run = await look('=Hi {{ $json.name }}!', NAMES);
	run.look(['Hi Ana!', 'Hi !', 'Hi Ben!', 'Hi !']);
	expect(await run.report()).toEqual([
		expect.objectContaining({ code: '$json.name', kind: 'empty', count: 2, items: [1, 3], of: 4 }),
	]);
	expect([0, 1, 2, 3].map((item) => run.holes.ofItem(item))).toEqual([
		undefined,
		'$json.name',
		undefined,
		'$json.name',
	]);
	expect(run.evaluations()).toBe(0);
});

it.each<[string, object[], object | undefined]>([
	['$json.nme', NAMES, { field: 'nme', nearest: 'name', fields: ['name'], isOfItems: true }],
	['$json.name', [{ name: '' }, {}], undefined],
	[
		'$json.customer.nme',
		[{}, { customer: { name: 'Ana' } }],
		{ field: 'customer.nme', nearest: 'name', fields: ['name'], isOfItems: true },
	],
	[
		'$json.custmer.name',
		[{ customer: { name: 'Ana' } }],
		{ field: 'custmer', nearest: 'customer', fields: ['customer'], isOfItems: true },
	],
	['$json.a', [{}, {}], { field: 'a', fields: [], isOfItems: true }],
	['$json.a.b', [{ a: [1] }, { a: null }], { field: 'a.b', fields: [], isOfItems: true }],
])('%s names the field that is missing everywhere', async (code, items, missing) => {
	const run = await look(`=Hi {{ ${code} }}!`, items);
	run.look(items.map(() => 'Hi !'));
	expect((await run.report())[0]?.missing).toEqual(missing);
});

it('Any other code is evaluated only if the text reads as if it had given nothing', async () => {
	const code = '$json.name.trim()';
	const value = (_: string, { name }: { name?: string }) => name?.trim();
	const run = await look(`=Hi {{ ${code} }}! {{ $json.name }}`, NAMES, { value });
	run.look(['Hi Ana! Ana', 'Hi ! ', 'Hi Ben! Ben', 'Hi ! ']);
	expect(run.evaluations()).toBe(2);
	expect((await run.report())[0]).toMatchObject({ code, count: 2, items: [1, 3] });
});

it.each<[string, string, number]>([
	['=Hi {{ f() }}', 'Hi ', 1],
	['=Hi {{ f() }}', 'Hi Ana', 0],
	['={{ f() }}, hi', ', hi', 1],
	['={{ f() }}, hi', 'Ana, hi', 0],
	['={{ f() }}', '', 1],
	['={{ f() }}', 'Ana', 0],
	['=a {{ f() }} b {{ g() }} c', 'a  b x c', 1],
	['=a {{ f() }} b {{ g() }} c', 'a x b y c', 0],
	['={{ f() }}', 'Hi undefined', 1],
	['=a {{ f() }} b {{ g() }} c', 'so a  b x c', 0],
	['=a {{ f() }} b {{ g() }} c', 'a x b  c, so', 0],
	['=a {{ f() }} b {{ g() }} c {{ h() }} d', 'a x b  c y d', 1],
])('For %j and the text %j n8n is asked %i times', async (parameter, text, times) => {
	const run = await look(parameter, [{}], { value: () => 'Ana' });
	run.look([text]);
	expect(run.evaluations()).toBe(times);
});

it('Code that is the same for all items is evaluated once', async () => {
	const code = "$('Form').first().json.txt";
	const fields = { text: 'Hi' };
	const value = (asked: string) => (asked === "$('Form').first().json" ? fields : undefined);
	const run = await look(`=Hi {{ ${code} }}!`, [{}, {}, {}], { value });
	run.look(['Hi !', 'Hi !', 'Hi !']);
	expect(run.evaluations()).toBe(1);
	const [report] = await run.report();
	expect(report).toMatchObject({ count: 3, of: 3 });
	const missing = { field: 'txt', nearest: 'text', fields: ['text'], isOfItems: false };
	expect(report?.missing).toEqual(missing);
});

it('Code that fails gives nothing, as n8n leaves it out of the text', async () => {
	const value = () => {
		throw new Error('no');
	};
	const run = await look("=Hi {{ $('List').item.json.name }}!", [{}], { value });
	run.look(['Hi !']);
	expect(await run.report()).toMatchObject([{ kind: 'empty', missing: undefined }]);
});

it('An object is named with its fields, a word with itself', async () => {
	const run = await look('={{ $json.who }} {{ "a" + $json.b }}', [{ who: { name: 'Ana' } }], {
		value: () => 'aundefined undefined',
	});
	run.look(['[object Object] aundefined undefined']);
	expect(await run.report()).toMatchObject([
		{ kind: 'object', fields: ['name'], word: undefined, missing: undefined },
		{ kind: 'word', fields: [], word: 'undefined', missing: undefined },
	]);
});

it('Code that may be empty on purpose makes no row look wrong', async () => {
	const run = await look("=Hi {{ $json.name ?? '' }}!", [{}], { value: () => '' });
	run.look(['Hi !']);
	expect(await run.report()).toMatchObject([{ isOnPurpose: true }]);
	expect(run.holes.ofItem(0)).toBeUndefined();
});

it('A run that sends looks at its first 20 items only', async () => {
	const run = await look('=Hi {{ $json.name }}!', Array(30).fill({}), { isDryRun: false });
	run.look(Array(30).fill('Hi !'));
	expect(await run.report()).toMatchObject([{ count: 20, of: 20, isPart: true }]);
});

it('Of very many texts, not all are evaluated, and the count is a minimum', async () => {
	const run = await look('=Hi {{ f() }}!', Array(10_000).fill({}), { value: () => undefined });
	run.look(Array(10_000).fill('Hi !'));
	expect(run.evaluations()).toBe(1_200);
	expect(await run.report()).toMatchObject([{ count: 1_200, of: 10_000, isAtLeast: true }]);
});

it('A text without code has no holes', async () => {
	const run = await look('Hi {{ $json.name }}!', [{}]);
	run.look(['Hi {{ $json.name }}!']);
	expect(await run.report()).toEqual([]);
});

it.each<[string, object | undefined]>([
	[
		'$json["full name"].nme.trim()',
		{ field: 'nme', nearest: 'name', fields: ['name'], isOfItems: false },
	],
	['$json["full name"].name.trim()', undefined],
	[
		"$('Form').first().json.nme.trim()",
		{ field: 'nme', nearest: 'name', fields: ['name'], isOfItems: false },
	],
	["$('Form').first().jsn.name", undefined],
])(
	'%s, which gives nothing in all items, names the field that is missing in what it asks',
	async (code, missing) => {
		const value = (asked: string) => {
			if (asked.endsWith('.json') || asked.endsWith(']')) return { name: '' };
			return asked === '$json'
				? { 'full name': { name: '' } }
				: asked.endsWith(')') && !asked.endsWith('trim()')
					? { pairedItem: 0 }
					: undefined;
		};
		const run = await look(`=Hi {{ ${code} }}!`, [{}], { value });
		run.look(['Hi !']);
		expect((await run.report())[0]?.missing).toEqual(missing);
	},
);

it('Code that gives nothing in some items only has no field that is missing', async () => {
	const value = (asked: string) => (asked === '$json' ? {} : undefined);
	const run = await look('=Hi {{ $json.nme.trim() }}!', [{}, {}], { value });
	run.look(['Hi !', 'Hi Ana!']);
	expect((await run.report())[0]).toMatchObject({ count: 1, missing: undefined });
});

it('Of many items and fields, the first 3 items and 200 fields are named', async () => {
	const wide = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}`, 1]));
	const value = (asked: string) => (asked === '$json' ? wide : undefined);
	const run = await look('={{ $json.x }}{{ $json.y.trim() }}', Array(4).fill(wide), { value });
	run.look(Array(4).fill(''));
	const reports = await run.report();
	expect(reports.map(({ items, isPart }) => ({ items, isPart }))).toEqual(
		Array(2).fill({ items: [0, 1, 2], isPart: false }),
	);
	expect(reports.map(({ missing }) => missing?.fields.length)).toEqual([200, 200]);
});

it('What was looked at is no part if it is all of 20 items, or all that a dry run has come to', async () => {
	const items = Array(20).fill({});
	const run = await look('=Hi {{ $json.name }}!', items, { isDryRun: false });
	run.look(Array(20).fill('Hi !'));
	expect(await run.report()).toMatchObject([{ of: 20, isPart: false }]);
	const stopped = await look('=Hi {{ $json.name }}!', items);
	stopped.look(['Hi !']);
	expect(await stopped.report()).toMatchObject([{ of: 1, isPart: false }]);
});

/** A dry run names the holes in its texts. */
import {
	bulk,
	errorOf,
	file,
	jsonOf,
	numberOf,
	text,
	useHarness,
	withFile,
	withJson,
} from '../support/harness';

const harness = useHarness();
const items = withJson(
	{ phone: numberOf(1), name: 'Ana', address: { city: 'Malang' }, day: 'Monday' },
	{ phone: numberOf(2), address: { city: 'Batu' }, word: '[object Object]' },
);
const parameters = {
	phoneNumber: '={{ $json.phone }}',
	message:
		"=Hi {{ $json.nme }}, {{ $('Items').item.json.name }}, {{ $json.title ? 'Dr.' : '' }}, {{ $json.address }}, {{ $json.address.city }}, {{ 'on ' + $json.day }}!",
};
const dryRun = { options: { dryRun: true } };

/** Returns the hints on holes. */
async function holesIn(given: Parameters<typeof harness.run>[0], more: object = { items }) {
	const { hints } = await harness.run(given, more);
	return hints.filter(({ message }) => message.startsWith('In '));
}

it.each([
	['a dry run', text({ ...parameters, ...dryRun })],
	['a test', text({ ...parameters, options: { testNumber: numberOf(3) } })],
	['a dry run in bulk', bulk({ ...parameters, recipientSource: 'items', ...dryRun })],
])(
	'%s names the paths that are empty or an object, and the words for a missing value',
	async (_, given) => {
		const holes = await holesIn(given);
		expect(holes.map(({ type, message }) => [type, message])).toEqual(
			[
				'In all 2 texts “{{ $json.nme }}” is empty. No item has a field “nme”: did you mean “name”?',
				'In all 2 texts “{{ $json.address }}” is an object, not text. Choose one of its fields: city.',
				"In 1 of 2 texts “{{ $('Items').item.json.name }}” is empty: item 2, counted from 1. Use a Filter node before this one to leave such items out.",
			].map((message) => ['warning', message]),
		);
	},
);

it('A fixed text is sent as it is, and has no holes', async () => {
	const fixed = text({ ...parameters, ...dryRun, message: '- {{ $name }}, hi' });
	expect(await holesIn(fixed)).toEqual([]);
});

it('A run that sends looks for no holes', async () => {
	expect(await holesIn(text(parameters))).toEqual([]);
});

it.each([
	["{{ 'on ' + $json.day }}", 'undefined'],
	["{{ 'No. ' + $json.day * 2 }}", 'NaN'],
	["{{ 'on ' + $json.address }}", '[object Object]'],
	['{{ $json.word }}', '[object Object]'],
])(
	'The words that n8n writes for nothing are named, but not those of the person: %s',
	async (code, word) => {
		const given = (message: string) => text({ ...parameters, ...dryRun, message: `=${message}` });
		const [hole] = await holesIn(given(`Day ${code}`), { items: [items[1]] });
		expect(hole?.message).toBe(`In the text “${word}” appears instead of a value.`);
		expect(await holesIn(given(`${word} or ${code}`), { items: [items[1]] })).toEqual([]);
	},
);

it('Many items are counted, and the first of them named', async () => {
	const names = ['Ana', '', null, ' \u200B', 0, undefined, '\n', [], 'undefined', false];
	const given = text({ ...parameters, ...dryRun, message: '=Hi {{ $json.name }}' });
	const [hole, ...more] = await holesIn(given, {
		items: withJson(
			...names.map((name) => ({ phone: numberOf(1), ...(name !== undefined && { name }) })),
		),
	});
	expect(hole?.message).toContain(
		'In 5 of 10 texts “{{ $json.name }}” is empty: items 2, 3, 4 and 2 more',
	);
	expect(more.map(({ message }) => message)).toEqual([
		expect.stringContaining('In 1 of 10 texts “undefined”'),
	]);
});

it.each([
	['$json.customer.nme', 'No item has a field “customer.nme”: did you mean “name”?'],
	['$json.custmer.name', 'No item has a field “custmer”: did you mean “customer”?'],
	['$json.First_Name', 'No item has a field “First_Name”: did you mean “firstName”?'],
	[
		'$json.total',
		'No item has a field “total”. The fields are: phone, customer, firstName, a, b, c and more.',
	],
	['$json.a.b', 'No item has a field “a.b”.'],
	['$json.few.h', 'No item has a field “few.h”. The fields are: aa, bb, cc, dd, ee, ff.'],
	['$json.none', 'is empty.'],
	[`$json?.customer?.["nme"]`, 'No item has a field “customer.nme”: did you mean “name”?'],
	["$json['a'][0].b", 'No item has a field “a.0”.'],
	['$json.word.b', 'No item has a field “word.b”.'],
	['$json.none.b', 'No item has a field “none.b”.'],
	['$json.list.b', 'No item has a field “list.b”.'],
	["$json['full name']", 'No item has a field “full name”: did you mean “fullName”?'],
	['$json["full name"]', 'No item has a field “full name”: did you mean “fullName”?'],
	['$json.orderID', 'No item has a field “orderID”: did you mean “order_id”?'],
	['$json.customrsNme', 'No item has a field “customrsNme”: did you mean “customersName”?'],
])('The field that %s means is named', async (code, words) => {
	const json = {
		...{ customer: { name: 'Ana' }, firstName: 'A', a: 1, b: 2, c: 3, d: 4, none: null },
		...{ word: 'abc', list: ['x'], fullName: 'A B', customersNames: 'C', customersName: 'D' },
		...{ order_id: 7, few: { aa: 1, bb: 2, cc: 3, dd: 4, ee: 5, ff: 6 } },
	};
	const given = text({ ...parameters, ...dryRun, message: `=Hi {{ ${code} }}` });
	const [hole] = await holesIn(given, { items: withJson({ phone: numberOf(1), ...json }) });
	expect(hole?.message.endsWith(words)).toBe(true);
});

it.each([
	['of up to 60 characters', 'n'.repeat(59), 'n'.repeat(60), true],
	['of more', 'n'.repeat(60), 'n'.repeat(61), false],
	['meant by a longer one', 'n'.repeat(61), 'n'.repeat(60), false],
])('A field %s is suggested, or not', async (_, entered, meant, isNamed) => {
	const given = text({ ...parameters, ...dryRun, message: `=Hi {{ $json.${entered} }}` });
	const json = { phone: numberOf(1), [meant]: 'Ana' };
	const [hole] = await holesIn(given, { items: withJson(json) });
	expect(hole?.message.includes('did you mean')).toBe(isNamed);
});

it.each([
	[199, true],
	[200, false],
])('After %d other fields, one that is meant is found: %j', async (others, isNamed) => {
	const given = text({ phoneNumber: numberOf(1), ...dryRun, message: '=Hi {{ $json.nme }}' });
	const other = Array.from({ length: others }, (_, n) => [`field${n}`, n]);
	const json = { ...(Object.fromEntries(other) as object), name: 'Ana' };
	const [hole] = await holesIn(given, { items: withJson(json) });
	expect(hole?.message.includes('did you mean “name”')).toBe(isNamed);
});

it('Nobody is told to leave out the items that have an object', async () => {
	const given = text({ ...parameters, ...dryRun, message: '=Hi {{ $json.word }}' });
	const words = [{ a: 1 }, 'b'];
	const [hole] = await holesIn(given, {
		items: withJson(...words.map((word) => ({ phone: numberOf(1), word }))),
	});
	expect(hole?.message).toBe(
		'In 1 of 2 texts “{{ $json.word }}” is an object, not text: item 1, counted from 1. Choose one of its fields: a.',
	);
});

it('A list of texts is no hole, but a list of objects is', async () => {
	const given = text({
		...parameters,
		...dryRun,
		message: '=Hi {{ $json.tags }} {{ $json.rows }}',
	});
	const json = { phone: numberOf(1), tags: ['a', 'b'], rows: [{ a: 1 }] };
	expect((await holesIn(given, { items: withJson(json) })).map(({ message }) => message)).toEqual([
		'In the text “{{ $json.rows }}” is an object, not text.',
	]);
});

it('A row shows the text as it would go out, and where to look for a hole', async () => {
	const run = await harness.run(text({ ...parameters, ...dryRun }), { items });
	expect(jsonOf(run)[1]).toEqual({
		to: numberOf(2),
		status: 'ready',
		message: 'Nothing was queued. Check the text: “{{ $json.nme }}” is empty.',
		text: 'Hi , , , [object Object], Batu, on undefined!',
	});
});

it('A caption that is empty altogether is told in a hint, too', async () => {
	const image = file('image', 'send', { caption: '={{ $json.caption }}', ...dryRun });
	const run = await harness.run(image, {
		items: [{ ...withFile('photo.jpg'), json: { Caption: 'Hi' } }],
	});
	expect(run.hints.map(({ message }) => message)).toEqual([
		expect.stringContaining('Dry run'),
		'In the caption “{{ $json.caption }}” is empty. No item has a field “caption”: did you mean “Caption”?',
	]);
});

it('A file name of which a part is missing is told, as the recipient sees it', async () => {
	const options = { fileName: '=Invoice {{ $json.nr }}.pdf', dryRun: true };
	const run = await harness.run(file('document', 'send', { options }), {
		items: [{ ...withFile('document.pdf'), json: { number: 7 } }],
	});
	expect(run.hints.map(({ message }) => message)).toEqual([
		expect.stringContaining('Dry run'),
		'In the file name “{{ $json.nr }}” is empty. No item has a field “nr”. The fields are: number.',
	]);
});

it.each([
	['=order-{{ $json.ordr }}', 'order-', 'Check “{{ $json.ordr }}” in it: it returns neither'],
	['=of-{{ $json.of }}', 'of-[object Object]', 'Check “{{ $json.of }}” in it: it returns'],
	['={{ $json.order }}{{ $json.ordr }}', '1', 'Check “{{ $json.ordr }}” in it: it returns neither'],
	[
		'={{ "nr-" + $json.ordr }}',
		'nr-undefined',
		'Check its expression “={{ "nr-" + $json.ordr }}”: “undefined” appears where a value is missing.',
	],
])(
	'A Send-Once Key of which a part is missing refuses its item: %s',
	async (sendOnceKey, key, advice) => {
		const items = withJson({ order: 1, of: { a: 1 } }, { order: 2, ordr: 2, of: 3 });
		const run = await harness.run(text({ message: 'Halo', options: { sendOnceKey } }), {
			items,
			node: { onError: 'continueRegularOutput' },
		});
		expect(errorOf(run)).toMatchObject({
			message: `A part of the 'Send-Once Key' is missing for this item: it would be “${key}”.`,
			description: expect.stringContaining(advice) as string,
		});
		expect(harness.texts).toEqual(['Halo']);
	},
);

it.each([
	['text', text({ message: 'Hi {{ $json.name }}!' }), 'The message would go out with'],
	[
		'list',
		bulk({ phoneNumbers: numberOf(1), message: 'Hi {{ $json.name }}!' }),
		'The message would go out with',
	],
	['caption', file('image', 'send', { caption: 'For {{ $json.name }}' }), 'The caption would go'],
])(
	'A %s with code that n8n does not fill in, because its field is Fixed, is refused',
	async (_, given, what) => {
		const run = await harness.run(given, { items: [{ ...items[0], ...withFile('photo.jpg') }] });
		expect(run.error?.message).toContain(what);
		expect(run.error?.message).toContain('“{{ $json.name }}”');
		expect(harness.requestCount).toBe(0);
	},
);

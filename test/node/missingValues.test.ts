/** A run names what is missing in its texts. */
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

/** Returns the hints on missing values. */
async function missingIn(given: Parameters<typeof harness.run>[0], more: object = { items }) {
	const { hints } = await harness.run(given, more);
	return hints.filter(({ message }) => message.startsWith('In '));
}

it.each([
	['a run that sends', text(parameters)],
	['a dry run', text({ ...parameters, ...dryRun })],
	['a test', text({ ...parameters, options: { testNumber: numberOf(3) } })],
	['a dry run in bulk', bulk({ ...parameters, recipientSource: 'items', ...dryRun })],
])(
	'%s names the paths that are empty or an object, and the words for a missing value',
	async (_, given) => {
		const holes = await missingIn(given);
		expect(holes.map(({ type, message }) => [type, message])).toEqual(
			[
				'In all 2 texts “{{ $json.nme }}” is empty. No item has a field “nme”. The fields are: phone, name, address, day, word.',
				'In all 2 texts “{{ $json.address }}” is an object, not text. Choose one of its fields: city.',
				"In 1 of 2 texts “{{ $('Items').item.json.name }}” is empty: item 2, counted from 1. Use a Filter node before this one to leave such items out.",
			].map((message) => ['warning', message]),
		);
	},
);

it('A fixed text is sent as it is, and has no holes', async () => {
	const fixed = text({ ...parameters, ...dryRun, message: '- {{ $name }}, hi' });
	expect(await missingIn(fixed)).toEqual([]);
});

it('A run that sends warns, and sends', async () => {
	await missingIn(text({ ...parameters, message: '=Hola {{ $json.Nombre }}' }));
	expect(harness.texts).toEqual(['Hola ', 'Hola ']);
});

it('Code that fails or gives nothing is named as a field is', async () => {
	const codes = ['$json.Name.trim()', '$json.address.zip?.toUpperCase()', '$json.phone * "x"'];
	const message = `=${codes.map((code) => `{{ ${code} }}`).join()} {{ $json.day || '' }}`;
	const found = await missingIn(text({ ...parameters, message }));
	expect(found.map(({ message: words }) => words)).toEqual(
		codes.map((code) => `In all 2 texts “{{ ${code} }}” is empty.`),
	);
});

it.each([
	['$now', ".toFormat('dd LLL yyyy')"],
	['new Date()', ".toDateTime().toFormat('dd LLL yyyy')"],
])('A date in a text is named: %s', async (code, call) => {
	const [date] = await missingIn(text({ ...parameters, message: `=Until {{ ${code} }}` }));
	expect(date?.message).toBe(`In all 2 texts “{{ ${code} }}” is a date: add ${call} to it.`);
});

it.each([
	[
		'Hi {{ $json.name }}, {{name}}',
		'In the text “{{ $json.name }}” goes out as it is. n8n fills in expressions of this field only, not those in its data.',
	],
	[
		'Hi\\nAna',
		'In the text “\\n” goes out as two characters. For a new line, press Enter in the field.',
	],
])(
	'Only a dry run names code, and typed line breaks, in a text that came so: %s',
	async (came, what) => {
		const given = { ...parameters, message: '={{ $json.text }}' };
		const with1 = { items: withJson({ phone: numberOf(1), text: came }) };
		const found = await missingIn(text({ ...given, ...dryRun }), with1);
		expect(found.map(({ message }) => message)).toEqual([what]);
		expect(await missingIn(text(given), with1)).toEqual([]);
		expect(harness.texts).toEqual([came]);
	},
);

it('A text goes out without control characters', async () => {
	const json = { phone: numberOf(1), text: 'a\u0000\u001Fb\r\nc\td\u0085' };
	await harness.run(text({ ...parameters, message: '={{ $json.text }}' }), {
		items: withJson(json),
	});
	expect(harness.texts).toEqual(['ab\nc\td']);
});

it.each([
	["{{ 'on ' + $json.day }}", 'undefined'],
	["{{ 'No. ' + $json.day * 2 }}", 'NaN'],
	["{{ 'on ' + $json.address }}", '[object Object]'],
	['{{ $json.word }}', '[object Object]'],
])(
	'The words that n8n writes in place of a value are named, but not those of the person: %s',
	async (code, word) => {
		const given = (message: string) => text({ ...parameters, ...dryRun, message: `=${message}` });
		const [hole] = await missingIn(given(`Day ${code}`), { items: [items[1]] });
		expect(hole?.message).toBe(`In the text “${word}” appears instead of a value.`);
		expect(await missingIn(given(`${word} or ${code}`), { items: [items[1]] })).toEqual([]);
	},
);

it('Many items are counted, and the first of them named', async () => {
	const names = ['Ana', '', null, ' \u200B', 0, undefined, '\n', [], 'undefined', false];
	const given = text({ ...parameters, ...dryRun, message: '=Hi {{ $json.name }}' });
	const [hole, ...more] = await missingIn(given, {
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
	['$json.customer.nme', 'No item has a field “customer.nme”. The fields are: name.'],
	['$json.custmer.name', 'No item has a field “custmer”. The fields are: '],
	[`$json?.customer?.["nme"]`, 'No item has a field “customer.nme”. The fields are: name.'],
	['$json.a.b', 'No item has a field “a.b”.'],
	['$json.none', 'is empty.'],
	["$json['a'][0].b", 'No item has a field “a.0”.'],
	['$json.list.b', 'No item has a field “list.b”.'],
	[
		'$json["full name"]',
		'No item has a field “full name”. The fields are: phone, customer, a, none, list, full name (with U+FEFF in front), c0,',
	],
])('The field that %s means is named', async (code, words) => {
	const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`c${n}`, n]));
	const json = { customer: { name: 'Ana' }, a: 1, none: null, list: ['x'], '\uFEFFfull name': 1 };
	const given = text({ ...parameters, ...dryRun, message: `=Hi {{ ${code} }}` });
	const [missing] = await missingIn(given, {
		items: withJson({ phone: numberOf(1), ...json, ...many }),
	});
	expect(missing?.message).toContain(words);
});

it('Nobody is told to leave out the items that have an object', async () => {
	const given = text({ ...parameters, ...dryRun, message: '=Hi {{ $json.word }}' });
	const words = [{ a: 1 }, 'b'];
	const [hole] = await missingIn(given, {
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
	expect((await missingIn(given, { items: withJson(json) })).map(({ message }) => message)).toEqual(
		['In the text “{{ $json.rows }}” is an object, not text.'],
	);
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
		'In the caption “{{ $json.caption }}” is empty. No item has a field “caption”. The fields are: Caption.',
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

const option = (name: string, value: string) => text({ message: 'Hi', options: { [name]: value } });

it.each([
	['text', text({ message: 'Hi {{ $json.name }}!' }), 'The message would go out with'],
	[
		'list',
		bulk({ phoneNumbers: numberOf(1), message: 'Hi {{ $json.name }}!' }),
		'The message would go out with',
	],
	['caption', file('image', 'send', { caption: 'For {{ $json.name }}' }), 'The caption would go'],
	[
		'group',
		file('image', 'sendToGroup', { groupId: '{{ $json.name }}' }),
		'The chat group ID contains',
	],
	['key', option('sendOnceKey', 'a-{{ $json.name }}'), 'The Send-Once Key contains'],
	['device', option('deviceId', '{{ $json.name }}'), 'The device ID contains'],
	[
		'file name',
		file('document', 'send', { options: { fileName: '{{ $json.name }}.pdf' } }),
		'The file name contains',
	],
])(
	'A %s with code that n8n does not fill in, because its field is Fixed, is refused',
	async (_, given, what) => {
		const run = await harness.run(given, { items: [{ ...items[0], ...withFile('photo.jpg') }] });
		expect(run.error?.message).toContain(what);
		expect(run.error?.message).toContain('“{{ $json.name }}”');
		expect(harness.requestCount).toBe(0);
	},
);

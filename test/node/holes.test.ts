/** Pieces of code in a text that give nothing are told, before and after it goes out. */
import {
	bulk,
	file,
	jsonOf,
	numberOf,
	text,
	useHarness,
	withFile,
	withJson,
} from '../support/harness';

const harness = useHarness();
const CODES = [
	'{{ $json.nme }}',
	"{{ $('Items').item.json.name.toUpperCase() }}",
	"{{ $json.title ? $json.title + ' ' : '' }}",
	'{{ $json.address }}',
	"{{ 'on ' + $json.day }}",
];
const items = withJson(
	{ phone: numberOf(1), name: 'Ana', address: { city: 'Malang' }, day: 'Monday' },
	{ phone: numberOf(2), address: { city: 'Batu' } },
);
const parameters = { phoneNumber: '={{ $json.phone }}', message: `=Hi ${CODES.join(', ')}!` };
const TOLD = [
	[
		'warning',
		'In all 2 texts “{{ $json.nme }}” is empty. No item has a field “nme”: did you mean “name”?',
	],
	[
		'warning',
		`In 1 of 2 texts “${CODES[1]}” is empty: item 2, counted from 1. A Filter node before this one can leave such items out.`,
	],
	[undefined, `In all 2 texts “${CODES[2]}” is empty, as its code allows.`],
	[
		'warning',
		'In all 2 texts “{{ $json.address }}” is an object, not text. Choose one of its fields: city.',
	],
	['warning', `In 1 of 2 texts “${CODES[4]}” gives “undefined”: item 2, counted from 1.`],
];

it.each([
	['a dry run', text({ ...parameters, options: { dryRun: true } })],
	['a run', text(parameters)],
	[
		'a dry run in bulk',
		bulk({ ...parameters, recipientSource: 'items', options: { dryRun: true } }),
	],
])('After %s, a hint says which code gives no words, in how many texts', async (_, given) => {
	const run = await harness.run(given, { items });
	const told = run.hints.map(({ type, message }) => [type, message]);
	expect(told.filter(([, message]) => message?.startsWith('In '))).toEqual(TOLD);
});

it('A row shows the text as it would go out, and where to look for what is missing', async () => {
	const run = await harness.run(text({ ...parameters, options: { dryRun: true } }), { items });
	expect(jsonOf(run)[1]).toEqual({
		to: numberOf(2),
		status: 'ready',
		message: 'Look at its text: “{{ $json.nme }}” gives no words.',
		text: 'Hi , , , [object Object], on undefined!',
	});
});

it('A caption that is empty altogether is told in a hint, too', async () => {
	const image = file('image', 'send', { caption: '={{ $json.caption }}' });
	const run = await harness.run(image, {
		items: [{ ...withFile('photo.jpg'), json: { Caption: 'Hi' } }],
	});
	expect(run.hints.map(({ message }) => message)).toEqual([
		'In the caption “{{ $json.caption }}” is empty. No item has a field “caption”: did you mean “Caption”?',
	]);
});

it('A file name of which a part is missing is told, as the recipient sees it', async () => {
	const options = { fileName: '=Invoice {{ $json.nr }}.pdf' };
	const run = await harness.run(file('document', 'send', { options }), {
		items: [{ ...withFile('document.pdf'), json: { number: 7 } }],
	});
	expect(run.hints.map(({ message }) => message)).toEqual([
		'In the file name “{{ $json.nr }}” is empty. No item has a field “nr”. The fields are: number.',
	]);
});

it('A Send-Once Key of which a part is missing refuses its item', async () => {
	const options = { sendOnceKey: '=order-{{ $json.ordr }}' };
	const items = withJson({ order: 1 }, { order: 2, ordr: 2 });
	const run = await harness.run(text({ message: 'Halo', options }), {
		items,
		node: { onError: 'continueRegularOutput' },
	});
	expect(JSON.stringify(jsonOf(run)[0])).toContain('it would be “order-”');
	expect(harness.texts).toEqual(['Halo']);
});

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

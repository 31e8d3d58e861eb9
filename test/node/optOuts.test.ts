import type { INodeParameters } from 'n8n-workflow';
import type { Run } from '../support/engine/engine';
import {
	bulk,
	CONTINUE_ON_FAIL,
	file,
	jsonOf,
	NUMBER,
	numberOf,
	text,
	useHarness,
	withFile,
	withJson,
} from '../support/harness';

const harness = useHarness();

const hintsOf = (run: Run) => run.hints.map(({ message }) => message);
const FOR_EMPTY = '.filter(i => Object.keys(i.json).length > 0)';

const SENDS: Array<[name: string, parameters: INodeParameters]> = [
	['text', text()],
	['a bulk text to a list', bulk({ phoneNumbers: `${NUMBER}, ${numberOf(2)}` })],
	['a bulk text to items', bulk({ recipientSource: 'items' })],
	['an image', file('image', 'send')],
];

describe.each(SENDS)('an opt-out list that cannot be read: %s', (_, parameters) => {
	const item = { json: { phone: NUMBER, list: ' ' }, ...withFile('photo.jpg') };

	it.each([
		['={{ $json.nme }}', 'returns no number'],
		['={{ null }}', 'returns no number'],
		['={{ $input.all().map(i => i.json.nme) }}', 'returns no number'],
		['={{ $json.list }}', 'returns no number'],
		['={{ " , \\n" }}', 'returns no number'],
		[' , ', 'holds no number'],
		['={{ NaN }}', '“NaN” in the option'],
		['={{ ({}) }}', '“{}” in the option'],
		['={{ new Date(0) }}', 'is a date'],
		["={{ $('Nowhere').item.json.phone }}", "The expression in the option 'Skip Numbers' failed: "],
	])('an unreadable opt-out list stops everything, and says so: %s', async (skipNumbers, what) => {
		const run = await harness.run({ ...parameters, options: { skipNumbers } } as INodeParameters, {
			items: [item, item],
		});
		expect(run.error?.message).toContain(what);
		expect(`${run.error?.message}${run.error?.description}`).toContain("'Skip Numbers'");
		expect(harness.requestCount).toBe(0);

		// Nor does one item go out where others may fail.
		const going = await harness.run(
			{ ...parameters, options: { skipNumbers } } as INodeParameters,
			{ items: [item, item], node: CONTINUE_ON_FAIL },
		);
		expect(jsonOf(going).map(({ error }) => error)).toEqual([expect.anything(), expect.anything()]);
		expect(harness.requestCount).toBe(0);
	});

	it.each([
		'',
		'={{ [] }}',
		`={{ $input.all()${FOR_EMPTY}.filter(i => false).map(i => i.json.nme) }}`,
	])('an empty opt-out list does not stop anything: %j', async (skipNumbers) => {
		await harness.run({ ...parameters, options: { skipNumbers } } as INodeParameters, {
			items: [item],
		});
		expect(harness.requestCount).toBe(1);
	});
});

describe('an opt-out list', () => {
	const EACH = { phoneNumber: '={{ $json.phone }}' };

	it('a dragged field of several items is refused as an opt-out list, and a hint tells of a single number', async () => {
		const items = withJson({ phone: numberOf(1) }, { phone: numberOf(2) });
		const options = { skipNumbers: '={{ $json.phone }}' };
		const two = await harness.run(text({ ...EACH, options }), { items });
		expect(two.error?.message).toContain("'Skip Numbers' has different numbers for item 2");
		expect(harness.requestCount).toBe(0);
		const one = await harness.run(text({ ...EACH, options }), { items: items.slice(0, 1) });
		expect(hintsOf(one)).toEqual([expect.stringMatching(/^Skip Numbers: 1 number\. /)]);

		const skipNumbers = '={{ $input.all().map(i => i.json.phone) }}';
		const all = await harness.run(text({ ...EACH, options: { skipNumbers } }), { items });
		expect(jsonOf(all).map(({ skipped }) => skipped)).toEqual([true, true]);
	});

	it.each<[string, number]>([
		['$json.out ? [$json.phone] : []', 0],
		['$json.out ? $json.phone : $json.list[0]', 0],
		['$json.list', 0],
		['$json.first', 2],
		["$json['out?']", 0],
		['$input.all().map((i) => i.json.item)', 3],
	])('an opt-out list refuses all only if it differs by item: %s', async (code, sent) => {
		const items = withJson(
			{ phone: numberOf(1), list: [numberOf(9)], first: [numberOf(1)], 'out?': numberOf(1) },
			{ phone: numberOf(2), list: [numberOf(2)], first: [], 'out?': numberOf(8), out: true },
			{ phone: numberOf(3), first: [''], item: numberOf(9) },
		);
		const skipNumbers = `={{ ${code} }}`;
		const run = await harness.run(text({ ...EACH, options: { skipNumbers } }), { items });
		expect(harness.requestCount).toBe(sent);
		if (sent === 0) expect(run.error?.message).toContain('has different numbers for item');
	});

	it('an opt-out list of a node that may have nothing is empty with the expression that the error gives', async () => {
		const skipNumbers = '={{ $input.all().map(i => i.json.opted) }}';
		const refused = await harness.run(text({ options: { skipNumbers } }), {
			items: [{ json: {} }],
		});
		const [advised] = /\{\{.+\}\}/.exec(refused.error?.description ?? '') ?? [];
		expect(harness.requestCount).toBe(0);

		const ofInput = advised?.replace("$('Opt-outs')", '$input').replace('.phone', '.opted');
		const options = { skipNumbers: `=${ofInput}` };
		await harness.run(text({ options }), { items: [{ json: {} }] });
		expect(harness.requestCount).toBe(1);
		// The column is called otherwise.
		await harness.run(text({ options }), { items: withJson({ other: NUMBER }) });
		expect(harness.requestCount).toBe(1);
	});

	it('an opt-out list holds for items with country codes of their own', async () => {
		const items = withJson(
			{ phone: '0123456789', code: '62' },
			{ phone: '0123456789', code: '60' },
			{ phone: '+60123456789', code: '60' },
			{ phone: '+62 0123 456 789', code: '60' },
			{ phone: '0123456780', code: '62' },
		);
		const options = {
			skipNumbers: '0123456789',
			defaultCountryCode: '={{ $json.code }}',
			doubtfulNumbers: 'send',
			output: 'perRecipient',
		};
		const run = await harness.run(text({ ...EACH, options }), { items });
		expect(jsonOf(run).map(({ status }) => status)).toEqual([
			...Array<string>(4).fill('skipped'),
			'queued',
		]);
	});

	it('an opt-out list of local numbers holds with any country code, and says that no code is set', async () => {
		const items = withJson({ phone: '+6281234567890' }, { phone: '+6281234567891' });
		const options = { skipNumbers: '081234567890' };
		const run = await harness.run(text({ ...EACH, options }), { items });
		expect(harness.gateway.messages.map(({ recipients }) => recipients)).toEqual([
			['6281234567891'],
		]);
		expect(hintsOf(run)).toContainEqual(
			expect.stringMatching(/^1 number in 'Skip Numbers' has a leading 0, and no Default Country/),
		);
	});
});

it.each(['XX', '26', '={{ undefined }}', '={{ [] }}'])(
	'a wrong Default Country Code in one item refuses that item only: %s',
	async (wrong) => {
		const value = wrong.startsWith('=') ? wrong.slice(3, -2) : `"${wrong}"`;
		const defaultCountryCode = `={{ $itemIndex === 0 ? ${value} : "62.0" }}`;
		const run = await harness.run(
			text({ phoneNumber: '0812345678', options: { defaultCountryCode } }),
			{
				items: 2,
				node: CONTINUE_ON_FAIL,
			},
		);
		expect(jsonOf(run)[0]?.error).toMatchObject({ outcome: 'notSent' });
		expect(JSON.stringify(jsonOf(run)[0])).toContain("'Default Country Code'");
		expect(harness.gateway.messages.map(({ recipients }) => recipients)).toEqual([['62812345678']]);
	},
);

it('a wrong Default Country Code in the credential refuses all', async () => {
	const credential = { ...harness.credential, defaultCountryCode: '620' };
	const run = await harness.run(text(), { credential, items: 2, node: CONTINUE_ON_FAIL });
	expect(jsonOf(run).map(({ error }) => error)).toEqual([expect.anything(), expect.anything()]);
	expect(JSON.stringify(jsonOf(run))).toContain("'Default Country Code' in the credential");
	expect(harness.requestCount).toBe(0);
});

describe('Allowed Numbers', () => {
	const EACH = { phoneNumber: '={{ $json.phone }}' };
	const items = withJson({ phone: '0812 3456 7890' }, { phone: '+34 612 34 56 78' });
	const receivers = () => harness.gateway.messages.flatMap(({ recipients }) => recipients);

	it('only they get anything, and the row of everybody else says so', async () => {
		const options = {
			allowedNumbers: '+62 812-3456-7890',
			defaultCountryCode: '62',
			output: 'perRecipient',
		};
		for (const parameters of [
			text(EACH),
			{ operation: 'sendBulk', recipientSource: 'items', message: 'a' },
		]) {
			const run = await harness.run({ ...parameters, options } as INodeParameters, { items });
			expect(jsonOf(run).map(({ to, status, message }) => [to, status, message])).toEqual([
				['6281234567890', 'queued', expect.any(String)],
				['34612345678', 'skipped', "The number is not in 'Allowed Numbers'."],
			]);
		}
		expect(new Set(receivers())).toEqual(new Set(['6281234567890']));
	});

	it('a tool that is told to write to somebody else skips, and says why', async () => {
		const run = await harness.run(
			text({ phoneNumber: '+34612345678', options: { allowedNumbers: '+6281234567890' } }),
			{
				items: 1,
			},
		);
		expect(jsonOf(run)[0]).toMatchObject({ skipped: true, to: '34612345678' });
		expect(JSON.stringify(jsonOf(run)[0])).toContain("not in 'Allowed Numbers'");
		expect(receivers()).toEqual([]);
	});

	it.each(['={{ undefined }}', '={{ $json.nobody }}', 'Budi', '={{ ["62"] }}', ' , '])(
		'a list that returns nothing or cannot be read lets nothing out: %s',
		async (allowedNumbers) => {
			const run = await harness.run(text({ ...EACH, options: { allowedNumbers } }), { items });
			expect(run.error?.message).toContain("option 'Allowed Numbers'");
			expect(receivers()).toEqual([]);
		},
	);

	it('an empty list reaches nobody', async () => {
		for (const allowedNumbers of ['', '={{ [] }}']) {
			const run = await harness.run(text({ ...EACH, options: { allowedNumbers } }), { items });
			expect(jsonOf(run).map(({ skipped }) => skipped)).toEqual([true, true]);
			expect(hintsOf(run)).toContain("'Allowed Numbers' is empty, so nobody gets anything.");
		}
		expect(receivers()).toEqual([]);
	});

	it.each([
		{ resource: 'text', operation: 'sendAndWait', message: 'Refund?' },
		{ resource: 'image', operation: 'sendToGroup', groupId: '1@g.us' },
		{ resource: 'document', operation: 'sendToGroup', groupId: '1@g.us' },
	])('$operation ($resource) is refused for somebody else', async (operation) => {
		const options = { allowedNumbers: '+6281234567890' };
		const parameters = { ...operation, phoneNumber: '+34612345678', options };
		const run = await harness.run(parameters as INodeParameters, {
			items: [{ json: {}, ...withFile('photo.jpg') }],
		});
		expect(run.error?.message).toContain("“34612345678” is not in 'Allowed Numbers'");
		expect(run.error?.description).toContain('Use one of them, or add the number.');
		expect(harness.requestCount).toBe(0);
	});

	it('a test goes only to a number that is allowed', async () => {
		const options = { allowedNumbers: '+6281234567890', testNumber: '+34612345678' };
		const run = await harness.run(text({ ...EACH, options }), { items });
		expect(run.error?.message).toContain("'Test Number' is not in 'Allowed Numbers'");
		expect(receivers()).toEqual([]);
	});
});

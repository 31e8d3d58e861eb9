/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import fc from 'fast-check';
import pick from 'lodash/pick';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { properties } from '../../nodes/MessagingGateway/operations';
import { withoutMarkup } from '../../nodes/MessagingGateway/shared/text';
import { createEngine, type Run } from '../support/engine/engine';
import {
	bulk,
	errorOf,
	file,
	freePort,
	CONTINUE_ON_FAIL,
	groupText,
	jsonOf,
	linksOf,
	NUMBER,
	numberOf,
	sample,
	text,
	TO_ERROR_OUTPUT,
	until,
	useHarness,
	withFile,
	withJson,
	withServer,
} from '../support/harness';

const harness = useHarness();
beforeEach(async () => {
	// A new workflow for each test, so that no key is known from another one.
	await harness.engine.close();
	harness.engine = await createEngine();
});

const hintsOf = (run: Run) => run.hints.map(({ message }) => message);
/** Random: a failure shows its seed, which SEED=… tries again. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const DRY = { options: { dryRun: true } };
const rows = (options: object = {}) => ({ options: { output: 'perRecipient', ...options } });
const EACH = { phoneNumber: '={{ $json.phone }}', message: '={{ $json.say ?? "Hello" }}' };
const fromItems = (more: object = {}) =>
	bulk({ recipientSource: 'items', message: '={{ $json.say ?? "Hello" }}', ...more });
const phones = (...all: Array<string | number>) => withJson(...all.map((phone) => ({ phone })));

/** Each operation with one item, and who gets its message. */
const OPERATIONS: Array<[name: string, parameters: INodeParameters, fileName: string, to: string]> =
	[
		['text send', text(), '', NUMBER],
		['text sendBulk, list', bulk({ phoneNumbers: NUMBER }), '', NUMBER],
		['text sendBulk, items', fromItems(), '', NUMBER],
		['text sendToGroup', groupText(), '', 'team'],
		['image send', file('image', 'send'), 'photo.jpg', NUMBER],
		['image sendToGroup', file('image', 'sendToGroup'), 'photo.jpg', 'team'],
		['document send', file('document', 'send'), 'document.pdf', NUMBER],
		['document sendToGroup', file('document', 'sendToGroup'), 'document.pdf', 'team'],
	];
const inputFor = (fileName: string) => [
	{ json: { phone: NUMBER }, ...(fileName === '' ? {} : withFile(fileName)) },
];
const withOptions = (parameters: INodeParameters, options: object) =>
	({ ...parameters, options }) as INodeParameters;

it('A list whose expression gives one number is told of, whether or not it is sent', async () => {
	const phoneNumbers = "={{ $('Items').first().json.phone }}";
	const loop = async (parameters: object, numbers = [numberOf(1), numberOf(2)]) =>
		hintsOf(
			await harness.engine.runLoop({
				parameters: bulk({ phoneNumbers, ...parameters }),
				items: phones(...numbers),
				credential: harness.credential,
			}),
		).join();
	const told = "'Phone Numbers' gives 1 number.";
	expect(await loop({})).toContain(told);
	expect(await loop(DRY)).toContain(told);
	expect(await loop({ recipientSource: 'items' })).not.toContain(told);
	expect(await loop({ phoneNumbers: numberOf(3) })).not.toContain(told);
});

/** Returns what n8n's editor sets when somebody adds an option. */
function whenAdded(option: string): object {
	const options = properties.flatMap((field) => (field.name === 'options' ? field.options : []));
	const added = options.find((each) => each?.name === option) as INodeProperties;
	return { [option]: added.default };
}

it.each([
	['dryRun', { to: NUMBER, status: 'ready' }],
	['output', { to: NUMBER, status: 'queued' }],
])('the option %s works as soon as it is added, and changes nothing without', async (name, row) => {
	const parameters = withOptions(text(), whenAdded(name));
	expect(jsonOf(await harness.run(parameters))).toMatchObject([row]);
	for (const without of [text(), withOptions(text(), {})]) {
		expect(jsonOf(await harness.run(without))).toMatchObject([{ code: 200 }]);
	}
});

/** The numbers of these tests begin with a country code, without +. */
const indonesian = (n: number) =>
	` By country: ${n} Indonesia. ${n === 1 ? '1 number has' : `${n} numbers have`} no +: if a country is wrong, set 'Default Country Code'.`;

it.each(OPERATIONS)(
	'a dry run of %s sends nothing and shows who is ready',
	async (title, operation, name, to) => {
		const credential = { ...harness.credential, baseUrl: `http://127.0.0.1:${await freePort()}` };
		const parameters = withOptions(operation, { dryRun: true, sendOnceKey: 'a' });
		const run = await harness.run(parameters, { items: inputFor(name), credential });

		expect(jsonOf(run)).toMatchObject([{ to, status: 'ready' }]);
		expect(linksOf(run)).toEqual([[0]]);
		const abroad = title.endsWith('Group') ? '' : indonesian(1);
		expect(hintsOf(run)[0]).toBe(
			`Dry run: nothing was queued. 1 recipient: 1 ready.${abroad} 1 request.`,
		);
		expect(harness.engine.history.calls).toBe(0);
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('requests');

		const sent = await harness.run(withOptions(operation, { sendOnceKey: 'a' }), {
			items: inputFor(name),
		});
		expect(jsonOf(sent)).toEqual([expect.objectContaining({ code: 200 })]);
		expect(harness.requestCount).toBe(1);
	},
);

it.each(OPERATIONS)(
	'a dry run of %s shows the text and the file that the gateway then gets',
	async (_, operation, name) => {
		const texts = ['Halo "Ana" & Co\r\n\ttab', '🎉 e\u0301 \ud83d <b>', ' ', 'x'.repeat(5_000)];
		const random = fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), {
			seed,
			numRuns: 40,
		});
		const items = [...texts, ...new Set(random)].map((say, at) => ({
			...inputFor(name)[0],
			json: { phone: numberOf(at), say },
		}));
		const say = { message: '={{ $json.say }}', caption: '={{ $json.say }}' };
		const options = { fileName: '={{ "Größe " + $json.say.slice(0, 40) }}', maxConcurrency: 1 };
		const parameters = { ...operation, ...say, phoneNumber: '={{ $json.phone }}' };
		const dry = await harness.run(withOptions(parameters, { ...options, dryRun: true }), {
			items,
		});
		await harness.run(withOptions(parameters, options), { items, node: CONTINUE_ON_FAIL });

		const shown = jsonOf(dry).filter(({ status }) => status === 'ready');
		const sent = harness.gateway.messages.map(({ text: words = '(none)', file: got }) => ({
			...(operation.resource !== 'document' && { text: words }),
			...(got && {
				file: `${withoutMarkup(got.name)} (${got.size.toLocaleString('en-US')} bytes)`,
			}),
		}));
		expect(shown.length).toBeGreaterThan(9);
		const preview = (row: IDataObject) => pick(row, ['text', 'file']);
		expect([seed, ...shown.map(preview)]).toEqual([seed, ...sent]);
	},
);

it('a dry run of a question shows its text and where the link would be, and leaves no question', async () => {
	const parameters = text({ operation: 'sendAndWait', message: 'Refund?', ...DRY });
	const run = await harness.run(parameters);
	expect(jsonOf(run)).toMatchObject([
		{ status: 'ready', text: 'Refund?\n\n(the link to the page with the question goes here)' },
	]);
	expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('Refund');
});

it('a dry run continues after items that would be refused, and says why', async () => {
	const items = phones(numberOf(1), 'x', numberOf(2), '2026-11-21');
	const run = await harness.run(text({ ...EACH, ...DRY }), { items });

	expect(jsonOf(run).map(({ to, status }) => [to, status])).toEqual([
		[numberOf(1), 'ready'],
		['x', 'refused'],
		[numberOf(2), 'ready'],
		['2026-11-21', 'refused'],
	]);
	expect(jsonOf(run)[1]?.message).toContain('“x” is not a phone number.');
	expect(linksOf(run)).toEqual([[0], [1], [2], [3]]);
	expect(hintsOf(run)).toEqual([
		`Dry run: nothing was queued. 4 recipients: 2 ready, 2 refused.${indonesian(2)} 2 requests. A real run stops at the first refused item, unless 'On Error' of this node is 'Continue (using error output)'.`,
	]);
	expect(harness.requestCount).toBe(0);
});

it('a dry run gives each item the error that concerns all of them', async () => {
	const parameters = text({ ...EACH, options: { dryRun: true, skipNumbers: 'nobody' } });
	const run = await harness.run(parameters, { items: phones(numberOf(1), numberOf(2)) });

	expect(run.error).toBeUndefined();
	expect(jsonOf(run)).toHaveLength(2);
	expect(jsonOf(run)[1]?.message).toContain(
		"“nobody” in the option 'Skip Numbers' is not a phone number",
	);
	expect(hintsOf(run)[0]).toContain('2 recipients: 0 ready, 2 refused. 0 requests.');
});

it.each<[unknown, number, string]>([
	['TRUE', 0, ''],
	['yes', 0, ''],
	[1, 0, ''],
	['no', 2, ''],
	['', 2, ''],
	[null, 0, "The expression in the option 'Dry Run' returns nothing."],
	[undefined, 0, "The expression in the option 'Dry Run' returns nothing."],
	['maybe', 0, "The option 'Dry Run' is “maybe”, which means neither yes nor no."],
])(
	'a dry run that an expression asks for with %j lets %i of 2 messages out',
	async (dry, sent, refusal) => {
		const items = phones(numberOf(1), numberOf(2)).map(({ json }) => ({
			json: { ...json, dry },
		}));
		const parameters = text({ ...EACH, options: { dryRun: '={{ $json.dry }}' } });
		const run = await harness.run(parameters, { items: items as never, node: CONTINUE_ON_FAIL });

		expect(harness.requestCount).toBe(sent);
		expect(jsonOf(run)).toHaveLength(2);
		if (refusal !== '')
			expect([0, 1].map((at) => errorOf(run, at).message)).toEqual([refusal, refusal]);
	},
);

it.each([true, false])(
	'a dry run holds for all items: one that asks otherwise than %j is refused',
	async (dry) => {
		const items = withJson({ phone: numberOf(1), dry }, { phone: numberOf(2), dry: !dry });
		const parameters = text({ ...EACH, options: { dryRun: '={{ $json.dry }}' } });
		const run = await harness.run(parameters, { items, node: CONTINUE_ON_FAIL });

		expect(harness.requestCount).toBe(dry ? 0 : 1);
		expect(JSON.stringify(jsonOf(run)[1])).toContain("The option 'Dry Run' is");
		if (dry) return;
		const stopped = await harness.run(parameters, { items });
		expect(stopped.error?.description).toContain("'Dry Run' applies to the whole run");
	},
);

it('a dry run requests the file of a URL, and closes it', async () => {
	const asked: string[] = [];
	let closed = 0;
	await withServer(
		(request, response) => {
			asked.push(`${request.method} ${request.url}`);
			response.once('close', () => closed++);
			if (request.url === '/no.pdf') return void response.writeHead(404).end();
			// Much is announced, and little sent: a dry run does not wait for the rest.
			response.writeHead(200, {
				'Content-Length': 50_000_000,
				'Content-Type': 'application/pdf',
			});
			response.write(sample('document.pdf'));
		},
		async (url) => {
			const parameters = file('document', 'send', {
				fileSource: 'url',
				fileUrl: `=${url}/{{ $json.name }}`,
				...DRY,
			});
			const items = withJson({ name: 'yes.pdf' }, { name: 'no.pdf' });
			const run = await harness.run(parameters, { items });

			expect(asked.sort()).toEqual(['GET /no.pdf', 'GET /yes.pdf']);
			const shown = 'yes.pdf (50,000,000 bytes)';
			expect(jsonOf(run)[0]).toMatchObject({ to: NUMBER, status: 'ready', file: shown });
			expect(jsonOf(run)[1]).toMatchObject({ to: NUMBER, status: 'refused', file: '(none)' });
			expect(jsonOf(run)[1]?.message).toContain('404');
			await until(() => closed === 2, 'both are closed');
		},
	);
});

it('a dry run hides no keys from a run at the same time', async () => {
	harness.engine.history.latency = 20;
	const items = withJson(
		...Array.from({ length: 10 }, (_, i) => ({ phone: numberOf(i), key: `k${i}` })),
	);
	const keyed = (dryRun: boolean) =>
		text({ ...EACH, options: { dryRun, maxConcurrency: 1, sendOnceKey: '={{ $json.key }}' } });
	const [dry, real] = await Promise.all([
		harness.run(keyed(true), { items }),
		harness.run(keyed(false), { items }),
	]);

	expect(jsonOf(dry).map(({ status }) => status)).toEqual(Array(10).fill('ready'));
	expect(jsonOf(real).map(({ code }) => code)).toEqual(Array(10).fill(200));
	expect(harness.requestCount).toBe(10);
	const again = await harness.run(keyed(false), { items });
	expect(jsonOf(again).every(({ skipped }) => skipped)).toBe(true);
});

describe('one item per recipient', () => {
	const TEXT_ANSWER = { to: NUMBER, status: 'queued', message: expect.any(String) };

	it.each(OPERATIONS)('a row comes out of %s', async (name, operation, fileName, to) => {
		const run = await harness.run({ ...operation, ...rows() } as INodeParameters, {
			items: inputFor(fileName),
		});

		const hasRecord = name === 'image send' || name === 'document send';
		expect(jsonOf(run)).toEqual([
			{
				...TEXT_ANSWER,
				to,
				...(hasRecord ? { queueId: harness.gateway.messages[0]?.queueId } : {}),
			},
		]);
		expect(linksOf(run)).toEqual([[0]]);
	});

	it('a row comes out each time a recipient is asked for, in item order', async () => {
		const items = phones(...[3, 1, 3, 2, 1].map(numberOf));
		const run = await harness.run(fromItems(rows({ numbersPerRequest: 2 })), { items });

		expect(jsonOf(run).map(({ to, status }) => [to, status])).toEqual([
			[numberOf(3), 'queued'],
			[numberOf(1), 'queued'],
			[numberOf(3), 'skipped'],
			[numberOf(2), 'queued'],
			[numberOf(1), 'skipped'],
		]);
		expect(jsonOf(run)[2]?.message).toBe('This number already gets the same text in this run.');
		expect(linksOf(run)).toEqual([[0], [1], [2], [3], [4]]);
		expect(hintsOf(run)[0]).toBe(`5 messages to 3 numbers: 3 queued, 2 skipped.${indonesian(3)}`);
	});

	it.each(OPERATIONS)(
		'a row is an error, and has no other field, on the error output of %s',
		async (_, operation, name, to) => {
			harness.gateway.misbehave({ respond: { status: 422 } });
			const options = { items: inputFor(name), node: TO_ERROR_OUTPUT };
			const { output } = await harness.run(withOptions(operation, rows().options), options);

			expect(output[0]).toEqual([]);
			expect(output[1]?.map(({ json }) => json.error)).toEqual([
				expect.objectContaining({ outcome: 'notSent', recipients: [to] }),
			]);
		},
	);

	it.each(OPERATIONS)(
		'a row has the same fields as every other row of %s',
		async (_, parameters, name) => {
			harness.gateway.misbehave({ times: 1, respond: { status: 422 } });
			const [item] = inputFor(name);
			const options = { sendOnceKey: '={{ $json.key }}', maxConcurrency: 1 };
			const run = await harness.run(withOptions(parameters, { ...options, ...rows().options }), {
				items: ['a', 'b', 'b', 'c'].map((key) => ({ ...item, json: { phone: NUMBER, key } })),
				node: CONTINUE_ON_FAIL,
			});

			const fields = jsonOf(run).map((row) => Object.keys(row).join());
			expect([fields.length, new Set(fields).size]).toEqual([4, 1]);
			expect(jsonOf(run).flatMap((row) => Object.values(row))).not.toContain('');
		},
	);

	it('the rows say what went wrong with each recipient of a request that was refused', async () => {
		harness.gateway.misbehave({ recipient: numberOf(3), respond: { status: 422 } });
		harness.gateway.misbehave({ recipient: numberOf(5), fault: 'resetAfterBody' });
		const items = phones(...[1, 2, 3, 4, 5, 6, 3].map(numberOf));
		const run = await harness.run(fromItems(rows({ numbersPerRequest: 2 })), {
			items,
			node: CONTINUE_ON_FAIL,
		});

		expect(linksOf(run)).toEqual([[0], [1], [2], [3], [4], [5], [6]]);
		expect(jsonOf(run).map(({ status }) => status)).toEqual([
			'queued',
			'queued',
			'notSent',
			'notSent',
			'uncertain',
			'uncertain',
			'skipped',
		]);
		expect(jsonOf(run).map((row) => Object.keys(row).join())).toEqual(
			Array(7).fill('to,status,message'),
		);
		expect(hintsOf(run)[0]).toBe(
			`7 messages to 6 numbers: 2 queued, 1 skipped, 2 not queued, 2 uncertain.${indonesian(2)}`,
		);
	});

	it('the rows of a node that stops at a failure as ever are completed by Retry', async () => {
		harness.gateway.misbehave({ recipient: numberOf(2), times: 1, respond: { status: 422 } });
		const items = phones(...[1, 2, 3].map(numberOf));
		const parameters = fromItems(rows({ numbersPerRequest: 1 }));
		const run = await harness.run(parameters, { items });
		expect(run.error?.description).toContain('1 message is queued');
		const retry = await harness.engine.retry(run);

		expect(jsonOf(retry).map(({ to, status }) => [to, status])).toEqual(
			[1, 2, 3].map((n) => [numberOf(n), 'queued']),
		);
		expect(linksOf(retry)).toEqual([[0], [1], [2]]);
		expect(harness.gateway.messages.map(({ recipients }) => recipients[0])).toEqual(
			[1, 2, 3].map(numberOf),
		);
	});
});

it.each<[string, unknown]>([
	['a text', '+62 811-1111-111\n0822 2222 222; (62) 833.3333.333'],
	['an array', `={{ ["+62 811-1111-111", 628222222222, "08333333333"] }}`],
])('numbers to skip are %s, however they are written', async (_, skipNumbers) => {
	const items = phones('08111111111', '+62 822 2222 222', '628333333333', numberOf(4));
	const run = await harness.run(
		text({ ...EACH, options: { skipNumbers, defaultCountryCode: '62' } }),
		{ items },
	);

	const optedOut = (to: string) => ({
		skipped: true,
		reason: "The number is in 'Skip Numbers'.",
		to,
	});
	expect(jsonOf(run)).toEqual([
		optedOut('628111111111'),
		optedOut('628222222222'),
		optedOut('628333333333'),
		expect.objectContaining({ code: 200 }),
	]);
	expect(linksOf(run)).toEqual([[0], [1], [2], [3]]);
	expect(harness.requestCount).toBe(1);
	expect(hintsOf(run)).toEqual([expect.stringMatching(/^4 recipients: 1 queued, 3 skipped\. /)]);
});

it.each(['08111111111', '+62 811 1111 111', '8111111111'])(
	'numbers to skip count if a spreadsheet has dropped the 0 of the recipient, too: %s',
	async (skipNumbers) => {
		const items = phones('8111111111', '8222222222');
		const sendOnceKey = '={{ $json.phone }}';
		const options = { skipNumbers, defaultCountryCode: '62', sendOnceKey };
		const run = await harness.run(text({ ...EACH, ...rows(options) }), { items });

		expect(jsonOf(run).map(({ to, status }) => [to, status])).toEqual([
			['628111111111', 'skipped'],
			['628222222222', 'queued'],
		]);
	},
);

it('numbers to skip get nothing in a bulk send, and no request if nobody is left', async () => {
	const options = { skipNumbers: [1, 2].map(numberOf).join() };
	const some = await harness.run(bulk({ phoneNumbers: [1, 3].map(numberOf).join(), options }));
	const none = await harness.run(fromItems({ options, message: 'b' }), {
		items: phones(numberOf(1), numberOf(2)),
	});

	expect(harness.gateway.messages.map(({ recipients }) => recipients)).toEqual([[numberOf(3)]]);
	expect(jsonOf(some)).toEqual([
		{ skipped: true, reason: expect.any(String), to: numberOf(1) },
		expect.objectContaining({ code: 200 }),
	]);
	expect(jsonOf(none).map(({ to }) => to)).toEqual([1, 2].map(numberOf));
});

it('numbers to skip are rows in the output of rows, and leave their keys free', async () => {
	const options = { skipNumbers: numberOf(1), sendOnceKey: '={{ $json.phone }}' };
	const items = phones(numberOf(1), numberOf(2));
	const run = await harness.run(text({ ...EACH, ...rows(options) }), { items });
	const later = await harness.run(text({ ...EACH, ...rows({ ...options, skipNumbers: '' }) }), {
		items,
	});

	expect(jsonOf(run)[0]).toEqual({
		to: numberOf(1),
		status: 'skipped',
		message: "The number is in 'Skip Numbers'.",
	});
	expect(jsonOf(later).map(({ status }) => status)).toEqual(['queued', 'skipped']);
});

it.each([['a typo'], ['081234567890, 0812-34 or so'], ["={{ ['081234567890', 'a typo'] }}"]])(
	'numbers to skip refuse the whole run if an entry is not a number: %s',
	async (skipNumbers) => {
		const items = phones(numberOf(1), numberOf(2));
		const parameters = text({ ...EACH, options: { skipNumbers } });
		const stopped = await harness.run(parameters, { items });
		const goesOn = await harness.run(parameters, { items, node: CONTINUE_ON_FAIL });

		expect(stopped.error?.message).toMatch(/“(a typo|0812-34 or so)” in the option 'Skip Numbers'/);
		expect(stopped.error?.description).toContain('Nothing was queued');
		expect(jsonOf(goesOn).map((_, at) => errorOf(goesOn, at).outcome)).toEqual([
			'notSent',
			'notSent',
		]);
		expect(harness.requestCount).toBe(0);
	},
);

it('numbers to skip can be many, and are read once', async () => {
	const out = Array.from({ length: 100_000 }, (_, i) => `+62 8${String(1_000_000_000 + i)}`);
	const items = [{ json: { phone: numberOf(5), out } }, ...phones(numberOf(99_999), numberOf(1))];
	const options = { dryRun: true, skipNumbers: '={{ $json.out }}' };
	const run = await harness.run(text({ ...EACH, options }), { items });

	expect(jsonOf(run).map(({ status }) => status)).toEqual(Array(3).fill('skipped'));
});

it('a number gets the country code of the credential, which that of the options replaces', async () => {
	const credential = { ...harness.credential, defaultCountryCode: '62' };
	await harness.run(text({ phoneNumber: '081234567890' }), { credential });
	await harness.run(text({ phoneNumber: '0123456789', options: { defaultCountryCode: '60' } }), {
		credential,
	});
	await harness.run(fromItems({ options: { skipNumbers: '081234567890' } }), {
		credential,
		items: phones('+62 812 345 678 90', '0822222222'),
	});

	expect(harness.gateway.messages.map(({ recipients }) => recipients)).toEqual([
		['6281234567890'],
		['60123456789'],
		['62822222222'],
	]);
});

it('wrong numbers of a list can be left out, and a warning names them', async () => {
	const list = [numberOf(1), 'x', '2026-11-21', numberOf(2), '12', '-5', 'y'];
	const options = { invalidNumbers: 'skip' };
	const run = await harness.run(bulk({ phoneNumbers: '={{ $json.list }}', options }), {
		items: withJson({ list }),
	});
	const asRows = await harness.run(
		bulk({ phoneNumbers: '={{ $json.list }}', message: 'b', ...rows(options) }),
		{ items: withJson({ list }) },
	);

	expect(harness.gateway.messages[0]?.recipients).toEqual([1, 2].map(numberOf));
	expect(jsonOf(run)).toHaveLength(1);
	expect(
		jsonOf(asRows)
			.map(({ status }) => status)
			.sort(),
	).toEqual(['queued', 'queued', ...Array<string>(5).fill('skipped')]);
	expect(hintsOf(run)[0]).toBe(`7 recipients: 2 queued, 5 skipped.${indonesian(2)}`);
	const warning = run.hints.find(({ type }) => type === 'warning')?.message;
	expect(warning).toMatch(
		/^5 entries were left out of the list: “x” .*, “2026-11-21” .*, “12” .* and 2 more\.$/,
	);
});

it('numbers that may be one of two are refused in each operation, unless the option says otherwise', async () => {
	const credential = { ...harness.credential, defaultCountryCode: '62' };
	const numbers = { phoneNumber: '819012345678', phoneNumbers: `819012345678, ${numberOf(1)}` };
	for (const [name, operation, fileName] of OPERATIONS) {
		if (/text sendToGroup/.test(name)) continue;
		const parameters = { ...operation, ...numbers };
		const items = [{ ...inputFor(fileName)[0], json: { phone: '819012345678' } }];
		const run = await harness.run(parameters, { items, credential, node: CONTINUE_ON_FAIL });
		expect(errorOf(run).message).toBe(
			'“819012345678” may be +62819012345678 (Indonesia) or +819012345678 (Japan).',
		);
		expect(harness.requestCount).toBe(0);

		const options = { doubtfulNumbers: 'send' };
		await harness.run(withOptions(parameters, options), { items, credential });
		expect(harness.requestCount).toBe(1);
		harness.gateway.clear();
	}
});

it('numbers that may be one of two are left out of a list that leaves out wrong numbers', async () => {
	const credential = { ...harness.credential, defaultCountryCode: '62' };
	const options = { invalidNumbers: 'skip' };
	const phoneNumbers = `819012345678, ${numberOf(1)}`;
	const run = await harness.run(bulk({ phoneNumbers, options }), { credential });

	expect(harness.gateway.messages.map(({ recipients }) => recipients)).toEqual([[numberOf(1)]]);
	expect(hintsOf(run)[1]).toContain('1 entry was left out of the list: “819012345678” may be');
});

it('a Send-Once Key without an expression causes a warning if it makes the node skip', async () => {
	const fixed = text({ ...EACH, options: { sendOnceKey: 'order', maxConcurrency: 1 } });
	const first = await harness.run(fixed, { items: phones(numberOf(1)) });
	const second = await harness.run(fixed, { items: phones(numberOf(2)) });
	const own = text({ ...EACH, options: { sendOnceKey: '={{ $json.phone }}' } });
	await harness.run(own, { items: phones(numberOf(3)) });
	const again = await harness.run(own, { items: phones(numberOf(3)) });

	expect(first.hints.map(({ message }) => message)).toEqual([
		`1 recipient: 1 queued.${indonesian(1)}`,
	]);
	expect(second.hints).toEqual([
		expect.objectContaining({
			type: 'warning',
			message: expect.stringMatching(/To send it again, change the key\. The key is a fixed text/),
		}),
	]);
	expect(hintsOf(again)).toEqual([expect.not.stringContaining('fixed text')]);
});

it('the node sends a list once that an expression gives for each of many items, and links them to it', async () => {
	const items = withJson(...Array.from({ length: 1500 }, (_, n) => ({ phone: numberOf(n) })));
	// As $('Items').all() gives it, without what n8n itself takes for that.
	const all = JSON.stringify(items.map(({ json }) => json?.phone));
	const before = process.memoryUsage().heapUsed;
	const run = await harness.run(bulk({ phoneNumbers: `={{ ${all} }}`, message: 'Halo' }), {
		items,
	});

	expect(harness.gateway.messages.flatMap(({ recipients }) => recipients)).toHaveLength(1500);
	expect(linksOf(run)).toEqual([items.map((_, n) => n), [0], [0]]);
	// 2.25 million rows take a gigabyte.
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(300_000_000);
}, 120_000);

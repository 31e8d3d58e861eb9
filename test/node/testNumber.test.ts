/** The option Test Number: the first message goes to one number, and nobody else gets anything. */
import type { INodeParameters } from 'n8n-workflow';
import { createEngine } from '../support/engine/engine';
import {
	bulk,
	CONTINUE_ON_FAIL,
	errorOf,
	file,
	jsonOf,
	numberOf,
	text,
	useHarness,
	withFile,
	withJson,
} from '../support/harness';
import { useFastClock } from '../support/fastClock';

const harness = useHarness();
const ME = '6289900000001';
const EACH = { phoneNumber: '={{ $json.phone }}', message: '=Hi {{ $json.name }}' };
const people = withJson(
	{ phone: 'x', name: 'Nobody' },
	{ phone: numberOf(1), name: 'Ana' },
	{ phone: numberOf(2), name: 'Ben' },
	{ phone: numberOf(3), name: 'Cas' },
);
const given = (parameters: INodeParameters, options: object = {}) =>
	({ ...parameters, options: { testNumber: ME, ...options } }) as INodeParameters;
const received = () =>
	harness.gateway.messages.map(({ recipients, text: words, file: got }) => [
		recipients,
		words ?? got?.name,
	]);
const rowsOf = (rows: ReturnType<typeof jsonOf>) => rows.map(({ to, status }) => [to, status]);

it.each<[string, INodeParameters, unknown]>([
	['a text', text(EACH), 'Hi Ben'],
	['a bulk text to the items', bulk({ ...EACH, recipientSource: 'items' }), 'Hi Ben'],
	['an image', file('image', 'send', { ...EACH, caption: EACH.message }), 'Hi Ben'],
	['a document', file('document', 'send', EACH), 'photo.jpg'],
])(
	'The first of %s that is ready goes to the test number, the rest is as in a dry run',
	async (_, each, words) => {
		const items = people.map((item) => ({ ...item, ...withFile('photo.jpg') }));
		const options = { skipNumbers: numberOf(1), sendOnceKey: '={{ $json.name }}' };
		const run = await harness.run(given(each, options), { items });

		expect(received()).toEqual([[[ME], words]]);
		expect(rowsOf(jsonOf(run))).toEqual([
			['x', 'refused'],
			[numberOf(1), 'skipped'],
			[ME, 'queued'],
			[numberOf(3), 'ready'],
		]);
		expect(Object.values(jsonOf(run)[2] ?? {}).join()).toContain(words);
		expect(jsonOf(run)[2]?.message).toMatch(/\(The message for \d+\.\)$/);
		expect(new Set(jsonOf(run).map((row) => Object.keys(row).join())).size).toBe(1);
		expect(harness.engine.history.calls).toBe(0);
		expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('requests');
		expect(run.hints[0]?.message).toBe(
			`Test: one message is queued for ${ME}, and none for anybody else. 4 recipients: 1 ready, 1 queued, 1 skipped, 1 refused. By country: 2 Indonesia. 2 numbers have no +: if a country is wrong, set 'Default Country Code'. 2 requests. A real run stops at the first refused item, unless 'On Error' of this node is 'Continue (using error output)'.`,
		);
	},
);

it('A list in bulk is one number in a test', async () => {
	const list = [1, 2, 3].map(numberOf);
	const run = await harness.run(given(bulk({ phoneNumbers: list.join() })));
	expect(received()).toEqual([[[ME], 'Hello']]);
	expect(rowsOf(jsonOf(run))).toEqual([
		[ME, 'queued'],
		[list[1], 'ready'],
		[list[2], 'ready'],
	]);
});

it.each<[string, INodeParameters, object, RegExp]>([
	['returns nothing', text(), { testNumber: '={{ $json.me }}' }, /'Test Number' returns nothing/],
	['is empty', text(), { testNumber: '' }, /'Test Number' is empty/],
	[
		'is no number',
		bulk({ phoneNumbers: ME }),
		{ testNumber: 'me' },
		/“me” in the option 'Test Number'/,
	],
])('If the test number %s, nothing goes out', async (_, parameters, options, message) => {
	const run = await harness.run(given(parameters, options), { items: 2, node: CONTINUE_ON_FAIL });
	expect(harness.requestCount).toBe(0);
	expect([0, 1].map((at) => errorOf(run, at).message)).toEqual(
		Array(2).fill(expect.stringMatching(message)),
	);
});

it('A dry run stays a dry run with a test number, and a loop sends one message', async () => {
	await harness.run(given(text(), { dryRun: true }));
	expect(harness.requestCount).toBe(0);
	const loop = await harness.engine.runLoop({
		parameters: given(text(EACH)),
		items: people.slice(1),
		credential: harness.credential,
	});
	expect(received()).toEqual([[[ME], 'Hi Ana']]);
	expect(
		loop.runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => [json.to, json.status])),
	).toEqual([[[ME, 'queued']], [[numberOf(2), 'ready']], [[numberOf(3), 'ready']]]);
});

it('If the gateway refuses a test, its row says why, and nothing else goes out', async () => {
	harness.gateway.misbehave({ recipient: ME, respond: { status: 422 } });
	const run = await harness.run(given(text(EACH)), { items: people.slice(1) });
	expect(rowsOf(jsonOf(run))).toEqual([
		[ME, 'notSent'],
		[numberOf(2), 'ready'],
		[numberOf(3), 'ready'],
	]);
	expect(harness.requestCount).toBe(1);
	expect(run.hints[0]).toMatchObject({
		type: 'warning',
		message: expect.stringMatching(/^Test: /),
	});
});

it('A test keeps to the plan of the subscription', async () => {
	harness.gateway.misbehave({
		times: 1,
		respond: { status: 429, headers: { 'Retry-After': '1' } },
	});
	const run = await harness.run(given(text(EACH)), { items: people.slice(1, 2) });
	expect(harness.requestCount).toBe(2);
	expect(rowsOf(jsonOf(run))).toEqual([[ME, 'queued']]);
});

it('A Retry of a test shows who has the message, and stays possible', async () => {
	harness.gateway.misbehave({ recipient: numberOf(2), respond: { status: 422 } });
	const { credential } = harness;
	const failed = await harness.run(text(EACH), { items: people.slice(1, 3) });
	const run = await harness.engine.retry(failed, { credential, parameters: given(text(EACH)) });
	expect(received()).toEqual([
		[[numberOf(1)], 'Hi Ana'],
		[[ME], 'Hi Ben'],
	]);
	expect(run.error?.message).toBe(
		'This was a test of a retry: nothing was queued to anybody else.',
	);
});

describe('n8n runs the node again', () => {
	useFastClock(20);

	it('A test of a retry goes out once, however often n8n runs the node again', async () => {
		const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		harness.gateway.misbehave({ recipient: numberOf(2), respond: { status: 422 } });
		const failed = await harness.run(text(EACH), { items: people.slice(1, 3), node });
		for (const tests of [1, 2]) {
			const run = await harness.engine.retry(failed, { node, parameters: given(text(EACH)) });
			expect(received().filter(([to]) => String(to) === ME)).toHaveLength(tests);
			expect(run.error?.message).toMatch(/^This was a test of a retry/);
		}
	});
});

it('An agent that uses its tool again gets a test of that message, too', async () => {
	const type = 'n8n-nodes-messaging-gateway.messagingGatewayTool';
	const plain = harness.engine as unknown as { types: { nodes: Map<string, never> } };
	const node = plain.types.nodes.get(type.replace('Tool', '')) as never;
	const engine = await createEngine({ nodeTypes: { [type]: node } });
	const parameters = given(text(EACH));
	const items = people.slice(1, 3);
	await engine.runLoop({ parameters, items, credential: harness.credential, node: { type } });
	await engine.close();
	expect(received()).toEqual([
		[[ME], 'Hi Ana'],
		[[ME], 'Hi Ben'],
	]);
});

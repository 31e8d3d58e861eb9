import type { INode } from 'n8n-workflow';
import { createEngine, type Engine, type Run, type RunOptions } from '../support/engine/engine';
import {
	bulk,
	errorOf,
	expectEachOnce,
	file,
	CONTINUE_ON_FAIL,
	jsonOf,
	linksOf,
	numberOf,
	text,
	until,
	useHarness,
	withFile,
	withJson,
} from '../support/harness';

const harness = useHarness({ binaryMode: 'filesystem' });

const RETRY_ON_FAIL: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const ONE_LANE = { maxConcurrency: 1, maxRetries: 0 };
const EACH = { ...ONE_LANE, numbersPerRequest: 1 };
const PHONE = '={{ $json.phone }}';
const ALL = [0, 1, 2].map(numberOf).join();
const TIME = '=Hello, it is {{ $now.toMillis() }}';
const people = (count: number) =>
	withJson(...Array.from({ length: count }, (_, i) => ({ phone: numberOf(i), say: `text ${i}` })));
const toEach = (options: object = {}) =>
	text({
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.say }}',
		options: { ...ONE_LANE, ...options },
	});
const inBulk = (options: object = {}) =>
	bulk({
		recipientSource: 'items',
		message: '={{ $json.say }}',
		options: { ...ONE_LANE, ...options },
	});
const textsUpTo = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);
const refuse = (n: number, times = 1) =>
	harness.gateway.misbehave({ recipient: numberOf(n), times, respond: { status: 422 } });
const loseAnswer = (n: number, times = 1) =>
	harness.gateway.misbehave({
		recipient: numberOf(n),
		times,
		fault: 'resetAfterBody',
		queueAnyway: true,
	});
const retry = async (run: Run, options: Parameters<Engine['retry']>[1] = {}) =>
	await harness.engine.retry(run, { credential: harness.credential, ...options });
const contextOf = (run: Run) =>
	(JSON.parse(run.stored()) as Run['data']).executionData?.contextData ?? {};

it('a number that was read with a country code, and is corrected to one abroad, gets the message', async () => {
	refuse(0);
	const entered = (abroad: string, options: object = {}) => ({
		parameters: text({
			phoneNumber: `={{ $itemIndex === 0 ? '${abroad}' : '${numberOf(0)}' }}`,
			options: { ...ONE_LANE, defaultCountryCode: '62', ...options },
		}),
	});
	const first = await harness.run(entered('81312345678').parameters, { items: 2 });
	await retry(first, entered('+81 3 1234 5678'));
	expect(harness.gateway.messages.map(({ recipients }) => String(recipients))).toEqual([
		'6281312345678',
		'81312345678',
		numberOf(0),
	]);
});

const TRIES: Array<[string, Partial<INode>]> = [
	['Retry On Fail', RETRY_ON_FAIL],
	['Retry On Fail with Continue On Fail', { ...RETRY_ON_FAIL, ...CONTINUE_ON_FAIL }],
];

it.each(TRIES)('the node sends only what was not sent with %s', async (_, node) => {
	refuse(0, 2);
	const run = await harness.run(toEach(), { items: people(4), node });

	expect(run.status).toBe('success');
	expectEachOnce(run, 4);
	expect(jsonOf(run).map(({ code }) => code)).toEqual([200, 200, 200, 200]);
	expect([...harness.texts].sort()).toEqual(textsUpTo(4));
	expect(harness.requestCount).toBe(6);
});

it.each(TRIES)('nothing that may have been queued is sent again with %s', async (_, node) => {
	loseAnswer(0);
	const run = await harness.run(toEach(), { items: people(3), node });

	expect(harness.texts.filter((each) => each === 'text 0')).toHaveLength(1);
	if (node.onError) expect(errorOf(run).outcome).toBe('uncertain');
	else expect(run.error?.description).toContain('may or may not be queued');
	expect(new Set(harness.texts).size).toBe(harness.texts.length);
});

it.each(TRIES)(
	'the node sends an uncertain message again with %s and the option to resend',
	async (_, node) => {
		loseAnswer(0);
		const run = await harness.run(toEach({ onUncertain: 'resend' }), { items: people(3), node });

		expect(jsonOf(run).map(({ code }) => code)).toEqual([200, 200, 200]);
		expect(harness.texts.filter((each) => each === 'text 0')).toHaveLength(2);
		expect(harness.texts).toHaveLength(4);
	},
);

const SENDS = [
	['one by one', text({ phoneNumber: PHONE, message: TIME, options: ONE_LANE }), 3],
	['a list', bulk({ phoneNumbers: ALL, message: TIME, options: EACH }), 1],
	['items', bulk({ recipientSource: 'items', message: TIME, options: EACH }), 3],
] as const;

it.each(SENDS)('a Retry sends the rest if the text holds the time, %s', async (_, sends, items) => {
	refuse(1);
	const second = await retry(await harness.run(sends, { items: people(items) }));

	expect(jsonOf(second).map(({ code }) => code)).toEqual([200, 200, 200]);
	const reached = harness.gateway.messages.flatMap(({ recipients }) => recipients);
	expect(reached).toEqual([0, 1, 2].map(numberOf));
});

it.each(SENDS)('a Retry sends a corrected text to the rest only, %s', async (_, sends, items) => {
	refuse(1);
	const first = await harness.run(sends, { items: people(items) });
	const second = await retry(first, { parameters: { ...sends, message: 'Corrected' } });

	expect(second.status).toBe('success');
	expect(second.hints.map(({ message }) => message)).toContain(
		'The message for 1 recipient was queued in an earlier try of this execution, with the text as it was then. It was not queued again.',
	);
	expect(harness.texts).toEqual(
		[expect.stringMatching(/^Hello/), 'Corrected', 'Corrected'].slice(0, harness.texts.length),
	);
	const reached = harness.gateway.messages.flatMap(({ recipients }) => recipients);
	expect(reached).toEqual([0, 1, 2].map(numberOf));
});

it('a Retry sends an uncertain text that holds the time again on request', async () => {
	loseAnswer(0);
	const options = { ...ONE_LANE, onUncertain: 'resend' };
	const sends = text({ phoneNumber: PHONE, message: TIME, options });
	const second = await retry(await harness.run(sends, { items: people(1) }));

	expect([second.status, harness.requestCount]).toEqual(['success', 2]);
});

it('the node puts the envelope out again as it was recorded', async () => {
	harness.gateway.misbehave({ recipient: numberOf(0), respond: { status: 200, body: MARKED } });
	refuse(1);
	const run = await harness.run(toEach(), { items: people(2), node: RETRY_ON_FAIL });

	expect(jsonOf(run)[0]).toEqual(MARKED);
	expect(harness.requestCount).toBe(3);
	expect(run.hints.map(({ message }) => message).join()).toContain('It was not queued again.');
});
const MARKED = { code: 200, message: 'only once', data: { queue_id: '7', nested: { a: [1] } } };

it('the node does not repeat a group message whose answer says that it was refused', async () => {
	harness.gateway.misbehave({
		respond: { status: 200, body: { error: 'Group not found' } },
		queueAnyway: true,
	});
	const run = await harness.run(file('image', 'sendToGroup'), {
		items: [withFile('photo.jpg')],
		node: { ...RETRY_ON_FAIL, ...CONTINUE_ON_FAIL },
	});

	expect(errorOf(run).outcome).toBe('uncertain');
	expect(harness.requestCount).toBe(1);
});

it.each(['', 0, null, false, 'none'])(
	'the node does not repeat an accepted message with an error of %j, which n8n may treat as a failure',
	async (error) => {
		const body = { code: 200, message: 'ok', error };
		harness.gateway.misbehave({ respond: { status: 200, body }, queueAnyway: true });
		const run = await harness.run(toEach(), { items: people(2), node: RETRY_ON_FAIL });

		const shown = error ? { response: body } : body;
		expect(jsonOf(run)).toEqual([shown, shown]);
		expect(harness.texts).toEqual(textsUpTo(2));
	},
);

it('the node does not send a message twice if its text differs in each try', async () => {
	refuse(1);
	const parameters = { ...toEach(), message: '={{ $json.say + " at " + $now.toMillis() }}' };
	const run = await harness.run(parameters, { items: people(2), node: RETRY_ON_FAIL });

	expect(run.status).toBe('success');
	expect(harness.texts.map((each) => each?.replace(/ at .*/, ''))).toEqual(textsUpTo(2));
});

it('the node reports what an earlier try sent as sent, even if a later try cannot start', async () => {
	refuse(0);
	const { credentials } = harness.engine as unknown as {
		credentials: { getDecrypted(...given: unknown[]): Promise<unknown> };
	};
	const read = jest.spyOn(credentials, 'getDecrypted');
	try {
		const running = harness.run(toEach(), {
			items: people(3),
			node: { ...RETRY_ON_FAIL, ...CONTINUE_ON_FAIL },
		});
		await until(() => read.mock.calls.length > 0);
		read.mockRejectedValue(new Error('The vault is sealed'));
		const run = await running;

		expect(jsonOf(run)[0]).toMatchObject({ error: { outcome: 'notSent' } });
		expect(
			jsonOf(run)
				.slice(1)
				.map(({ code }) => code),
		).toEqual([200, 200]);
		expect(harness.texts).toEqual(['text 1', 'text 2']);
	} finally {
		read.mockRestore();
	}
});

it('the node sends the rest in a retry, and puts everything out in order', async () => {
	refuse(2);
	const failed = await harness.run(toEach(), { items: people(5) });
	expect(failed.status).toBe('error');
	expect(harness.texts).toEqual(textsUpTo(2));

	const retried = await retry(failed);

	expect(retried.status).toBe('success');
	expectEachOnce(retried, 5);
	expect(linksOf(retried)).toEqual([[0], [1], [2], [3], [4]]);
	expect(harness.texts).toEqual(textsUpTo(5));
});

it('the node sends the rest around an item that is wrong in the data of an earlier node', async () => {
	const [first, corrected, ...others] = people(4);
	const items = [first, ...withJson({ phone: '0812x', say: 'text 1' }), ...others].flatMap(
		(item) => item ?? [],
	);
	const failed = await harness.run(toEach(), { items });
	expect(failed.error?.description).toMatch(
		/^1 message is queued; 2 items were not tried\. .* save, and retry: .* 'Retry with currently saved workflow'/,
	);
	const again = await retry(failed);
	expect(again.error?.description).toMatch(
		/A Retry reads the same data again\. If the mistake is in the data, set Settings → On Error to 'Continue \(using error output\)'\. Then save, and retry:/,
	);

	const retried = await retry(again, { node: { onError: 'continueErrorOutput' } });
	expect(retried.status).toBe('success');
	expect(harness.texts).toEqual(['text 0', 'text 2', 'text 3']);
	await harness.run(toEach(), { items: corrected && [corrected] });
	expect(harness.texts).toEqual(['text 0', 'text 2', 'text 3', 'text 1']);
});

it('the node fails again in a retry, without a request, for an uncertain message', async () => {
	loseAnswer(0);
	const failed = await harness.run(toEach(), { items: people(1) });
	const before = harness.requestCount;
	const retried = await retry(failed);

	expect(retried.error?.message).toContain('An earlier try of this execution');
	expect(retried.error?.description).toContain('It was not queued again.');
	expect(harness.requestCount).toBe(before);
});

it('the node sends an uncertain message again in a retry with the option set in the saved workflow', async () => {
	loseAnswer(0);
	const failed = await harness.run(toEach(), { items: people(2) });
	const retried = await retry(failed, { parameters: toEach({ onUncertain: 'resend' }) });

	expect(retried.status).toBe('success');
	expect(harness.texts).toEqual(['text 0', 'text 0', 'text 1']);
});

it.each([
	['a text each', toEach],
	['in bulk', inBulk],
])(
	'the node sends an uncertain message again on request even if its Send-Once Key is known (%s)',
	async (_, parameters) => {
		const sendOnceKey = '={{ $json.phone }} ' + _;
		loseAnswer(0);
		const failed = await harness.run(parameters({ sendOnceKey }), { items: people(1) });
		const retried = await retry(failed, {
			parameters: parameters({ sendOnceKey, onUncertain: 'resend' }),
		});

		expect([failed.status, retried.status]).toEqual(['error', 'success']);
		expect(harness.texts).toEqual(['text 0', 'text 0']);
	},
);

it('the node remembers an uncertain message if a retry stops before reaching it', async () => {
	loseAnswer(1);
	refuse(0, 2);
	const failed = await harness.run(toEach({ maxConcurrency: 2 }), { items: people(2) });
	const batching = { batch: { batchSize: 1, batchInterval: 500 } };
	const stopped = await retry(failed, {
		parameters: toEach({ maxConcurrency: 2, onUncertain: 'resend', batching }),
	});
	const last = await retry(stopped, { parameters: toEach(), node: CONTINUE_ON_FAIL });

	expect([failed.status, stopped.status]).toEqual(['error', 'error']);
	expect(errorOf(last, 1)).toMatchObject({ outcome: 'uncertain' });
	expect(harness.texts).toEqual(['text 1', 'text 0']);
});

it('the node keeps a message uncertain if it may have been sent, even if the gateway refuses it later', async () => {
	loseAnswer(0);
	const failed = await harness.run(toEach(), { items: people(1) });
	refuse(0);
	const retried = await retry(failed, { parameters: toEach({ onUncertain: 'resend' }) });

	expect(retried.error?.description).toMatch(
		/^This message may or may not be queued\. An earlier try of this execution may have queued it\./,
	);
	const last = await retry(retried, { parameters: toEach() });
	expect(last.error?.message).toContain('An earlier try of this execution');
});

it('the node sends everything if it is retried often enough', async () => {
	refuse(1);
	refuse(3);
	let run = await harness.run(toEach(), { items: people(5) });
	let retries = 0;
	for (; run.status !== 'success'; retries++) run = await retry(run);

	expect(retries).toBe(2);
	expect(harness.texts).toEqual(textsUpTo(5));
});

it('a message to another number is sent, and not replayed', async () => {
	refuse(1);
	const failed = await harness.run(toEach(), { items: people(2) });
	harness.gateway.clear();
	const phoneNumber = `={{ $json.phone.slice(0, -1) + '9' }}`;
	const retried = await retry(failed, { parameters: { ...toEach(), phoneNumber } });

	expect(retried.status).toBe('success');
	expect(harness.texts).toEqual(textsUpTo(2));
});

it('the node sends equal messages in the runs of a loop, which are no retries', async () => {
	const options: RunOptions = { items: 4, parameters: text(), credential: harness.credential };
	const run = await harness.engine.runLoop({ ...options, batchSize: 2 });

	expect(run.status).toBe('success');
	expect(harness.gateway.messages).toHaveLength(4);
});

it('the node retries a loop from the run that failed', async () => {
	harness.gateway.misbehave({ recipient: numberOf(2), times: 1, respond: { status: 422 } });
	const parameters = toEach();
	const options = { items: people(4), parameters, credential: harness.credential };
	const failed = await harness.engine.runLoop(options);
	const retried = await retry(failed);

	expect(failed.status).toBe('error');
	expect(retried.status).toBe('success');
	expect(harness.texts).toEqual(textsUpTo(4));
});

it('the node sends each message of a loop once with Retry On Fail in every run', async () => {
	[0, 1, 2, 3].forEach((n) => refuse(n));
	const run = await harness.engine.runLoop({
		items: people(4),
		parameters: toEach(),
		credential: harness.credential,
		node: RETRY_ON_FAIL,
	});

	expect(run.status).toBe('success');
	expect(harness.texts).toEqual(textsUpTo(4));
});

const fromItems = (options: object = {}) =>
	bulk({ recipientSource: 'items', options: { ...ONE_LANE, ...options } });
const recipients = () => harness.gateway.messages.flatMap((message) => message.recipients);

it('the node sends only the bulk requests again that failed', async () => {
	refuse(4);
	const failed = await harness.run(fromItems({ numbersPerRequest: 2 }), { items: people(9) });
	expect(failed.error?.description).toContain('The request was for');
	const retried = await retry(failed);

	expect(retried.status).toBe('success');
	expectEachOnce(retried, 9);
	expect(recipients()).toEqual(Array.from({ length: 9 }, (_, i) => numberOf(i)));
});

it('the node sends to one corrected number out of 500, and not again to the others', async () => {
	const numbers = Array.from({ length: 500 }, (_, i) => numberOf(i));
	const list = (all: string[], message = 'Hello') =>
		bulk({ phoneNumbers: all, message, options: ONE_LANE });
	const items = people(2);
	const message = '={{ $itemIndex }}';
	refuse(0, 1);
	const first = await harness.run(list(numbers, message), { items });
	expect(first.status).toBe('error');
	refuse(999);
	const both = `={{ $itemIndex === 0 ? ${JSON.stringify(numbers)} : [${JSON.stringify(numberOf(999))}] }}`;
	const second = await retry(first, {
		parameters: bulk({ phoneNumbers: both, message, options: ONE_LANE }),
	});
	expect(second.status).toBe('error');
	expect(recipients()).toHaveLength(500);

	const corrected = [...numbers.slice(0, 499), numberOf(777)];
	const fixed = `={{ $itemIndex === 0 ? ${JSON.stringify(corrected)} : [${JSON.stringify(numberOf(888))}] }}`;
	const third = await retry(second, {
		parameters: bulk({ phoneNumbers: fixed, message, options: ONE_LANE }),
	});

	expect(third.status).toBe('success');
	expect(recipients()).toHaveLength(502);
	expect(recipients().slice(500).sort()).toEqual([numberOf(777), numberOf(888)]);
});

const lists = (options: object = {}) =>
	bulk({
		phoneNumbers: '={{ $json.list }}',
		options: { ...ONE_LANE, sendOnceKey: '={{ $json.key }}', ...options },
	});
const [one, two, three, nine] = [1, 2, 3, 9].map(numberOf);

it('the node skips a list with a known key, even if it shares a number with a list that was sent', async () => {
	await harness.run(lists(), { items: withJson({ list: [one, two, three], key: 'known' }) });
	harness.gateway.clear();
	refuse(9);
	const items = withJson(
		{ list: [one], key: 'c' },
		{ list: [one, two, three], key: 'known' },
		{ list: [nine], key: 'd' },
	);
	const failed = await harness.run(lists(), { items });
	const retried = await retry(failed);

	expect(failed.status).toBe('error');
	expect(jsonOf(retried)).toMatchObject([{ code: 200 }, { skipped: true }, { code: 200 }]);
	expect(recipients()).toEqual([one, nine]);
});

/** Only its name stays, so that no other retry runs the next turn of a loop once more. */
const EMPTY = { 'node:Messaging Gateway': { journal: { runs: {} } } };

it.each([
	['texts', toEach(), {}],
	['bulk', bulk({ recipientSource: 'items' }), {}],
	['items that failed with Continue On Fail', toEach(), CONTINUE_ON_FAIL],
])('a success keeps only the name of the journal: %s', async (_, parameters, node) => {
	if (node === CONTINUE_ON_FAIL) refuse(1);
	const run = await harness.run(parameters, { items: people(5), node });

	expect(run.status).toBe('success');
	expect(contextOf(run)).toMatchObject(EMPTY);
});

it('the node keeps nothing but the name of the journal after a successful retry', async () => {
	refuse(4);
	const failed = await harness.run(toEach(), { items: people(5) });
	expect(JSON.stringify(contextOf(failed))).toContain('journal');

	expect(contextOf(await retry(failed))).toMatchObject(EMPTY);
});

it.each([
	['a text', (last: number) => (refuse(last), toEach()), 300, 45],
	[
		'a number in bulk',
		(last: number) => (
			refuse(last),
			bulk({ recipientSource: 'items', options: { numbersPerRequest: 100 } })
		),
		301,
		24,
	],
])('the node needs few bytes in the journal for %s', async (_, parametersFor, count, most) => {
	const run = await harness.run(parametersFor(count - 1), { items: people(count) });
	const bytes = JSON.stringify(contextOf(run)).length;
	const envelopes = JSON.stringify(contextOf(run)).match(/\{"code":200[^}]*\}/g) ?? [];
	const own = (bytes - envelopes.join('').length) / (count - 1);

	expect(run.status).toBe('error');
	expect(own).toBeLessThanOrEqual(most);
});

it.each<[string, Partial<INode>]>([
	['by its type', { type: 'n8n-nodes-messaging-gateway.messagingGatewayTool' }],
	['by its output', { rewireOutputLogTo: 'ai_tool' } as Partial<INode>],
])('the node returns a failure as an AI tool instead of throwing it (%s)', async (_, node) => {
	const plain = harness.engine as unknown as { types: { nodes: Map<string, never> } };
	const type = plain.types.nodes.get('n8n-nodes-messaging-gateway.messagingGateway') as never;
	const engine = await createEngine({
		nodeTypes: { 'n8n-nodes-messaging-gateway.messagingGatewayTool': type },
	});
	const run = async () =>
		await engine.run({
			parameters: toEach(),
			items: people(1),
			credential: harness.credential,
			node,
		});
	loseAnswer(0);
	const uncertain = await run();
	refuse(0);
	const notSent = await run();
	await engine.close();

	expect([uncertain.error, notSent.error]).toEqual([undefined, undefined]);
	// A tool does not use its main output.
	expect(JSON.stringify(uncertain.runs)).toContain('"outcome":"uncertain"');
	expect(JSON.stringify(notSent.runs)).toContain('This message was not queued');
});

const runAndCancel = async (
	parameters: ReturnType<typeof text>,
	options: RunOptions = {},
	isUnderWay = () => harness.requestCount > 0,
) => {
	const running = harness.run(parameters, { items: people(50), ...options });
	await until(isUnderWay);
	harness.engine.cancel();
	return await running;
};

it('the node reports the items that a canceled run has not started', async () => {
	harness.gateway.misbehave({ fault: 'silence' });
	const run = await runAndCancel(toEach(), { items: people(4), node: CONTINUE_ON_FAIL });

	expectEachOnce(run, 4);
	expect(errorOf(run, 0).outcome).toBe('uncertain');
	expect(errorOf(run, 3)).toMatchObject({
		outcome: 'notSent',
		message: 'The execution was stopped before this message was queued.',
	});
});

it('the node reports in a canceled run what an earlier try sent', async () => {
	refuse(0);
	harness.gateway.misbehave({ recipient: numberOf(0), fault: 'silence' });
	const node = { ...RETRY_ON_FAIL, ...CONTINUE_ON_FAIL };
	const running = harness.run(toEach(), { items: people(3), node });
	await until(() => harness.requestCount === 4);
	harness.engine.cancel();
	const run = await running;

	expect(harness.texts).toEqual(['text 1', 'text 2']);
	expect(jsonOf(run)).toMatchObject([
		{ error: { outcome: 'uncertain' } },
		{ code: 200 },
		{ code: 200 },
	]);
});

it.each([
	['Continue On Fail', CONTINUE_ON_FAIL],
	['stopping', {}],
])('a canceled run names the numbers of a list that it has not begun (%s)', async (_, node) => {
	const list = bulk({
		phoneNumbers: Array.from({ length: 6 }, (__, i) => numberOf(i)),
		options: {
			numbersPerRequest: 2,
			batching: { batch: { batchSize: 1, batchInterval: 50_000 } },
		},
	});
	let queuedAt = Infinity;
	const run = await runAndCancel(list, { items: 1, node }, () => {
		if (harness.texts.length === 1) queuedAt = Math.min(queuedAt, Date.now());
		return Date.now() > queuedAt + 200;
	});
	const left = [2, 3, 4, 5].map(numberOf);

	if (node === CONTINUE_ON_FAIL) {
		expect(jsonOf(run)).toMatchObject([
			{ code: 200 },
			{ error: { outcome: 'notSent', recipients: left } },
		]);
	} else {
		expect(run.error?.message).toBe('The execution was stopped before this message was queued.');
		expect(run.error?.description).toContain(left.join(', '));
	}
});

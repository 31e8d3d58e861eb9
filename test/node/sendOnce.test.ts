import { createEngine, type Run } from '../support/engine/engine';
import {
	bulk,
	errorOf,
	expectEachOnce,
	CONTINUE_ON_FAIL,
	jsonOf,
	linksOf,
	numberOf,
	text,
	useHarness,
	withJson,
} from '../support/harness';

const harness = useHarness();
beforeEach(async () => {
	// A new workflow for each test, so that no key is known from another one.
	await harness.engine.close();
	harness.engine = await createEngine();
});

const ONE_LANE = { maxConcurrency: 1, maxRetries: 0 };
const keyed = (options: object = {}) =>
	text({
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.key }}',
		options: { ...ONE_LANE, sendOnceKey: '={{ $json.key }}', ...options },
	});
const orders = (...keys: string[]) =>
	withJson(...keys.map((key, i) => ({ key, phone: numberOf(i) })));
const skippedOf = (run: Run) => jsonOf(run).map(({ skipped }) => skipped === true);

it('the node skips a key that an earlier execution sent, and says so', async () => {
	await harness.run(keyed(), { items: orders('a', 'b') });
	const run = await harness.run(keyed(), { items: orders('b', 'c') });

	expect(jsonOf(run)[0]).toEqual({
		skipped: true,
		reason: expect.stringContaining('is already queued'),
		sendOnceKey: 'b',
	});
	expect(linksOf(run)).toEqual([[0], [1]]);
	expect(harness.texts).toEqual(['a', 'b', 'c']);
	expect(run.hints.map(({ message }) => message)).toEqual([
		expect.stringContaining('2 recipients: 1 queued, 1 skipped'),
		expect.stringContaining('1 item skipped because of the Send-Once Key'),
	]);
});

describe('one list for several items, each with its own key', () => {
	const list = [0, 1, 2].map(numberOf);
	const toList = (options: object = {}) =>
		bulk({
			phoneNumbers: list.join(),
			message: 'Halo',
			options: { sendOnceKey: '={{ $json.key }}', ...options },
		});
	const received = () => harness.gateway.messages.map(({ recipients }) => recipients);

	it('a key that is known keeps nobody of the list from getting the message of another key', async () => {
		await harness.run(keyed(), { items: orders('old') });
		const run = await harness.run(toList(), { items: orders('old', 'new') });
		expect(received().slice(1)).toEqual([list]);
		expect(run.hints[0]?.message).toContain('6 messages to 3 numbers: 3 queued, 3 skipped');
	});

	it('each key is recorded, also if the first number of the list has opted out', async () => {
		const skipNumbers = numberOf(0);
		await harness.run(toList({ skipNumbers }), { items: orders('a', 'b') });
		await harness.run(toList({ skipNumbers }), { items: orders('b') });
		expect(received()).toEqual([list.slice(1)]);
	});
});

it('the node skips the key of an earlier item in the same run, even without any earlier record', async () => {
	const run = await harness.run(keyed({ maxConcurrency: 5 }), {
		items: orders('a', 'a', 'b', 'a'),
	});

	expect(skippedOf(run)).toEqual([false, true, false, true]);
	expect([...harness.texts].sort()).toEqual(['a', 'b']);
});

it.each<[string, object]>([
	['a refusal', { respond: { status: 422 } }],
	['429', { respond: { status: 429 } }],
	['a code that refuses', { respond: { status: 200, body: { code: 500 } } }],
])('the node frees the key again after %s', async (_, rule) => {
	harness.gateway.misbehave({ times: 1, ...rule });
	await harness.run(keyed(), { items: orders('a'), node: CONTINUE_ON_FAIL });
	const again = await harness.run(keyed(), { items: orders('a') });

	expect(skippedOf(again)).toEqual([false]);
	expect(harness.texts).toEqual(['a']);
});

it('the node leaves the key free if the message was never started because its number is invalid', async () => {
	const items = withJson({ key: 'a', phone: 'x' });
	await harness.run(keyed(), { items, node: CONTINUE_ON_FAIL });
	await harness.run(keyed(), { items: orders('a') });

	expect(harness.texts).toEqual(['a']);
});

it('the node keeps the key of an uncertain message taken', async () => {
	harness.gateway.misbehave({ times: 1, fault: 'resetAfterBody' });
	const run = await harness.run(keyed(), { items: orders('a'), node: CONTINUE_ON_FAIL });
	const again = await harness.run(keyed(), { items: orders('a') });

	expect(errorOf(run).outcome).toBe('uncertain');
	expect(skippedOf(again)).toEqual([true]);
	expect(harness.requestCount).toBe(1);
});

it('the node frees the key of an uncertain message with the option to resend', async () => {
	harness.gateway.misbehave({ times: 1, fault: 'resetAfterBody' });
	await harness.run(keyed({ onUncertain: 'resend' }), {
		items: orders('a'),
		node: CONTINUE_ON_FAIL,
	});
	await harness.run(keyed(), { items: orders('a') });

	expect(harness.texts).toEqual(['a']);
});

it('the node sends the rest with Retry On Fail although the keys are known', async () => {
	harness.gateway.misbehave({ recipient: numberOf(1), times: 1, respond: { status: 422 } });
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const run = await harness.run(keyed(), { items: orders('a', 'b', 'c'), node });

	expect(jsonOf(run).map(({ code }) => code)).toEqual([200, 200, 200]);
	expect(harness.texts).toEqual(['a', 'b', 'c']);
});

it('the node frees the keys of messages that were never started because the run stopped', async () => {
	harness.engine.history.latency = 20;
	harness.gateway.misbehave({ recipient: numberOf(0), times: 1, respond: { status: 422 } });
	const run = await harness.run(keyed({ maxConcurrency: 2 }), {
		items: orders('a', 'b', 'c', 'd', 'e', 'f'),
	});
	harness.engine.history.latency = 0;
	const again = await harness.engine.retry(run);

	expect(again.status).toBe('success');
	expect([...harness.texts].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

const fromItems = (options: object = {}) =>
	bulk({
		recipientSource: 'items',
		options: { ...ONE_LANE, sendOnceKey: '={{ $json.key }}', ...options },
	});
const recipients = () => harness.gateway.messages.flatMap((message) => message.recipients);

it('the node checks the key of each item of a bulk send before the items are grouped', async () => {
	await harness.run(keyed(), { items: orders('b') });
	harness.gateway.clear();
	const run = await harness.run(fromItems({ numbersPerRequest: 2 }), {
		items: orders('a', 'b', 'c', 'a', 'd'),
	});

	expectEachOnce(run, 5);
	expect(recipients()).toEqual([0, 2, 4].map(numberOf));
	expect(harness.requestCount).toBe(2);
	expect(jsonOf(run).filter(({ skipped }) => skipped)).toHaveLength(2);
});

it('the node takes one key for a whole list', async () => {
	const list = bulk({
		phoneNumbers: [1, 2, 3].map(numberOf),
		options: { sendOnceKey: 'november', numbersPerRequest: 2 },
	});
	await harness.run(list);
	const again = await harness.run(list);

	expect(skippedOf(again)).toEqual([true]);
	expect(recipients()).toEqual([1, 2, 3].map(numberOf));
});

it('the node asks a full history seldom, because each call reads all of its 10,000 keys', async () => {
	// The node itself fills it.
	const old = Array.from({ length: 10_000 }, (_, i) => `old ${i}`);
	await harness.run(fromItems(), { items: orders(...old) });
	// One for each request, and one at the end, as another worker may have overwritten the last keys.
	for (const [parameters, most] of [
		[fromItems(), 2],
		[keyed({ maxConcurrency: 50 }), 201],
	] as const) {
		harness.gateway.clear();
		const before = harness.engine.history.calls;
		const keys = Array.from({ length: 200 }, (_, i) => `order ${most} ${i}`);
		await harness.run(parameters, { items: orders(...keys) });

		expect(harness.gateway.messages.flatMap(({ recipients }) => recipients)).toHaveLength(200);
		expect(harness.engine.history.calls - before).toBeLessThanOrEqual(most);
	}
});

it.each([
	['one by one', keyed()],
	[
		'in bulk',
		bulk({
			recipientSource: 'items',
			message: 'Halo',
			options: { sendOnceKey: '={{ $json.key }}' },
		}),
	],
])(
	'the node sends no other item with the key of a message that was not sent, and says why, %s',
	async (_, node) => {
		harness.gateway.misbehave({ recipient: numberOf(0), times: 1, respond: { status: 422 } });
		const items = withJson(
			{ key: 'a', phone: numberOf(0) },
			{ key: 'a', phone: numberOf(1) },
			{ key: 'a', phone: numberOf(2) },
		);
		const options = { ...(node.options as object), numbersPerRequest: 1 };
		const run = await harness.run({ ...node, options }, { items, node: CONTINUE_ON_FAIL });

		expect(harness.gateway.messages).toEqual([]);
		expect(errorOf(run).outcome).toBe('notSent');
		expect(skippedOf(run)).toEqual([false, true, true]);
		expect(jsonOf(run)[1]?.reason).toBe(
			'The first item with this key was not sent; a Retry sends it.',
		);
	},
);

const ofOthers = (message: string) => /have the same|share \d/.test(message);

it.each<[string, string, number[], string]>([
	[
		'a text for all',
		'={{ "news" }}',
		[1, 2, 3],
		'3 items for 3 recipients have the same Send-Once Key, “news”: only the first of them is sent.',
	],
	['one person twice', '={{ $json.nr }}', [1, 1], ''],
	['a key of its own', '={{ $json.nr + "-" + $json.phone }}', [1, 2, 3], ''],
	[
		'a day for two, twice',
		'={{ $itemIndex % 2 ? "Mon" : "Tue" }}',
		[1, 2, 3, 4],
		'4 items for 4 recipients share 2 Send-Once Keys, such as “Tue”: only the first with each key is sent.',
	],
])(
	'the node warns of a key that different recipients share: %s',
	async (_, sendOnceKey, people, what) => {
		const items = withJson(...people.map((n) => ({ phone: numberOf(n), nr: 7, key: `Hi ${n}` })));
		for (const dryRun of [true, false]) {
			const { hints } = await harness.run(keyed({ sendOnceKey, dryRun }), { items });
			const found = hints.filter(({ message }) => ofOthers(message));
			const warning = { type: 'warning', message: expect.stringContaining(what) as string };
			expect(found).toMatchObject(what === '' ? [] : [warning]);
		}
	},
);

it('the node does not warn if several items have one key and the same list', async () => {
	const options = { sendOnceKey: 'news' };
	const list = bulk({ phoneNumbers: [1, 2].map(numberOf).join(), message: 'Hi', options });
	const { hints } = await harness.run(list, { items: withJson({}, {}) });
	expect(hints.filter(({ message }) => ofOthers(message))).toEqual([]);
});

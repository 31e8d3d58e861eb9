/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What people do after an execution has failed: nothing goes out twice, and nothing gets lost. */
import { getEventListeners } from 'node:events';
import type { IRunExecutionData } from 'n8n-workflow';
import type { Engine, Run } from '../support/engine/engine';
import {
	bulk,
	errorOf,
	CONTINUE_ON_FAIL,
	jsonOf,
	numberOf,
	text,
	until,
	useHarness,
	withJson,
	type ItemError,
} from '../support/harness';

const harness = useHarness();
afterEach(() => void (harness.engine.history.latency = 0));

const ONE_LANE = { maxConcurrency: 1, maxRetries: 0 };
const people = (count: number) =>
	withJson(...Array.from({ length: count }, (_, i) => ({ phone: numberOf(i), say: `text ${i}` })));
const toEach = (options: object = {}, more: object = {}) =>
	text({
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.say }}',
		options: { ...ONE_LANE, ...options },
		...more,
	});
const inBulk = (options: object = {}, more: object = {}) =>
	bulk({ recipientSource: 'items', options: { ...ONE_LANE, ...options }, ...more });
const textsUpTo = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`);
const refuse = (n: number, times = 1) =>
	harness.gateway.misbehave({ recipient: numberOf(n), times, respond: { status: 422 } });
const loseAnswer = (n: number) =>
	harness.gateway.misbehave({
		recipient: numberOf(n),
		times: 1,
		fault: 'resetAfterBody',
		queueAnyway: true,
	});
const retry = async (run: Run, options: Parameters<Engine['retry']>[1] = {}) =>
	await harness.engine.retry(run, { credential: harness.credential, ...options });
const recipients = () => harness.gateway.messages.flatMap((message) => message.recipients);

it('the node sends nothing if the oldest of several retries is retried again, and names the newer one', async () => {
	refuse(1);
	const oldest = await harness.run(toEach(), { items: people(4) });
	refuse(3);
	const newer = await retry(oldest);
	const newest = await retry(newer);
	const again = await retry(oldest, { node: CONTINUE_ON_FAIL });

	expect([oldest, newer, newest].map(({ status }) => status)).toEqual([
		'error',
		'error',
		'success',
	]);
	expect(harness.texts).toEqual(textsUpTo(4));
	expect(jsonOf(again)[0]).toMatchObject({ code: 200 });
	for (const n of [1, 2, 3]) {
		expect(errorOf(again, n)).toMatchObject({
			outcome: 'uncertain',
			message: expect.stringContaining('A newer retry of this execution exists'),
			description: expect.stringContaining('retry the most recent one'),
		});
	}
});

it('the node sends nothing of a list with a Send-Once Key again if an older execution is retried', async () => {
	const list = bulk({
		phoneNumbers: [0, 1, 2, 3].map(numberOf),
		options: { ...ONE_LANE, numbersPerRequest: 2, sendOnceKey: 'newsletter' },
	});
	refuse(2);
	const failed = await harness.run(list);
	const newer = await retry(failed);
	const again = await retry(failed);

	expect([failed, newer, again].map(({ status }) => status)).toEqual(['error', 'success', 'error']);
	expect(recipients()).toEqual([0, 1, 2, 3].map(numberOf));
});

it.each([0, 20])(
	'the node sends each message once in two retries at once (%i ms database)',
	async (latency) => {
		refuse(1);
		const failed = await harness.run(toEach(), { items: people(5) });
		harness.engine.history.latency = latency;
		const both = await Promise.all([retry(failed), retry(failed)]);

		expect(both.map(({ status }) => status).sort()).toEqual(['error', 'success']);
		expect([...harness.texts].sort()).toEqual(textsUpTo(5));
	},
);

/** The execution as n8n stores it where another node failed before this one had run. */
function failedBefore(run: Run): Run {
	const stored = () => {
		const data = JSON.parse(run.stored()) as IRunExecutionData;
		if (data.executionData) data.executionData.contextData = {};
		return JSON.stringify(data);
	};
	return { ...run, stored };
}

const withKeys = (name: string) => toEach({ sendOnceKey: `={{ $json.say }} ${name}` });
const failedAtItem1 = async (parameters = toEach()) => {
	refuse(1);
	return await harness.run(parameters, { items: people(3) });
};

it('the node holds back what it may have sent when n8n ended in the middle of the execution', async () => {
	if (!harness.engine.keepsToken) return;
	const interrupted = failedBefore(await failedAtItem1());
	const held = await retry(interrupted, { node: CONTINUE_ON_FAIL });
	expect(harness.texts).toEqual(['text 0']);
	expect(jsonOf(held)).toHaveLength(3);
	expect(errorOf(held, 2)).toMatchObject({
		outcome: 'uncertain',
		message: expect.stringContaining('n8n shut down while this execution was sending'),
	});
});

it('the node records the keys that were added after n8n ended in the middle of the execution', async () => {
	if (!harness.engine.keepsToken) return;
	const interrupted = failedBefore(await failedAtItem1());
	const added = withKeys('added after the end');
	await retry(interrupted, { parameters: added });
	expect((await harness.run(added, { items: people(3) })).status).toBe('success');
	expect(harness.texts).toEqual(['text 0']);
});

it('the node sends nothing twice in a new execution, and the rest, after a Retry in which it was replaced', async () => {
	const parameters = withKeys('before it was replaced');
	const node = { id: 'pasted' };
	await retry(await failedAtItem1(parameters), { node });
	const later = await harness.run(parameters, { items: people(3), node });
	expect(jsonOf(later)[0]).toMatchObject({ skipped: true });
	expect(harness.texts).toEqual(textsUpTo(3));
});

it('the node sends the rest after n8n ended in the middle of the execution, by its Send-Once Keys', async () => {
	const interrupted = failedBefore(await failedAtItem1(withKeys('after the end')));
	expect((await retry(interrupted)).status).toBe('success');
	expect(harness.texts).toEqual(textsUpTo(3));
});

it('the node holds back in a retry what another node of its name may have sent', async () => {
	const node = { id: 'pasted', ...CONTINUE_ON_FAIL };
	const held = await retry(await failedAtItem1(), { node });
	expect(harness.texts).toEqual(['text 0']);
	expect(jsonOf(held)[0]).toMatchObject({ code: 200 });
	expect(errorOf(held, 1).message).toContain('taken the place of another one');
});

it('the node sends only the rest in a retry with another operation', async () => {
	const parameters = inBulk({}, { message: '={{ $json.say }}' });
	const changed = await retry(await failedAtItem1(), { parameters });
	expect(recipients()).toEqual([0, 1, 2].map(numberOf));
	expect(jsonOf(changed)).toMatchObject(Array(3).fill({ code: 200 }));
});

it('the node sends what the next branch asks for, to which n8n gives the place of a stopped run in a retry', async () => {
	harness.gateway.misbehave({ recipient: numberOf(1), times: 1, fault: 'silence' });
	const parameters = toEach({}, { message: '={{ $prevNode.name }}: {{ $json.say }}' });
	const { credential } = harness;
	const items = people(2);
	const running = harness.engine.runBranches({ items, batchSize: 2, parameters, credential });
	await until(() => harness.requestCount === 2);
	harness.engine.cancel();
	const stopped = await running;
	expect(harness.texts).toEqual(['Loop: text 0']);

	expect((await retry(stopped)).status).toBe('success');
	expect(harness.texts).toEqual(['Loop: text 0', 'Items: text 0', 'Items: text 1']);
});

it('the node ends a dry run of a retry with an error, so that n8n still offers Retry', async () => {
	const before = await failedAtItem1();
	const dry = await retry(before, { parameters: toEach({ dryRun: true }) });
	expect([dry.status, dry.error?.message]).toEqual([
		'error',
		'This was a dry run of a retry: nothing was queued.',
	]);
	expect((await retry(before, { parameters: toEach() })).status).toBe('success');
	expect(harness.texts).toEqual(textsUpTo(3));
});

it('the node records a Send-Once Key that was added before a retry for what was sent before, too', async () => {
	const parameters = withKeys('added later');
	await retry(await failedAtItem1(), { parameters });
	const later = await harness.run(parameters, { items: people(3) });
	expect(jsonOf(later)).toMatchObject(Array(3).fill({ skipped: true }));
	expect(harness.texts).toEqual(textsUpTo(3));
});

it('the node sends everything again in a new execution without a Send-Once Key', async () => {
	refuse(3);
	loseAnswer(1);
	const first = await harness.run(toEach(), { items: people(4), node: CONTINUE_ON_FAIL });
	const second = await harness.run(toEach(), { items: people(4) });

	expect(jsonOf(first).map(({ error }) => (error as ItemError | undefined)?.outcome)).toEqual([
		undefined,
		'uncertain',
		undefined,
		'notSent',
	]);
	expect(second.status).toBe('success');
	expect(harness.texts).toEqual(['text 0', 'text 1', 'text 2', ...textsUpTo(4)]);
});

it('the node skips a list in a new execution of whose Send-Once Key a part was sent, and Retry finishes it', async () => {
	const list = bulk({
		phoneNumbers: [0, 1, 2].map(numberOf),
		options: { ...ONE_LANE, numbersPerRequest: 1, sendOnceKey: 'a part of a list' },
	});
	refuse(1);
	const failed = await harness.run(list);
	const anew = await harness.run(list);
	expect(recipients()).toEqual([numberOf(0)]);
	expect(jsonOf(anew)).toMatchObject([{ skipped: true }]);
	const retried = await retry(failed);

	expect(retried.status).toBe('success');
	expect(recipients()).toEqual([0, 1, 2].map(numberOf));
});

/** Sends nothing, as n8n cannot read the parameter. */
const broken = () => toEach({}, { message: '={{ $json.say.missing.word }}' });
const failed = async () => failedBefore(await harness.run(broken(), { items: people(3) }));

it('the node sends each message once, however often an execution is retried that failed before the node ran', async () => {
	const before = await failed();
	const first = await retry(before, { parameters: toEach() });
	const second = await retry(before, { parameters: toEach(), node: CONTINUE_ON_FAIL });

	expect(first.status).toBe('success');
	// Before 2.14, n8n gives the retries nothing that they share.
	const times = harness.engine.keepsToken ? 1 : 2;
	expect([...harness.texts].sort()).toEqual(
		textsUpTo(3).flatMap((each) => Array.from({ length: times }, () => each)),
	);
	if (times === 2) return;
	expect(errorOf(second)).toMatchObject({
		outcome: 'uncertain',
		message: expect.stringContaining('A newer retry of this execution exists'),
	});
});

it('the node takes no execution that failed before the node ran for another one', async () => {
	const [one, other] = [await failed(), await failed()];
	const runs = [
		await retry(one, { parameters: toEach() }),
		await retry(other, { parameters: toEach() }),
	];

	expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
	expect(harness.texts).toEqual([...textsUpTo(3), ...textsUpTo(3)]);
});

it('the node sends nothing in a retry that cannot reach the history, and the rest in the next one', async () => {
	refuse(1);
	const failed = await harness.run(toEach(), { items: people(3) });
	const away = jest
		.spyOn(harness.engine.history, 'checkProcessedAndRecord')
		.mockRejectedValue(new Error('The database is away'));
	const held = await retry(failed);
	away.mockRestore();
	expect(harness.texts).toEqual(['text 0']);
	expect(held.error?.message).toContain('could not find out whether another retry');
	expect(held.error?.description).toMatch(
		/Then retry: Executions .* Only the rest is sent\. More: /,
	);
	const next = await retry(held);

	expect(next.status).toBe('success');
	expect(harness.texts).toEqual(textsUpTo(3));
});

it('the node reports an accepted message as sent that cannot be read any more', async () => {
	refuse(1);
	const failed = await harness.run(toEach(), { items: people(2) });
	const broken = toEach({}, { message: '={{ $json.say.missing.word }}' });
	const retried = await retry(failed, { parameters: broken, node: CONTINUE_ON_FAIL });

	expect(jsonOf(retried)).toMatchObject([{ code: 200 }, { error: { outcome: 'notSent' } }]);
	expect(harness.texts).toEqual(['text 0']);
});

const wrongDevice = () => ({ ...harness.credential, deviceId: 'misspelled' });

it.each([
	['one by one', toEach],
	['in bulk from items', inBulk],
])(
	'the node does not send what was accepted again through another Device ID, %s',
	async (_, parametersOf) => {
		const parameters = parametersOf({ numbersPerRequest: 1 });
		// A gateway that takes the first message although it does not know the device.
		harness.gateway.misbehave({
			recipient: numberOf(0),
			times: 1,
			respond: { status: 200, body: { code: 200, message: 'ok' } },
			queueAnyway: true,
		});
		const failed = await harness.run(parameters, { items: people(2), credential: wrongDevice() });
		const retried = await retry(failed);

		expect([failed.status, retried.status]).toEqual(['error', 'success']);
		expect(recipients()).toEqual([0, 1].map(numberOf));
	},
);

it.each([
	['one by one', toEach],
	['in bulk from items', inBulk],
])(
	'the node does not send what was accepted again with another Default Country Code, %s',
	async (_, parametersOf) => {
		const items = withJson(
			{ phone: '081234567890', say: 'a' },
			{ phone: '081234567891', say: 'a' },
		);
		const parameters = parametersOf({ numbersPerRequest: 1 }, { message: 'a' });
		harness.gateway.misbehave({ recipient: '081234567891', times: 1, respond: { status: 422 } });
		const failed = await harness.run(parameters, { items });
		const repaired = { ...harness.credential, defaultCountryCode: '62' };
		const retried = await retry(failed, { credential: repaired });

		expect([failed.status, retried.status]).toEqual(['error', 'success']);
		expect(recipients()).toEqual(['081234567890', '6281234567891']);
	},
);

it('the node sends the messages behind an uncertain one', async () => {
	loseAnswer(0);
	const failed = await harness.run(toEach(), { items: people(4) });
	expect(harness.texts).toEqual(['text 0']);
	const retried = await retry(failed);

	expect(harness.texts).toEqual(textsUpTo(4));
	expect(retried.error?.message).toBe(
		'3 messages are queued now. 1 more may have been queued by an earlier try.',
	);
	expect(retried.error?.description).toMatch(/^3 messages are queued\. This message may/);
});

it.each([
	['in bulk from items', inBulk],
	['one by one', toEach],
])('the node reports in a canceled retry what the first try sent, %s', async (_, parametersOf) => {
	const parameters = parametersOf({ numbersPerRequest: 1 }, { message: 'same' });
	refuse(2);
	const failed = await harness.run(parameters, { items: people(4) });
	harness.gateway.clear();
	harness.gateway.misbehave({ recipient: numberOf(2), fault: 'silence' });
	const running = retry(failed, { node: CONTINUE_ON_FAIL });
	await until(() => harness.requestCount > 0);
	harness.engine.cancel();
	const canceled = await running;

	expect(jsonOf(canceled)).toMatchObject([
		{ code: 200 },
		{ code: 200 },
		{ error: { outcome: 'uncertain' } },
		{ error: { outcome: 'notSent' } },
	]);
});

it.each([
	['in bulk from items', inBulk, 2, [200, 200, 'notSent', 'notSent']],
	['one by one', toEach, 0, ['notSent', 200, 200, 200]],
])(
	'the node denies nothing in a retry that is canceled before it has begun, %s',
	async (_, parametersOf, refused, outcomes) => {
		const given = (options: object) => parametersOf({ numbersPerRequest: 1, ...options });
		refuse(refused);
		const failed = await harness.run(given({ maxConcurrency: 4 }), { items: people(4) });
		harness.gateway.clear();
		const reads = harness.engine.credentialReads;
		const parameters = given({ randomDelay: 10_000_000 });
		const running = retry(failed, { parameters, node: CONTINUE_ON_FAIL });
		await until(() => harness.engine.credentialReads > reads);
		await new Promise((resolve) => setTimeout(resolve, 100));
		harness.engine.cancel();

		const output = jsonOf(await running);
		expect(
			output.map(({ code, error }) => code ?? (error as ItemError | undefined)?.outcome),
		).toEqual(outcomes);
		expect(harness.requestCount).toBe(0);
	},
);

it('the node sends each number its texts in the order of the items, in bulk as well', async () => {
	const items = withJson(
		{ phone: numberOf(1), say: 'B' },
		{ phone: numberOf(0), say: 'A' },
		{ phone: numberOf(0), say: 'B' },
	);
	await harness.run(inBulk({}, { message: '={{ $json.say }}' }), { items });

	const got = harness.gateway.messages.filter((each) => each.recipients.includes(numberOf(0)));
	expect(got.map((each) => each.text)).toEqual(['A', 'B']);
});

it('the node asks the history seldom for many duplicates after a request that is not full', async () => {
	const all = Array.from({ length: 1_500 }, (_, i) => ({
		phone: numberOf(Math.min(i, 498)),
		key: `duplicate ${i}`,
	}));
	const before = harness.engine.history.calls;
	const run = await harness.run(inBulk({ sendOnceKey: '={{ $json.key }}' }), {
		items: withJson(...all),
	});

	expect(run.status).toBe('success');
	expect(recipients()).toHaveLength(499);
	expect(harness.engine.history.calls - before).toBeLessThanOrEqual(10);
});

it('the node leaves no listeners on the signal that cancels the execution, after 300 runs in a loop', async () => {
	const add = jest.spyOn(EventTarget.prototype, 'addEventListener');
	let most = 0;
	try {
		const count = 300;
		const run = await harness.engine.runLoop({
			items: people(count),
			parameters: toEach(),
			credential: harness.credential,
		});
		expect(run.runs).toHaveLength(count);
		const targets = [...new Set(add.mock.contexts as unknown as EventTarget[])];
		const signals = targets.filter((target) => target instanceof AbortSignal);
		expect(signals.length).toBeGreaterThan(count);
		most = Math.max(...signals.map((signal) => getEventListeners(signal, 'abort').length));
	} finally {
		add.mockRestore();
	}
	expect(most).toBeLessThan(10);
});

it('the node asks a gateway that asks for an hour no more for each of the other items', async () => {
	harness.gateway.misbehave({ respond: { status: 429, headers: { 'Retry-After': '3600' } } });
	const run = await harness.run(toEach({ maxConcurrency: 5 }), {
		items: people(300),
		node: CONTINUE_ON_FAIL,
	});

	expect(harness.requestCount).toBeLessThanOrEqual(5);
	expect(jsonOf(run)).toHaveLength(300);
	expect(errorOf(run, 299)).toMatchObject({
		outcome: 'notSent',
		description: expect.stringMatching(/1 hour|60 minutes|59 minutes/),
	});
});

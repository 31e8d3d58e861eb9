import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
	until,
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

describe('a key', () => {
	it('that an earlier execution sent is skipped, and the output says so', async () => {
		await harness.run(keyed(), { items: orders('a', 'b') });
		const run = await harness.run(keyed(), { items: orders('b', 'c') });

		expect(jsonOf(run)[0]).toEqual({
			skipped: true,
			reason: expect.stringContaining('was sent before'),
			sendOnceKey: 'b',
		});
		expect(linksOf(run)).toEqual([[0], [1]]);
		expect(harness.texts).toEqual(['a', 'b', 'c']);
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining('2 recipients: 1 queued, 1 skipped'),
			expect.stringContaining('1 item skipped because of the Send-Once Key'),
		]);
	});

	it('of an earlier item in the same run is skipped, even without any earlier record', async () => {
		const run = await harness.run(keyed({ maxConcurrency: 5 }), {
			items: orders('a', 'a', 'b', 'a'),
		});

		expect(skippedOf(run)).toEqual([false, true, false, true]);
		expect([...harness.texts].sort()).toEqual(['a', 'b']);
	});

	it('with only spaces counts as empty', async () => {
		await harness.run(keyed({ sendOnceKey: ' ' }), { items: orders('a', 'a') });

		expect(harness.texts).toEqual(['a', 'a']);
	});

	it.each<[string, object]>([
		['a refusal', { respond: { status: 422 } }],
		['429', { respond: { status: 429 } }],
		['a code that refuses', { respond: { status: 200, body: { code: 500 } } }],
	])('is free again after %s', async (_, rule) => {
		harness.gateway.misbehave({ times: 1, ...rule });
		await harness.run(keyed(), { items: orders('a'), node: CONTINUE_ON_FAIL });
		const again = await harness.run(keyed(), { items: orders('a') });

		expect(skippedOf(again)).toEqual([false]);
		expect(harness.texts).toEqual(['a']);
	});

	it('stays free if the message was never started because its number is invalid', async () => {
		const items = withJson({ key: 'a', phone: 'x' });
		await harness.run(keyed(), { items, node: CONTINUE_ON_FAIL });
		await harness.run(keyed(), { items: orders('a') });

		expect(harness.texts).toEqual(['a']);
	});

	it('of an uncertain message stays taken', async () => {
		harness.gateway.misbehave({ times: 1, fault: 'resetAfterBody' });
		const run = await harness.run(keyed(), { items: orders('a'), node: CONTINUE_ON_FAIL });
		const again = await harness.run(keyed(), { items: orders('a') });

		expect(errorOf(run).outcome).toBe('uncertain');
		expect(skippedOf(again)).toEqual([true]);
		expect(harness.requestCount).toBe(1);
	});

	it('of an uncertain message is free again with the option to resend', async () => {
		harness.gateway.misbehave({ times: 1, fault: 'resetAfterBody' });
		await harness.run(keyed({ onUncertain: 'resend' }), {
			items: orders('a'),
			node: CONTINUE_ON_FAIL,
		});
		await harness.run(keyed(), { items: orders('a') });

		expect(harness.texts).toEqual(['a']);
	});

	it('does not block Retry On Fail', async () => {
		harness.gateway.misbehave({ recipient: numberOf(1), times: 1, respond: { status: 422 } });
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const run = await harness.run(keyed(), { items: orders('a', 'b', 'c'), node });

		expect(jsonOf(run).map(({ code }) => code)).toEqual([200, 200, 200]);
		expect(harness.texts).toEqual(['a', 'b', 'c']);
	});

	it('of a message that was never started because the run stopped is free', async () => {
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
});

describe('in bulk from items', () => {
	const fromItems = (options: object = {}) =>
		bulk({
			recipientSource: 'items',
			options: { ...ONE_LANE, sendOnceKey: '={{ $json.key }}', ...options },
		});
	const recipients = () => harness.gateway.messages.flatMap((message) => message.recipients);

	it('a key is checked for each item before the items are grouped', async () => {
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

	it('a refused request frees its own keys and no others', async () => {
		harness.gateway.misbehave({ recipient: numberOf(2), times: 1, respond: { status: 422 } });
		const all = orders('a', 'b', 'c', 'd', 'e');
		await harness.run(fromItems({ numbersPerRequest: 2 }), { items: all, node: CONTINUE_ON_FAIL });
		const again = await harness.run(fromItems(), { items: all });

		expect(jsonOf(again).filter(({ skipped }) => skipped)).toHaveLength(3);
		expect(recipients().sort()).toEqual([0, 1, 2, 3, 4].map(numberOf));
	});

	it('one key covers a whole list', async () => {
		const list = bulk({
			phoneNumbers: [1, 2, 3].map(numberOf),
			options: { sendOnceKey: 'november', numbersPerRequest: 2 },
		});
		await harness.run(list);
		const again = await harness.run(list);

		expect(skippedOf(again)).toEqual([true]);
		expect(recipients()).toEqual([1, 2, 3].map(numberOf));
	});
});

describe('10,000 keys', () => {
	const keys = Array.from({ length: 10_000 }, (_, i) => `order ${i}`);
	const fill = bulk({ recipientSource: 'items', options: { sendOnceKey: '={{ $json.key }}' } });

	it.each([
		// One for each request, and one at the end, as another worker may have overwritten the last keys.
		['in bulk', 10_000, 21, fill],
		['one request each', 2_000, 2_001, keyed({ maxConcurrency: 50 })],
	])(
		'with a full history need few calls, because each call reads all of it (%s)',
		async (name, count, most, parameters) => {
			// Let the node itself fill the history.
			await harness.run(fill, { items: orders(...keys.map((key) => `old ${key}`)) });
			harness.gateway.clear();
			const before = harness.engine.history.calls;
			const started = performance.now();
			const run = await harness.run(parameters, { items: orders(...keys.slice(0, count)) });
			const took = performance.now() - started;
			const calls = harness.engine.history.calls - before;

			expect(run.status).toBe('success');
			expect(harness.gateway.messages.flatMap(({ recipients }) => recipients)).toHaveLength(count);
			const each = (took / count).toFixed(2);
			console.info(`keys ${name}, full history: ${each} ms each, ${calls} calls for ${count} keys`);
			expect(calls).toBeLessThanOrEqual(most);
		},
		120_000,
	);
});

describe('executions that overlap', () => {
	/** Runs two executions with the same keys at once, and counts the messages sent twice. */
	const race = async (latency: number) => {
		harness.engine.history.latency = latency;
		const keys = Array.from({ length: 50 }, (_, i) => `key ${i}`);
		const options = { items: orders(...keys), node: CONTINUE_ON_FAIL };
		const runs = await Promise.all([
			harness.run(keyed({ maxConcurrency: 5 }), options),
			harness.run(keyed({ maxConcurrency: 5 }), options),
		]);
		harness.engine.history.latency = 0;
		const twice = harness.texts.length - new Set(harness.texts).size;
		const again = await harness.run(keyed(), options);
		const forgotten = skippedOf(again).filter((skipped) => !skipped).length;
		return { runs, twice, forgotten };
	};

	it.each([1, 20])(
		'may send a message twice or forget a key, but lose no message (%i ms database)',
		async (latency) => {
			await harness.run(keyed(), { items: orders('first') });
			harness.gateway.clear();
			const { runs, twice, forgotten } = await race(latency);

			runs.forEach((run) => expectEachOnce(run, 50));
			expect(new Set(harness.texts).size).toBe(50);
			console.info(`two executions at once, 50 equal keys, database ${latency} ms:`);
			console.info(`  ${twice} sent twice, ${forgotten} forgotten afterwards`);
		},
	);

	it('reports messages as not sent if creating the first record failed', async () => {
		const { runs } = await race(20);

		runs.forEach((run) => expectEachOnce(run, 50));
		const errors = runs.flatMap(jsonOf).filter(({ error }) => error);
		errors.forEach(({ error }) => {
			const message = 'n8n could not record the Send-Once Key.';
			expect(error).toMatchObject({ outcome: 'notSent', message });
		});
		console.info(`two first executions at once: ${errors.length} of 100 failed, none was sent`);
		expect(new Set(harness.texts).size).toBe(50);
	});
});

describe('a crash', () => {
	const folder = mkdtempSync(join(tmpdir(), 'send-once-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** Runs the node in a separate process that keeps its history in a file. */
	const start = (count: number, options: object) => {
		const { credential } = harness;
		const job = { credential, count, options, history: join(folder, 'history.json') };
		return spawn(
			process.execPath,
			['--import', 'tsx', join(__dirname, 'crash.ts'), JSON.stringify(job)],
			{ stdio: 'ignore' },
		);
	};
	const ended = async (child: ReturnType<typeof start>) =>
		await new Promise<number | null>((resolve) => child.once('exit', resolve));

	it('in the middle loses at most the messages in progress, and sends none twice', async () => {
		const lanes = 5;
		harness.gateway.misbehave({ latency: 20 });
		const child = start(200, { maxConcurrency: lanes });
		const exit = ended(child);
		await until(() => harness.texts.length >= 60, 40_000);
		child.kill('SIGKILL');
		await exit;
		await new Promise((resolve) => setTimeout(resolve, 200));
		const sent = harness.texts.length;
		harness.gateway.behave();
		expect(await ended(start(200, { maxConcurrency: lanes }))).toBe(0);

		const missing = 200 - new Set(harness.texts).size;
		console.info(`killed after ${sent} of 200 with ${lanes} lanes: ${missing} did not go out`);
		expect(harness.texts.length).toBe(new Set(harness.texts).size);
		expect(missing).toBeLessThanOrEqual(lanes);
		expect(existsSync(join(folder, 'history.json'))).toBe(true);
	}, 90_000);
});

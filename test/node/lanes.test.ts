import {
	bulk,
	errorOf,
	expectEachOnce,
	file,
	CONTINUE_ON_FAIL,
	groupText,
	jsonOf,
	linksOf,
	numberOf,
	text,
	until,
	useHarness,
	withFile,
	withJson,
} from '../support/harness';

const harness = useHarness();

const to = '={{ $json.phone }}';
const say = '={{ $json.say }}';
/** Returns items for `count` messages, one recipient after another in turn. */
const roundRobin = (count: number, recipients: number) =>
	withJson(
		...Array.from({ length: count }, (_, i) => ({
			phone: numberOf(i % recipients),
			say: `${i % recipients}:${i}`,
		})),
	);
const toEach = (options: object = {}) => text({ phoneNumber: to, message: say, options });

/** Resolves to the most requests that the gateway had open at once during `work`. */
async function maxConcurrentRequests(work: () => Promise<unknown>): Promise<number> {
	let most = 0;
	const timer = setInterval(() => {
		const open = harness.gateway.requests.filter(({ status }) => status === undefined).length;
		most = Math.max(most, open);
	}, 2);
	await work().finally(() => clearInterval(timer));
	return most;
}

describe('order', () => {
	it.each([1, 5, 50])('is kept for each recipient with %i lanes', async (maxConcurrency) => {
		harness.gateway.misbehave({ rate: 0.3, latency: 15 });
		const run = await harness.run(toEach({ maxConcurrency }), { items: roundRobin(200, 7) });

		expect(linksOf(run)).toEqual(Array.from({ length: 200 }, (_, i) => [i]));
		for (let recipient = 0; recipient < 7; recipient++) {
			const own = harness.texts.filter((each) => each?.startsWith(`${recipient}:`));
			const numbers = own.map((each) => Number(each?.split(':')[1]));
			expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
			expect(numbers.length).toBeGreaterThan(27);
		}
	});

	it('is kept if the gateway is busy for one message', async () => {
		harness.gateway.misbehave({
			times: 1,
			recipient: numberOf(0),
			respond: { status: 429, headers: { 'Retry-After': '0' } },
		});
		await harness.run(toEach(), { items: roundRobin(10, 1) });

		expect(harness.texts).toEqual(Array.from({ length: 10 }, (_, i) => `0:${i}`));
	});

	it('is kept for a group, even with different numbers', async () => {
		harness.gateway.misbehave({ rate: 0.5, latency: 20 });
		const parameters = file('image', 'sendToGroup', { phoneNumber: to, caption: say });
		const items = roundRobin(12, 4).map((item) => ({ ...item, ...withFile('picture.png') }));
		await harness.run(parameters, { items });

		expect(harness.texts).toEqual(items.map(({ json }) => json?.say));
	});

	it('never makes one recipient wait for another', async () => {
		harness.gateway.misbehave({ recipient: numberOf(0), latency: 400 });
		const running = harness.run(toEach({ maxConcurrency: 2 }), { items: roundRobin(40, 4) });
		await until(() => harness.texts.filter((each) => !each?.startsWith('0:')).length === 30);

		expect(harness.texts.filter((each) => each?.startsWith('0:')).length).toBeLessThan(5);
		harness.gateway.behave();
		await running;
	});
});

describe('requests at once', () => {
	it.each([
		[undefined, 5],
		[1, 1],
		[12, 12],
		[0, 1],
	])('with maxConcurrency %s: at most %i', async (maxConcurrency, most) => {
		harness.gateway.misbehave({ latency: 25 });
		const options = maxConcurrency === undefined ? {} : { maxConcurrency };
		const seen = await maxConcurrentRequests(
			async () => await harness.run(toEach(options), { items: roundRobin(60, 60) }),
		);

		expect(seen).toBe(most);
	});

	it('at most one for texts to one group', async () => {
		harness.gateway.misbehave({ latency: 10 });
		const work = async () =>
			await harness.run(groupText({ message: say }), { items: roundRobin(10, 10) });

		expect(await maxConcurrentRequests(work)).toBe(1);
	});

	it('at most one in bulk, in order', async () => {
		harness.gateway.misbehave({ latency: 10 });
		const parameters = bulk({ recipientSource: 'items', options: { numbersPerRequest: 2 } });
		const work = async () => await harness.run(parameters, { items: roundRobin(20, 20) });

		expect(await maxConcurrentRequests(work)).toBe(1);
		const order = harness.gateway.messages.flatMap(({ recipients }) => recipients);
		expect(order).toEqual(Array.from({ length: 20 }, (_, i) => numberOf(i)));
	});

	it('start as soon as a lane is free: a slow request does not hold up the others', async () => {
		harness.gateway.misbehave({ recipient: numberOf(0), latency: 600 });
		harness.gateway.misbehave({ latency: 20 });
		const started = Date.now();
		await harness.run(toEach({ maxConcurrency: 5 }), { items: roundRobin(80, 80) });

		// 79 sends of 20 ms in the four other lanes take 400 ms.
		expect(Date.now() - started).toBeLessThan(1_500);
	});
});

it('a busy gateway slows every lane', async () => {
	harness.gateway.misbehave({ recipient: numberOf(0), times: 1, ...BUSY });
	harness.gateway.misbehave({ latency: 60 });
	const running = harness.run(toEach({ maxConcurrency: 4 }), { items: roundRobin(40, 40) });
	await until(() => harness.gateway.requests.some(({ status }) => status === 429));
	await new Promise((resolve) => setTimeout(resolve, 300));
	const during = harness.requestCount;
	await new Promise((resolve) => setTimeout(resolve, 400));

	expect(harness.requestCount).toBe(during);
	expect(during).toBeLessThanOrEqual(8);
	await running;
	expect(harness.gateway.messages).toHaveLength(40);
});
const BUSY = { respond: { status: 429, headers: { 'Retry-After': '1' } } };

describe('batching', () => {
	const batching = (batchSize: number, batchInterval: number) => ({
		batching: { batch: { batchSize, batchInterval } },
	});
	const timed = async (options: object, count: number) => {
		const started = Date.now();
		const run = await harness.run(toEach(options), { items: roundRobin(count, count) });
		return { run, took: Date.now() - started };
	};

	it('pauses after each batch, but not after the last one', async () => {
		const { run, took } = await timed(batching(4, 300), 12);

		expect(took).toBeGreaterThanOrEqual(600);
		expect(took).toBeLessThan(890);
		expect(run.logs.join('\n')).toContain('Pausing 300 ms after 4 requests');
	});

	it.each([
		[-1, 0],
		[0, 3],
	])('with a batch size of %i pauses %i times in 4 sends', async (batchSize, pauses) => {
		const { took } = await timed(batching(batchSize, 150), 4);

		expect(took).toBeGreaterThanOrEqual(150 * pauses);
		expect(took).toBeLessThan(150 * (pauses + 1));
	});

	it('counts the tries of one send once', async () => {
		harness.gateway.misbehave({
			times: 2,
			respond: { status: 429, headers: { 'Retry-After': '0' } },
		});
		const { took } = await timed({ ...batching(3, 5_000), maxConcurrency: 1 }, 3);

		expect(took).toBeLessThan(2_000);
		expect(harness.requestCount).toBe(5);
	});

	it('pauses between bulk requests', async () => {
		const options = { numbersPerRequest: 1, ...batching(2, 200) };
		const started = Date.now();
		await harness.run(bulk({ recipientSource: 'items', options }), { items: roundRobin(5, 5) });

		expect(Date.now() - started).toBeGreaterThanOrEqual(400);
		expect(harness.requestCount).toBe(5);
	});

	it('warns in a hint if the pauses are longer than the timeout of the workflow', async () => {
		const settings = { executionTimeout: 10 };
		// These items are refused at once and need no pause, so the hint can only come from their count.
		const refused = {
			items: withJson(...Array(20).fill({ phone: 'x', say: 'a' })),
			node: CONTINUE_ON_FAIL,
		};
		const long = await harness.run(toEach(batching(1, 900)), { ...refused, settings });
		const untimed = await harness.run(toEach(batching(1, 900)), refused);
		const short = await harness.run(toEach(batching(10, 900)), { ...refused, settings });

		const hint = /add up to 18 seconds, and n8n stops this workflow after 10 seconds/;
		const warnings = long.hints.filter(({ type }) => type === 'warning');
		expect(warnings.map(({ message }) => message)).toEqual(
			harness.engine.tellsWorkflowSettings ? [expect.stringMatching(hint)] : [],
		);
		expect([...untimed.hints, ...short.hints].filter(({ type }) => type === 'warning')).toEqual([]);
	});

	it('delays at random, before each send', async () => {
		const started = Date.now();
		await harness.run(toEach({ randomDelay: 100, maxConcurrency: 1 }), {
			items: roundRobin(12, 12),
		});

		// 12 delays of 50 ms on average: a total below 150 ms is almost impossible.
		expect(Date.now() - started).toBeGreaterThan(150);
		expect(Date.now() - started).toBeLessThan(2_500);
	});
});

describe('bulk from items', () => {
	const fromItems = (more: object = {}) => bulk({ recipientSource: 'items', ...more });

	it('sends 50,000 items in 100 requests, and links them all', async () => {
		const items = Array.from({ length: 50_000 }, (_, i) => ({ json: { phone: numberOf(i) } }));
		const started = Date.now();
		const run = await harness.run(fromItems(), { items });
		console.info(`50,000 items in bulk: ${Date.now() - started} ms`);

		expect(harness.requestCount).toBe(100);
		expect(run.output[0]).toHaveLength(100);
		expectEachOnce(run, 50_000);
		expect(Date.now() - started).toBeLessThan(20_000);
	});

	it('groups by message and device, in the order in which they first appear', async () => {
		const items = withJson(
			...['b', 'a', 'b', 'c', 'a'].map((message, i) => ({ say: message, phone: numberOf(i) })),
		);
		const run = await harness.run(fromItems({ message: say }), { items });

		expect(harness.gateway.messages.map((each) => [each.text, each.recipients])).toEqual([
			['b', [0, 2].map(numberOf)],
			['a', [1, 4].map(numberOf)],
			['c', [3].map(numberOf)],
		]);
		expect(linksOf(run)).toEqual([[0, 2], [1, 4], [3]]);
	});

	it('fails only the items of a failed request', async () => {
		harness.gateway.misbehave({ recipient: numberOf(3), respond: { status: 422 } });
		const run = await harness.run(fromItems({ options: { numbersPerRequest: 2 } }), {
			items: roundRobin(6, 6),
			node: CONTINUE_ON_FAIL,
		});

		expect(linksOf(run)).toEqual([
			[0, 1],
			[2, 3],
			[4, 5],
		]);
		expect(jsonOf(run).map(({ code }) => code)).toEqual([200, undefined, 200]);
		expect(errorOf(run, 1).recipients).toEqual([2, 3].map(numberOf));
	});
});

it('the credential is read once per run', async () => {
	for (const [parameters, items] of [
		[toEach(), roundRobin(50, 5)],
		[bulk({ recipientSource: 'items' }), roundRobin(50, 50)],
	] as const) {
		const before = harness.engine.credentialReads;
		await harness.run(parameters, { items: [...items] });
		expect(harness.engine.credentialReads - before).toBe(1);
	}
});

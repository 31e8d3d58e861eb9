/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import {
	bulk,
	expectEachOnce,
	file,
	CONTINUE_ON_FAIL,
	groupText,
	linksOf,
	numberOf,
	text,
	until,
	useHarness,
	withFile,
	withJson,
	withServer,
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

it.each([1, 5, 50])('%i lanes keep the order of each recipient', async (maxConcurrency) => {
	harness.gateway.misbehave({ rate: 0.3, latency: 10 });
	const run = await harness.run(toEach({ maxConcurrency }), { items: roundRobin(70, 7) });

	expect(linksOf(run)).toEqual(Array.from({ length: 70 }, (_, i) => [i]));
	for (let recipient = 0; recipient < 7; recipient++) {
		const own = harness.texts.filter((each) => each?.startsWith(`${recipient}:`));
		const numbers = own.map((each) => Number(each?.split(':')[1]));
		expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
		expect(numbers).toHaveLength(10);
	}
});

it('the node keeps the order of a group, even with different numbers', async () => {
	harness.gateway.misbehave({ rate: 0.5, latency: 10 });
	const parameters = file('image', 'sendToGroup', { phoneNumber: to, caption: say });
	const items = roundRobin(12, 4).map((item) => ({ ...item, ...withFile('picture.png') }));
	await harness.run(parameters, { items });

	expect(harness.texts).toEqual(items.map(({ json }) => json?.say));
});

it('the node never makes one recipient wait for another', async () => {
	harness.gateway.misbehave({ recipient: numberOf(0), latency: 400 });
	const running = harness.run(toEach({ maxConcurrency: 2 }), { items: roundRobin(40, 4) });
	await until(() => harness.texts.filter((each) => !each?.startsWith('0:')).length === 30);

	expect(harness.texts.filter((each) => each?.startsWith('0:')).length).toBeLessThan(5);
	harness.gateway.behave();
	await running;
});

it.each([
	[undefined, 5],
	[12, 12],
	[0, 1],
])('the Max Concurrency %s makes %i requests at once', async (maxConcurrency, most) => {
	// Long enough that the last begins before the first ends, on a busy machine, too.
	harness.gateway.misbehave({ latency: most === 1 ? 5 : 300 });
	const options = maxConcurrency === undefined ? {} : { maxConcurrency };
	const seen = await maxConcurrentRequests(
		async () => await harness.run(toEach(options), { items: roundRobin(24, 24) }),
	);

	expect(seen).toBe(most);
});

it('the node makes one request at once for texts to one group', async () => {
	harness.gateway.misbehave({ latency: 10 });
	const work = async () =>
		await harness.run(groupText({ message: say }), { items: roundRobin(10, 10) });

	expect(await maxConcurrentRequests(work)).toBe(1);
});

it('the node makes one bulk request at once, in order', async () => {
	harness.gateway.misbehave({ latency: 10 });
	const parameters = bulk({ recipientSource: 'items', options: { numbersPerRequest: 2 } });
	const work = async () => await harness.run(parameters, { items: roundRobin(20, 20) });

	expect(await maxConcurrentRequests(work)).toBe(1);
	const order = harness.gateway.messages.flatMap(({ recipients }) => recipients);
	expect(order).toEqual(Array.from({ length: 20 }, (_, i) => numberOf(i)));
});

it('the node lets every lane wait for a busy gateway', async () => {
	const times: number[] = [];
	await withServer(
		(request, response) => {
			times.push(performance.now());
			const isBusy = times.length === 1;
			if (isBusy) response.writeHead(429, { 'Retry-After': '1' });
			request.resume().once('end', () => {
				setTimeout(() => response.end('{"code":200}'), isBusy ? 0 : 60);
			});
		},
		async (baseUrl) => {
			const credential = { ...harness.credential, baseUrl };
			await harness.run(toEach({ maxConcurrency: 4 }), { items: roundRobin(20, 20), credential });
		},
	);

	expect(times).toHaveLength(21);
	const [first = 0] = times;
	expect(times.filter((time) => time < first + 900).length).toBeLessThanOrEqual(8);
});

describe('batching', () => {
	const batching = (batchSize: number, batchInterval: number) => ({
		batching: { batch: { batchSize, batchInterval } },
	});

	it('the batching pauses after each batch, but not after the last one, and logs it', async () => {
		const started = Date.now();
		const run = await harness.run(toEach(batching(4, 100)), { items: roundRobin(12, 12) });

		expect(Date.now() - started).toBeGreaterThanOrEqual(200);
		expect(
			run.logs.filter((line) => line.includes('Pausing 100 ms after 4 requests')),
		).toHaveLength(2);
	});

	it('the batching warns in a hint if the pauses are longer than the timeout of the workflow', async () => {
		const settings = { executionTimeout: 10 };
		// These items are refused at once and need no pause, so the hint can only come from their count.
		const refused = {
			items: withJson(...Array(20).fill({ phone: 'x', say: 'a' })),
			node: CONTINUE_ON_FAIL,
		};
		const long = await harness.run(toEach(batching(1, 900)), { ...refused, settings });
		const untimed = await harness.run(toEach(batching(1, 900)), refused);
		const short = await harness.run(toEach(batching(10, 900)), { ...refused, settings });

		const hint = /add up to \d+ seconds, and n8n stops this workflow/;
		const isWarned = [long, untimed, short].map(({ hints }) =>
			hints.some(({ message, type }) => type === 'warning' && hint.test(message)),
		);
		expect(isWarned).toEqual([harness.engine.tellsWorkflowSettings, false, false]);
	});
});

it('the node sends 10,000 items in 20 requests, and links them all', async () => {
	const items = Array.from({ length: 10_000 }, (_, i) => ({ json: { phone: numberOf(i) } }));
	const run = await harness.run(bulk({ recipientSource: 'items' }), { items });

	expect(harness.requestCount).toBe(20);
	expect(run.output[0]).toHaveLength(20);
	expectEachOnce(run, 10_000);
});

it('the node reads the credential once per run', async () => {
	for (const [parameters, items] of [
		[toEach(), roundRobin(50, 5)],
		[bulk({ recipientSource: 'items' }), roundRobin(50, 50)],
	] as const) {
		const before = harness.engine.credentialReads;
		await harness.run(parameters, { items: [...items] });
		expect(harness.engine.credentialReads - before).toBe(1);
	}
});

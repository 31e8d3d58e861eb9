import type { ReceivedRequest } from '../gateway';
import {
	bulk,
	expectEachOnce,
	GOES_ON,
	groupText,
	linksOf,
	NUMBER,
	numberOf,
	text,
	useWorld,
	withJson,
} from './world';

const world = useWorld();

const people = (count: number) =>
	withJson(...Array.from({ length: count }, (_, i) => ({ phone: numberOf(i), say: `text ${i}` })));
const toEach = (options: object = {}) =>
	text({ phoneNumber: '={{ $json.phone }}', message: '={{ $json.say }}', options });

/** Most requests that were at the gateway at once. */
function widthOf(requests: readonly ReceivedRequest[]): number {
	const ends = requests.flatMap(({ begunAt, endedAt = Infinity }) => [
		{ at: begunAt, by: 1 },
		{ at: endedAt, by: -1 },
	]);
	let open = 0;
	return ends
		.sort((a, b) => a.at - b.at || a.by - b.by)
		.reduce((most, { by }) => Math.max(most, (open += by)), 0);
}

describe('lanes', () => {
	it.each([
		[5, {}],
		[2, { maxConcurrency: 2 }],
		[12, { maxConcurrency: 12 }],
	])('at most %i requests are under way, and so many are', async (width, options) => {
		world.gateway.misbehave({ latency: 40 });
		await world.run(toEach(options), { items: people(30) });
		expect(widthOf(world.gateway.requests)).toBe(width);
	});

	it('messages for one recipient go in item order, one after another', async () => {
		world.gateway.misbehave({ latency: 5 });
		const run = await world.run(text({ message: '={{ $json.say }}' }), { items: people(20) });
		expect(world.texts).toEqual(Array.from({ length: 20 }, (_, i) => `text ${i}`));
		expect(widthOf(world.gateway.requests)).toBe(1);
		expectEachOnce(run, 20);
	});

	it('messages for one group go in item order', async () => {
		world.gateway.misbehave({ latency: 5 });
		await world.run(groupText({ message: '={{ $json.say }}' }), { items: people(10) });
		expect(world.texts).toEqual(Array.from({ length: 10 }, (_, i) => `text ${i}`));
	});

	it('a slow recipient holds up nobody else, and the output keeps the order of the items', async () => {
		world.gateway.misbehave({ recipient: numberOf(0), latency: 400 });
		const run = await world.run(toEach({ maxConcurrency: 2 }), { items: people(10) });
		expect(world.texts.at(-1)).toBe('text 0');
		expect(linksOf(run)).toEqual(Array.from({ length: 10 }, (_, i) => [i]));
	});

	it('a busy gateway slows every lane, not one', async () => {
		world.gateway.misbehave({
			times: 1,
			respond: { status: 429, headers: { 'Retry-After': '1' } },
		});
		await world.run(toEach({ maxConcurrency: 3 }), { items: people(9) });

		const [first] = world.gateway.requests;
		const begun = world.gateway.requests.map(({ begunAt }) => begunAt - (first?.begunAt ?? 0));
		// Those that were under way with the refused one may end; nothing new begins for a second.
		expect(begun.filter((at) => at < 900).length).toBeLessThanOrEqual(4);
		expect(world.gateway.messages).toHaveLength(9);
	});
});

describe('pacing', () => {
	const batching = (batchSize: number, batchInterval: number) => ({
		batching: { batch: { batchSize, batchInterval } },
	});

	it('pauses after each batch, and not after the last', async () => {
		const started = Date.now();
		await world.run(toEach(batching(4, 300)), { items: people(12) });
		const at = world.gateway.requests.map(({ begunAt }) => begunAt - started);
		expect(Date.now() - started).toBeLessThan(1_500);
		expect((at[4] ?? 0) - (at[3] ?? 0)).toBeGreaterThan(280);
		expect((at[8] ?? 0) - (at[7] ?? 0)).toBeGreaterThan(280);
	});

	it('says that the pauses outlast the time limit of the workflow', async () => {
		const { hints } = await world.run(toEach(batching(1, 30_000)), {
			items: people(3),
			settings: { executionTimeout: 1 },
			node: GOES_ON,
		});
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringContaining('add up to 60 seconds, and n8n stops this workflow after 1 seconds'),
		);
	});

	it('adds up to the random delay before each send', async () => {
		const started = Date.now();
		await world.run(toEach({ randomDelay: 60, maxConcurrency: 1 }), { items: people(10) });
		expect(Date.now() - started).toBeGreaterThan(60);
		expect(world.gateway.messages).toHaveLength(10);
	});

	it('logs at debug level what it waits for', async () => {
		const { logs } = await world.run(toEach(batching(1, 20)), { items: people(3) });
		expect(logs.filter((line) => /debug Pausing 20 ms/.test(line))).toHaveLength(2);
	});
});

describe('bulk from items', () => {
	const fromItems = (more: object = {}) => bulk({ recipientSource: 'items', ...more });

	it('50,000 items with one message become 100 requests that link all their items', async () => {
		const items = withJson(
			...Array.from({ length: 50_000 }, (_, index) => ({ phone: numberOf(index) })),
		);
		const run = await world.run(fromItems(), { items });
		expect(world.requestCount).toBe(100);
		expectEachOnce(run, 50_000);
	});

	it('requests go one after another, in order of first appearance', async () => {
		world.gateway.misbehave({ latency: 10 });
		const items = withJson(
			{ phone: numberOf(1), say: 'a' },
			{ phone: numberOf(2), say: 'b' },
			{ phone: numberOf(3), say: 'a' },
			{ phone: numberOf(4), say: 'b' },
		);
		const run = await world.run(fromItems({ message: '={{ $json.say }}' }), { items });
		expect(world.texts).toEqual(['a', 'b']);
		expect(widthOf(world.gateway.requests)).toBe(1);
		expect(linksOf(run)).toEqual([
			[0, 2],
			[1, 3],
		]);
	});

	it('a failed request fails its own items only, and names its recipients', async () => {
		world.gateway.misbehave({ recipient: numberOf(2), respond: { status: 422 } });
		const items = withJson(...[0, 1, 2, 3, 4].map((n) => ({ phone: numberOf(n) })));
		const run = await world.run(fromItems({ options: { numbersPerRequest: 2 } }), {
			items,
			node: GOES_ON,
		});
		const outputs = (run.output[0] ?? []).map(({ json }) => json);
		expect(outputs).toEqual([
			expect.objectContaining({ code: 200 }),
			{ error: expect.objectContaining({ recipients: [numberOf(2), numberOf(3)] }) as object },
			expect.objectContaining({ code: 200 }),
		]);
		expect(linksOf(run)).toEqual([[0, 1], [2, 3], [4]]);
	});
});

it('the credential is read once, however many messages go out', async () => {
	const before = world.engine.credentialReads;
	await world.run(text({ message: '={{ $json.say }}', phoneNumber: NUMBER }), {
		items: people(20),
	});
	expect(world.engine.credentialReads - before).toBe(1);
});

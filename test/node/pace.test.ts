/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { Gateway, GatewayOptions } from '../../practice-gateway/index';
import { startDescribedGateway } from '../support/describedGateway';
import { inUse } from '../support/builtState';
import { createEngine, type Engine, type ItemInput, type Run } from '../support/engine/engine';
import { useFastClock } from '../support/fastClock';
import { jsonOf, numberOf, text, until, withServer } from '../support/harness';

/** Older engines load the node outside of jest's modules, where tests cannot look. */
const SEES_STATE = !process.env.N8N_CORE_DIR;

let engine: Engine;
let gateway: Gateway;
beforeEach(async () => {
	engine = await createEngine();
});
afterEach(async () => {
	await gateway.close();
	await engine.close();
});

const start = async (options: GatewayOptions = {}) => {
	gateway = await startDescribedGateway(options);
};
const credentialOf = (more: object = {}) => {
	const { baseUrl, token: accessToken, deviceId } = gateway;
	return { baseUrl, accessToken, deviceId, ...more };
};
const itemsOf = (count: number, from = 0): ItemInput[] =>
	Array.from({ length: count }, (_, i) => ({
		json: { phone: numberOf(from + i), key: `k${from + i}` },
	}));
const message = (options: object = {}) =>
	text({ phoneNumber: '={{ $json.phone }}', message: '={{ $json.key }}', options });

/** Runs as many executions at once, each with items of its own. */
async function atOnce(
	executions: number,
	of: (execution: number) => { items: ItemInput[]; options?: object; credential?: object },
): Promise<Run[]> {
	return await Promise.all(
		Array.from({ length: executions }, async (_, execution) => {
			const { items, options, credential } = of(execution);
			return await engine.run({
				parameters: message(options),
				items,
				credential: credential ?? credentialOf(),
				mode: 'webhook',
			});
		}),
	);
}

const failuresOf = (runs: Run[]) =>
	runs.flatMap(({ error }) => (error ? [`${error.message} ${error.description}`] : []));
const recipients = () => gateway.messages.flatMap((each) => each.recipients);
const expectAllOnce = (count: number) =>
	expect([...recipients()].sort()).toEqual(Array.from({ length: count }, (_, i) => numberOf(i)));

describe('many executions against one plan', () => {
	useFastClock(20);

	it.each([
		['announces', true],
		['does not announce', false],
	])(
		'a plan lets 100 executions send if the gateway %s when its 10 s end, and refuses few of them twice',
		async (_, retryAfter) => {
			await start({ plan: { requests: 20, seconds: 10, retryAfter } });
			const runs = await atOnce(100, (n) => ({ items: itemsOf(1, n) }));

			expect(failuresOf(runs)).toEqual([]);
			expectAllOnce(100);
			// Until the gateway is busy for the first time, nobody waits for anybody.
			expect(gateway.refusedByPlan).toBeLessThanOrEqual(80 + (retryAfter ? 20 : 80));
			expect(inUse().keyQueues).toBe(0);
		},
	);

	it('a plan lets 80 executions send at 30 a minute', async () => {
		await start({ plan: { requests: 30, seconds: 60 } });
		const runs = await atOnce(80, (n) => ({ items: itemsOf(1, n) }));

		expect(failuresOf(runs)).toEqual([]);
		expectAllOnce(80);
		expect(inUse().keyQueues).toBe(0);
	});

	it('a minute that the gateway does not announce is waited out within the three tries', async () => {
		await start({ plan: { requests: 20, seconds: 60, retryAfter: false } });
		const [run] = await atOnce(1, () => ({ items: itemsOf(25) }));

		expect(failuresOf(run ? [run] : [])).toEqual([]);
		expectAllOnce(25);
		expect(inUse().keyQueues).toBe(0);
	});

	it('a run is refused nothing if the credential says what the plan allows', async () => {
		// Not the whole minute: on this clock, 100 ms on the way to the gateway are two seconds.
		await start({ plan: { requests: 20, seconds: 50 } });
		const credential = credentialOf({ requestsPerMinute: 20 });
		const runs = await atOnce(30, (n) => ({ items: itemsOf(1, n), credential }));

		expect(failuresOf(runs)).toEqual([]);
		expectAllOnce(30);
		expect(gateway.refusedByPlan).toBe(0);
		expect(inUse().keyQueues).toBe(0);
	});

	it('the executions begin no more requests in any 60 seconds than the credential says', async () => {
		await start();
		const times: number[] = [];
		await withServer(
			(request, response) => {
				times.push(performance.now());
				request.resume().once('end', () => response.end('{"code":200}'));
			},
			async (baseUrl) => {
				const credential = credentialOf({ baseUrl, requestsPerMinute: 20 });
				await atOnce(5, (n) => ({ items: itemsOf(5, 5 * n), credential }));
			},
		);

		expect(times).toHaveLength(25);
		// On this clock, 100 ms on the way to the server are two seconds.
		times.forEach((time, index) =>
			expect((times[index + 20] ?? Infinity) - time).toBeGreaterThan(50_000),
		);
		expect(inUse().keyQueues).toBe(0);
	});

	it('nothing is left of the executions after their minute but the pace of the newest', async () => {
		await start();
		await atOnce(5, (n) => ({ items: itemsOf(1, n), options: { sendOnceKey: 'k' } }));
		// What they have sent shows the plan to an execution of this minute.
		await new Promise((resolve) => setTimeout(resolve, 61_100));
		await atOnce(1, () => ({ items: itemsOf(1), credential: credentialOf({ accessToken: 'b' }) }));
		expect(inUse()).toEqual({ limiters: SEES_STATE ? 1 : 0, keyQueues: 0 });
	});
});

it('the node sends each key of 20 executions once, from the very first call on, and none fails', async () => {
	await start();
	engine.history.latency = 2;
	const items = [...itemsOf(25), ...itemsOf(25)];
	const keyed = () => ({ items, options: { sendOnceKey: '={{ $json.key }}' } });
	const first = await atOnce(20, keyed);
	const later = await atOnce(20, keyed);

	expect(failuresOf([...first, ...later])).toEqual([]);
	expectAllOnce(25);
	const skipped = [...first, ...later].flatMap(jsonOf).filter((json) => json.skipped);
	expect(skipped).toHaveLength(40 * 50 - 25);
	expect(inUse().keyQueues).toBe(0);
});

it('the node sends each key once that 50 webhook calls have, of 25 keys', async () => {
	await start();
	engine.history.latency = 2;
	const options = { sendOnceKey: '={{ $json.key }}' };
	const runs = await atOnce(50, (n) => ({ items: itemsOf(1, n % 25), options }));

	expect(failuresOf(runs)).toEqual([]);
	expectAllOnce(25);
	expect(inUse().keyQueues).toBe(0);
});

it('the node ends a run that waits for the plan at once when it is stopped, and sends nothing more', async () => {
	await start();
	const options = { sendOnceKey: '={{ $json.key }}', maxConcurrency: 1 };
	const limited = { requestsPerMinute: 1 };
	const abort = new AbortController();
	const running = engine.run({
		parameters: message(options),
		items: itemsOf(3),
		credential: credentialOf(limited),
		signal: abort.signal,
	});
	await until(() => gateway.messages.length === 1);
	await new Promise((resolve) => setTimeout(resolve, 50));
	// It waits for a minute otherwise, which is longer than this test may take.
	abort.abort();
	await running;
	await until(() => inUse().keyQueues === 0);

	const again = await engine.run({
		parameters: message(options),
		items: itemsOf(3),
		credential: credentialOf(),
	});
	expect(jsonOf(again).map(({ skipped, code }) => skipped ?? code)).toEqual([true, 200, 200]);
	expectAllOnce(3);
});

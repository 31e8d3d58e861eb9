/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** 2,000 executions in bursts, in this process, whose state the test can look at: nothing is left behind. */
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import { inUse } from '../../support/builtState';
import { createEngine, type Engine } from '../../support/engine/engine';
import { numberOf, text } from '../../support/harness';

const BURSTS = 8;
const CALLS = 250;

let engine: Engine;
let gateway: Gateway;

beforeAll(async () => {
	gateway = await startGateway({ plan: { requests: 100, seconds: 2 }, keepRequests: false });
	engine = await createEngine();
	engine.history.latency = 2;
});

afterAll(async () => {
	await gateway.close();
	await engine.close();
});

/** Resolves to the message of its error, or to undefined. */
async function execution(n: number): Promise<string | undefined> {
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const { error } = await engine.run({
		credential: { baseUrl, accessToken, deviceId },
		parameters: text({
			phoneNumber: numberOf(n),
			message: `k${n}`,
			// On a busy machine, the requests come in bursts, of which the plan refuses some more often.
			options: { sendOnceKey: `k${n}`, maxRetries: 10 },
		}),
		mode: 'webhook',
	});
	return error?.message;
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const held = () => ({ ...inUse(), timers: timers() });

it('the node sends each of 2,000 executions once, and leaves no timer, no queue of keys and one pace', async () => {
	const upTo = (count: number, from: number) => Array.from({ length: count }, (_, n) => from + n);
	await execution(0);
	const before = held();
	const errors = [];
	let most = 0;
	for (let burst = 0; burst < BURSTS; burst++) {
		const all = upTo(CALLS, 1 + burst * CALLS).map(execution);
		await Promise.race(all);
		most = Math.max(most, ...Object.values(inUse()));
		errors.push(...(await Promise.all(all)));
	}
	const after = held();
	console.info(
		`${BURSTS * CALLS} executions, ${gateway.refusedByPlan} requests refused; before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`,
	);

	expect(errors.filter(Boolean)).toEqual([]);
	const sent = gateway.messages.flatMap(({ recipients }) => recipients);
	expect(sent.sort()).toEqual(upTo(BURSTS * CALLS + 1, 0).map(numberOf));
	expect(gateway.refusedByPlan).toBeGreaterThan(0);
	expect(most).toBe(1);
	expect(after).toMatchObject({ limiters: 1, keyQueues: 0 });
	// Some are of the server. One for each execution would be 2,000.
	expect(after.timers).toBeLessThanOrEqual(before.timers + 20);
});

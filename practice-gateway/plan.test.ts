/** The practice gateway with a plan. */
import { startGateway, type Gateway } from './index';
import { parsePlan, PlanCounter } from './plan';

let gateway: Gateway;
afterEach(async () => await gateway?.close());

async function post(number = '6281234567890') {
	return await fetch(`${gateway.baseUrl}/api/v1/message/send`, {
		method: 'POST',
		headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ deviceid: gateway.deviceId, number, message: 'Hello' }),
	});
}
it('a plan refuses what goes beyond it, with the seconds to wait', async () => {
	gateway = await startGateway({ plan: { requests: 2, seconds: 60 } });
	expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
	const refused = await post();
	expect(refused.status).toBe(429);
	expect(await refused.json()).toEqual({ message: 'Too Many Attempts.' });
	expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(58);
	expect([gateway.messages.length, gateway.refusedByPlan]).toEqual([2, 1]);
});

it('a plan does not say how long to wait if it is told not to', async () => {
	gateway = await startGateway({ plan: { requests: 1, seconds: 60, retryAfter: false } });
	await post();
	expect((await post()).headers.get('retry-after')).toBeNull();
});

it('a plan counts from the first request of a window', () => {
	const counter = new PlanCounter({ requests: 1, seconds: 10 });
	expect([5_000, 14_999, 15_000, 16_000].map((at) => counter.take(at))).toEqual([
		undefined,
		1,
		undefined,
		9,
	]);
	expect(counter.refused).toBe(2);
});

it('a plan is written as requests and seconds', () => {
	expect(parsePlan('30/60')).toEqual({ requests: 30, seconds: 60 });
	for (const wrong of ['30', '0/60', '30/0', 'a/b'])
		expect(() => parsePlan(wrong)).toThrow('30/60');
});

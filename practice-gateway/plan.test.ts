/** The embedded gateway with a plan, and how well many executions keep to it together. */
import { Pace } from '../nodes/MessagingGateway/delivery/pace/pace';
import { Sender } from '../nodes/MessagingGateway/delivery/sender';
import { parseAnswer, readAnswer } from '../nodes/MessagingGateway/gateway/answer';
import type { GatewayRequest } from '../nodes/MessagingGateway/gateway/request';
import { startGateway, type Gateway } from './index';
import { parsePlan, PlanCounter, type Plan } from './plan';

let gateway: Gateway;
afterEach(async () => await gateway?.close());

async function post(number = '6281234567890') {
	return await fetch(`${gateway.baseUrl}/api/v1/message/send`, {
		method: 'POST',
		headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ deviceid: gateway.deviceId, number, message: 'Hello' }),
	});
}

describe('a plan', () => {
	it('refuses what goes beyond it, with the seconds to wait', async () => {
		gateway = await startGateway({ plan: { requests: 2, seconds: 60 } });
		expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
		const refused = await post();
		expect(refused.status).toBe(429);
		expect(await refused.json()).toEqual({ message: 'Too Many Attempts.' });
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(58);
		expect([gateway.messages.length, gateway.refusedByPlan]).toEqual([2, 1]);
	});

	it('does not say how long to wait where it is told not to', async () => {
		gateway = await startGateway({ plan: { requests: 1, seconds: 60, retryAfter: false } });
		await post();
		expect((await post()).headers.get('retry-after')).toBeNull();
	});

	it('counts from the first request of a window', () => {
		const counter = new PlanCounter({ requests: 1, seconds: 10 });
		expect([5_000, 14_999, 15_000, 16_000].map((at) => counter.take(at))).toEqual([
			undefined,
			1,
			undefined,
			9,
		]);
		expect(counter.refused).toBe(2);
	});

	it('is written as requests and seconds', () => {
		expect(parsePlan('30/60')).toEqual({ requests: 30, seconds: 60 });
		for (const wrong of ['30', '0/60', '30/0', 'a/b'])
			expect(() => parsePlan(wrong)).toThrow('30/60');
	});
});

/** Each execution sends one message, as a webhook does. */
async function burst(executions: number, plan: Plan) {
	gateway = await startGateway({ plan });
	const { signal } = new AbortController();
	const outcomes = await Promise.all(
		Array.from({ length: executions }, async (_, index) => {
			const pace = Pace.join(gateway.token, { requestsPerMinute: 0, maxConcurrency: 5 }, signal);
			const exchange = async () => {
				const answer = await post(String(6_281_000_000_000 + index));
				const url = `${gateway.baseUrl}/api`;
				const { status, headers } = answer;
				const body = await answer.text();
				return readAnswer(parseAnswer({ status, headers: Object.fromEntries(headers), body }), {
					url,
					baseUrl: gateway.baseUrl,
					answer: 'envelope',
				});
			};
			const request: GatewayRequest = { path: [], format: 'json', fields: {}, answer: 'envelope' };
			const outcome = await new Sender(exchange, pace, 3, signal).send(async () => request);
			pace.leave();
			return outcome?.outcome;
		}),
	);
	return outcomes.filter((outcome) => outcome === 'accepted').length;
}

describe('executions that overlap', () => {
	it.each([true, false])('all send within a plan (Retry-After: %s)', async (retryAfter) => {
		expect(await burst(100, { requests: 20, seconds: 1, retryAfter })).toBe(100);
		expect(new Set(gateway.messages.flatMap(({ recipients }) => recipients)).size).toBe(100);
		expect(gateway.refusedByPlan).toBeLessThanOrEqual(60);
		expect(Pace.count).toBe(0);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** When the requests of one and of many executions begin: limits, busy gateways, batches, tries. */
import { getEventListeners } from 'node:events';
import { parseAnswer, readAnswer } from '../../../nodes/MessagingGateway/gateway/answer';
import type { Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { useClock } from './clock';
import { deliver, type Asked, type Given } from './deliver';

const MINUTE = 61_000;

useClock();
afterEach(() => void jest.restoreAllMocks());

/** An answer of the gateway, which is read as that of a real one. */
function says(status: number, body: object, headers: Record<string, string> = {}): Outcome {
	const answer = parseAnswer({ status, headers, body: JSON.stringify(body) });
	const baseUrl = 'https://a.test';
	return readAnswer(answer, { url: `${baseUrl}/b`, baseUrl, answer: 'envelope' });
}
const ACCEPTED = says(200, { code: 200 });
/** @param seconds that the gateway asks to wait; it may not say */
const busy = (seconds?: number) =>
	says(429, { message: 'Busy' }, seconds === undefined ? {} : { 'retry-after': `${seconds}` });
const AWAY: Outcome = {
	outcome: 'notSent',
	origin: 'gateway',
	what: 'Not there',
	advice: 'x.',
	retry: {},
};

interface Execution extends Pick<Given, 'subscription' | 'canceled' | 'settings' | 'onLog'> {
	/** Milliseconds after which it begins. */
	at?: number;
	messages?: number;
	/** Requests under way at once. */
	width?: number;
	perMinute?: number;
}

/** @param ms since everything began, @param nth request, from 0 on */
type Gateway = (ms: number, nth: number, asked: Asked) => Outcome | Promise<Outcome>;

let subscriptions = 0;

/** Resolves to what became of each message, and to the milliseconds at which the requests of each execution began. */
async function run(executions: Execution[], gateway: Gateway = () => ACCEPTED) {
	const plan = `plan ${++subscriptions}`;
	const start = performance.now();
	const now = () => performance.now() - start;
	let requests = 0;
	const all = executions.map(
		async ({ at = 0, messages = 1, width = 5, perMinute = 0, ...given }, n) => {
			await new Promise((resolve) => setTimeout(resolve, at));
			const begun: number[] = [];
			const wishes = Array.from({ length: messages }, (_, m) => ({
				numbers: [`${n + 1}${100_000 + m}`],
				text: 'a',
			}));
			const settings = { requestsPerMinute: perMinute, maxConcurrency: width, ...given.settings };
			const { results } = await deliver('singles', wishes, {
				subscription: plan,
				...given,
				settings,
				answer: async (asked) => {
					begun.push(now());
					return await gateway(now(), requests++, asked);
				},
			});
			return { begun, outcomes: results.map(({ outcome }) => outcome), ended: now() };
		},
	);
	await jest.runAllTimersAsync();
	return await Promise.all(all);
}

const times = async (executions: Execution[], gateway?: Gateway) =>
	(await run(executions, gateway)).map(({ begun }) => begun.map(Math.round));
/** A gateway that gives these answers one after another, and then accepts. */
const answering =
	(...answers: Outcome[]): Gateway =>
	(_, nth) =>
		answers[nth] ?? ACCEPTED;
const later = async (ms: number, outcome: Outcome): Promise<Outcome> =>
	await new Promise((resolve) => setTimeout(() => resolve(outcome), ms));

describe('requests per minute', () => {
	it('no 60 seconds have more requests than the limit', async () => {
		const [begun = []] = await times([{ messages: 50, perMinute: 20 }]);
		expect(begun).toHaveLength(50);
		const spans = begun.map((at, index) => (begun[index + 20] ?? Infinity) - at);
		expect(Math.min(...spans)).toBeGreaterThan(60_000);
	});

	it.each<[string, Execution[], number[][]]>([
		[
			'of all executions together, spread over what is left of the minute',
			[{ perMinute: 2 }, { perMinute: 2 }],
			[[0], [MINUTE / 2]],
		],
		[
			'of an execution that has ended',
			[{ perMinute: 1 }, { perMinute: 1, at: 10_000 }],
			[[0], [MINUTE]],
		],
		['until a minute is over', [{ perMinute: 1 }, { perMinute: 1, at: 70_000 }], [[0], [70_000]]],
		[
			'by the lowest limit of those that run',
			[{ perMinute: 1, messages: 2 }, { at: 1_000 }],
			[[0, MINUTE], [MINUTE]],
		],
		[
			'by no limit of an execution that has ended',
			[{ perMinute: 1 }, { at: 1_000, messages: 2 }],
			[[0], [1_000, 1_000]],
		],
		[
			'of each subscription alone',
			[{ perMinute: 1 }, { perMinute: 1, subscription: 'another' }],
			[[0], [0]],
		],
		[
			'of a single execution that has no subscription',
			[
				{ perMinute: 1, subscription: '' },
				{ perMinute: 1, subscription: '' },
			],
			[[0], [0]],
		],
		[
			'first of those who have had no turn',
			[{ perMinute: 2, messages: 2, width: 1 }, { perMinute: 2 }],
			[[0, MINUTE], [MINUTE / 2]],
		],
	])('requests are counted %s', async (_, executions, expected) => {
		expect(await times(executions)).toEqual(expected);
	});

	it('a large limit is used at once, up to its half', async () => {
		const [begun = []] = await times([{ messages: 2_002, width: 5_000, perMinute: 4_000 }]);
		expect(begun.filter((at) => at === 0)).toHaveLength(2_000);
		expect(begun.at(-1)).toBeLessThan(100);
	});

	it.each([-3_600_000, 3_600_000])('a limit does not mind a clock set by %s ms', async (ms) => {
		const set = () => void jest.setSystemTime(Date.now() + ms);
		const gateway = () => (setTimeout(set, 1_000), ACCEPTED);
		expect(await times([{ messages: 2, perMinute: 1 }], gateway)).toEqual([[0, MINUTE]]);
	});

	it('an execution that is stopped leaves the queue at once, and no listener', async () => {
		const stop = new AbortController();
		const { signal } = stop;
		setTimeout(() => stop.abort(), 10_000);
		const [one, two, three] = await run([
			{ perMinute: 1 },
			{ perMinute: 1, messages: 50, width: 50, canceled: signal, at: 1 },
			{ perMinute: 1, at: 2 },
		]);
		expect([one?.begun, two?.begun, three?.begun]).toEqual([[0], [], [MINUTE]]);
		expect(two?.ended).toBe(10_000);
		expect(two?.outcomes).toHaveLength(50);
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	it('executions have equal shares of a limit, however many requests each has under way', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 10 * MINUTE);
		const wide = { perMinute: 30, messages: 300, canceled: stop.signal };
		const [many = [], few = []] = await times([
			{ ...wide, width: 20 },
			{ ...wide, width: 1 },
		]);
		expect(many.length + few.length).toBeGreaterThanOrEqual(300);
		// The first has taken the half of a minute that goes at once.
		expect(Math.abs(many.length - 15 - few.length)).toBeLessThanOrEqual(1);
	});

	it('a single message goes within seconds, beside campaigns that wait for minutes', async () => {
		const campaign = { perMinute: 30, messages: 100, width: 20 };
		const singles = [10, 40, 80].map((second) => ({ perMinute: 30, at: second * 1_000 }));
		const begun = await times([...Array<Execution>(5).fill(campaign), ...singles], async () =>
			later(500, ACCEPTED),
		);
		const waits = singles.map(({ at }, index) => (begun[5 + index]?.[0] ?? Infinity) - at);
		expect(Math.max(...waits)).toBeLessThan(15_000);
	});
});

describe('a busy gateway', () => {
	it('any number of requests is under way at once, until the gateway is busy for the first time', async () => {
		const gateway: Gateway = async () => later(1_000, ACCEPTED);
		const [begun] = await times([{ messages: 500, width: 500 }], gateway);
		expect(new Set(begun)).toEqual(new Set([0]));
	});

	it.each<[string, Outcome[], number[]]>([
		['as long as it says', [busy(2)], [0, 2_000]],
		[
			'twice as long each time if it takes nothing',
			Array(4).fill(busy(2)),
			[0, 2, 6, 14].map((s) => s * 1_000),
		],
		[
			'more than a minute in three pauses if it does not say',
			Array(3).fill(busy()),
			[0, 1_000, 11_000, 71_000],
		],
		['1, 2 and 4 seconds if it cannot be reached', Array(3).fill(AWAY), [0, 1_000, 3_000, 7_000]],
		['a second if its code says so', [says(200, { code: '429' })], [0, 1_000]],
		['a second after 503 in a code', [says(200, { code: 503 })], [0, 1_000]],
	])('a busy gateway is given time: %s', async (_, answers, expected) => {
		const [{ begun, outcomes } = { begun: [], outcomes: [] }] = await run(
			[{}],
			answering(...answers),
		);
		expect(begun.slice(0, expected.length)).toEqual(expected);
		if (answers.length < 4) expect(outcomes).toEqual([ACCEPTED]);
	});

	it.each([0, 1, 3])('a message waits %s times at most, and says so', async (maxRetries) => {
		const [{ begun, outcomes } = { begun: [], outcomes: [] }] = await run(
			[{ settings: { maxRetries } }],
			() => busy(1),
		);
		expect(begun).toHaveLength(maxRetries + 1);
		const waited = maxRetries === 1 ? 'once' : `${maxRetries} times in a row`;
		const advice =
			maxRetries === 0
				? 'Wait'
				: `n8n waited ${waited} (the limit in 'Max Retries'), and the gateway accepted no messages. `;
		expect(outcomes).toMatchObject([
			{ outcome: 'notSent', advice: expect.stringContaining(advice) },
		]);
	});

	it('a message is given up after more refusals than its tries while others are accepted', async () => {
		// The others go on, because the refusal comes late.
		const gateway: Gateway = (_, __, { item }) =>
			item === 0 ? later(5_000, busy(1)) : later(500, ACCEPTED);
		const settings = { maxRetries: 12 };
		const [one] = await run([{ messages: 300, width: 2, settings }], gateway);
		const advice = 'The gateway has refused this message 13 times while it accepted others. ';
		expect(one?.outcomes[0]).toMatchObject({ advice: expect.stringContaining(advice) });
		expect(one?.outcomes.slice(1)).toEqual(Array(299).fill(ACCEPTED));
	});

	it('nothing goes to a busy gateway, then one request, then the others, from all executions', async () => {
		const begun = await times([{ messages: 1 }, { at: 1, messages: 5 }], (_, nth) =>
			nth === 0 ? busy(30) : later(1_000, ACCEPTED),
		);
		expect(
			begun
				.flat()
				.sort((a, b) => a - b)
				.slice(0, 3),
		).toEqual([0, 30_000, 31_000]);
		expect(begun.flat()).toHaveLength(7);
	});

	it('a gateway that does not answer the request that goes first holds up the next for four seconds', async () => {
		const [begun] = await times([{ messages: 3 }], (_, nth) =>
			nth === 0 ? busy(1) : later(60_000, ACCEPTED),
		);
		expect(begun?.slice(1, 4)).toEqual([1_000, 5_000, 9_000]);
	});

	it.each<[string, Outcome, number]>([
		['for longer', busy(5), 5_110],
		['for less', busy(0), 1_010],
		['and does not say how long', busy(), 1_010],
	])('of two requests that left together, the second is refused %s', async (_, second, next) => {
		const [begun] = await times([{ messages: 2 }], (__, nth) =>
			nth > 1 ? ACCEPTED : nth === 0 ? later(10, busy(1)) : later(110, second),
		);
		expect(begun?.[2]).toBe(next);
	});

	it('a late refusal of a request that left before the pause makes no other pause', async () => {
		const gateway: Gateway = (_, nth) =>
			nth > 1 ? ACCEPTED : nth === 0 ? later(10, busy(1)) : later(1_210, busy(5));
		const [, begun] = await times([{ messages: 2 }, { at: 1_300 }], gateway);
		expect(begun).toEqual([1_300]);
	});

	it.each<Outcome>([
		ACCEPTED,
		{ outcome: 'uncertain', origin: 'gateway', what: 'x', advice: 'x.' },
		{ outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x.' },
	])('a busy gateway gets the others as soon as one has another answer: %j', async (answer) => {
		const [begun] = await times([{ messages: 3, width: 1 }], answering(busy(1), answer));
		expect(begun).toEqual([0, 1_000, 1_000, 1_000]);
	});

	it('a pause of more than a minute is left to the person, and one request in five minutes asks again', async () => {
		const settings = { batchSize: 1, batchInterval: 150_000 };
		const [first] = await run([{ messages: 3, width: 1, settings }], () => busy(3_600));
		expect(first?.begun).toEqual([0, 300_000]);
		expect(first?.outcomes.map((outcome) => 'advice' in outcome && outcome.advice)).toEqual([
			expect.stringContaining('60 minutes'),
			'Wait another 58 minutes: the gateway asked n8n to pause, so n8n did not send this message.',
			expect.stringContaining('60 minutes'),
		]);
	});

	it('a busy gateway holds up no other subscription', async () => {
		const executions = [{}, { at: 1, subscription: 'other' }];
		expect((await times(executions, answering(busy(30))))[1]).toEqual([1]);
	});

	it('a message whose run is stopped while it waits has the outcome of its last try', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 20);
		const refusal = busy(59);
		const [stopped] = await run([{ canceled: stop.signal }], () => refusal);
		expect([stopped?.begun, stopped?.ended]).toEqual([[0], 20]);
		expect(stopped?.outcomes).toMatchObject([{ outcome: 'notSent', httpCode: 429 }]);
	});
});

describe('batches', () => {
	const batch = (batchSize: number, batchInterval: number) => ({ batchSize, batchInterval });

	it.each([batch(0, 0), batch(1, 0), batch(0, 60_000)])('%j is no pause', async (settings) => {
		const [begun] = await times([{ messages: 100, settings }]);
		expect(new Set(begun)).toEqual(new Set([0]));
	});

	it.each([1, 5])(
		'a pause comes between batches, and the log says so (%s at once)',
		async (width) => {
			const log: string[] = [];
			const onLog = (line: string) => void log.push(line);
			const settings = batch(2, 50);
			const [sent] = await run([{ messages: 6, width, settings, onLog }]);
			expect([sent?.begun, sent?.ended]).toEqual([[0, 0, 50, 50, 100, 100], 100]);
			expect(log).toEqual(Array(2).fill('Pausing 50 ms after 2 requests'));
		},
	);

	it('a pause ends when the run is stopped', async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 20);
		const given = { settings: batch(1, 60_000), canceled: stop.signal };
		expect((await run([{ messages: 4, ...given }]))[0]).toMatchObject({ begun: [0], ended: 20 });
	});

	it.each([
		[0, 0],
		[0.5, 20],
		[0.975, 39],
	])('a random delay is at most what was set (%s)', async (chance, ms) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);
		expect(await times([{ settings: { randomDelay: 40 } }])).toEqual([[ms]]);
	});

	it('each message has a random delay of its own', async () => {
		const [begun] = await times([
			{ messages: 20, width: 20, settings: { randomDelay: 1_000_000 } },
		]);
		expect(new Set(begun).size).toBeGreaterThan(10);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { getEventListeners } from 'node:events';
import {
	RateLimiter,
	type Permit,
} from '../../../../nodes/MessagingGateway/delivery/pace/rateLimiter';
import {
	SlidingWindow,
	WINDOW,
} from '../../../../nodes/MessagingGateway/delivery/pace/slidingWindow';
import type { Failure, Outcome } from '../../../../nodes/MessagingGateway/gateway/outcome';
import { useClock } from '../clock';

const TAKEN: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const OUT_OF_REACH: Failure = {
	outcome: 'notSent',
	origin: 'gateway',
	what: 'The gateway cannot be reached (ECONNREFUSED)',
	advice: 'Check that it runs.',
	retry: {},
};
const busy = (afterMs?: number): Failure => ({
	outcome: 'notSent',
	origin: 'gateway',
	what: 'The gateway takes no more (status 429): “Too Many Attempts.”',
	advice: 'Wait.',
	httpCode: 429,
	retry: { afterMs, busy: true },
});

let limiters: RateLimiter[] = [];
afterEach(() => {
	limiters.forEach((limiter) => limiter.leave());
	limiters = [];
	jest.advanceTimersByTime(WINDOW);
	RateLimiter.join('any', 0, NEVER).leave();
	expect([RateLimiter.count, jest.getTimerCount()]).toEqual([0, 0]);
});

useClock();

function join(limits: { requestsPerMinute?: number } = {}, name = 'a', halt = NEVER) {
	const limiter = RateLimiter.join(name, limits.requestsPerMinute ?? 0, halt);
	limiters.push(limiter);
	return limiter;
}

const NEVER = new AbortController().signal;
const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

/** Asks for permits that each start a request; the gateway takes it at once unless told otherwise. */
function ask(limiter: RateLimiter, count: number, answer: () => Outcome | undefined = () => TAKEN) {
	const begun: number[] = [];
	const permits: Permit[] = [];
	const refused: Failure[] = [];
	for (let index = 0; index < count; index++) {
		void limiter.permit().then((permit) => {
			if (!permit || 'outcome' in permit) return void (permit && refused.push(permit));
			expect(permit.start()).toBe(true);
			begun.push(Date.now() - started);
			permits.push(permit);
			const outcome = answer();
			if (outcome) permit.end(outcome);
		});
	}
	const started = Date.now();
	return { begun, permits, refused };
}

async function given(limiter: RateLimiter): Promise<Permit> {
	const permit = await limiter.permit();
	if (!permit || 'outcome' in permit) throw new Error('No permit');
	return permit;
}

/** A request that the gateway refuses. */
async function refuse(limiter: RateLimiter, refusal: Failure): Promise<void> {
	const permit = await given(limiter);
	permit.start();
	permit.end(refusal);
}

it('the requests of a minute are remembered as long as somebody uses them, whoever has left before', async () => {
	const first = join({ requestsPerMinute: 1 });
	ask(first, 1);
	await pass(0);
	first.leave();
	ask(join({ requestsPerMinute: 1 }), 1);
	await pass(WINDOW);
	const { begun } = ask(join({ requestsPerMinute: 1 }), 1);
	await pass(WINDOW);
	expect(begun).toEqual([WINDOW]);
});

it('a refusal shows the plan by what executions sent that have left', async () => {
	for (let count = 0; count < 10; count++) {
		const limiter = join();
		ask(limiter, 1);
		await pass(500);
		limiter.leave();
	}
	const limiter = join();
	await refuse(limiter, busy(1_000));
	const { begun } = ask(limiter, 3);
	await pass(5_000);
	const [first = NaN, second = NaN, third = NaN] = begun;
	expect([second - first, third - second].map((gap) => gap / 600)).toEqual([
		expect.closeTo(1, 1),
		expect.closeTo(1, 1),
	]);
});

it('an execution comes first if it has had no turn yet', async () => {
	const limits = { requestsPerMinute: 2 };
	const [one, two] = [join(limits), join(limits)];
	ask(one, 1);
	await pass(0);
	const [again, first] = [ask(one, 1), ask(two, 1)];
	await pass(WINDOW / 2);
	expect([again.begun, first.begun]).toEqual([[], [WINDOW / 2]]);
});

it('one timer is set, however many wait, and join meanwhile', async () => {
	const limits = { requestsPerMinute: 2 };
	ask(join(limits), 1);
	await pass(0);
	const timers = jest.spyOn(globalThis, 'setTimeout');
	for (let count = 0; count < 3; count++) ask(join(limits), 2);
	await pass(0);
	expect(timers).toHaveBeenCalledTimes(1);
	timers.mockRestore();
});

it('the requests of a minute are the fewest that an execution in use allows', async () => {
	const low = join({ requestsPerMinute: 3 });
	join();
	const { begun } = ask(join({ requestsPerMinute: 20 }), 10);
	await pass(0);
	expect(begun).toHaveLength(2);
	low.leave();
	await pass(0);
	expect(begun).toHaveLength(10);
});

it('requests may begin earlier once an execution with a lower limit has left', async () => {
	const limiter = join({ requestsPerMinute: 3 });
	ask(limiter, 2);
	await pass(1_000);
	const low = join({ requestsPerMinute: 1 });
	const { begun } = ask(limiter, 1);
	low.leave();
	await pass(0);
	expect(jest.getTimerCount()).toBe(1);
	await pass(WINDOW);
	expect(begun).toEqual([WINDOW / 2 - 1_000]);
});

it('a request counts from where it begins, and not at all if its permit is not used', async () => {
	const limiter = join({ requestsPerMinute: 1 });
	const permit = await given(limiter);
	const { begun } = ask(limiter, 2);
	await pass(100_000);
	expect(begun).toEqual([]);
	permit.end();
	await pass(0);
	expect(begun).toEqual([100_000]);
	await pass(WINDOW);
	expect(begun).toEqual([100_000, 100_000 + WINDOW]);
});

it('a refusal shows nothing of the plan by requests that have not reached the gateway', async () => {
	const limiter = join();
	for (let count = 0; count < 20; count++) {
		ask(limiter, 1, () => OUT_OF_REACH);
		await pass(500);
	}
	await refuse(limiter, busy(1_000));
	const { begun } = ask(limiter, 3);
	await pass(1_000);
	expect(begun).toEqual([1_000, 1_000, 1_000]);
});

it('a message that was refused waits, even if the pause has ended before its refusal comes', async () => {
	const limiter = join();
	const entry = limiter.newEntry(1);
	const late = (await limiter.permit(entry)) as Permit;
	late.start();
	await refuse(limiter, busy(1_000));
	await pass(2_000);
	late.end(busy(1_000));
	const again = (await limiter.permit(entry)) as Permit;
	again.start();
	again.end(busy(1_000));
	expect(limiter.givenUp(entry, busy(1_000))).toBeUndefined();
});

it.each([
	[0, 1, true],
	[3, 10, false],
	[3, 11, true],
	[12, 12, false],
	[12, 13, true],
])(
	'with %d retries, a message that was refused %d times while others were accepted is given up: %j',
	(maxRetries, refusals, isGivenUp) => {
		const limiter = join();
		const failure = limiter.givenUp({ ...limiter.newEntry(maxRetries), refusals }, busy(1_000));
		expect(failure !== undefined).toBe(isGivenUp);
		if (!failure || maxRetries === 0) return;
		expect(failure.retry).toBeUndefined();
		expect(failure.advice).toBe(
			`The gateway has refused this message ${refusals} times while it accepted others. Wait.`,
		);
	},
);

it('a refusal takes back a step, however long nobody has sent anything since', async () => {
	const limiter = join();
	for (let count = 0; count < 10; count++) {
		ask(limiter, 1);
		await pass(1_000);
	}
	await refuse(limiter, busy(1_000));
	const { begun } = ask(limiter, 44);
	await pass(55_000);
	const gaps = begun.slice(1).map((at, index) => at - (begun[index] as number));
	const [learned = NaN, grown = NaN] = [gaps[0], gaps.at(-1)];
	expect(grown).toBeLessThan(learned);
	await pass(WINDOW);
	await refuse(limiter, busy(1_000));
	const again = ask(limiter, 2).begun;
	await pass(5_000);
	expect(again).toEqual([1_000, 1_000 + learned]);
});

it('a plan that was learned from too little, such as a burst, becomes much slower at the next refusal', async () => {
	const limiter = join();
	ask(limiter, 20);
	await pass(0);
	await refuse(limiter, busy(1_000));
	// Twenty in a second, as it seems.
	ask(limiter, 2);
	await pass(1_100);
	await refuse(limiter, busy(1_000));
	const { begun } = ask(limiter, 3);
	await pass(3_000);
	// Two in 1.1 seconds: more than four times as slow, as that is less than a second.
	expect(begun).toEqual([1_000, 1_550, 2_100]);
});

it('a refusal shows the plan by what the gateway takes during the pause, too', async () => {
	const limiter = join();
	const { permits } = ask(limiter, 10, () => undefined);
	await pass(0);
	permits[9]?.end(busy(1_000));
	const { begun } = ask(limiter, 4);
	await pass(500);
	for (const permit of permits.slice(0, 9)) permit.end(TAKEN);
	await pass(10_000);
	// Nine in a second.
	expect(begun.map((at) => Math.round((at - 1_000) / (1_000 / 9)))).toEqual([0, 1, 2, 3]);
});

it('a refusal shows the plan by answers that come when its pause is over, if there were none before', async () => {
	const limiter = join();
	const { permits } = ask(limiter, 10, () => undefined);
	await pass(0);
	permits[9]?.end(busy(1_000));
	ask(limiter, 1, () => undefined);
	await pass(2_000);
	const { begun } = ask(limiter, 4);
	for (const permit of permits.slice(0, 9)) permit.end(TAKEN);
	await pass(20_000);
	const gaps = begun.slice(1).map((at, index) => at - (begun[index] as number));
	// Nine in a second.
	expect(gaps).toEqual([112, 112, 112]);
});

it('ten thousand executions that wait, and leave, cost ten thousand looks at the window', async () => {
	const limits = { requestsPerMinute: 2 };
	ask(join(limits), 1);
	await pass(0);
	const looks = jest.spyOn(SlidingWindow.prototype, 'nextAt');
	const waiting = Array.from({ length: 10_000 }, () =>
		join(limits, 'a', new AbortController().signal),
	);
	const begun = waiting.map((limiter) => ask(limiter, 2).begun);
	await pass(2 * WINDOW);
	waiting.forEach((limiter) => limiter.leave());
	await pass(0);
	expect(begun.flat()).toHaveLength(4);
	expect(looks.mock.calls.length).toBeLessThan(2 * 3 * 10_000);
	looks.mockRestore();
});

it('a permit that was given back comes before all others', async () => {
	const limits = { requestsPerMinute: 2 };
	const [one, two] = [join(limits), join(limits)];
	const entry = one.newEntry();
	const first = (await one.permit(entry)) as Permit;
	const { begun } = ask(two, 1);
	first.end();
	const third = ask(join(limits), 1);
	const again = one.permit(entry);
	await pass(0);
	expect(begun).toEqual([0]);
	await pass(WINDOW);
	expect(await again).toBeDefined();
	expect(third.begun).toEqual([]);
	expect(two.isFree).toBe(false);
});

it('a busy gateway that never answers one request holds up the others for seconds, and not each of them', async () => {
	const limiter = join();
	ask(limiter, 1);
	await pass(10);
	await refuse(limiter, busy(1_000));
	ask(limiter, 1, () => undefined);
	await pass(1_000);
	const { begun } = ask(limiter, 30);
	await pass(24_000);
	expect(begun.length).toBeGreaterThan(12);
});

it('a busy gateway that takes one request between two refusals is not slow for that', async () => {
	const limiter = join();
	await refuse(limiter, busy(1_000));
	ask(limiter, 1);
	await pass(1_000);
	await refuse(limiter, busy(20_000));
	const { begun } = ask(limiter, 10);
	await pass(35_000);
	expect(begun).toHaveLength(10);
});

it('a busy gateway lets another request try if the first was not used', async () => {
	const limiter = join();
	await refuse(limiter, busy(1_000));
	const first = given(limiter);
	const { begun } = ask(limiter, 1);
	await pass(1_000);
	(await first).end();
	await pass(0);
	expect(begun).toEqual([1_000]);
});

it('a busy gateway takes back permits that have not begun', async () => {
	const limiter = join();
	const [one, two] = [await given(limiter), await given(limiter)];
	one.start();
	one.end(busy(1_000));
	expect(two.start()).toBe(false);
	two.end();
});

it('a busy gateway that takes one request at a time does not wait for a permit from before its pause', async () => {
	const limiter = join();
	const [opening, one] = [await given(limiter), await given(limiter)];
	one.start();
	one.end(TAKEN);
	await refuse(limiter, busy(1_000));
	const { begun } = ask(limiter, 3);
	await pass(3_600_000);
	expect(begun).toHaveLength(3);
	expect(opening.start()).toBe(false);
	opening.end();
});

it('a busy gateway gets no request if it asks for a pause of more than a minute', async () => {
	const [one, two] = [join(), join()];
	const permit = await given(one);
	permit.start();
	const before = [];
	permit.end(busy(3_600_000));
	before.push(await two.permit(), await one.permit());
	expect(before).toEqual(
		Array(2).fill({
			outcome: 'notSent',
			origin: 'gateway',
			what: 'The gateway takes no more (status 429): “Too Many Attempts.”',
			advice:
				'Wait another 60 minutes: the gateway asked n8n to pause, so n8n did not send this message.',
			httpCode: 429,
		}),
	);
	// After five minutes one finds out whether that still holds.
	await pass(300_000 - 60_000);
	const { begun, refused } = ask(two, 5, () => busy(3_000_000));
	await pass(60_000);
	expect([begun, refused.length]).toEqual([[60_000], 4]);
});

it('a busy gateway also answers those who already wait', async () => {
	const limiter = join();
	await refuse(limiter, busy(1_000));
	const { begun, permits, refused } = ask(limiter, 300, () => undefined);
	await pass(1_000);
	expect([begun.length, jest.getTimerCount()]).toEqual([1, 1]);
	permits[0]?.end(busy(61_000));
	await pass(0);
	expect(refused).toHaveLength(299);
});

it('a busy gateway is forgotten when nobody uses its limiter any more', async () => {
	const limiter = join();
	await refuse(limiter, busy(30_000));
	limiter.leave();
	const { begun } = ask(join(), 1);
	await pass(0);
	expect(begun).toEqual([0]);
});

it('a run that halts leaves the queue at once, and uses up no permit', async () => {
	const limiter = join({ requestsPerMinute: 1 });
	ask(limiter, 1);
	await pass(0);
	const halting = new AbortController();
	const halted = join({}, 'a', halting.signal);
	const waiting = Array.from({ length: 50 }, async () => await halted.permit());
	const { begun } = ask(join(), 1);
	expect(getEventListeners(halting.signal, 'abort')).toHaveLength(1);
	halting.abort();
	expect(await Promise.all(waiting)).toEqual(Array(50).fill(undefined));
	await pass(WINDOW);
	expect(begun).toEqual([WINDOW]);
});

it('a run that halts gives the others in the queue one turn each', async () => {
	const [stays, leaves] = [join({ requestsPerMinute: 1 }), join()];
	const { begun } = ask(stays, 3);
	ask(leaves, 1);
	await pass(WINDOW);
	leaves.leave();
	await pass(WINDOW);
	expect(begun).toEqual([0, WINDOW, 2 * WINDOW]);
});

it('a run that halts leaves no timer and no listener', async () => {
	const { signal } = new AbortController();
	const limiter = join({ requestsPerMinute: 1 }, 'a', signal);
	ask(limiter, 1);
	await pass(0);
	const waiting = limiter.permit();
	expect(jest.getTimerCount()).toBe(1);
	limiter.leave();
	expect(await waiting).toBeUndefined();
	expect(jest.getTimerCount()).toBe(0);
	expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('a run that halts gets no permit any more', async () => {
	expect(await join({}, 'a', AbortSignal.abort()).permit()).toBeUndefined();
});

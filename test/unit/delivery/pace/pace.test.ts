import { getEventListeners } from 'node:events';
import { Pace, type Turn } from '../../../../nodes/MessagingGateway/delivery/pace/pace';
import { WINDOW } from '../../../../nodes/MessagingGateway/delivery/pace/rollingWindow';
import type { Failure, Outcome } from '../../../../nodes/MessagingGateway/gateway/outcome';
import { useClock } from '../clock';

const TAKEN: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const busy = (afterMs?: number): Failure => ({
	outcome: 'notSent',
	origin: 'gateway',
	what: 'The gateway takes no more (status 429): “Too Many Attempts.”',
	advice: 'Wait.',
	httpCode: 429,
	retry: { afterMs, busy: true },
});

let paces: Pace[] = [];
afterEach(() => {
	paces.forEach((pace) => pace.leave());
	paces = [];
	jest.advanceTimersByTime(WINDOW);
	Pace.join('any', { requestsPerMinute: 0, maxConcurrency: 1 }, NEVER).leave();
	expect([Pace.count, jest.getTimerCount()]).toEqual([0, 0]);
});

useClock();

function join(
	limits: { requestsPerMinute?: number; maxConcurrency?: number } = {},
	name = 'a',
	halt = NEVER,
) {
	const pace = Pace.join(name, { requestsPerMinute: 0, maxConcurrency: 5, ...limits }, halt);
	paces.push(pace);
	return pace;
}

const NEVER = new AbortController().signal;
const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

/** Asks for turns that each begin a request; the gateway takes it at once unless told otherwise. */
function ask(pace: Pace, count: number, answer: () => Outcome | undefined = () => TAKEN) {
	const begun: number[] = [];
	const turns: Turn[] = [];
	const refused: Failure[] = [];
	for (let index = 0; index < count; index++) {
		void pace.turn().then((turn) => {
			if (!turn || 'outcome' in turn) return void (turn && refused.push(turn));
			expect(turn.begin()).toBe(true);
			begun.push(Date.now() - started);
			turns.push(turn);
			const outcome = answer();
			if (outcome) turn.end(outcome);
		});
	}
	const started = Date.now();
	return { begun, turns, refused };
}

async function given(pace: Pace): Promise<Turn> {
	const turn = await pace.turn();
	if (!turn || 'outcome' in turn) throw new Error('No turn');
	return turn;
}

describe('the requests of a minute', () => {
	it('are at most as many as the plan allows, in any 60 seconds', async () => {
		const { begun } = ask(join({ requestsPerMinute: 20 }), 50);
		await pass(200_000);
		expect(begun).toHaveLength(50);
		begun.forEach((start, index) => {
			expect((begun[index + 20] ?? Infinity) - start).toBeGreaterThan(60_000);
		});
	});

	it('are counted over all executions, first come, first served', async () => {
		const [one, two] = [join({ requestsPerMinute: 2 }), join({ requestsPerMinute: 2 })];
		const order: string[] = [];
		for (const [name, pace] of [
			['1', one],
			['2', two],
			['1', one],
			['2', two],
		] as const) {
			ask(pace, 1, () => (order.push(name), TAKEN));
		}
		await pass(0);
		expect(order).toEqual(['1', '2']);
		await pass(WINDOW);
		expect(order).toEqual(['1', '2', '1', '2']);
	});

	it('are remembered between executions that do not overlap', async () => {
		const first = join({ requestsPerMinute: 2 });
		ask(first, 2);
		await pass(10_000);
		first.leave();
		const { begun } = ask(join({ requestsPerMinute: 2 }), 1);
		await pass(WINDOW);
		expect(begun).toEqual([WINDOW - 10_000]);
	});

	it('are the fewest that an execution in use allows', async () => {
		const low = join({ requestsPerMinute: 3 });
		join();
		const { begun } = ask(join({ requestsPerMinute: 10 }), 10);
		await pass(0);
		expect(begun).toHaveLength(3);
		low.leave();
		await pass(0);
		expect(begun).toHaveLength(10);
	});

	it('may begin earlier once an execution with a lower limit has left', async () => {
		const pace = join({ requestsPerMinute: 3 });
		for (let second = 0; second < 3; second++) {
			ask(pace, 1);
			await pass(1_000);
		}
		const low = join({ requestsPerMinute: 1 });
		const { begun } = ask(pace, 1);
		low.leave();
		await pass(0);
		expect(jest.getTimerCount()).toBe(1);
		await pass(WINDOW - 3_000);
		expect(begun).toEqual([WINDOW - 3_000]);
	});

	it('count from where they begin, and not at all where a turn is not used', async () => {
		const pace = join({ requestsPerMinute: 1 });
		const turn = await given(pace);
		const { begun } = ask(pace, 2);
		await pass(100_000);
		expect(begun).toEqual([]);
		turn.end();
		await pass(0);
		expect(begun).toEqual([100_000]);
		await pass(WINDOW);
		expect(begun).toEqual([100_000, 100_000 + WINDOW]);
	});

	it('are given one turn each, however many wait', async () => {
		const pace = join({ requestsPerMinute: 10_100 });
		let begun = 0;
		const send = (turn: Turn) => {
			if (turn.begin()) begun++;
			turn.end(TAKEN);
		};
		for (let index = 0; index < 10_102; index++) void given(pace).then(send);
		await pass(0);
		expect(begun).toBe(10_100);
		await pass(WINDOW);
		expect(begun).toBe(10_102);
	});

	it.each([-3_600_000, 3_600_000])('do not mind a clock that is set by %s ms', async (ms) => {
		const { begun } = ask(join({ requestsPerMinute: 1 }), 2);
		await pass(1_000);
		jest.setSystemTime(Date.now() + ms);
		await pass(WINDOW - 1_001);
		expect(begun).toHaveLength(1);
		await pass(1);
		expect(begun).toHaveLength(2);
	});
});

describe('requests under way at once', () => {
	it('are as many as the execution wants that wants the most', async () => {
		join({ maxConcurrency: 30 });
		const { begun, turns } = ask(join({ maxConcurrency: 25 }), 50, () => undefined);
		await pass(0);
		expect(begun).toHaveLength(30);
		turns.forEach((turn) => turn.end());
	});

	it('are not more where a turn is ended twice', async () => {
		const { begun, turns } = ask(join(), 30, () => undefined);
		await pass(0);
		for (let times = 0; times < 3; times++) turns[0]?.end(TAKEN);
		await pass(0);
		expect(begun).toHaveLength(22);
	});
});

describe('a gateway that is busy', () => {
	it('gets no request from any execution, then one, then the others', async () => {
		const [one, two] = [join(), join()];
		(await given(one)).end(busy(30_000));
		const { begun, turns } = ask(two, 10, () => undefined);
		await pass(29_999);
		expect(begun).toEqual([]);
		await pass(100_000);
		expect(begun).toEqual([30_000]);
		turns[0]?.end(TAKEN);
		await pass(0);
		turns.forEach((turn) => turn.end(TAKEN));
		await pass(0);
		turns.forEach((turn) => turn.end(TAKEN));
		await pass(0);
		turns.forEach((turn) => turn.end(TAKEN));
		await pass(0);
		expect(begun).toHaveLength(10);
	});

	it.each<Outcome>([
		TAKEN,
		{ outcome: 'uncertain', origin: 'gateway', what: 'x', advice: 'x.' },
		{ outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x.' },
		{ outcome: 'notSent', origin: 'gateway', what: 'x', advice: 'x.', retry: {} },
	])('takes messages again as soon as one gets another answer: %j', async (outcome) => {
		const pace = join();
		(await given(pace)).end(busy(1_000));
		const { begun } = ask(pace, 3, () => outcome);
		await pass(1_000);
		expect(begun).toEqual([1_000, 1_000, 1_000]);
	});

	it('lets another try where the first was not used', async () => {
		const pace = join();
		(await given(pace)).end(busy(1_000));
		const first = given(pace);
		const { begun } = ask(pace, 1);
		await pass(1_000);
		(await first).end();
		await pass(0);
		expect(begun).toEqual([1_000]);
	});

	it('takes back turns that have not begun', async () => {
		const pace = join();
		const [one, two] = [await given(pace), await given(pace)];
		one.begin();
		one.end(busy(1_000));
		expect(two.begin()).toBe(false);
		two.end();
	});

	it('gets as many as it took before, and then one after another', async () => {
		const pace = join();
		let left = 20;
		let refused = 0;
		const plan = () => (left-- > 0 ? TAKEN : (refused++, busy(10_000)));
		ask(pace, 21, plan);
		await pass(0);
		expect(refused).toBe(1);
		for (let round = 2; round <= 4; round++) {
			left = 20;
			ask(pace, 21, plan);
			await pass(10_000);
			expect(refused).toBe(round);
		}
	});

	it('waits past a minute in three pauses where it does not say how long', async () => {
		const pace = join();
		(await given(pace)).end(busy());
		const { begun } = ask(pace, 3, () => busy());
		await pass(100_000);
		expect(begun).toEqual([1_000, 11_000, 71_000]);
	});

	it('gets no request if it asks for a pause of more than a minute', async () => {
		const [one, two] = [join(), join()];
		const turn = await given(one);
		turn.begin();
		const before = [];
		turn.end(busy(3_600_000));
		before.push(await two.turn(), await one.turn());
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

	it('also answers those who already wait', async () => {
		const pace = join({ maxConcurrency: 1 });
		const running = ask(pace, 20, () => undefined);
		const { refused } = ask(pace, 300);
		await pass(0);
		running.turns[0]?.end(busy(61_000));
		await pass(0);
		expect(refused).toHaveLength(300);
		running.turns.forEach((turn) => turn.end(TAKEN));
	});

	it('is forgotten when nobody uses its pace any more', async () => {
		const pace = join();
		(await given(pace)).end(busy(30_000));
		pace.leave();
		const { begun } = ask(join(), 1);
		await pass(0);
		expect(begun).toEqual([0]);
	});

	it('of one subscription holds up no other', async () => {
		(await given(join())).end(busy(30_000));
		const { begun } = ask(join({}, 'b'), 1);
		await pass(0);
		expect(begun).toEqual([0]);
	});
});

describe('a run that halts', () => {
	it('leaves the queue at once, and uses up no turn', async () => {
		const pace = join({ requestsPerMinute: 1 });
		ask(pace, 1);
		await pass(0);
		const halting = new AbortController();
		const halted = join({}, 'a', halting.signal);
		const waiting = Array.from({ length: 50 }, async () => await halted.turn());
		const { begun } = ask(join(), 1);
		expect(getEventListeners(halting.signal, 'abort')).toHaveLength(1);
		halting.abort();
		expect(await Promise.all(waiting)).toEqual(Array(50).fill(undefined));
		await pass(WINDOW);
		expect(begun).toEqual([WINDOW]);
	});

	it('gives the others in the queue one turn each', async () => {
		const [stays, leaves] = [join({ requestsPerMinute: 1 }), join()];
		const { begun } = ask(stays, 3);
		ask(leaves, 1);
		await pass(WINDOW);
		leaves.leave();
		await pass(WINDOW);
		expect(begun).toEqual([0, WINDOW, 2 * WINDOW]);
	});

	it('leaves no timer and no listener', async () => {
		const { signal } = new AbortController();
		const pace = join({ requestsPerMinute: 1 }, 'a', signal);
		ask(pace, 1);
		await pass(0);
		const waiting = pace.turn();
		expect(jest.getTimerCount()).toBe(1);
		pace.leave();
		expect(await waiting).toBeUndefined();
		expect(jest.getTimerCount()).toBe(0);
		expect(getEventListeners(signal, 'abort')).toHaveLength(0);
	});

	it('gets no turn any more', async () => {
		expect(await join({}, 'a', AbortSignal.abort()).turn()).toBeUndefined();
	});
});

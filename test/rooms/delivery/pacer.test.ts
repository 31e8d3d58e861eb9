import { Pacer } from '../../../nodes/MessagingGateway/delivery/pacer';

const NONE = { batchSize: 0, batchInterval: 0, randomDelay: 0 };

function pacerWith(pacing: Partial<typeof NONE> = {}) {
	const halting = new AbortController();
	const log: string[] = [];
	const pacer = new Pacer({ ...NONE, ...pacing }, halting.signal, (line) => log.push(line));
	return { pacer, halting, log };
}

const timed = async (work: () => Promise<unknown>) => {
	const started = performance.now();
	await work();
	return performance.now() - started;
};

const turns = (pacer: Pacer, count: number) => async () => {
	for (let turn = 0; turn < count; turn++) await pacer.turn();
};

describe('sends without batches', () => {
	it('wait for nothing', async () => {
		const { pacer, log } = pacerWith();
		expect(await timed(turns(pacer, 1_000))).toBeLessThan(200);
		expect(log).toEqual([]);
	});

	it('wait for nothing where a batch has no interval, or an interval no batch', async () => {
		for (const pacing of [{ batchSize: 1 }, { batchInterval: 60_000 }]) {
			const { pacer, log } = pacerWith(pacing);
			expect(await timed(turns(pacer, 10))).toBeLessThan(100);
			expect(log).toEqual([]);
		}
	});
});

describe('sends in batches', () => {
	it('pause after each batch, not before the first and not after the last', async () => {
		const { pacer, log } = pacerWith({ batchSize: 2, batchInterval: 50 });
		const first = await timed(turns(pacer, 2));
		const others = await timed(turns(pacer, 4));
		expect(first).toBeLessThan(40);
		expect(others).toBeGreaterThanOrEqual(98);
		expect(others).toBeLessThan(400);
		expect(log).toEqual(Array(2).fill('Pausing 50 ms after 2 requests'));
	});

	it('pause together, whatever lane they are in', async () => {
		const { pacer, log } = pacerWith({ batchSize: 2, batchInterval: 50 });
		const ends: number[] = [];
		const started = performance.now();
		await Promise.all(
			Array.from({ length: 6 }, async () => {
				await pacer.turn();
				ends.push(performance.now() - started);
			}),
		);
		expect(log).toHaveLength(2);
		expect(ends.filter((ms) => ms < 40)).toHaveLength(2);
		expect(ends.filter((ms) => ms >= 40 && ms < 90)).toHaveLength(2);
		expect(ends.filter((ms) => ms >= 90)).toHaveLength(2);
	});

	it('do not count a turn that was given back', async () => {
		const { pacer, log } = pacerWith({ batchSize: 1, batchInterval: 10_000 });
		for (let times = 0; times < 5; times++) {
			await pacer.turn();
			pacer.giveBack();
		}
		expect(log).toEqual([]);
	});

	it('go on at once when everything halts', async () => {
		const { pacer, halting } = pacerWith({ batchSize: 1, batchInterval: 60_000 });
		setTimeout(() => halting.abort(), 20);
		const ms = await timed(async () => {
			await Promise.all([pacer.turn(), pacer.turn(), pacer.turn(), pacer.turn()]);
		});
		expect(ms).toBeLessThan(500);
	});
});

describe('a random delay', () => {
	it('is at most what was set', async () => {
		const { pacer } = pacerWith({ randomDelay: 40 });
		const started = performance.now();
		const waits = await Promise.all(
			Array.from({ length: 50 }, async () => {
				await pacer.turn();
				return performance.now() - started;
			}),
		);
		expect(Math.max(...waits)).toBeLessThan(150);
		expect(Math.max(...waits)).toBeGreaterThan(15);
		expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(3);
	});

	it('ends when everything halts', async () => {
		const { pacer, halting } = pacerWith({ randomDelay: 10_000_000 });
		setTimeout(() => halting.abort(), 20);
		expect(await timed(turns(pacer, 1))).toBeLessThan(500);
	});
});

describe('a gateway that is busy', () => {
	it('is asked by nobody until it takes messages again', async () => {
		const { pacer, log } = pacerWith();
		pacer.close(80);
		const waits = await Promise.all(
			[pacer.turn, pacer.open].map((wait) => timed(wait.bind(pacer))),
		);
		for (const ms of waits) {
			expect(ms).toBeGreaterThanOrEqual(78);
			expect(ms).toBeLessThan(400);
		}
		expect(log[0]).toMatch(/^Waiting \d+ ms until the gateway takes messages again$/);
		expect(await timed(turns(pacer, 1))).toBeLessThan(40);
	});

	it.each([
		['at most a quarter of the wait', 200, 250],
		['at most a second', 5_000, 6_000],
	])('is asked by each lane a little later: %s', async (_name, wait, asked) => {
		jest.useFakeTimers();
		jest.spyOn(Math, 'random').mockReturnValue(0.999);
		const { pacer } = pacerWith();
		const started = Date.now();
		pacer.close(wait);
		const opened = pacer.open().then(() => Date.now() - started);
		await jest.runAllTimersAsync();
		jest.useRealTimers();
		jest.restoreAllMocks();
		expect(Math.abs((await opened) - asked)).toBeLessThan(5);
	});

	it('counts the longest of several waits', async () => {
		const { pacer } = pacerWith();
		pacer.close(100);
		pacer.close(1);
		expect(await timed(async () => await pacer.open())).toBeGreaterThanOrEqual(98);
	});

	it('may close again while somebody waits', async () => {
		const { pacer } = pacerWith();
		pacer.close(40);
		setTimeout(() => pacer.close(100), 20);
		expect(await timed(async () => await pacer.open())).toBeGreaterThanOrEqual(110);
	});

	it('is not waited for when everything halts', async () => {
		const { pacer, halting } = pacerWith();
		pacer.close(60_000);
		setTimeout(() => halting.abort(), 20);
		expect(await timed(async () => await Promise.all([pacer.open(), pacer.turn()]))).toBeLessThan(
			500,
		);
	});
});

describe('the pauses between batches', () => {
	it.each([
		[0, 100, 0],
		[10, 0, 0],
		[10, 10, 0],
		[10, 11, 100],
		[10, 20, 100],
		[10, 21, 200],
		[1, 3, 200],
	])('of %s, for %s sends, add up to %s ms', (batchSize, sends, ms) => {
		expect(Pacer.pausesOf({ batchSize, batchInterval: 100, randomDelay: 5 }, sends)).toBe(ms);
	});
});

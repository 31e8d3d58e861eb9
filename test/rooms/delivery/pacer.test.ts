import { Pacer } from '../../../nodes/MessagingGateway/delivery/pacer';
import { timed, useClock } from './clock';

const NONE = { batchSize: 0, batchInterval: 0, randomDelay: 0 };

function pacerWith(pacing: Partial<typeof NONE> = {}) {
	const halting = new AbortController();
	const log: string[] = [];
	const pacer = new Pacer({ ...NONE, ...pacing }, halting.signal, (line) => log.push(line));
	return { pacer, halting, log };
}

/** One turn after another. */
const turns = async (pacer: Pacer, count: number) => {
	for (let turn = 0; turn < count; turn++) await pacer.turn();
};

/** So many lanes that each ask for a turn at once. */
const lanes = (pacer: Pacer, count: number) =>
	Array.from({ length: count }, async () => await pacer.turn());

const stopAt = (ms: number, halting: AbortController) => setTimeout(() => halting.abort(), ms);

useClock();

/** The lowest and the highest that chance can give. */
const chance = (value: number) => jest.spyOn(Math, 'random').mockReturnValue(value);
afterEach(() => jest.restoreAllMocks());

describe('sends without batches', () => {
	it.each([{}, { batchSize: 1 }, { batchInterval: 60_000 }])(
		'wait for nothing: %j',
		async (pacing) => {
			const { pacer, log } = pacerWith(pacing);
			expect(await timed(turns(pacer, 1_000))).toEqual([0]);
			expect(log).toEqual([]);
		},
	);
});

describe('sends in batches', () => {
	it('pause after each batch, not before the first and not after the last', async () => {
		const { pacer, log } = pacerWith({ batchSize: 2, batchInterval: 50 });
		expect(await timed(turns(pacer, 2))).toEqual([0]);
		expect(await timed(turns(pacer, 4))).toEqual([100]);
		expect(log).toEqual(Array(2).fill('Pausing 50 ms after 2 requests'));
	});

	it('pause together, whatever lane they are in', async () => {
		const { pacer, log } = pacerWith({ batchSize: 2, batchInterval: 50 });
		expect(await timed(...lanes(pacer, 6))).toEqual([0, 0, 50, 50, 100, 100]);
		expect(log).toHaveLength(2);
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
		stopAt(20, halting);
		expect(await timed(...lanes(pacer, 4))).toEqual([0, 20, 20, 20]);
	});
});

describe('a random delay', () => {
	it.each([
		[0, 0],
		[0.5, 20],
		[0.975, 39],
	])('is at most what was set (chance %s: %s ms)', async (value, ms) => {
		chance(value);
		expect(await timed(turns(pacerWith({ randomDelay: 40 }).pacer, 1))).toEqual([ms]);
	});

	it('is another one for each send', async () => {
		const { pacer } = pacerWith({ randomDelay: 1_000_000 });
		expect(new Set(await timed(...lanes(pacer, 20))).size).toBeGreaterThan(10);
	});

	it('ends when everything halts', async () => {
		const { pacer, halting } = pacerWith({ randomDelay: 10_000_000 });
		chance(0.5);
		stopAt(20, halting);
		expect(await timed(turns(pacer, 1))).toEqual([20]);
	});
});

describe('a gateway that is busy', () => {
	it('is asked by nobody until it takes messages again', async () => {
		const { pacer, log } = pacerWith();
		chance(0);
		pacer.close(80);
		expect(await timed(pacer.turn(), pacer.open())).toEqual([80, 80]);
		expect(log).toEqual(Array(2).fill('Waiting 80 ms until the gateway takes messages again'));
		expect(await timed(turns(pacer, 1))).toEqual([0]);
	});

	it.each([
		['at most a quarter of the wait', 200, 250],
		['at most a second', 5_000, 6_000],
	])('is asked by each lane a little later: %s', async (_name, wait, asked) => {
		chance(1);
		const { pacer } = pacerWith();
		pacer.close(wait);
		expect(await timed(pacer.open())).toEqual([asked]);
	});

	it('counts the longest of several waits', async () => {
		const { pacer } = pacerWith();
		chance(0);
		pacer.close(100);
		pacer.close(1);
		expect(await timed(pacer.open())).toEqual([100]);
	});

	it('may close again while somebody waits', async () => {
		const { pacer } = pacerWith();
		chance(0);
		pacer.close(40);
		setTimeout(() => pacer.close(100), 20);
		expect(await timed(pacer.open())).toEqual([120]);
	});

	it('is not waited for when everything halts', async () => {
		const { pacer, halting } = pacerWith();
		pacer.close(60_000);
		stopAt(20, halting);
		expect(await timed(pacer.open(), pacer.turn())).toEqual([20, 20]);
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

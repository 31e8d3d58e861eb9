/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { Batching } from '../../../../nodes/MessagingGateway/delivery/pace/batching';
import { timed, useClock } from '../clock';

const NONE = { batchSize: 0, batchInterval: 0, randomDelay: 0 };

function pacerWith(pacing: Partial<typeof NONE> = {}) {
	const halting = new AbortController();
	const log: string[] = [];
	const batching = new Batching({ ...NONE, ...pacing }, halting.signal, (line) => log.push(line));
	return { batching, halting, log };
}

/** One turn after another. */
const turns = async (batching: Batching, count: number) => {
	for (let turn = 0; turn < count; turn++) await batching.next();
};

/** So many lanes that each ask for a turn at once. */
const lanes = (batching: Batching, count: number) =>
	Array.from({ length: count }, async () => await batching.next());

const stopAt = (ms: number, halting: AbortController) => setTimeout(() => halting.abort(), ms);

useClock();

/** The lowest and the highest random number. */
const chance = (value: number) => jest.spyOn(Math, 'random').mockReturnValue(value);
afterEach(() => jest.restoreAllMocks());

it.each([{}, { batchSize: 1 }, { batchInterval: 60_000 }])(
	'sends without batches wait for nothing: %j',
	async (pacing) => {
		const { batching, log } = pacerWith(pacing);
		expect(await timed(turns(batching, 1_000))).toEqual([0]);
		expect(log).toEqual([]);
	},
);

it('sends in batches pause after each batch, not before the first and not after the last', async () => {
	const { batching, log } = pacerWith({ batchSize: 2, batchInterval: 50 });
	expect(await timed(turns(batching, 2))).toEqual([0]);
	expect(await timed(turns(batching, 4))).toEqual([100]);
	expect(log).toEqual(Array(2).fill('Pausing 50 ms after 2 requests'));
});

it('sends in batches pause together, in all lanes', async () => {
	const { batching, log } = pacerWith({ batchSize: 2, batchInterval: 50 });
	expect(await timed(...lanes(batching, 6))).toEqual([0, 0, 50, 50, 100, 100]);
	expect(log).toHaveLength(2);
});

it('sends in batches do not count a turn that was given back', async () => {
	const { batching, log } = pacerWith({ batchSize: 1, batchInterval: 10_000 });
	for (let times = 0; times < 5; times++) {
		(await batching.next())();
	}
	expect(log).toEqual([]);
});

it('sends in batches do not let two go without a pause if a turn is given back late', async () => {
	const { batching } = pacerWith({ batchSize: 1, batchInterval: 10_000 });
	const giveBack = await batching.next();
	expect(await timed(turns(batching, 1))).toEqual([10_000]);
	giveBack();
	expect(await timed(turns(batching, 1))).toEqual([10_000]);
});

it('sends in batches go on at once when everything halts', async () => {
	const { batching, halting } = pacerWith({ batchSize: 1, batchInterval: 60_000 });
	stopAt(20, halting);
	expect(await timed(...lanes(batching, 4))).toEqual([0, 20, 20, 20]);
});

it.each([
	[0, 0],
	[0.5, 20],
	[0.975, 39],
])('a random delay is at most what was set (chance %s: %s ms)', async (value, ms) => {
	chance(value);
	expect(await timed(turns(pacerWith({ randomDelay: 40 }).batching, 1))).toEqual([ms]);
});

it('a random delay of each send is another one', async () => {
	const { batching } = pacerWith({ randomDelay: 1_000_000 });
	expect(new Set(await timed(...lanes(batching, 20))).size).toBeGreaterThan(10);
});

it('a random delay ends when everything halts', async () => {
	const { batching, halting } = pacerWith({ randomDelay: 10_000_000 });
	chance(0.5);
	stopAt(20, halting);
	expect(await timed(turns(batching, 1))).toEqual([20]);
});

it.each([
	[0, 100, 0],
	[10, 0, 0],
	[10, 10, 0],
	[10, 11, 100],
	[10, 20, 100],
	[10, 21, 200],
	[1, 3, 200],
])('the pauses between batches of %s, for %s sends, add up to %s ms', (batchSize, sends, ms) => {
	expect(Batching.pausesOf({ batchSize, batchInterval: 100, randomDelay: 5 }, sends)).toBe(ms);
});

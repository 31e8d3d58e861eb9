import {
	HistoryLock,
	type LockHelpers,
} from '../../../../nodes/MessagingGateway/delivery/memory/historyLock';
import { helpersOf } from '../../../support/engine/history';
import { Worker, World, type Fate } from './workers';

const KEYS = Array.from({ length: 12 }, (_, index) => `k${index}`);
/** The name of the lock's row. */
const LOCK = 'w';
const MODE = 'messaging gateway: one process at a time';
/** n8n's entry for a key. */
const MARK = 'TO8vMKx9M0GdAMHZOgkAlQ==';

const rowOf = (mode: string, ...entries: string[]) => JSON.stringify({ mode, entries });

afterEach(() => jest.restoreAllMocks());

/** Lives through thirty courses of events. */
async function forSeeds(body: (world: World) => Promise<void>): Promise<void> {
	for (let seed = 0; seed < 30; seed++) {
		await body(new World(seed));
		jest.restoreAllMocks();
	}
}

/** Lets workers send the same keys at once, and resolves to what they sent. */
async function race(
	world: World,
	count: number,
	change?: (statement: number) => Partial<Fate>,
): Promise<string[]> {
	const workers = Array.from({ length: count }, () => new Worker(world, change));
	const sent = await Promise.all(workers.map(async (each) => await each.send(KEYS)));
	return sent.flat();
}

function expectNothingTwice(sent: string[]): void {
	expect(new Set(sent).size).toBe(sent.length);
}

it.each([2, 4])('%d workers that send the same keys at once send each once', async (count) => {
	await forSeeds(async (world) => {
		expect((await world.run(race(world, count))).sort()).toEqual([...KEYS].sort());
		expect(world.rows.has(LOCK)).toBe(false);
	});
});

it('no worker loses the keys of another', async () => {
	await forSeeds(async (world) => {
		const others = KEYS.map((key) => `other ${key}`);
		const sent = [new Worker(world).send(KEYS), new Worker(world).send(others)];
		await world.run(Promise.all(sent));
		expect(await world.run(new Worker(world).send([...KEYS, ...others]))).toEqual([]);
	});
});

it('the lock of a worker that died is taken over, by one of those who wait', async () => {
	let takenOver = 0;
	await forSeeds(async (world) => {
		const dying = new Worker(world, (at) => ({ dies: at > world.random() * 25 }));
		void dying.send(KEYS);
		// What the dead worker had recorded is nobody's.
		expectNothingTwice(await world.run(race(world, 3)));
		expect(world.rows.has(LOCK)).toBe(false);
		if (world.now > 30_000) takenOver++;
		expect(world.now).toBeLessThan(36_000);
	});
	expect(takenOver).toBeGreaterThan(5);
});

it.each([
	['that others hand on is not taken over', [5, 10, 15, 20, 25, 30], 30, 31],
	['that another worker takes over at the same time is waited for', [25], 60, 70],
] as const)('a lock %s', async (_, changes, earliest, latest) => {
	const world = new World(1);
	world.rows.set(LOCK, rowOf(MODE, MARK));
	changes.forEach((second, index) => {
		const entries = Array<string>(index + 2).fill(MARK);
		world.after(second * 1_000, () => world.rows.set(LOCK, rowOf(MODE, ...entries)));
	});
	if (latest === 31) world.after(30_500, () => world.rows.delete(LOCK));
	const history = new Worker(world).open();
	expect(await world.run(history.claim(['a']))).toEqual(new Set());
	expect(world.now).toBeGreaterThan(earliest * 1_000);
	expect(world.now).toBeLessThan(latest * 1_000);
});

it('a lock is taken over only after a hundred looks, however slow they are', async () => {
	const world = new World(1);
	world.rows.set(LOCK, rowOf(MODE, MARK));
	const worker = new Worker(world, () => ({ back: 400 }));
	const looks = jest.spyOn(worker, 'getProcessedDataCount');
	await world.run(worker.send(['a']));
	expect(world.now).toBeGreaterThan(55_000);
	// The last look finds the row as this worker has left it.
	expect(looks).toHaveBeenCalledTimes(101);
});

it('a lock is looked at less and less often, at random times, but at least every 75 ms', async () => {
	const world = new World(1);
	world.rows.set(LOCK, rowOf(MODE, MARK));
	world.after(4_000, () => world.rows.delete(LOCK));
	const worker = new Worker(world);
	const sleep = jest.spyOn(worker, 'sleep');
	await world.run(worker.open().claim(['a']));
	const waits = sleep.mock.calls.map(([ms], looks) => ms / Math.min(2 + looks, 50));
	expect(waits.length).toBeGreaterThan(60);
	for (const limit of [Math.min(...waits) - 0.5, 1.5 - Math.max(...waits)]) {
		expect(limit).toBeGreaterThan(0);
		expect(limit).toBeLessThan(0.1);
	}
});

it.each([
	['written within a second lasts for 15', 1 - 2 ** -53, 1_000, 14_000, [50, { mode: MODE }]],
	['written too late is taken again', 0, 1_001, 15_000, [1, 1, { mode: MODE }]],
	['held for longer is certain no more', 0, 0, 15_001, /^The lock .* was held for too long$/],
])('a lock %s', async (_, chance, writing, holding, expected) => {
	let now = 0;
	for (const clock of [performance, Date]) jest.spyOn(clock, 'now').mockImplementation(() => now);
	jest.spyOn(Math, 'random').mockReturnValue(chance);
	const calls: unknown[] = [];
	const helpers = {
		checkProcessedAndRecord: async (entries: string[], scope: string, options: object) => {
			if (calls.push(entries.length) === 1) now += writing;
			await Promise.resolve();
			return await Promise.resolve({ ...options, scope, new: entries, processed: [] });
		},
		getProcessedDataCount: async () => await Promise.resolve(0),
		clearAllProcessedItems: async (_scope: string, options: object) =>
			await Promise.resolve(void calls.push(options)),
	} as unknown as LockHelpers;
	const held = HistoryLock.hold('w', helpers, async (lock) => {
		now += holding;
		await Promise.resolve(lock?.check());
	}).then(
		() => calls,
		({ message }) => message as string,
	);
	if (expected instanceof RegExp) expect(await held).toMatch(expected);
	else expect(await held).toEqual(expected);
});

it('a lock is not waited for without end while the database is too slow', async () => {
	let now = 0;
	for (const clock of [performance, Date]) jest.spyOn(clock, 'now').mockImplementation(() => now);
	const helpers = {
		checkProcessedAndRecord: async (_: string[], __: string, options: object) => {
			now += 1_001;
			await Promise.resolve();
			return await Promise.resolve({ ...options, new: [], processed: [] });
		},
		getProcessedDataCount: async () => await Promise.resolve(0),
	} as unknown as LockHelpers;
	const call = jest.fn();
	await expect(HistoryLock.hold('w', helpers, call)).rejects.toThrow('too slow');
	expect(call).not.toHaveBeenCalled();
	expect(now).toBe(30 * 1_001);
});

it('a lock is left to "Remove Duplicates" whatever words n8n refuses it with', async () => {
	class DeduplicationError extends Error {}
	const refuse = async () => await Promise.reject(new DeduplicationError('Inkompatibel'));
	const helpers = { checkProcessedAndRecord: refuse } as unknown as LockHelpers;
	const call = jest.fn().mockResolvedValue(undefined);
	await HistoryLock.hold('w', helpers, call);
	expect(call).toHaveBeenCalledWith(undefined);
});

it('locks differ in their number of entries, so that others see them change hands', async () => {
	const world = new World(1);
	const worker = new Worker(world);
	const calls = jest.spyOn(worker, 'checkProcessedAndRecord');
	await world.run(worker.send(KEYS));
	const locks = calls.mock.calls.filter(([, scope]) => scope === 'workflow');
	expect(new Set(locks.map(([entries]) => entries.length)).size).toBeGreaterThan(1);
});

const slowAt = (statement: number) => (at: number) => ({
	...(at === statement && { back: 15_001 }),
});
const asleepAt = (statement: number, ms: number) => (at: number, world: World) => {
	if (at === statement) jest.spyOn(Date, 'now').mockImplementation(() => world.now + ms);
	return {};
};

// The lock is read and created, then the keys are read and written.
it.each([
	['that stands still before it wrote writes and sends nothing', slowAt(3), new Set()],
	['that stands still after it wrote sends nothing', slowAt(4), new Set(['a'])],
	['whose machine sleeps before it wrote writes and sends nothing', asleepAt(3, 16_000), new Set()],
	['whose clock is put back meanwhile sends nothing', asleepAt(3, -16_000), new Set()],
])('a worker %s if that is longer than a lock lasts', async (_, change, later) => {
	const world = new World(1);
	const slow = new Worker(world, (at) => change(at, world));
	const claim = async () => {
		const history = slow.open();
		const known = await history.claim(['a']).catch(() => 'failed');
		await history.close();
		return known;
	};
	expect(await world.run(claim())).toBe('failed');
	// Somebody else may have the lock by now, so it is not released.
	expect(world.rows.has(LOCK)).toBe(true);
	expect(await world.run(claim())).toEqual(later);
});

it('a lock that took too long to get is not used, but taken over', async () => {
	const world = new World(1);
	const slow = new Worker(world, slowAt(2));
	expect(await world.run(slow.send(['a']))).toEqual(['a']);
	expect(world.now).toBeGreaterThan(45_000);
});

it('workers whose database answers up to a minute late send nothing twice', async () => {
	await forSeeds(async (world) => {
		const late = () => ({ ...(world.random() < 0.01 && { back: 60_000 * world.random() }) });
		expectNothingTwice(await world.run(race(world, 3, late)));
	});
});

it('workers that lose their database for a while send nothing twice, and go on', async () => {
	await forSeeds(async (world) => {
		const away = (): Partial<Fate> =>
			world.now > 10 && world.now < 60 ? { breaks: world.random() < 0.5 ? 'there' : 'back' } : {};
		expectNothingTwice(await world.run(race(world, 3, away)));
		world.now = Math.max(world.now, 60);
		await world.run(race(world, 1));
		expect(await world.run(race(world, 1))).toEqual([]);
	});
});

it.each(['entries', 'latestDate'])('"Remove Duplicates" keeps its memory of %s', async (mode) => {
	const world = new World(1);
	world.rows.set(LOCK, rowOf(mode, '2026-01-01'));
	const history = new Worker(world).open();
	expect(await world.run(history.claim(KEYS))).toEqual(new Set());
	expect(history.lacksLock).toBe(true);
	await world.run(history.close());
	expect(world.rows.get(LOCK)).toBe(rowOf(mode, '2026-01-01'));
});

it('a worker sends its own keys once beside "Remove Duplicates", although others overwrite them', async () => {
	let overwritten = 0;
	for (let seed = 0; seed < 10; seed++) {
		const world = new World(seed);
		world.rows.set(LOCK, rowOf('entries', '2026-01-01'));
		const workers = ['a', 'b'].map((name) => ({
			worker: new Worker(world),
			keys: Array.from({ length: 100 }, (_, index) => `${name}${index}`),
		}));
		const sendAll = async () => {
			const sent = await Promise.all(
				workers.map(async ({ worker, keys }) => await worker.send(keys)),
			);
			return sent.flat();
		};
		expect(await world.run(sendAll())).toHaveLength(200);
		// What a worker remembers by itself is gone then.
		world.now += 300_000;
		overwritten += (await world.run(sendAll())).length;
		jest.restoreAllMocks();
	}
	// A worker that ends last may overwrite what the other has just recorded for the last time.
	expect(overwritten).toBeLessThan(5);
});

it('"Remove Duplicates" keeps its memory from its first success on, however late the workers are', async () => {
	let refused = 0;
	await forSeeds(async (world) => {
		const late = () => ({ ...(world.random() < 0.01 && { back: 20_000 * world.random() }) });
		const node = new Worker(world);
		const remove = async () => {
			for (;;) {
				await node.sleep(40 * world.random());
				const options = { mode: 'entries' as const, maxEntries: 10_000 };
				const call = helpersOf(node, 'r').checkProcessedAndRecord(['x'], 'workflow', options);
				if (await call.then(() => true).catch(() => false)) return world.rows.get(LOCK);
				refused++;
			}
		};
		const [row] = await world.run(Promise.all([remove(), race(world, 3, late)]));
		expect(world.rows.get(LOCK)).toBe(row);
	});
	expect(refused).toBeGreaterThan(5);
});

it('the nodes of a workflow wait for one another in memory', async () => {
	const world = new World(1);
	const worker = new Worker(world);
	const looks = jest.spyOn(worker, 'getProcessedDataCount');
	const nodes = ['a', 'b', 'c'];
	await world.run(Promise.all(nodes.map(async (node) => await worker.send(KEYS, node))));
	expect(looks).not.toHaveBeenCalled();
});

it.each([
	['PostgreSQL in German', { code: '23505', message: 'doppelter Schlüsselwert' }],
	['PostgreSQL', { message: 'duplicate key value violates unique constraint "PK_1"' }],
	['SQLite', { message: 'SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.context' }],
	['MariaDB in German', { code: 'ER_DUP_ENTRY', message: 'Doppelter Eintrag' }],
])('a worker waits for a lock that another has created just before, in %s', async (_, error) => {
	const world = new World(1);
	const worker = new Worker(world);
	const insert = jest.spyOn(worker, 'checkProcessedAndRecord');
	insert.mockRejectedValueOnce(Object.assign(new Error(), error));
	expect(await world.run(worker.open().claim(['a']))).toEqual(new Set());
});

it.each([
	['the workflow was deleted', 'SQLITE_CONSTRAINT: FOREIGN KEY constraint failed'],
	['the database is away', 'Connection terminated'],
])('a worker claims no key without a lock if %s', async (_, message) => {
	const world = new World(1);
	const worker = new Worker(world);
	const insert = jest.spyOn(worker, 'checkProcessedAndRecord');
	insert.mockRejectedValueOnce(new Error(message));
	const claim = worker.open().claim(['a']);
	expect(await world.run(claim.catch(({ what }) => what as string))).toMatch(/could not record/);
	expect(insert).toHaveBeenCalledTimes(1);
});

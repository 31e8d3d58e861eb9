/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { setImmediate as everythingElse } from 'node:timers/promises';
import { HistoryLock } from '../../../../nodes/MessagingGateway/delivery/memory/historyLock';
import {
	type HistoryHelpers,
	KeyHistory,
	KeyQueue,
} from '../../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import { helpersOf, History as Table } from '../../../support/engine/history';
import { inNode, inputErrorFrom } from '../../../support/rooms';
import { FakeHistory } from '../deliver';

const CONTEXT = { workflow: { id: 'w' }, node: { id: 'n' } } as never;

/** n8n's table with a database's latency: read whole, written whole, no lock. */
function database(latency = 2) {
	const table = new Table();
	table.latency = latency;
	const history = helpersOf(table);
	return { table, history };
}

/** A history of one node as a set, and the keys of each call. Another node has the row of the workflow. */
function unlocked(...known: string[]) {
	const stored = new Set(known);
	const calls: string[][] = [];
	const history = {
		checkProcessedAndRecord: async (
			keys: string[],
			scope: string,
			options: { maxEntries?: number },
		) => {
			if (scope === 'workflow') throw new Error('… incompatible setting …');
			calls.push(keys);
			await everythingElse();
			expect(options.maxEntries).toBe(10_000);
			const processed = keys.filter((key) => stored.has(key));
			keys.forEach((key) => stored.add(key));
			return { new: [], processed };
		},
		removeProcessed: async (keys: string[]) => {
			calls.push(['free', ...keys]);
			await everythingElse();
			keys.forEach((key) => stored.delete(key));
		},
	} as unknown as HistoryHelpers;
	return { stored, calls, history };
}

const KEYS = Array.from({ length: 300 }, (_, index) => `k${index}`);

let nodes = 0;
let open: KeyHistory[] = [];

/** Of another workflow each time, unless one is named. */
function opened(history: ConstructorParameters<typeof KeyHistory>[0], workflow = `w${++nodes}`) {
	const sendOnce = new KeyHistory(history, workflow, 'n');
	open.push(sendOnce);
	return sendOnce;
}

afterEach(async () => {
	await Promise.all(open.map(async (each) => await each.close()));
	open = [];
	jest.restoreAllMocks();
	expect([KeyQueue.count, HistoryLock.count]).toEqual([0, 0]);
});

it('a claim records its keys, and returns those that were known', async () => {
	const history = new FakeHistory('a');
	const sendOnce = opened(history);
	expect(await sendOnce.claim(['a', 'b'])).toEqual(new Set(['a']));
	expect(await sendOnce.claim(['b', 'c'])).toEqual(new Set(['b']));
});

it.each<[string, (options: { mode: never }) => { mode: never }]>([
	['copies the options of a call', (options) => ({ ...options })],
	['does not read the limit of keys', ({ mode }) => ({ mode })],
])('a claim fails, and nothing is sent, if an n8n %s', async (_name, changed) => {
	const { table, history } = database();
	const record = history.checkProcessedAndRecord.bind(history);
	history.checkProcessedAndRecord = async (keys, scope, options) =>
		await record(keys, scope, changed(options as { mode: never }));
	const error = await inputErrorFrom(opened(history).claim(['a']));
	expect(error.what).toBe('n8n could not record the Send-Once Key');
	expect([...table.rows.keys()].filter((name) => name.includes('n:n'))).toEqual([]);
});

it('a claim without keys makes no call', async () => {
	const history = new FakeHistory();
	expect(await opened(history).claim([])).toEqual(new Set());
	await opened(history).free([]);
	expect(history.calls).toBe(0);

	const sendOnce = opened(history);
	await sendOnce.claim(['a']);
	expect(await sendOnce.claim([])).toEqual(new Set());
	expect(history.calls).toBe(1);
});

it('a claim shares a call with later ones, which tells each about its own keys only', async () => {
	const history = new FakeHistory('k3', 'k7');
	const sendOnce = opened(history);
	const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
	const known = await Promise.all(keys.map(async (key) => await sendOnce.claim([key])));

	keys.forEach((key, index) => {
		const expected = key === 'k3' || key === 'k7' ? [key] : [];
		expect([...(known[index] ?? [])]).toEqual(expected);
	});
	await everythingElse();
	expect(history.calls).toBeLessThanOrEqual(2);
});

it('claims and frees make one call at a time', async () => {
	const history = new FakeHistory();
	const sendOnce = opened(history);
	const work: Array<Promise<unknown>> = [];
	for (let index = 0; index < 50; index++) {
		work.push(sendOnce.claim([`a${index}`]));
		if (index % 3 === 0) work.push(sendOnce.free([`a${index}`]));
		await Promise.resolve();
	}
	await Promise.all(work);
	expect(history.calls).toBeGreaterThan(17);
});

it('a claim fails if the history fails, and the next one works again', async () => {
	const history = new FakeHistory();
	const sendOnce = opened(history);
	history.broken = true;
	for (const claim of [sendOnce.claim(['a']), sendOnce.claim(['b'])]) {
		const error = await inputErrorFrom(claim);
		expect(error.what).toBe('n8n could not record the Send-Once Key');
		expect(error.advice).toBe(
			"Check that n8n's database is available. It may have recorded the key all the same: if a later execution skips the message, send it with another key.",
		);
	}
	await expect(sendOnce.free(['c'])).rejects.toThrow('The database is away');
	history.broken = false;
	expect(await sendOnce.claim(['a'])).toEqual(new Set());
	expect(await sendOnce.claim(['a'])).toEqual(new Set(['a']));
});

it('a key that was freed can be claimed again', async () => {
	const sendOnce = opened(new FakeHistory());
	await sendOnce.claim(['a', 'b']);
	await sendOnce.free(['a']);
	expect(await sendOnce.claim(['a', 'b'])).toEqual(new Set(['b']));
});

it('a dry run finds every key new, and leaves the history and the queue to others', async () => {
	const dryRun = opened(undefined);
	expect(await dryRun.claim(['a'])).toEqual(new Set());
	await dryRun.free(['a']);
	expect([KeyQueue.count, dryRun.lacksLock]).toEqual([0, false]);
	await dryRun.close();
});

it.each([
	['records its keys again', ['new'], 3],
	['makes no call if all of its keys were known', ['known'], 2],
	['makes no call if it had no keys', [], 1],
] as const)('a run that ends without the lock %s', async (_, keys, calls) => {
	const history = Object.assign(new FakeHistory('known'), { lacksLock: true });
	const [sendOnce, other] = [opened(history, 'shared'), opened(history, 'shared')];
	await other.claim(['of another execution']);
	await sendOnce.claim([...keys]);
	await sendOnce.close();
	open = [other];
	expect(history.calls).toBe(calls);
});

it('executions of one process that claim equal keys at once, the first ever, get each key once', async () => {
	const { table, history } = database();
	const news = await Promise.all(
		Array.from({ length: 50 }, async (_, index) => {
			const sendOnce = new KeyHistory(history, 'w', 'n');
			const isNew = (await sendOnce.claim([`k${index % 25}`])).size === 0;
			await sendOnce.close();
			return isNew ? index % 25 : undefined;
		}),
	);
	expect(news.filter((key) => key !== undefined).sort((a, b) => a - b)).toEqual([
		...Array(25).keys(),
	]);
	expect(table.calls).toBeLessThan(10);
	const later = opened(history, 'w');
	const keys = Array.from({ length: 25 }, (_, index) => `k${index}`);
	expect(await later.claim(keys)).toEqual(new Set(keys));
});

it('executions of one process do not wait for those of another workflow', async () => {
	let fail: () => void = () => undefined;
	const stuck = {
		checkProcessedAndRecord: async () =>
			await new Promise<never>((_, reject) => (fail = () => reject(new Error('At last')))),
	};
	const claim = opened(stuck as unknown as HistoryHelpers).claim(['a']);
	expect(await opened(database().history).claim(['a'])).toEqual(new Set());
	fail();
	await expect(claim).rejects.toThrow('n8n could not record');
});

it('executions of one process may claim a key again after it was freed', async () => {
	const { history } = database();
	const sendOnce = opened(history);
	const claims = [sendOnce.claim(['a']), sendOnce.free(['a']), sendOnce.claim(['a'])];
	expect(await Promise.all(claims)).toEqual([new Set(), undefined, new Set()]);
});

it('a call of the history is shared by all claims that wait, also after a key was freed', async () => {
	const { calls, history } = unlocked();
	const sendOnce = opened(history);
	const first = sendOnce.claim(['a']);
	const others = [sendOnce.free(['x']), sendOnce.claim(['b'])];
	await first;
	await Promise.all([...others, sendOnce.claim(['c'])]);
	expect(calls).toEqual([['a'], ['free', 'x'], ['a', 'b', 'c']]);
});

it('workers that make the first record at the same time fail no execution', async () => {
	const { table, history } = database(20);
	const options = { mode: 'entries' as const, maxEntries: 10_000 };
	const first = table.checkProcessedAndRecord(['b'], 'node', CONTEXT, options);
	expect(await opened(history, 'w').claim(['a', 'b'])).toEqual(new Set(['b']));
	await first;
});

it('keys are recorded once under the lock', async () => {
	const { table, history } = database(0);
	const sendOnce = new KeyHistory(history, 'w', 'n');
	await sendOnce.claim(['a']);
	await sendOnce.claim(['b']);
	const record = jest.spyOn(table, 'checkProcessedAndRecord');
	await sendOnce.claim(['c']);
	await sendOnce.close();
	expect([table.calls, sendOnce.lacksLock]).toEqual([3, false]);
	expect(record).toHaveBeenCalledWith(['c'], 'node', expect.anything(), expect.anything());
});

describe('without the lock', () => {
	it('a worker that frees a key it had recorded makes it new to the others', async () => {
		const { stored, history } = unlocked('a');
		const sendOnce = opened(history);
		expect(await sendOnce.claim(['a'])).toEqual(new Set(['a']));
		stored.delete('a');
		expect(await sendOnce.claim(['a'])).toEqual(new Set());
	});

	it('a key that cannot be freed without the lock is not recorded again', async () => {
		const { calls, history } = unlocked('a');
		const removeProcessed = async () => await Promise.reject(new Error('The database is away'));
		const freed = opened({ ...history, removeProcessed }).free(['a']);
		await expect(freed).rejects.toThrow('The database is away');
		expect(calls).toEqual([]);
	});

	it('keys that another worker overwrites without the lock stay known, and the next call records them again', async () => {
		const { stored, history } = unlocked();
		const sendOnce = opened(history);
		await sendOnce.claim(['a', 'b']);
		stored.clear();
		expect(await sendOnce.claim(['a', 'c'])).toEqual(new Set(['a']));
		expect([...stored]).toEqual(['a', 'b', 'c']);
	});

	it('keys of a run that another worker overwrites without the lock are recorded once more when it ends', async () => {
		const { stored, calls, history } = unlocked('known');
		const [sendOnce, other] = [opened(history, 'shared'), opened(history, 'shared')];
		await other.claim(['of another execution']);
		await sendOnce.claim([...KEYS, 'known']);
		await sendOnce.free(['k0']);
		stored.clear();
		await sendOnce.close();
		open = [other];
		expect(KEYS.filter((key) => !stored.has(key))).toEqual(['k0']);
		expect(calls).toHaveLength(4);
	});

	it('a run records only its last 1,000 keys once more when it ends without the lock', async () => {
		const { calls, history } = unlocked();
		const sendOnce = new KeyHistory(history, 'w', 'n');
		const keys = Array.from({ length: 1_001 }, (_, index) => `k${index}`);
		await sendOnce.claim(keys);
		await sendOnce.close();
		expect(calls.map((each) => [...each].sort())).toEqual([[...keys].sort(), keys.slice(1).sort()]);
	});

	it('a call of the history records the last 50 keys again without the lock, for a minute', async () => {
		const now = jest.spyOn(performance, 'now').mockReturnValue(0);
		const { calls, history } = unlocked();
		const sendOnce = opened(history);
		await sendOnce.claim(KEYS);
		now.mockReturnValue(60_000);
		await sendOnce.claim(['a']);
		now.mockReturnValue(60_001);
		await sendOnce.claim(['b']);
		expect(calls).toEqual([KEYS, [...KEYS.slice(-50), 'a'], ['a', 'b']]);
	});

	it('a worker knows its last 1,000 keys without the lock, whatever the history says', async () => {
		const { stored, history } = unlocked();
		const sendOnce = opened(history);
		await sendOnce.claim(Array.from({ length: 1_001 }, (_, index) => `k${index}`));
		stored.clear();
		expect(await sendOnce.claim(['k0', 'k1'])).toEqual(new Set(['k1']));
	});
});

it('the queue of keys stays the same while somebody uses it, and is gone when nobody does', () => {
	const line = KeyQueue.join('w', 'n');
	KeyQueue.join('w', 'n').leave();
	expect(KeyQueue.join('w', 'n')).toBe(line);
	line.leave();
	line.leave();
	expect(KeyQueue.count).toBe(0);
});

it("n8n's own history remembers the last 10,000 keys, and forgets what was freed", async () => {
	await inNode(async ({ helpers }) => {
		const sendOnce = opened(helpers);
		await sendOnce.claim(['first', 'freed']);
		await sendOnce.free(['freed']);
		expect(await sendOnce.claim(['first', 'freed'])).toEqual(new Set(['first']));
		await sendOnce.claim(Array.from({ length: 9_998 }, (_, index) => `key ${index}`));
		expect(await sendOnce.claim(['first'])).toEqual(new Set(['first']));
		await sendOnce.claim(['one more']);
		expect(await sendOnce.claim(['first'])).toEqual(new Set());
	});
});

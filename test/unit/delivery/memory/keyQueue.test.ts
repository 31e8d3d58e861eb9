/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { setImmediate as everythingElse } from 'node:timers/promises';
import { HistoryLock } from '../../../../nodes/MessagingGateway/delivery/memory/historyLock';
import {
	type HistoryHelpers,
	KeyQueue,
} from '../../../../nodes/MessagingGateway/delivery/memory/keyQueue';
import { KeyHistory } from '../../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import { helpersOf, History as Table } from '../../../support/engine/history';

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
		checkProcessedAndRecord: async (keys: string[], scope: string) => {
			if (scope === 'workflow') throw new Error('… incompatible setting …');
			calls.push(keys);
			await everythingElse();
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

let hours = 1_000;
/** Goes so far ahead that no other worker has overwritten keys of this process lately. */
function goAhead() {
	hours += 2;
	const clock = jest.spyOn(performance, 'now');
	const at = (ms: number) => void clock.mockReturnValue(hours * 3_600_000 + ms);
	at(0);
	return at;
}

afterEach(() => {
	jest.restoreAllMocks();
	expect([KeyQueue.count, HistoryLock.count]).toEqual([0, 0]);
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
	const later = new KeyHistory(history, 'w', 'n');
	const keys = Array.from({ length: 25 }, (_, index) => `k${index}`);
	expect(await later.claim(keys)).toEqual(new Set(keys));
	await later.close();
});

it('executions of one process do not wait for those of another workflow', async () => {
	let fail: () => void = () => undefined;
	const stuck = {
		checkProcessedAndRecord: async () =>
			await new Promise<never>((_, reject) => (fail = () => reject(new Error('At last')))),
	};
	const blocked = KeyQueue.join('1', 'n');
	const claim = blocked.claim(stuck as unknown as HistoryHelpers, ['a']);
	const other = new KeyHistory(database().history, '2', 'n');
	expect(await other.claim(['a'])).toEqual(new Set());
	await other.close();
	fail();
	await expect(claim).rejects.toThrow('At last');
	blocked.leave();
});

it('executions of one process may claim a key again after it was freed', async () => {
	const { history } = database();
	const sendOnce = new KeyHistory(history, 'w', 'n');
	const claims = [sendOnce.claim(['a']), sendOnce.free(['a']), sendOnce.claim(['a'])];
	expect(await Promise.all(claims)).toEqual([new Set(), undefined, new Set()]);
	await sendOnce.close();
});

it('a worker that frees a key it had recorded makes it new to the others', async () => {
	const { stored, history } = unlocked('a');
	const line = KeyQueue.join('w', 'n');
	expect(await line.claim(history, ['a'])).toEqual(new Set(['a']));
	stored.delete('a');
	expect(await line.claim(history, ['a'])).toEqual(new Set());
	line.leave();
});

it('a worker that cannot free a key without the lock does not record it again', async () => {
	const { calls, history } = unlocked('a');
	const removeProcessed = async () => await Promise.reject(new Error('The database is away'));
	const line = KeyQueue.join('w', 'n');
	const freed = line.free({ ...history, removeProcessed }, ['a']);
	await expect(freed).rejects.toThrow('The database is away');
	line.leave();
	expect(calls).toEqual([]);
});

it('workers that make the first record at the same time fail no execution', async () => {
	const { table, history } = database(20);
	const sendOnce = new KeyHistory(history, 'w', 'n');
	const options = { mode: 'entries' as const, maxEntries: 10_000 };
	const first = table.checkProcessedAndRecord(['b'], 'node', CONTEXT, options);
	expect(await sendOnce.claim(['a', 'b'])).toEqual(new Set(['b']));
	await first;
	await sendOnce.close();
});

it('a worker that overwrites keys does not make them new here, and the next call records them again', async () => {
	const { table, history } = database();
	const sendOnce = new KeyHistory(history, 'w', 'n');
	await sendOnce.claim(['a', 'b']);
	await table.removeProcessed(['a', 'b'], 'node', CONTEXT);
	expect(await sendOnce.claim(['a', 'c'])).toEqual(new Set(['a']));
	const options = { mode: 'entries' as const, maxEntries: 10_000 };
	const { processed } = await table.checkProcessedAndRecord(['a', 'b'], 'node', CONTEXT, options);
	expect(processed).toEqual(['a', 'b']);
	await sendOnce.close();
});

it('a worker that overwrites the last keys of a run does not lose them', async () => {
	const { table, history } = database();
	const sendOnce = new KeyHistory(history, 'w', 'n');
	const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
	const options = { mode: 'entries' as const, maxEntries: 10_000 };
	// "Remove Duplicates" has the row of the workflow, so there is no lock.
	await table.checkProcessedAndRecord(['x'], 'workflow', CONTEXT, options);
	await sendOnce.claim(keys);
	await table.removeProcessed(keys, 'node', CONTEXT);
	await sendOnce.close();
	const { processed } = await table.checkProcessedAndRecord(keys, 'node', CONTEXT, options);
	expect(processed).toHaveLength(50);
});

describe('calls of the history', () => {
	const KEYS = Array.from({ length: 300 }, (_, index) => `k${index}`);

	it('a call of the history records the last five keys again', async () => {
		goAhead();
		const { calls, history } = unlocked();
		const line = KeyQueue.join('w', 'n');
		await line.claim(history, KEYS);
		await line.claim(history, ['a']);
		await line.recordAgain(history);
		line.leave();
		expect(calls).toEqual([KEYS, [...KEYS.slice(-5), 'a'], [...KEYS.slice(-4), 'a']]);
	});

	it('a call of the history records the last 200 again once another worker has overwritten some', async () => {
		goAhead();
		const { stored, calls, history } = unlocked();
		const line = KeyQueue.join('w', 'n');
		await line.claim(history, KEYS);
		stored.clear();
		await line.recordAgain(history);
		expect(calls).toHaveLength(3);
		await line.recordAgain(history);
		line.leave();
		const again = KEYS.slice(-200);
		expect(calls).toEqual([KEYS, KEYS.slice(-5), again, again]);
	});

	it('calls of the history record keys again for a minute', async () => {
		const at = goAhead();
		const { calls, history } = unlocked();
		const line = KeyQueue.join('w', 'n');
		await line.claim(history, ['a']);
		at(60_000);
		await line.claim(history, ['b']);
		at(60_001);
		await line.claim(history, ['c']);
		expect(calls).toEqual([['a'], ['a', 'b'], ['b', 'c']]);
		at(120_002);
		const locks = jest.spyOn(HistoryLock, 'hold');
		await line.recordAgain(history);
		line.leave();
		expect(locks).not.toHaveBeenCalled();
	});

	it('calls of the history know the last 1,000 keys, whatever the history says', async () => {
		goAhead();
		const { stored, history } = unlocked();
		const line = KeyQueue.join('w', 'n');
		await line.claim(
			history,
			Array.from({ length: 1_001 }, (_, index) => `k${index}`),
		);
		stored.clear();
		expect(await line.claim(history, ['k0', 'k1'])).toEqual(new Set(['k1']));
		line.leave();
	});

	it('calls of the history are shared by all claims that wait, also after a key was freed', async () => {
		const { calls, history } = unlocked();
		const line = KeyQueue.join('w', 'n');
		const first = line.claim(history, ['a']);
		const others = [line.free(history, ['x']), line.claim(history, ['b'])];
		await first;
		await Promise.all([...others, line.claim(history, ['c'])]);
		line.leave();
		expect(calls).toEqual([['a'], ['free', 'x'], ['a', 'b', 'c']]);
	});
});

it('the last keys are not recorded again under the lock', async () => {
	goAhead();
	const { table, history } = database(0);
	const sendOnce = new KeyHistory(history, 'w', 'n');
	await sendOnce.claim(['a']);
	await sendOnce.close();
	expect([table.calls, sendOnce.lacksLock]).toEqual([1, false]);
});

it('the queue of keys stays the same while somebody uses it', () => {
	const line = KeyQueue.join('w', 'n');
	KeyQueue.join('w', 'n').leave();
	expect(KeyQueue.join('w', 'n')).toBe(line);
	line.leave();
	line.leave();
});

it('the queue of keys is gone when nobody uses it', async () => {
	const line = KeyQueue.join('w', 'n');
	await line.claim(database().history, ['a']);
	await line.ended();
	line.leave();
	expect(KeyQueue.count).toBe(0);
});

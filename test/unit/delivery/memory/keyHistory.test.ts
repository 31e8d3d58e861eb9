/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { setImmediate as everythingElse } from 'node:timers/promises';
import { KeyQueue } from '../../../../nodes/MessagingGateway/delivery/memory/keyQueue';
import { KeyHistory } from '../../../../nodes/MessagingGateway/delivery/memory/keyHistory';
import { inNode, inputErrorFrom } from '../../../support/rooms';
import { FakeHistory } from '../deliver';

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
	expect(KeyQueue.count).toBe(0);
});

it('a claim records its keys, and returns those that were known', async () => {
	const history = new FakeHistory('a');
	const sendOnce = opened(history);
	expect(await sendOnce.claim(['a', 'b'])).toEqual(new Set(['a']));
	expect(await sendOnce.claim(['b', 'c'])).toEqual(new Set(['b']));
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
		expect(error.advice).toBe("Check that n8n's database is available.");
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

import { getEventListeners } from 'node:events';
import { pause } from '../../../nodes/MessagingGateway/delivery/pause';

const timed = async (work: Promise<unknown>) => {
	const started = performance.now();
	await work;
	return performance.now() - started;
};

describe('a pause', () => {
	it('takes its time', async () => {
		const ms = await timed(pause(60, new AbortController().signal));
		expect(ms).toBeGreaterThan(50);
		expect(ms).toBeLessThan(500);
	});

	it.each([0, -5])('of %s ms is none', async (ms) => {
		expect(await timed(pause(ms, new AbortController().signal))).toBeLessThan(20);
	});

	it('ends at once when everything halts', async () => {
		const halting = new AbortController();
		setTimeout(() => halting.abort(), 20);
		expect(await timed(pause(60_000, halting.signal))).toBeLessThan(500);
	});

	it('does not begin when everything has halted', async () => {
		expect(await timed(pause(60_000, AbortSignal.abort()))).toBeLessThan(20);
	});

	it('takes one listener, however many wait', async () => {
		const { signal } = new AbortController();
		await Promise.all(Array.from({ length: 50 }, async () => await pause(1, signal)));
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	});

	it('wakes everyone who waits', async () => {
		const halting = new AbortController();
		const all = Promise.all([1, 2, 3].map(async () => await pause(60_000, halting.signal)));
		halting.abort();
		expect(await timed(all)).toBeLessThan(500);
	});
});

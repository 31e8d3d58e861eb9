/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { getEventListeners } from 'node:events';
import { pause } from '../../../../nodes/MessagingGateway/shared/time';
import { timed, useClock } from '../clock';

useClock();

it.each([60, 86_400_000])('a pause of %s ms takes its time', async (ms) => {
	expect(await timed(pause(ms, new AbortController().signal))).toEqual([ms]);
});

it('a pause ends at once when everything halts', async () => {
	const halting = new AbortController();
	setTimeout(() => halting.abort(), 20);
	expect(await timed(pause(60_000, halting.signal))).toEqual([20]);
});

it('a pause does not begin when everything has halted', async () => {
	expect(await timed(pause(60_000, AbortSignal.abort()))).toEqual([0]);
});

it('a pause takes one listener, however many wait', async () => {
	const { signal } = new AbortController();
	await timed(...Array.from({ length: 50 }, async () => await pause(1, signal)));
	expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

it('a pause wakes everyone who waits', async () => {
	const halting = new AbortController();
	const all = [1, 2, 3].map(async () => await pause(60_000, halting.signal));
	setTimeout(() => halting.abort(), 20);
	expect(await timed(...all)).toEqual([20, 20, 20]);
});

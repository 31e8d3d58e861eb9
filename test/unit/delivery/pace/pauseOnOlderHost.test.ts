/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** A timer that ignores its signal, as that of n8n 2.20 does. */
import { pause } from '../../../../nodes/MessagingGateway/shared/time';
import { timed, useClock } from '../clock';

jest.mock('n8n-workflow', () => ({
	sleep: async (ms: number) => await new Promise((wake) => setTimeout(wake, ms)),
}));

useClock();

it('a pause takes its time if the host cannot cut its timer short', async () => {
	expect(await timed(pause(60, new AbortController().signal))).toEqual([60]);
});

it('a pause ends at once when everything halts, even if the host cannot cut its timer short', async () => {
	const halting = new AbortController();
	setTimeout(() => halting.abort(), 20);
	expect(await timed(pause(60_000, halting.signal))).toEqual([20]);
});

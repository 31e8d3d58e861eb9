import { timeoutSignal, withTimeout } from '../../../nodes/MessagingGateway/shared/time';

const never = new Promise<string>(() => undefined);

it.each([0, -5])('a clock rings at once if the time is over (%d ms)', async (ms) => {
	expect(await withTimeout(ms, never, () => 'late')).toBe('late');
});

it.each([2 ** 40, Infinity])('a clock can be set to %d ms', (ms) => {
	expect(timeoutSignal(ms).aborted).toBe(false);
});

it('work with a limit resolves to the value, if it comes in time', async () => {
	expect(await withTimeout(5_000, Promise.resolve('done'), () => 'late')).toBe('done');
	const failing = withTimeout(5_000, Promise.reject(new Error('broken')), () => 'late');
	await expect(failing).rejects.toThrow('broken');
});

it('work with a limit is given up when its time is over', async () => {
	expect(await withTimeout(20, never, () => 'late')).toBe('late');
	const late = (): never => {
		throw new Error('late');
	};
	await expect(withTimeout(20, never, late)).rejects.toThrow('late');
});

it('work with a limit leaves nothing with the clock, which runs on', async () => {
	const removed = jest.spyOn(AbortSignal.prototype, 'removeEventListener');
	try {
		await withTimeout(5_000, Promise.resolve(), () => undefined);
		expect(removed.mock.calls).toEqual([['abort', expect.any(Function)]]);
	} finally {
		removed.mockRestore();
	}
});

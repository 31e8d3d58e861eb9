import {
	Breather,
	timeoutSignal,
	unlessStopped,
	withTimeout,
} from '../../../nodes/MessagingGateway/shared/time';

describe('a breather', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	const dueAfter = (ms: number) => {
		const breather = new Breather();
		jest.setSystemTime(Date.now() + ms);
		return breather.isDue();
	};

	it('a breather is due after 10 ms of work', () => {
		expect(dueAfter(9)).toBe(false);
		expect(dueAfter(10)).toBe(true);
	});

	it('a breather is due if the clock was set back, which hides how long the work has gone on', () => {
		expect(dueAfter(-3_600_000)).toBe(true);
	});
});

it('work that may be stopped keeps its value, even if the execution is stopped later', async () => {
	const stop = new AbortController();
	const release = jest.fn();
	expect(await unlessStopped(stop.signal, Promise.resolve('file'), release)).toBe('file');
	stop.abort();
	await Promise.resolve();
	expect(release).not.toHaveBeenCalled();
});

it('work that may be stopped releases a value that comes too late', async () => {
	const stop = new AbortController();
	const release = jest.fn();
	let finish: (value: string) => void = () => undefined;
	const work = new Promise<string>((resolve) => (finish = resolve));
	const result = unlessStopped(stop.signal, work, release);
	stop.abort();
	await expect(result).rejects.toThrow(/stopped|canceled/);
	finish('file');
	await work;
	expect(release).toHaveBeenCalledWith('file');
});

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

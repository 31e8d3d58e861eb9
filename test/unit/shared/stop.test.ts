import { unlessStopped } from '../../../nodes/MessagingGateway/shared/stop';

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

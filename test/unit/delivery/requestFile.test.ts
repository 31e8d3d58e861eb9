/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { PassThrough } from 'node:stream';
import { RequestFile } from '../../../nodes/MessagingGateway/delivery/requestFile';
import { openedForEachTry } from '../../../nodes/MessagingGateway/files/opening';
import type { Upload } from '../../../nodes/MessagingGateway/shared/file';

const NEVER = new AbortController().signal;
const upload = (more: Partial<Upload> = {}): Upload => ({
	name: 'a',
	contentType: 'b',
	size: 1,
	open: async () => Buffer.from('x'),
	...more,
});

it('a request without a file counts as if its file were open, and gets none', async () => {
	const file = new RequestFile({}, NEVER);
	expect(file.isOpen).toBe(true);
	await file.open();
	expect(await file.get()).toBeUndefined();
	file.release();
});

it('the file of a request is open once it was opened, and stays so in memory', async () => {
	const content = upload();
	const file = new RequestFile({ openFile: async () => content }, NEVER);
	expect(file.isOpen).toBe(false);
	await file.open();
	expect(file.isOpen).toBe(true);
	expect(await file.get()).toBe(content);
});

it('the file of a request is opened by the request itself if there was no wait', async () => {
	const content = upload();
	expect(await new RequestFile({ openFile: async () => content }, NEVER).get()).toBe(content);
});

it('a file that was closed while its request waited is opened anew, and stays for a further try', async () => {
	let isOpen = false;
	const openAhead = jest.fn(async () => void (isOpen = true));
	const release = jest.fn();
	const openFile = jest.fn(async () => {
		isOpen = true;
		return upload({ isOpen: () => isOpen, openAhead, release });
	});
	const file = new RequestFile({ openFile }, NEVER);
	await file.open();
	isOpen = false;
	expect(file.isOpen).toBe(false);
	await file.open();
	expect([openFile.mock.calls.length, release.mock.calls.length]).toEqual([2, 1]);
	const sent = await file.get();
	isOpen = false;
	await file.open();
	expect([await file.get(), openFile.mock.calls.length]).toEqual([sent, 2]);
	expect(isOpen).toBe(true);
	file.release();
	expect(release).toHaveBeenCalledTimes(2);
});

it('a file that cannot be opened fails its request, and not before', async () => {
	const error = new Error('gone');
	const file = new RequestFile({ openFile: async () => await Promise.reject(error) }, NEVER);
	await file.open();
	expect(file.isOpen).toBe(true);
	await expect(file.get()).rejects.toBe(error);
});

it('a file is waited for no longer once everything halts, and closed when it comes', async () => {
	const halting = new AbortController();
	const release = jest.fn();
	let come: (file: Upload) => void = () => undefined;
	const openFile = async () => await new Promise<Upload>((resolve) => (come = resolve));
	const opening = new RequestFile({ openFile }, halting.signal).open();
	halting.abort();
	await opening;
	come(upload({ release }));
	await new Promise(setImmediate);
	expect(release).toHaveBeenCalled();
});

it('a file that comes too late and has nothing to close does no harm', async () => {
	const halting = new AbortController();
	let come: (file: Upload) => void = () => undefined;
	const openFile = async () => await new Promise<Upload>((resolve) => (come = resolve));
	const opening = new RequestFile({ openFile }, halting.signal).open();
	halting.abort();
	await opening;
	const harm = jest.fn();
	process.once('unhandledRejection', harm);
	come(upload());
	await new Promise(setImmediate);
	process.off('unhandledRejection', harm);
	expect(harm).not.toHaveBeenCalled();
});

describe('a file that is opened for each try', () => {
	const stream = () => ({
		destroyed: false,
		on: () => undefined,
		destroy() {
			this.destroyed = true;
		},
	});
	const opened = (...given: unknown[]) => {
		const streams: Array<ReturnType<typeof stream>> = [];
		const openAnew = async () => {
			streams.push(stream());
			return streams.at(-1) as never;
		};
		return { streams, ...openedForEachTry(openAnew, ...(given as [])) };
	};

	it('a file that is opened for each try gives what is open, and opens it anew for the next', async () => {
		const first = stream();
		const { open, streams, isOpen } = opened(first);
		expect(isOpen()).toBe(true);
		expect(await open()).toBe(first);
		expect(isOpen()).toBe(false);
		expect(await open()).toBe(streams[0]);
	});

	it('a file that is opened for each try is opened ahead once, and closed if nobody reads it', async () => {
		const { openAhead, open, release, streams } = opened();
		await openAhead();
		await openAhead();
		expect(streams).toHaveLength(1);
		release();
		expect(streams[0]?.destroyed).toBe(true);
		expect(await open()).toBe(streams[1]);
	});

	it('a file that is opened for each try is opened anew if the connection broke', async () => {
		const first = stream();
		const { open, streams, isOpen } = opened(first);
		first.destroyed = true;
		expect(isOpen()).toBe(false);
		expect(await open()).toBe(streams[0]);
	});

	it('a file that is opened for each try may break while it waits', async () => {
		const broken = new PassThrough();
		const { openAhead, open } = openedForEachTry(
			async () => await Promise.resolve(broken as never),
		);
		await openAhead();
		broken.destroy(new Error('read ECONNRESET'));
		await new Promise(setImmediate);
		expect(await open()).toBe(broken);
	});

	it('a file that is opened for each try is watched while it waits, and given by what watched it', async () => {
		let isGood = true;
		const first = stream();
		const watch = jest.fn(() => ({
			ready: async () => undefined,
			isGood: () => isGood,
			take: () => Buffer.from('x'),
		}));
		const { isOpen, open, openAhead, streams } = opened(first, watch);
		await openAhead();
		await openAhead();
		expect(watch.mock.calls).toEqual([[first]]);
		isGood = false;
		expect(isOpen()).toBe(false);
		await openAhead();
		// Once more for a file that is not good at once.
		expect([first.destroyed, streams.length]).toEqual([true, 2]);
		isGood = true;
		expect(await open()).toEqual(Buffer.from('x'));
		expect(await open()).toEqual(Buffer.from('x'));
		expect(streams).toHaveLength(3);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { PassThrough } from 'node:stream';
import {
	MOST_AHEAD,
	openedForEachTry,
	ReadAhead,
} from '../../../nodes/MessagingGateway/files/opening';
import { type ByteStream, isStream } from '../../../nodes/MessagingGateway/shared/file';

const settled = async () => await new Promise((resolve) => setTimeout(resolve, 10));

/** A file of `size` bytes, of which these have come. */
async function waiting(size: number, ...chunks: Buffer[]) {
	const stream = new PassThrough();
	stream.on('error', () => undefined);
	const ahead = new ReadAhead(stream as unknown as ByteStream, 'a.pdf', size, 200);
	chunks.forEach((chunk) => stream.write(chunk));
	await settled();
	return { stream, ahead };
}

async function bytesOf(content: ByteStream | Buffer): Promise<Buffer> {
	if (!isStream(content)) return content;
	const chunks: Buffer[] = [];
	await new Promise((resolve) => {
		content.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', resolve);
	});
	return Buffer.concat(chunks);
}

afterEach(() => jest.restoreAllMocks());
const pass = (ms: number) => {
	const now = performance.now();
	jest.spyOn(performance, 'now').mockImplementation(() => now + ms);
};

it('the reading ahead keeps a small file whole, however long it waits, though its connection is closed', async () => {
	const { stream, ahead } = await waiting(6, Buffer.from('abc'), Buffer.from('def'));
	stream.end();
	await ahead.ready();
	stream.destroy();
	pass(3_600_000);
	expect(ahead.isGood()).toBe(true);
	expect(ahead.take()).toEqual(Buffer.from('abcdef'));
});

it('the reading ahead refuses a file that is longer than its server announced', async () => {
	const { ahead } = await waiting(2, Buffer.from('abc'));
	await expect(ahead.ready()).rejects.toMatchObject({
		what: 'The file “a.pdf” is longer than its server announced',
		advice: expect.stringContaining('compresses'),
	});
});

it('the reading ahead refuses a file that broke off, however it broke', async () => {
	const { stream, ahead } = await waiting(4, Buffer.from('abc'));
	stream.end();
	await ahead.ready();
	expect(ahead.isGood()).toBe(false);
	expect(() => ahead.take()).toThrow('could not be downloaded');
	const broken = await waiting(4, Buffer.from('abc'));
	broken.stream.destroy(new Error('aborted'));
	await broken.ahead.ready();
	expect(broken.ahead.isGood()).toBe(false);
});

it('the reading ahead waits for a server that has stopped only until the timeout', async () => {
	const { ahead } = await waiting(4, Buffer.from('abc'));
	await expect(ahead.ready()).rejects.toMatchObject({
		what: expect.stringContaining('its server stopped, or took too long'),
	});
});

it('the reading ahead waits without a timeout for as long as a server takes', async () => {
	const stream = new PassThrough();
	const ahead = new ReadAhead(stream as unknown as ByteStream, 'a.pdf', 3, 0);
	const ready = ahead.ready();
	await settled();
	stream.end('abc');
	await ready;
	expect(ahead.take()).toEqual(Buffer.from('abc'));
});

it('the reading ahead notices a connection that breaks', async () => {
	const { stream, ahead } = await waiting(100, Buffer.from('abc'));
	expect(ahead.isGood()).toBe(true);
	stream.destroy(new Error('aborted'));
	expect(ahead.isGood()).toBe(false);
});

it.each([0, 1])(
	'the reading ahead gives the rest after what has come, before (%s) and after it was read',
	async (n) => {
		const all = Buffer.from(Buffer.alloc(3 * MOST_AHEAD).map((_, at) => at % 251));
		const { stream, ahead } = await waiting(all.length, ...[all.subarray(0, 1_000)].slice(n));
		const content = ahead.take();
		const bytes = bytesOf(content);
		stream.end(all.subarray(n === 0 ? 1_000 : 0));
		expect((await bytes).equals(all)).toBe(true);
	},
);

it('the reading ahead takes no more than a megabyte of a large file, and believes in it for half a minute', async () => {
	const all = Buffer.from(Buffer.alloc(3 * MOST_AHEAD).map((_, at) => at % 251));
	const parts = Array.from({ length: 48 }, (_, at) => all.subarray(at * 65_536, (at + 1) * 65_536));
	const now = jest.spyOn(performance, 'now').mockReturnValue(0);
	const { stream, ahead } = await waiting(all.length, ...parts);
	expect(stream.readableLength + stream.writableLength).toBeGreaterThan(1.8 * MOST_AHEAD);
	await ahead.ready();
	now.mockReturnValue(29_999);
	expect(ahead.isGood()).toBe(true);
	now.mockReturnValue(30_000);
	expect(ahead.isGood()).toBe(false);
	now.mockReturnValue(29_999);
	const bytes = bytesOf(ahead.take());
	stream.end();
	expect((await bytes).equals(all)).toBe(true);
});

it('the reading ahead takes nothing after a megabyte, and watches a file no longer once it was taken', async () => {
	const { stream, ahead } = await waiting(MOST_AHEAD + 5, Buffer.alloc(MOST_AHEAD));
	stream.write('after');
	await settled();
	expect(stream.readableLength).toBe(5);
	ahead.take();
	const fresh = new PassThrough();
	for (const event of ['end', 'readable', 'close']) {
		expect(stream.listeners(event)).toHaveLength(fresh.listeners(event).length);
	}
});

it('a file from the storage of n8n whose stream breaks while it waits does not stop n8n, and is opened anew', async () => {
	const streams: PassThrough[] = [];
	const { openAhead, open } = openedForEachTry(async () => {
		streams.push(new PassThrough());
		return await Promise.resolve(streams.at(-1) as unknown as ByteStream);
	});
	await openAhead();
	// Without a listener, Node.js throws the error.
	expect(() => streams[0]?.emit('error', new Error('EIO'))).not.toThrow();
	streams[0]?.destroy();
	expect(await open()).toBe(streams[1]);
});

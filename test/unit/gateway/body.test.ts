/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type FormData from 'form-data';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { bodyOf } from '../../../nodes/MessagingGateway/gateway/body';

const bodyWith = async (content: Buffer | Readable) =>
	await bodyOf(
		{
			path: [],
			fields: {},
			answer: 'envelope',
			file: {
				field: 'file',
				content: {
					name: 'a.pdf',
					contentType: 'application/pdf',
					size: 4,
					open: async () => content,
				},
			},
		},
		new AbortController().signal,
	);

/** Takes in a form as a request does if `isRequest`, chunk by chunk. */
const target = (isRequest: boolean, onChunk: (chunk: string) => void = () => undefined) =>
	Object.assign(
		new Writable({
			autoDestroy: false,
			write: (chunk, _, done) => {
				onChunk(String(chunk));
				done();
			},
		}),
		isRequest ? { setHeader: () => undefined } : {},
	);
it('a body whose request is not found has been sent with its file, if the file is a stream', async () => {
	const body = await bodyWith(Readable.from([Buffer.from('ab'), Buffer.from('cd')]));
	const states: boolean[] = [];
	const sink = target(false, (chunk) => {
		if (/^(ab|cd)$/.test(chunk)) states.push(body.isSent());
	});
	expect(body.isSent()).toBe(false);
	(body.content as FormData).pipe(sink);
	await once(sink, 'finish');

	expect(states).toEqual([false, false]);
	expect(body.isSent()).toBe(true);
});

it('a body whose request is not found counts as sent, if the file is in memory', async () => {
	const body = await bodyWith(Buffer.from('abcd'));
	expect(body.isSent()).toBe(true);
	expect(body.readFileFault()).toBeUndefined();
	await body.untilSent();
	body.close();
});

it('a body whose request is not found closes its file, and is not waited for', async () => {
	const file = Readable.from([Buffer.from('abcd')]);
	const body = await bodyWith(file);
	await body.untilSent();
	body.close();
	expect(file.destroyed).toBe(true);
});

it('a body whose request is found keeps the connection when it has been sent', async () => {
	const body = await bodyWith(Buffer.from('abcd'));
	const request = target(true);
	(body.content as FormData).pipe(request);
	expect(body.isSent()).toBe(false);
	await once(request, 'finish');

	expect(body.isSent()).toBe(true);
	body.close();
	expect(request.destroyed).toBe(false);
});

it('a body whose request is found closes the connection when it has not been sent', async () => {
	const body = await bodyWith(new Readable({ read: () => undefined }));
	const request = target(true);
	(body.content as FormData).pipe(request);
	body.close();
	expect(request.destroyed).toBe(true);
});

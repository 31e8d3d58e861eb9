/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type FormData from 'form-data';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { bodyOf } from '../../../nodes/MessagingGateway/gateway/body';

const bodyWith = async (content: Buffer | Readable) =>
	await bodyOf({
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
	});

/** Takes in a form chunk by chunk, as n8n's client does. */
const target = (onChunk: (chunk: string) => void = () => undefined) =>
	new Writable({
		write: (chunk, _, done) => {
			onChunk(String(chunk));
			done();
		},
	});

it('a body has been passed on with the end of its file, if the file is a stream', async () => {
	const body = await bodyWith(Readable.from([Buffer.from('ab'), Buffer.from('cd')]));
	const states: boolean[] = [];
	const sink = target((chunk) => {
		if (/^(ab|cd)$/.test(chunk)) states.push(body.isPassedOn());
	});
	expect(body.isPassedOn()).toBe(false);
	(body.content as FormData).pipe(sink);
	await once(sink, 'finish');

	expect(states).toEqual([false, false]);
	expect(body.isPassedOn()).toBe(true);
});

it('a body with a file in memory counts as passed on, and ends after whoever pipes it listens', async () => {
	const body = await bodyWith(Buffer.from('abcd'));
	expect(body.isPassedOn()).toBe(true);
	expect(body.readFileFault()).toBeUndefined();
	const form = body.content as FormData;
	let text = '';
	form.pipe(target((chunk) => (text += chunk)));
	await once(form, 'end');
	expect(text).toMatch(/\r\n\r\nabcd\r\n--/);
});

it.each([true, false])(
	'a body closes its file, and fails unless accepted (%s)',
	async (isAccepted) => {
		const file = Readable.from([Buffer.from('abcd')]);
		const body = await bodyWith(file);
		const failed = jest.fn();
		(body.content as FormData).on('error', failed);
		body.close(isAccepted);
		expect(file.destroyed).toBe(true);
		expect(failed).toHaveBeenCalledTimes(isAccepted ? 0 : 1);
	},
);

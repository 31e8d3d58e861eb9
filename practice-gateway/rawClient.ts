/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** A bare HTTP client that shows exactly what the gateway does to a connection. */
import {
	request,
	type ClientRequest,
	type IncomingHttpHeaders,
	type RequestOptions,
} from 'node:http';
import type { Readable } from 'node:stream';

export interface RawAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	httpVersion: string;
	text: string;
	/** Whether the body ended as the headers announced. */
	complete: boolean;
}

export interface RawRequest extends RequestOptions {
	body?: string | Readable;
}

/** @throws the socket's error if no complete answer arrives */
export async function exchange(url: string, { body, ...options }: RawRequest): Promise<RawAnswer> {
	const sent = request(url, { agent: false, method: 'POST', ...options });
	if (body === undefined || typeof body === 'string') sent.end(body);
	else body.pipe(sent);
	return await answerTo(sent);
}

export async function answerTo(sent: ClientRequest): Promise<RawAnswer> {
	return await new Promise((resolve, reject) => {
		let text = '';
		// Which of the two reports a reset in the middle of an answer differs between Node.js versions.
		const fail = (error: Error) => reject(Object.assign(error, text === '' ? {} : { text }));
		sent.on('error', fail);
		sent.on('response', (response) => {
			response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			response.on('error', fail);
			response.on('end', () => {
				const { statusCode: status = 0, headers, httpVersion, complete } = response;
				resolve({ status, headers, httpVersion, text, complete });
			});
		});
	});
}

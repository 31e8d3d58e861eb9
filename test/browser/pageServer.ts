/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { readReply } from '../../nodes/MessagingGateway/ask/reply';
import {
	headers,
	outdatedPage,
	questionPage,
	thanksPage,
} from '../../nodes/MessagingGateway/ask/page';
import { readerOf } from '../../nodes/MessagingGateway/ask/texts';
import type { Question } from '../../nodes/MessagingGateway/shared/question';

/** n8n 2.x puts this in place of the node's own policy, where it sends the answer to a POST itself. */
const N8N_POLICY =
	'sandbox allow-downloads allow-forms allow-modals allow-orientation-lock allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-presentation allow-scripts allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols';

export interface PageServer {
	url: string;
	question: Question;
	/** What was recorded since the question was set. */
	answers: IDataObject[];
	/** How many further answers were refused, as n8n refuses them. */
	latecomers: number;
	/** Whether the link belongs to an earlier question. */
	isClosed: boolean;
	/** Milliseconds until the time to answer is over, if it is limited. */
	left?: number;
	/** Loses answers: the browser stays where it is. */
	isAway: boolean;
	/** How many answers it has lost. */
	lost: number;
	/** What the thanks for an answer wait for. */
	held?: Promise<void>;
	close(): Promise<void>;
}

/** The pages as a browser gets them, without the n8n around them. */
export async function startPageServer(): Promise<PageServer> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', async () => {
			const reader = readerOf(request.headers['accept-language']);
			const { left } = pages;
			const until = new Date(Date.now() + (left ?? 0));
			const deadline = left === undefined ? undefined : { until, left, timezone: 'UTC' };
			if (pages.isAway) pages.lost++;
			if (pages.isAway) return void response.writeHead(204).end();
			if (pages.isClosed) return void response.writeHead(410, headers()).end(outdatedPage(reader));
			if (request.method !== 'POST') {
				const html = questionPage(pages.question, reader, { deadline });
				return void response.writeHead(200, headers()).end(html);
			}
			const form = await bodyOf(Buffer.concat(chunks), request.headers['content-type']);
			const answer = readReply(pages.question, form);
			if ('refusal' in answer) {
				const html = questionPage(pages.question, reader, { deadline, refused: answer });
				return void response.writeHead(422, headers()).end(html);
			}
			if (pages.answers.length > 0) {
				pages.latecomers++;
				const refusal = { code: 409, message: 'The execution "1" is running already.' };
				return void response
					.writeHead(409, { 'Content-Type': 'application/json' })
					.end(JSON.stringify(refusal));
			}
			pages.answers.push(answer.data);
			await pages.held;
			const ofN8n = { ...headers(), 'Content-Security-Policy': N8N_POLICY };
			response.writeHead(200, ofN8n).end(thanksPage(pages.question, answer.words, reader));
		});
	}).listen(0, '127.0.0.1');
	await new Promise((listening) => server.once('listening', listening));
	const { port } = server.address() as AddressInfo;
	const pages: PageServer = {
		url: `http://127.0.0.1:${port}/webhook-waiting/1/node?question=a&signature=b`,
		question: { kind: 'freeText', text: '' },
		answers: [],
		latecomers: 0,
		isClosed: false,
		isAway: false,
		lost: 0,
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
	return pages;
}

/** What n8n makes of a form: a field that comes more than once is a list, and multipart is apart from files. */
async function bodyOf(body: Buffer, type = ''): Promise<IDataObject> {
	if (body.length === 0) return {};
	const form = await new Response(body, { headers: { 'content-type': type } }).formData();
	const names = [...new Set(form.keys())];
	const fields = Object.fromEntries(
		names.map((name) => {
			const values = form.getAll(name).map(String);
			return [name, values.length === 1 ? values[0] : values];
		}),
	);
	return type.startsWith('multipart/form-data') ? { data: fields } : fields;
}

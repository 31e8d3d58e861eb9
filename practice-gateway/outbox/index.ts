/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../ledger';
import type { QueuedMessage } from '../types';
import { serveFiles, typeOf } from './files';
import { safe } from './headers';

const TYPES: Record<string, string> = {
	'index.html': 'text/html; charset=utf-8',
	'outbox.css': 'text/css; charset=utf-8',
	'icon.svg': 'image/svg+xml',
	'outbox.js': 'text/javascript; charset=utf-8',
};

/** How many recipients of one message the page lists. It counts the others. */
const MOST_LISTED = 1_000;
const MOST_MESSAGES = 500;

/** The outbox: a page with the queued messages, newest first. */
export function serveOutbox(scope: FastifyInstance, ledger: Ledger): void {
	for (const [file, type] of Object.entries(TYPES)) {
		const path = file === 'index.html' ? '/' : `/${file}`;
		scope.get(path, async (request, reply) => {
			// The page's own addresses are relative to its folder.
			const [asked = ''] = request.url.split('?');
			if (path === '/' && !asked.endsWith('/')) return await reply.redirect(`${asked}/`);
			const content = readFileSync(join(__dirname, file));
			return await reply.headers(safe(type)).send(content);
		});
	}
	serveFiles(scope, ledger);
	serveUpdates(scope, ledger);
}

/** Sends the messages queued so far, and then each new one at once, as server-sent events. */
function serveUpdates(scope: FastifyInstance, ledger: Ledger): void {
	scope.get('/outbox/updates', (request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, safe('text/event-stream'));
		const tell = (event: string, data: object) =>
			reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
		let reached = new Set<string>();
		const sums = () => ({ total: ledger.messages.length, recipientTotal: reached.size });
		const tellAll = () => {
			reached = new Set(ledger.messages.flatMap(recipientsOf));
			const messages = ledger.messages.slice(-MOST_MESSAGES).map(forPage);
			tell('outbox', { ...sums(), messages });
		};
		const tellOne = (message: QueuedMessage) => {
			for (const recipient of recipientsOf(message)) reached.add(recipient);
			tell('queued', { ...sums(), message: forPage(message) });
		};
		reply.raw.write('retry: 1000\n');
		tellAll();
		ledger.on('queued', tellOne).on('cleared', tellAll);
		request.raw.once('close', () => ledger.off('queued', tellOne).off('cleared', tellAll));
	});
}

/** The recipients of a message: the numbers of a text or file, or the group as one recipient. */
function recipientsOf({ endpoint, groupId, recipients }: QueuedMessage): string[] {
	if (groupId === undefined) return recipients;
	return [`${endpoint === 'v1/sendgroup' ? 'contact group' : 'chat group'} ${groupId}`];
}

function forPage({ file, recipients, ...message }: QueuedMessage) {
	return {
		...message,
		recipients: recipients.slice(0, MOST_LISTED),
		recipientCount: recipients.length,
		file: file && {
			name: file.name,
			size: file.size,
			isKept: file.bytes !== undefined,
			type: file.bytes && typeOf(file.bytes),
		},
	};
}

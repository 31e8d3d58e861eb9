import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../ledger';
import type { QueuedMessage } from '../types';

const TYPES: Record<string, string> = {
	'index.html': 'text/html; charset=utf-8',
	'inbox.css': 'text/css; charset=utf-8',
	'icon.svg': 'image/svg+xml',
	'inbox.js': 'text/javascript; charset=utf-8',
};

/** Nothing on the page runs or loads but its own files, whatever a message holds. */
const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Recipients of one message that the page is given; it says how many more there are. */
const MOST_LISTED = 1_000;
const MOST_MESSAGES = 500;

/** The inbox: what was queued, newest first, in the browser. */
export function serveInbox(scope: FastifyInstance, ledger: Ledger): void {
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
	scope.get('/inbox/images/:queueId', async (request, reply) => {
		const { queueId } = request.params as { queueId: string };
		const bytes = ledger.messages.find((message) => message.queueId === queueId)?.file?.bytes;
		const type = bytes && imageTypeOf(bytes);
		if (!type) return await reply.code(404).send({ message: 'There is no preview.' });
		return await reply.headers(safe(type)).send(bytes);
	});
	scope.get('/inbox/updates', (request, reply) => {
		reply.hijack();
		reply.raw.writeHead(200, safe('text/event-stream'));
		const tell = (event: string, data: object) =>
			reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
		const tellAll = () => tell('inbox', inboxOf(ledger));
		const tellOne = (message: QueuedMessage) => tell('queued', forPage(message));
		reply.raw.write('retry: 1000\n');
		tellAll();
		ledger.on('queued', tellOne).on('cleared', tellAll);
		request.raw.once('close', () => ledger.off('queued', tellOne).off('cleared', tellAll));
	});
}

function inboxOf({ messages }: Ledger) {
	return { total: messages.length, messages: messages.slice(-MOST_MESSAGES).map(forPage) };
}

function safe(type: string): Record<string, string> {
	return {
		'Content-Type': type,
		'Content-Security-Policy': POLICY,
		'X-Content-Type-Options': 'nosniff',
		'Cache-Control': 'no-store',
	};
}

function forPage({ file, recipients, ...message }: QueuedMessage) {
	return {
		...message,
		recipients: recipients.slice(0, MOST_LISTED),
		recipientCount: recipients.length,
		file: file && {
			name: file.name,
			size: file.size,
			isImage: file.bytes !== undefined && imageTypeOf(file.bytes) !== undefined,
		},
	};
}

/** By the bytes, not by what the sender says. */
function imageTypeOf(bytes: Buffer): string | undefined {
	if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
	return bytes.subarray(0, 4).equals(Buffer.from('\x89PNG', 'latin1')) ? 'image/png' : undefined;
}

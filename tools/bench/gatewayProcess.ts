/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/**
 * A minimal server that answers like the gateway, in a separate process, so that a benchmark measures
 * only its clients. With a Base URL that ends in `/wait-50`, it answers after 50 ms; with `/refuse`, it refuses
 * every request, and says to GET how many these were.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const ENVELOPE = JSON.stringify({ code: 200, ok: true, message: 'Queued.', result: {} });

const server = createServer((request, response) => {
	request.resume();
	request.once('end', () => {
		const latency = Number(/^\/wait-(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
		if (request.url?.startsWith('/refuse')) refuse(request, response);
		else if (latency > 0) setTimeout(() => answer(request, response), latency);
		else answer(request, response);
	});
});

let refused = 0;

function refuse({ method }: IncomingMessage, response: ServerResponse): void {
	if (method === 'GET') {
		response.end(String(refused));
		refused = 0;
		return;
	}
	refused++;
	response.writeHead(401, { 'Content-Type': 'application/json' });
	response.end(JSON.stringify({ message: 'Unauthenticated.' }));
}

function answer(request: IncomingMessage, response: ServerResponse): void {
	response.writeHead(200, {
		'Content-Type': 'application/json',
		'Content-Length': ENVELOPE.length,
		Connection: request.headers.connection ?? 'close',
	});
	response.end(ENVELOPE);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
	console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit(0));

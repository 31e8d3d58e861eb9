/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';

export interface ForwardProxy {
	url: string;
	/** `POST http://…` for a forwarded request, `CONNECT host:port` for a tunnel. */
	passed: string[];
	/** Refuses everything with this status. */
	refuse?: number;
	close(): Promise<void>;
}

/** Starts a proxy like a company's: only it can resolve names, here to ports of this machine. */
export async function startForwardProxy(portOf: (name: string) => number): Promise<ForwardProxy> {
	const sockets = new Set<Duplex>();
	const server = createServer();
	server.on('connection', (socket: Socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const proxy: ForwardProxy = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		passed: [],
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	server.on('request', (incoming, response) => {
		proxy.passed.push(`${incoming.method} ${incoming.url}`);
		if (proxy.refuse) refuse(incoming, response, proxy.refuse);
		else passOn(incoming, response, portOf);
	});
	server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
		proxy.passed.push(`CONNECT ${incoming.url}`);
		if (proxy.refuse) socket.end(`HTTP/1.1 ${proxy.refuse} No\r\nContent-Length: 0\r\n\r\n`);
		else sockets.add(tunnel(socket, portOf(hostIn(`http://${incoming.url}`))));
	});
	return proxy;
}

const hostIn = (url: string): string => new URL(url).hostname;

function refuse(incoming: IncomingMessage, response: ServerResponse, status: number): void {
	incoming.resume();
	response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Not through here</h1>');
}

function passOn(
	incoming: IncomingMessage,
	response: ServerResponse,
	portOf: (name: string) => number,
): void {
	const { method, headers, url = '' } = incoming;
	const { pathname, search } = new URL(url);
	const options = { host: '127.0.0.1', port: portOf(hostIn(url)), agent: false as const };
	const onward = request({ ...options, method, headers, path: pathname + search }, (answer) => {
		response.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(response);
	});
	onward.on('error', () => response.writeHead(502).end());
	incoming.pipe(onward);
}

function tunnel(socket: Duplex, port: number): Duplex {
	const onward = connect(port, '127.0.0.1', () => {
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
	});
	const closed = () => undefined;
	pipeline(socket, onward, closed);
	pipeline(onward, socket, closed);
	return onward;
}

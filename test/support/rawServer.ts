/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Writes an answer, and ends the connection if necessary. */
export type RawAnswer = (socket: Socket) => void | Promise<void>;

export interface RawServer {
	baseUrl: string;
	/** Each request as raw bytes. */
	requests: Buffer[];
	answer: RawAnswer;
	close(): Promise<void>;
}

export const ENVELOPE = '{"code":200,"message":"queued"}';

const rightAnswer: RawAnswer = (socket) => {
	const head = `HTTP/1.1 200 OK\r\nContent-Length: ${ENVELOPE.length}\r\nConnection: close`;
	socket.end(`${head}\r\n\r\n${ENVELOPE}`);
};

/** Starts a plain TCP server that reads and writes raw bytes. */
export async function startRawServer(): Promise<RawServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket.on('close', () => sockets.delete(socket)));
		const chunks: Buffer[] = [];
		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			chunks.push(chunk);
			const request = Buffer.concat(chunks);
			if (!isWhole(request)) return;
			chunks.length = 0;
			raw.requests.push(request);
			void raw.answer(socket);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const raw: RawServer = {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests: [],
		answer: rightAnswer,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return raw;
}

function isWhole(request: Buffer): boolean {
	const end = request.indexOf('\r\n\r\n');
	if (end < 0) return false;
	const head = request.subarray(0, end).toString('latin1');
	const [, length] = /^content-length: (\d+)$/im.exec(head) ?? [];
	if (length === undefined) throw new Error(`The request does not say its length:\n${head}`);
	return request.length === end + 4 + Number(length);
}

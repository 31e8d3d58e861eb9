/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Runs `use` with a server of plain connections. */
export async function withSockets<T>(
	onSocket: (socket: Socket) => void,
	use: (port: number) => Promise<T>,
): Promise<T> {
	const sockets: Socket[] = [];
	const server = createServer((socket) => {
		sockets.push(socket);
		socket.on('error', () => undefined);
		onSocket(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		return await use((server.address() as AddressInfo).port);
	} finally {
		for (const socket of sockets) socket.destroy();
		server.close();
	}
}

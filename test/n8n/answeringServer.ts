/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnsweringServer {
	url: string;
	close: () => Promise<void>;
}

/** Starts a server that is not a gateway and gives the same answer to every request. */
export async function answeringServer(
	status: number,
	headers: OutgoingHttpHeaders = {},
	body = '',
): Promise<AnsweringServer> {
	const server = createServer((request, response) => {
		request.resume();
		response.writeHead(status, headers).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, resolve));
	return {
		url: `http://localhost:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

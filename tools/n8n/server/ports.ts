/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { createServer } from 'node:net';

/**
 * Below the ports that Linux gives to connections, so that none of them takes a free port before its server does.
 * Each process has a range of its own, so that no other gives it away before that either.
 */
let next = 12_000 + ((process.pid * 40) % 18_000);

/** Resolves to a free port: the preferred one, or the next free one after it. */
export async function freePort(preferred = next++): Promise<number> {
	for (let port = preferred; port < 65_536; port++) {
		const found = await tryPort(port);
		if (found !== undefined) return found;
	}
	throw new Error(`No port from ${preferred} up is free.`);
}

async function tryPort(port: number): Promise<number | undefined> {
	const server = createServer();
	return await new Promise((resolve) => {
		server.once('error', () => resolve(undefined));
		server.listen(port, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
		});
	});
}

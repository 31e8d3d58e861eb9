import { createServer } from 'node:net';

/** A port that nobody listens on: the wished one if it is free, else the next free one after it. */
export async function freePort(wished = 0): Promise<number> {
	for (let port = wished; port < 65_536; port++) {
		const found = await tryPort(port);
		if (found !== undefined) return found;
	}
	throw new Error(`No port from ${wished} on is free.`);
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

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** What `npm run n8n` starts beside n8n: a gateway to send to, and the shop of example 2. */
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../practice-gateway/index';
import { EXAMPLE_DATA } from './examples';

/** The gateway breaks on this number, so that example 5 meets an uncertain message. */
export const UNCERTAIN_NUMBER = '089900000500';

/** The examples write some numbers with a leading 0, as people in this country do. */
export const COUNTRY_CODE = '62';

interface Keys {
	token: string;
	deviceId: string;
}

/** A gateway with the token and device ID of the last time, so that credentials made then still hold. */
export async function practiceGateway(folder: string, port: number): Promise<Gateway> {
	const gateway = await startGateway({ port, keepFiles: 'bytes', ...keysIn(folder) });
	for (const recipient of [UNCERTAIN_NUMBER, UNCERTAIN_NUMBER.replace(/^0/, COUNTRY_CODE)]) {
		gateway.misbehave({ recipient, respond: { status: 500, body: { message: 'Server Error' } } });
	}
	return gateway;
}

function keysIn(folder: string): Keys {
	const file = join(folder, 'practice-gateway.json');
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Keys;
	const keys = { token: `practice-${randomUUID()}`, deviceId: randomUUID() };
	writeFileSync(file, JSON.stringify(keys, null, 2));
	return keys;
}

export interface Shop {
	url: string;
	close(): void;
}

/** Serves the files that the examples ship, as a shop would its invoices. */
export async function openShop(port: number): Promise<Shop> {
	const files = readdirSync(EXAMPLE_DATA);
	const server = createServer((request, response) => {
		const name = files.find((file) => request.url === `/${file}`);
		if (!name) return void response.writeHead(404).end();
		createReadStream(join(EXAMPLE_DATA, name)).pipe(response);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(port, '127.0.0.1', resolve);
	});
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${port}`, close };
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What gateways and file servers do in the middle of an exchange, and what the node then says and sends. */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { ItemInput, Run } from '../support/engine/engine';
import {
	CONTINUE_ON_FAIL,
	errorOf,
	file,
	jsonOf,
	numberOf,
	sample,
	sha256,
	text,
	until,
	useHarness,
	withJson,
	withServer,
} from '../support/harness';
import { withSockets } from '../support/sockets';

const harness = useHarness({ binaryMode: 'filesystem' });
/** Keeps files in memory. */
const inMemory = useHarness();
afterEach(() => void (harness.engine.history.latency = 0));

const PDF = sample('document.pdf');
const ONCE = { maxConcurrency: 1, maxRetries: 0 };
const ENVELOPE = JSON.stringify({ code: 200, message: 'ok' });

const run = async (
	parameters: INodeParameters,
	items?: ItemInput[],
	baseUrl?: string,
	where = harness,
) =>
	await where.run(parameters, {
		node: CONTINUE_ON_FAIL,
		...(items && { items }),
		credential: { ...harness.credential, ...(baseUrl && { baseUrl }) },
	});
const outcomesOf = (ended: Run) =>
	jsonOf(ended).map(({ error }) => (error ? (error as { outcome?: unknown }).outcome : 'accepted'));

/** Returns how many connections n8n has open to a server. A server that reads no more cannot tell. */
function connectionsTo(port: number): number {
	const { _getActiveHandles: handles } = process as unknown as {
		_getActiveHandles(): Array<{ remotePort?: number }>;
	};
	return handles.call(process).filter(({ remotePort }) => remotePort === port).length;
}

describe('a large file, of which the gateway reads the beginning only', () => {
	const LARGE = {
		binary: {
			data: {
				fileName: 'a.pdf',
				mimeType: 'application/pdf',
				content: Buffer.concat([PDF, Buffer.alloc(20_000_000)]),
			},
		},
	};
	const readsBeginning = (status: string, body: string) => (socket: Socket) =>
		socket.once('data', () => {
			socket.pause();
			socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
		});

	it('a large file is uncertain if the gateway reads only its beginning, and says that it has accepted it', async () => {
		const options = { ...ONCE, timeout: 1_500 };
		const ended = await withSockets(
			readsBeginning('200 OK', ENVELOPE),
			async (port) =>
				await run(file('document', 'send', { options }), [LARGE], `http://127.0.0.1:${port}`),
		);

		expect(outcomesOf(ended)).toEqual(['uncertain']);
	});

	it.each([
		['from disk', harness],
		['in memory', inMemory],
	])('a large file leaves no connection if the gateway refuses it, %s', async (_, where) => {
		const five = Array.from({ length: 5 }, () => LARGE);
		await withSockets(readsBeginning('413 Payload Too Large', '{}'), async (port) => {
			const parameters = file('document', 'send', { options: ONCE });
			const ended = await run(parameters, five, `http://127.0.0.1:${port}`, where);

			expect(outcomesOf(ended)).toEqual(five.map(() => 'notSent'));
			await until(() => connectionsTo(port) === 0);
		});
	});
});

it('the second try sends the file of the first, whatever its address gives by then', async () => {
	harness.gateway.misbehave({
		times: 1,
		respond: { status: 429, headers: { 'Retry-After': '0' } },
	});
	const page = Buffer.alloc(PDF.length, ' ');
	page.write('<html>Please sign in</html>');
	let downloads = 0;
	const ended = await withServer(
		(_, response) => {
			const isFirst = downloads++ === 0;
			response.setHeader('Content-Type', isFirst ? 'application/pdf' : 'text/html');
			response.end(isFirst ? PDF : page);
		},
		async (url) =>
			await run(file('document', 'send', { fileSource: 'url', fileUrl: `${url}/a.pdf` })),
	);

	expect(downloads).toBe(1);
	expect(harness.gateway.messages.map((each) => each.file?.sha256)).toEqual([sha256(PDF)]);
	expect(outcomesOf(ended)).toEqual(['accepted']);
});

/** Engines up to 2.20 lose the connection of an error, so that nobody can tell how far it had come. */
const losesConnections = (): boolean => {
	const { N8N_CORE_DIR } = process.env;
	if (!N8N_CORE_DIR) return false;
	const { version } = JSON.parse(readFileSync(join(N8N_CORE_DIR, 'package.json'), 'utf8')) as {
		version: string;
	};
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major < 2 || (major === 2 && minor <= 20);
};

it('a timeout before the connection is secured is certain if n8n lets the node see it: nothing was sent', async () => {
	const options = { ...ONCE, timeout: 500 };
	const ended = await withSockets(
		() => undefined,
		async (port) => await run(text({ options }), undefined, `https://127.0.0.1:${port}`),
	);

	expect(errorOf(ended).outcome).toBe(losesConnections() ? 'uncertain' : 'notSent');
});

it('two requests keep the pause of Batching if an item before them is skipped', async () => {
	const times: number[] = [];
	const keyed = (options: object = {}) =>
		text({
			phoneNumber: '={{ $json.phone }}',
			options: { sendOnceKey: '={{ $json.key }}', ...options },
		});
	const [first, ...others] = withJson(
		{ phone: numberOf(0), key: 'sent before' },
		{ phone: numberOf(1), key: 'b' },
		{ phone: numberOf(2), key: 'c' },
	);
	await run(keyed(), first && [first]);
	harness.engine.history.latency = 350;
	await withServer(
		(request, response) => {
			times.push(performance.now());
			// The lane of the skipped item is free before this one.
			request.resume().once('end', () => setTimeout(() => response.end(ENVELOPE), 600));
		},
		async (url) => {
			const batching = { batch: { batchSize: 1, batchInterval: 500 } };
			await run(keyed({ batching, maxConcurrency: 2 }), first && [first, ...others], url);
		},
	);

	expect(times).toHaveLength(2);
	expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(450);
});

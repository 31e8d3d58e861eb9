/**
 * Tests a gateway in PHP, alone and behind nginx: compares what PHP read from every operation with
 * what was sent, field by field and byte by byte.
 */
import type { IDataObject } from 'n8n-workflow';
import {
	bulk,
	errorOf,
	file,
	CONTINUE_ON_FAIL,
	jsonOf,
	numberOf,
	text,
} from '../../support/harness';
import { createEngine, type Engine, type Run } from '../../support/engine/engine';
import { ROUTES, startPhp, type PhpServers, type Route, type Seen } from './php';
import {
	DEVICE,
	documentOf,
	files,
	largeDocument,
	texts,
	TOKEN,
	type Send,
} from '../../support/everySend';

let servers: PhpServers;
let engine: Engine;

beforeAll(async () => {
	servers = await startPhp();
	engine = await createEngine();
});
afterEach(() => servers.seen());
afterAll(async () => {
	await engine?.close();
	await servers?.stop();
});

const sendTo = async (baseUrl: string, { parameters, items }: Pick<Send, 'parameters' | 'items'>) =>
	await engine.run({
		parameters,
		items,
		node: CONTINUE_ON_FAIL,
		credential: { baseUrl, accessToken: TOKEN, deviceId: DEVICE },
	});

/** Returns the path prefix that PHP receives, if nginx passes it on. */
const prefixOf = (route: Route) =>
	route === 'nginx, as the request comes' ? ['streamed', 'customers', '42'] : [];

/** The routes that use HTTP/1.0 to PHP, which is nginx's default. */
const HTTP_10_ROUTES = new Set<Route>([
	'nginx, the whole request first',
	'nginx, as the request comes',
]);

function expectArrived(seen: Seen[], send: Send, route: Route): void {
	expect(seen).toHaveLength(1);
	const [{ method, protocol, path, headers, post, files: seenFiles, json } = {} as Seen] = seen;
	const type = { form: 'application/x-www-form-urlencoded', json: 'application/json' };

	expect(path).toEqual([...prefixOf(route), ...send.path]);
	expect(method).toBe('POST');
	expect(protocol).toBe(HTTP_10_ROUTES.has(route) ? 'HTTP/1.0' : 'HTTP/1.1');
	expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
	expect(headers.accept).toBe('application/json');
	if (send.format === 'multipart') {
		expect(headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=\S+$/);
	} else expect(headers['content-type']).toBe(type[send.format]);
	expect(json === null ? post : (JSON.parse(json) as unknown)).toEqual(send.fields);
	expect(json !== null).toBe(send.format === 'json');
	const expected = Object.entries(send.files ?? {});
	expect(seenFiles).toEqual(
		Object.fromEntries(expected.map(([field, each]) => [field, { ...each, error: 0 }])),
	);
}

function expectAccepted(run: Run, items = 1): void {
	expect(run.error).toBeUndefined();
	expect(jsonOf(run)).toHaveLength(items);
	for (const json of jsonOf(run)) {
		expect(json).toMatchObject({ code: 200, message: 'Message is queued – “später” 日本 😀' });
	}
}

async function expectDelivered(send: Send, route: Route): Promise<void> {
	const run = await sendTo(servers.baseUrls[route], send);

	expectAccepted(run);
	expectArrived(servers.seen(), send, route);
}

describe.each(ROUTES)('%s', (route) => {
	it.each(Object.entries(texts))('PHP reads %s as it was sent', async (_, send) => {
		await expectDelivered(send, route);
	});

	describe.each(['default', 'filesystem'] as const)('files in %s mode', (binaryMode) => {
		beforeAll(async () => {
			await engine.close();
			engine = await createEngine({ binaryMode });
		});

		it.each(Object.entries(files))('PHP reads %s as it was sent', async (_, send) => {
			await expectDelivered(send, route);
		});

		it('PHP reads a document of 30 MB as it was sent', async () => {
			await expectDelivered(largeDocument(), route);
		});
	});

	it('PHP receives many at once, each one once and complete', async () => {
		const items = Array.from({ length: 40 }, (_, n) => ({
			json: { phone: numberOf(n), text: `no. ${n}` } as IDataObject,
		}));
		const parameters = text({ phoneNumber: '={{ $json.phone }}', message: '={{ $json.text }}' });
		const run = await sendTo(servers.baseUrls[route], { parameters, items });

		expectAccepted(run, items.length);
		const posts = servers.seen().map(({ post }) => [post.number, post.message]);
		const sent = items.map(({ json }) => [json.phone, json.text]);
		expect(posts.sort()).toEqual(sent.sort());
	});

	it('PHP receives a list in several requests if it is longer than it reads in one form', async () => {
		const phoneNumbers = Array.from({ length: 1_200 }, (_, n) => numberOf(n));
		const parameters = bulk({ phoneNumbers, options: { bodyFormat: 'form' } });
		const run = await sendTo(servers.baseUrls[route], { parameters });

		expectAccepted(run, 3);
		const seen = servers.seen();
		expect(seen.flatMap(({ post }) => post.number)).toEqual(phoneNumbers);
		expect(seen.map(({ post }) => post.message)).toEqual(['Hello', 'Hello', 'Hello']);
	});
});

it('PHP that reads only 1,000 values loses the message too, not only numbers', async () => {
	const phoneNumbers = Array.from({ length: 1_200 }, (_, n) => numberOf(n));
	const options = { bodyFormat: 'form', numbersPerRequest: 0 };
	await sendTo(servers.baseUrls['PHP alone'], { parameters: bulk({ phoneNumbers, options }) });
	const [{ post } = {} as Seen] = servers.seen();

	// The message is the last field, so that a gateway refuses the request instead of sending to some numbers.
	expect(post?.number).toHaveLength(1_000);
	expect(post).not.toHaveProperty('message');
});

it('the node asks for a compressed answer, and nginx sends one', async () => {
	const url = servers.baseUrls['nginx, compressed'];
	await sendTo(url, { parameters: text() });
	const { 'accept-encoding': encodings = '' } = servers.seen()[0]?.headers ?? {};
	const answer = await fetch(url, { method: 'POST', headers: { 'Accept-Encoding': encodings } });

	expect(answer.headers.get('content-encoding')).toBe('gzip');
});

describe('nginx that does not forward the message', () => {
	it.each([
		['after the upload', 2],
		['while the upload still runs', 60],
	])('the node reports too large a file as not sent, if nginx answers %s', async (_, megabytes) => {
		const send = documentOf(Buffer.alloc(megabytes * 1024 * 1024, 'x'));
		const run = await sendTo(servers.limitedUrl, send);

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			httpCode: '413',
			message: expect.stringContaining('The file is too large for the gateway (status 413)'),
		});
		expect(servers.seen()).toEqual([]);
	});

	it('the node reports a message as uncertain if PHP does not answer nginx', async () => {
		const run = await sendTo(servers.orphanedUrl, { parameters: text() });

		expect(errorOf(run)).toMatchObject({
			outcome: 'uncertain',
			httpCode: '502',
			message: expect.stringContaining('502 Bad Gateway'),
		});
	});

	it('the node reports the path if the Base URL does not lead to PHP', async () => {
		const { origin } = new URL(servers.limitedUrl);
		const run = await sendTo(`${origin}/nowhere`, {
			parameters: file('document', 'send'),
			items: files['a name with spaces']?.items,
		});

		expect(errorOf(run)).toMatchObject({ outcome: 'notSent', httpCode: '404' });
		expect(servers.seen()).toEqual([]);
	});
});

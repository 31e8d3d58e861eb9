/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import Busboy from '@fastify/busboy';
import fc from 'fast-check';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import type { IExecuteFunctions } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import {
	checkedBaseUrl,
	checkedRequestsPerMinute,
} from '../../../nodes/MessagingGateway/gateway/credential';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import type { Failure, Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import type { Upload } from '../../../nodes/MessagingGateway/shared/file';
import { nameAndType } from '../../../nodes/MessagingGateway/files/nameAndType';
import { toText } from '../../../nodes/MessagingGateway/input/text';
import {
	inNode,
	inputErrorFrom,
	inputErrorOf,
	openDescriptors,
	serve,
	serveTls,
	TOKEN,
	type RunningServer,
} from '../../support/rooms';
import { until } from '../../support/until';

const ENVELOPE = { code: 200, message: 'queued' };

interface Received {
	method?: string;
	url?: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

const accept: Behaviour = (response) => response.end(JSON.stringify(ENVELOPE));

let server: RunningServer;
let received: Received[] = [];
let behave: Behaviour = accept;
/** Behaves before the request has been read. */
let behaveEarly: Behaviour | undefined;

beforeAll(async () => {
	server = await serve((request, response) => {
		const chunks: Buffer[] = [];
		const { method, url, headers } = request;
		request.on('error', () => undefined);
		if (behaveEarly) return behaveEarly(response, request);
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			received.push({ method, url, headers, body: Buffer.concat(chunks) });
			behave(response, request);
		});
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	received = [];
	behave = accept;
	behaveEarly = undefined;
});

const REQUEST: GatewayRequest = {
	path: ['api', 'v1', 'message', 'send'],
	format: 'form',
	fields: { deviceid: 'd', number: '6281234567890', message: 'Halo' },
	answer: 'envelope',
};

interface Given {
	credential?: object;
	timeout?: number;
}

/** Opens the client in a real n8n and lets `use` send through it. */
async function withClient<T>(
	use: (send: (request: Partial<GatewayRequest>) => Promise<Outcome>) => Promise<T>,
	{ credential = {}, timeout = 5_000 }: Given = {},
): Promise<T> {
	return await inNode(
		async (context) => {
			const client = await GatewayClient.open(context);
			return await use(
				async (request) => await client.exchange({ ...REQUEST, ...request }, timeout),
			);
		},
		{ credential: { baseUrl: server.url, accessToken: TOKEN, ...credential } },
	);
}

const send = async (request: Partial<GatewayRequest> = {}, given: Given = {}) =>
	await withClient(async (exchange) => await exchange(request), given);

const failureOf = async (request: Partial<GatewayRequest> = {}, given: Given = {}) => {
	const outcome = await send(request, given);
	expect(outcome.outcome).not.toBe('accepted');
	return outcome as Failure;
};

const upload = (content: Buffer | (() => Readable), more: Partial<Upload> = {}): Upload => ({
	name: 'a.pdf',
	contentType: 'application/pdf',
	size: Buffer.isBuffer(content) ? content.length : 0,
	open: async () => (Buffer.isBuffer(content) ? content : content()),
	...more,
});

interface Parsed {
	fields: Array<[name: string, value: string]>;
	files: Array<{ field: string; name: string; type: string; bytes: Buffer }>;
}

/** The body as a real multipart parser reads it. */
async function parse({ headers, body }: Received): Promise<Parsed> {
	const parsed: Parsed = { fields: [], files: [] };
	await new Promise<void>((resolve, reject) => {
		const parser = Busboy({ headers: headers as { 'content-type': string } });
		parser.on('field', (name: string, value: string) => parsed.fields.push([name, value]));
		parser.on('file', (field, stream, name, _encoding, type) => {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				parsed.files.push({ field, name, type, bytes: Buffer.concat(chunks) });
			});
		});
		parser.on('finish', resolve);
		parser.on('error', reject);
		parser.end(body);
	});
	return parsed;
}

const last = (): Received => {
	const request = received.at(-1);
	if (!request) throw new Error('Nothing arrived');
	return request;
};

const text = fc
	.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
	.map((value) => toText(value, 'message'));
it('every request carries the token, and that JSON is wanted', async () => {
	expect(await send()).toEqual({ outcome: 'accepted', envelope: ENVELOPE });
	expect(last()).toMatchObject({
		method: 'POST',
		url: '/api/v1/message/send',
		headers: { authorization: `Bearer ${TOKEN}`, accept: 'application/json' },
	});
});

it('every request goes below the prefix of the Base URL, with or without a trailing slash', async () => {
	for (const end of ['/pre/fix', '/pre/fix/', '/pre/fix//', '/pre//fix', '/ ', '/.//']) {
		await send({}, { credential: { baseUrl: `\u00a0${server.url}${end}\u00a0` } });
	}
	expect(received.map(({ url }) => url)).toEqual([
		...Array<string>(3).fill('/pre/fix/api/v1/message/send'),
		'/pre//fix/api/v1/message/send',
		...Array<string>(2).fill('/api/v1/message/send'),
	]);
});

it('every request keeps a segment of its path one segment', async () => {
	await send({ path: ['api', 'v1', 'a/b?c#d ü'] });
	expect(last().url).toBe('/api/v1/a%2Fb%3Fc%23d%20%C3%BC');
});

it.each([
	'',
	' ',
	'ftp://a',
	'xhttps://a',
	'https://',
	'https://a?b',
	'https://a#b',
	'https://u@a',
	'https://:p@a',
	'https://a?',
	'https://a/#',
])('the credential is refused if its Base URL is “%s”', async (baseUrl) => {
	const error = await inputErrorFrom(send({}, { credential: { baseUrl } }));
	expect(error.what).toContain('The Base URL in the credential');
	expect(error.advice).toMatch(/(e\.g\.|such as) https?:\/\/[\w.]+\.$/);
});

it.each([
	['', 'is missing'],
	['  ', 'is missing'],
	...['a b', 'a\nb', 'tökën', 'a\u200Bb'].map((token) => [
		token,
		'contains a space or another character that is not allowed in a token',
	]),
])('the credential is refused if its token is %j, as it %s', async (accessToken, why) => {
	const error = await inputErrorFrom(send({}, { credential: { accessToken } }));
	expect(error.what).toBe(`The Access Token in the credential ${why}`);
	expect(error.advice).toContain('Copy the token');
});

it.each([' token-1234', 'token-1234 ', 'token-1234\n', '\ttoken-1234\r\n'])(
	'the credential may have space around its token, as people copy it: %j',
	async (accessToken) => {
		expect((await send({}, { credential: { accessToken } })).outcome).toBe('accepted');
		expect(last().headers.authorization).toBe('Bearer token-1234');
	},
);

it.each([
	[true, 'accepted'],
	[false, 'notSent'],
	[undefined, 'notSent'],
	['true', 'notSent'],
])(
	'the credential decides about SSL issues (%j), with a self-signed certificate: %s',
	async (ignores, outcome) => {
		const gateway = await serveTls((request, response) => {
			request.resume().on('end', () => accept(response, request));
		});
		const credential = { baseUrl: gateway.url, allowUnauthorizedCerts: ignores };
		const sent = await send({}, { credential });
		await gateway.close();
		expect(sent.outcome).toBe(outcome);
	},
);

it.each(['/api', '/api/', '/api/v1', '/api/v2', '/API/v1/', '/pre/api/v2//', ''])(
	'the credential may have a Base URL that ends in “%s”',
	async (end) => {
		await send({}, { credential: { baseUrl: server.url + end } });
		const prefix = end.startsWith('/pre') ? '/pre' : '';
		expect(last().url).toBe(`${prefix}/api/v1/message/send`);
	},
);

it.each([
	['gateway.example.com', 'https://gateway.example.com'],
	['//gateway.example.com/x', 'https://gateway.example.com/x'],
	['localhost:8080/api/v1', 'https://localhost:8080'],
	['https://gateway.example.com/.//.', 'https://gateway.example.com'],
	['HTTP://Gateway.example.com/', 'http://gateway.example.com'],
	['https://gateway.example.com/myapi', 'https://gateway.example.com/myapi'],
	['https://gateway.example.com/api/v3', 'https://gateway.example.com/api/v3'],
])('the credential with the Base URL %s sends to %s', (given, baseUrl) => {
	expect(checkedBaseUrl(given)).toBe(baseUrl);
});

it.each([
	'Bearer token-1234',
	'bearer  token-1234 ',
	'"token-1234"',
	"'token-1234'",
	'“token-1234”',
	'"Bearer token-1234"',
	'Bearer "token-1234"',
])('the credential may have a token pasted as %s', async (accessToken) => {
	expect((await send({}, { credential: { accessToken } })).outcome).toBe('accepted');
	expect(last().headers.authorization).toBe('Bearer token-1234');
});

it('the credential does not take a quotation mark at one end off a token', async () => {
	await send({}, { credential: { accessToken: '"token-1234' } });
	expect(last().headers.authorization).toBe('Bearer "token-1234');
});

const clientOf = async (credential: object) =>
	await inNode(async (context) => await GatewayClient.open(context), {
		credential: { baseUrl: server.url, accessToken: TOKEN, ...credential },
	});

it.each([
	[undefined, 0],
	[0, 0],
	[30, 30],
	[30.7, 30],
	[0.5, 1],
	['40', 40],
])('the credential gives the requests per minute %j as %s', async (requestsPerMinute, expected) => {
	expect((await clientOf({ requestsPerMinute })).requestsPerMinute).toBe(expected);
});

it.each([-1, 'many', Infinity])(
	'the credential is refused with %j requests per minute',
	(value) => {
		expect(
			inputErrorOf(() => checkedRequestsPerMinute({ requestsPerMinute: value as number })),
		).toMatchObject({
			what: "'Requests per Minute' in the credential is not a number of 0 or more",
			advice: 'Enter the number of requests that your plan allows in a minute, or 0 for no limit.',
		});
	},
);

it('the credential gives the Default Country Code as it was entered', async () => {
	expect((await clientOf({ defaultCountryCode: '+62' })).defaultCountryCode).toBe('+62');
	expect((await clientOf({})).defaultCountryCode).toBe('');
});

it('the credential has one key for a subscription, however it is pasted, without the token', async () => {
	const { subscription } = await clientOf({});
	const pasted = { baseUrl: `${server.url}/api/v1`, accessToken: `Bearer ${TOKEN}` };
	expect((await clientOf(pasted)).subscription).toBe(subscription);
	expect((await clientOf({ accessToken: 'another' })).subscription).not.toBe(subscription);
	expect((await clientOf({ baseUrl: `${server.url}/b` })).subscription).not.toBe(subscription);
	expect(subscription).toMatch(/^[\w-]{16}$/);
});

it('the credential is cleaned in its test as it is in a send', () => {
	const { baseURL } = new MessagingGatewayApi().test.request;
	const expression = String(baseURL).replace(/^=\{\{|\}\}$/g, '');
	for (const given of [' a.example/api/v1/ ', 'http://a.example/api', 'https://a.example/x/']) {
		const tested: unknown = runInNewContext(expression, { $credentials: { baseUrl: given } });
		expect(tested).toBe(checkedBaseUrl(given));
	}
});

it('the credential says at its Base URL what to do about the code that its test shows for a gateway without TLS', async () => {
	const outcome = await send({}, { credential: { baseUrl: new URL(server.url).host } });
	const [, code = ''] = /could not be secured \((\w+)\)/.exec(JSON.stringify(outcome)) ?? [];
	expect(code).toBe('EPROTO');
	const { properties } = new MessagingGatewayApi();
	const baseUrl = properties.find(({ name }) => name === 'baseUrl');
	expect(baseUrl?.hint).toContain('https:// is used');
	expect(baseUrl?.description).toMatch(new RegExp(`${code} that it needs http://`));
});

it('the credential gives the device, without space around it', async () => {
	const deviceOf = async (credential: object) =>
		await inNode(async (context) => (await GatewayClient.open(context)).deviceId, {
			credential: { baseUrl: server.url, accessToken: TOKEN, ...credential },
		});
	expect(await deviceOf({ deviceId: ' d-1 ' })).toBe('d-1');
	expect(await deviceOf({ deviceId: '\u200Bd\u200B-1\uFEFF' })).toBe('d-1');
	expect(await deviceOf({})).toBe('');
});

it('a body is form-encoded, a list as PHP writes it', async () => {
	await send({ fields: { number: ['1', '2'], message: 'a b&c=d' } });
	expect(last().headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
	expect([...new URLSearchParams(last().body.toString())]).toEqual([
		['number[]', '1'],
		['number[]', '2'],
		['message', 'a b&c=d'],
	]);
});

it('a body is JSON, a list as a list', async () => {
	await send({ format: 'json', fields: { number: ['1', '2'], message: '"ü"' } });
	expect(last().headers['content-type']).toMatch(/^application\/json/);
	expect(JSON.parse(last().body.toString())).toEqual({ number: ['1', '2'], message: '"ü"' });
});

it('a body is multipart, with its file', async () => {
	const content = Buffer.from('%PDF-1.7');
	await send({
		fields: { phone: '628', caption: 'ü\r\n"x"' },
		file: { field: 'document', content: upload(content) },
	});
	expect(last().headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
	expect(last().headers['content-length']).toBe(String(last().body.length));
	expect(await parse(last())).toEqual({
		fields: [
			['phone', '628'],
			['caption', 'ü\r\n"x"'],
		],
		files: [{ field: 'document', name: 'a.pdf', type: 'application/pdf', bytes: content }],
	});
});

it('a body has the length that is known beforehand, for a stream too', async () => {
	const chunks = [Buffer.alloc(70_000, 1), Buffer.alloc(70_000, 2)];
	const content = upload(() => Readable.from(chunks), { size: 140_000 });
	await send({ fields: {}, file: { field: 'image', content } });
	expect(last().headers['transfer-encoding']).toBeUndefined();
	expect(last().headers['content-length']).toBe(String(last().body.length));
	const [file] = (await parse(last())).files;
	// Jest compares the bytes of long buffers one by one, for seconds.
	expect(file?.bytes.equals(Buffer.concat(chunks))).toBe(true);
});

it('a body carries any text unharmed, in each encoding', async () => {
	await withClient(async (exchange) => {
		await fc.assert(
			fc.asyncProperty(
				text,
				fc.array(text, { minLength: 1, maxLength: 4 }),
				fc.constantFrom('form' as const, 'json' as const),
				async (message, number, format) => {
					await exchange({ format, fields: { number, message } });
					const body = last().body.toString();
					const form = new URLSearchParams(body);
					expect(
						format === 'json'
							? JSON.parse(body)
							: { number: form.getAll('number[]'), message: form.get('message') },
					).toEqual({ number, message });
				},
			),
			{ numRuns: 150 },
		);
	});
});

it('a body is never broken by a text, a file name or the bytes of a file', async () => {
	const nastyName = fc.string({
		unit: fc.constantFrom(
			'"',
			"'",
			';',
			'\r',
			'\n',
			'=',
			'%',
			'%22',
			'\\',
			'/',
			'ü',
			'漢',
			'😀',
			'--',
			'a',
		),
	});
	await withClient(async (exchange) => {
		await fc.assert(
			fc.asyncProperty(
				text,
				text,
				fc.oneof(text, nastyName),
				fc.uint8Array({ minLength: 1, maxLength: 200 }),
				fc.boolean(),
				async (caption, groupid, stem, bytes, streamed) => {
					const { name, contentType } = nameAndType('image', {
						name: `a${stem}.png`,
						mimeType: '',
						beginning: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
					});
					const content = Buffer.from(bytes);
					const given = streamed
						? upload(() => Readable.from([content]), { size: content.length })
						: upload(content);
					await exchange({
						fields: { phone: '628', groupid, caption },
						file: { field: 'image', content: { ...given, name, contentType } },
					});
					expect(await parse(last())).toEqual({
						fields: [
							['phone', '628'],
							['groupid', groupid],
							['caption', caption],
						],
						files: [{ field: 'image', name, type: contentType, bytes: content }],
					});
				},
			),
			{ numRuns: 200 },
		);
	});
});

it('an answer that is huge is not read to its end', async () => {
	let sent = 0;
	behave = (response) => {
		const chunk = Buffer.alloc(64 * 1024, ' ');
		const pour = () => {
			while (!response.destroyed && response.write(chunk)) sent += chunk.length;
			if (!response.destroyed) response.once('drain', pour);
		};
		pour();
	};
	expect(await failureOf()).toMatchObject({
		outcome: 'uncertain',
		what: 'The gateway sent an answer that is too long (status 200)',
	});
	expect(sent).toBeLessThan(50_000_000);
	await until(() => server.sockets.size === 0, 'the connection was closed');
});

it('an answer that comes slowly is waited for no longer than the timeout', async () => {
	behave = (response) => {
		const timer = setInterval(() => response.write(' '), 20);
		response.on('close', () => clearInterval(timer));
	};
	expect(await failureOf({}, { timeout: 700 })).toMatchObject({
		outcome: 'uncertain',
		what: 'The gateway sent an answer that was cut off (status 200)',
	});
});

it.each<[string, Behaviour, string]>([
	['its head', (response) => response.flushHeaders(), 'an answer that was cut off'],
	['a part', (response) => response.write('{"code":'), 'an answer that was cut off'],
	[
		'a change of protocol',
		(response) =>
			response.socket?.write('HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
		'did not answer in time',
	],
])(
	'an answer that ends with %s is waited for no longer than the timeout',
	async (_, begin, what) => {
		behave = begin;
		expect(await failureOf({}, { timeout: 700 })).toMatchObject({
			outcome: 'uncertain',
			what: expect.stringContaining(what),
		});
		await until(() => server.sockets.size === 0, 'the connection was closed');
	},
);

it('an answer that never comes is waited for no longer than the timeout', async () => {
	behave = () => undefined;
	expect(await failureOf({}, { timeout: 500 })).toMatchObject({
		outcome: 'uncertain',
		what: 'The gateway did not answer in time',
	});
});

it.each([0, 5_000])(
	'an answer may take its time, as a whole and in pieces (%s ms)',
	async (timeout) => {
		const [head, tail] = ['{"code"', ':200}'];
		behave = (response) => {
			setTimeout(() => response.write(head), 100);
			setTimeout(() => response.end(tail), 200);
		};
		expect((await send({}, { timeout })).outcome).toBe('accepted');
	},
);

it('an answer may have a timeout longer than a timer of Node.js counts', async () => {
	expect((await send({}, { timeout: 2 ** 31 - 1 })).outcome).toBe('accepted');
});

it('an answer that breaks off is uncertain', async () => {
	behave = (response) => {
		response.writeHead(200, { 'Content-Length': '1000' });
		response.write('{"code":200', () => response.socket?.destroy());
	};
	expect(await failureOf()).toMatchObject({
		outcome: 'uncertain',
		what: 'The gateway sent an answer that was cut off (status 200)',
	});
});

it('an answer that breaks off before it began is uncertain', async () => {
	behave = (response) => response.socket?.resetAndDestroy();
	expect((await failureOf()).outcome).toBe('uncertain');
});

it('an answer that breaks off, but whose status is a refusal, is a refusal', async () => {
	behave = (response) => {
		response.writeHead(422, { 'Content-Length': '1000' });
		response.write('{"message":', () => response.socket?.destroy());
	};
	expect((await failureOf()).outcome).toBe('notSent');
});

it('an answer may come in pieces that cut characters in two', async () => {
	behave = (response) => {
		const bytes = Buffer.from(JSON.stringify({ code: 200, message: '漢😀' }));
		for (const byte of bytes) response.write(Buffer.from([byte]));
		response.end();
	};
	expect(await send()).toEqual({
		outcome: 'accepted',
		envelope: { code: 200, message: '漢😀' },
	});
});

it('an answer to another server is not followed, so that the token goes nowhere else', async () => {
	const elsewhere = await serve((_request, response) => {
		strangers++;
		response.end(JSON.stringify(ENVELOPE));
	});
	let strangers = 0;
	behave = (response) => {
		response.writeHead(307, { Location: `${elsewhere.url}/api/v1/message/send` }).end();
	};
	expect(await failureOf()).toMatchObject({
		outcome: 'notSent',
		httpCode: 307,
		advice: expect.stringContaining(elsewhere.url),
	});
	expect(strangers).toBe(0);
	await elsewhere.close();
});

it.each([
	['a text', JSON.stringify(ENVELOPE), 'accepted'],
	['an object', ENVELOPE, 'accepted'],
	['a list', [ENVELOPE], 'uncertain'],
	['nothing', undefined, 'uncertain'],
])('an answer that a host hands over whole, as %s, is read too', async (_name, body, outcome) => {
	const answer = { statusCode: 200, headers: {}, body };
	const host = {
		getCredentials: async () => ({ baseUrl: server.url, accessToken: TOKEN }),
		helpers: { httpRequestWithAuthentication: async () => answer },
	} as unknown as IExecuteFunctions;
	const client = await GatewayClient.open(host);
	expect((await client.exchange(REQUEST, 0)).outcome).toBe(outcome);
});

it('an answer of 500 comes out as an outcome, not as an error', async () => {
	behave = (response) => response.writeHead(500).end('{"message":"down"}');
	expect(await failureOf()).toMatchObject({ outcome: 'uncertain', httpCode: 500 });
});
const forms = [TOKEN, encodeURIComponent(TOKEN)];
const leaks = (outcome: unknown) => {
	const shown = JSON.stringify(outcome);
	return forms.filter((form) => shown.includes(form));
};

it.each<[string, Behaviour]>([
	['an envelope', (r) => r.end(JSON.stringify({ ...ENVELOPE, token: TOKEN, [TOKEN]: [TOKEN] }))],
	['an envelope as PHP writes it', (r) => r.end('{"code":200,"token":"sec\\/ret+token"}')],
	['a refusal', (r) => r.writeHead(422).end(JSON.stringify({ message: `for ${TOKEN}` }))],
	['a code', (r) => r.end(JSON.stringify({ code: TOKEN }))],
	['a page', (r) => r.writeHead(500).end(`<title>Bearer ${TOKEN}</title>`)],
	['a target', (r) => r.writeHead(302, { Location: `/x?t=${encodeURIComponent(TOKEN)}` }).end()],
	['a path', (r) => r.writeHead(302, { Location: `/${encodeURIComponent(TOKEN)}/x` }).end()],
	['something cut in two', (r) => r.writeHead(500).end('x'.repeat(293) + TOKEN)],
	['a broken connection', (r) => r.socket?.destroy()],
])('the token does not come back in %s', async (_name, misbehave) => {
	behave = misbehave;
	const outcome = await send();
	expect(leaks(outcome)).toEqual([]);
	expect(JSON.stringify(outcome)).not.toContain(TOKEN.slice(0, 7));
});

it('the token is taken out of the raw answer if it has 8 characters', async () => {
	behave = (response) => response.writeHead(500).end(`${'x'.repeat(297)}12345678`);
	const outcome = await send({}, { credential: { accessToken: '12345678' } });
	expect(outcome).toMatchObject({ what: expect.not.stringContaining('x1') });
});

it('the token does not come back written with escapes, cut in two', async () => {
	const escaped = [...TOKEN].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
	behave = (response) => response.writeHead(422).end(`{"message":"${'x'.repeat(290)}${escaped}"}`);
	expect(JSON.stringify(await send())).not.toContain(`x${TOKEN.slice(0, 3)}`);
});

it.each(['12345678', 'accepted', 'envelope', 'incomplete', 'outcome'])(
	'the token “%s”, which is also something else, leaves the outcome as it is',
	async (accessToken) => {
		const envelope = { ...ENVELOPE, data: { queue_id: 12345678 } };
		behave = (response) => response.end(JSON.stringify(envelope));
		const queue_id = accessToken === '12345678' ? '***' : 12345678;
		expect(await send({}, { credential: { accessToken } })).toEqual({
			outcome: 'accepted',
			envelope: { ...ENVELOPE, data: { queue_id } },
		});
	},
);

it('the token may be as long as a token can be, with spaces around it, and no longer', async () => {
	for (const accessToken of [
		'a'.repeat(8_192),
		'-'.repeat(8_192),
		` ${'a-'.repeat(900)}${' '.repeat(999)}`,
	]) {
		expect((await send({}, { credential: { accessToken } })).outcome).toBe('accepted');
	}
	for (const accessToken of ['a'.repeat(8_193), '-'.repeat(50_000), `a${' '.repeat(50_000)}`]) {
		const error = await inputErrorFrom(send({}, { credential: { accessToken } }));
		expect(error.what).toBe('The Access Token in the credential is too long for a token');
	}
});

it('a Base URL may have space around it, but is no long text', async () => {
	for (const baseUrl of [
		'https://' + 'a'.repeat(3_041),
		`https://a.example${' '.repeat(50_000)}`,
	]) {
		const error = await inputErrorFrom(send({}, { credential: { baseUrl } }));
		expect(error.what).toBe('The Base URL in the credential is not a web address');
	}
});

it('the token is taken out of the outcome, not out of the answer, if it is short', async () => {
	const credential = { accessToken: 'code' };
	behave = (response) => response.end(JSON.stringify({ ...ENVELOPE, data: 'a code' }));
	expect(await send({}, { credential })).toEqual({
		outcome: 'accepted',
		envelope: { '***': 200, message: 'queued', data: 'a ***' },
	});
	behave = (response) => response.writeHead(422).end('{"message":"no code here"}');
	expect(await failureOf({}, { credential })).toMatchObject({
		outcome: 'notSent',
		what: expect.stringContaining('no *** here'),
		words: 'no *** here',
	});
});

it('the token may be short, and stays what it is in an envelope', async () => {
	const outcome = await send({}, { credential: { accessToken: '2' } });
	expect(outcome.outcome).toBe('accepted');
});

describe('a file', () => {
	let directory: string;
	let path: string;
	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'rooms-file-'));
		path = join(directory, 'a.pdf');
		writeFileSync(path, Buffer.alloc(500_000, 7));
	});
	afterAll(() => rmSync(directory, { recursive: true }));

	const sendFile = async (content: Upload, given: Given = {}) =>
		await send({ fields: {}, file: { field: 'document', content } }, given);

	it.each<[string, Behaviour | undefined, Behaviour | undefined]>([
		['is accepted', accept, undefined],
		['is refused', (response) => response.writeHead(422).end('{}'), undefined],
		['meets a broken connection', (response) => response.socket?.destroy(), undefined],
		['meets silence', () => undefined, undefined],
		['is refused before it is read', undefined, (response) => response.writeHead(413).end()],
		[
			'meets a reset while it is read',
			undefined,
			(_response, request) => request.once('data', () => request.socket.resetAndDestroy()),
		],
	])('a file is closed if it %s', async (_name, then, early) => {
		const opened: Readable[] = [];
		await sendFile(upload(Buffer.from('warm up')));
		await until(() => server.sockets.size === 0, 'the first connection was closed');
		const before = openDescriptors();
		if (then) behave = then;
		behaveEarly = early;

		for (let times = 0; times < 3; times++) {
			const content = upload(
				() => {
					const stream = createReadStream(path);
					opened.push(stream);
					return stream;
				},
				{ size: 500_000 },
			);
			await sendFile(content, { timeout: 250 });
		}

		expect(opened).toHaveLength(3);
		expect(opened.every((stream) => stream.destroyed)).toBe(true);
		server.server.closeAllConnections();
		await until(() => openDescriptors() <= before, 'everything was closed');
	});

	const endless = () =>
		new Readable({
			read() {
				setTimeout(() => this.push(Buffer.alloc(16_384)), 5);
			},
		});

	it.each<[string, (response: ServerResponse, request: IncomingMessage) => void, number]>([
		['and whose server reads no more', () => undefined, 500],
		[
			'and whose server closes',
			(_, request) => setTimeout(() => request.socket.destroy(), 50),
			60_000,
		],
	])('a file that is accepted too early %s is uncertain', async (_name, then, timeout) => {
		behaveEarly = (response, request) => {
			request.pause();
			accept(response, request);
			then(response, request);
		};
		const content = upload(endless, { size: 20_000_000 });
		expect(await sendFile(content, { timeout })).toMatchObject({
			outcome: 'uncertain',
			what: 'The gateway answered before it had received the whole file',
			httpCode: 200,
		});
		await until(() => server.sockets.size === 0, 'the connection was closed');
	});

	it.each(['while it is opened', 'before it is opened'])(
		'a file of an execution that is stopped %s is not sent, at once',
		async (when) => {
			const stop = new AbortController();
			const closed = jest.fn();
			const late = Readable.from([Buffer.from('x')]).on('close', closed);
			let deliver: (stream: Readable) => void = () => undefined;
			const content = upload(Buffer.from('x'), {
				open: async () => {
					setTimeout(() => stop.abort(), 20);
					return await new Promise<Readable>((resolve) => (deliver = resolve));
				},
			});
			if (when === 'before it is opened') stop.abort();
			const outcome = await inNode(
				async (context) => {
					const stoppable = Object.create(context, {
						getExecutionCancelSignal: { value: () => stop.signal },
					}) as IExecuteFunctions;
					const client = await GatewayClient.open(stoppable);
					const file = { field: 'document', content };
					return await client.exchange({ ...REQUEST, file }, 60_000);
				},
				{ credential: { baseUrl: server.url, accessToken: TOKEN } },
			);
			expect(outcome).toMatchObject({
				outcome: 'notSent',
				what: 'The execution was stopped before this message was queued',
			});
			deliver(late);
			await until(() => closed.mock.calls.length > 0, 'the file was closed');
			expect(received).toEqual([]);
			expect(server.sockets.size).toBe(0);
		},
	);

	it('a file that cannot be opened is an outcome, and nothing is sent', async () => {
		const content = upload(Buffer.from('x'), {
			open: async () => {
				throw new Error('gone');
			},
		});
		expect((await sendFile(content)).outcome).not.toBe('accepted');
		expect(received).toHaveLength(0);
	});

	it('a file that is not what it was says so in its own words, and nothing is sent', async () => {
		const content = upload(Buffer.from('x'), {
			open: async () => {
				throw new InputError('The file changed', 'Run this again.');
			},
		});
		expect(await sendFile(content)).toEqual({
			outcome: 'notSent',
			origin: 'input',
			what: 'The file changed',
			advice: 'Run this again.',
		});
		expect(received).toHaveLength(0);
	});

	it('a file that breaks while it is read ends the exchange at once', async () => {
		const content = upload(
			() =>
				Readable.from(
					(async function* () {
						yield Buffer.alloc(1_000);
						throw new Error('disk broke');
					})(),
				),
			{ size: 500_000 },
		);
		expect(await sendFile(content, { timeout: 600_000 })).toEqual({
			outcome: 'uncertain',
			origin: 'gateway',
			what: 'n8n could not read the whole file from its storage',
			advice: "Check the gateway's outbox before you send it again.",
		});
		expect(received).toHaveLength(0);
	});

	it.each<[string, Behaviour, number, string]>([
		['silence', () => undefined, 250, 'The gateway did not answer in time'],
		['a reset', (response) => response.socket?.resetAndDestroy(), 60_000, 'The connection broke'],
	])('a file is not blamed for %s', async (_name, misbehave, timeout, what) => {
		behave = misbehave;
		const content = upload(() => createReadStream(path), { size: 500_000 });
		const outcome = await sendFile(content, { timeout });
		expect(outcome).toMatchObject({ outcome: 'uncertain', what: expect.stringContaining(what) });
	});
});

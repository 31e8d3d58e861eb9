/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Tests the embedded gateway against each section of the API's description. */
import FormData from 'form-data';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { startGateway, type Fault, type Gateway, type GatewayOptions } from './index';
import { answerTo, exchange, type RawAnswer } from './rawClient';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const PHOTO = join(__dirname, '..', 'test', 'support', 'files', 'photo.jpg');
const MEGABYTE = 1024 * 1024;

let gateway: Gateway;
const started: Gateway[] = [];

beforeAll(async () => {
	gateway = await start();
});

afterEach(() => {
	gateway.behave();
	gateway.clear();
});

afterAll(async () => {
	await Promise.all(started.map(async (each) => await each.close()));
});

async function start(options: GatewayOptions = {}): Promise<Gateway> {
	const made = await startGateway(options);
	started.push(made);
	return made;
}

type Fields = Record<string, string | string[]>;

const bearer = ({ token } = gateway) => ({ authorization: `Bearer ${token}` });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const parsed = ({ text }: RawAnswer): unknown => JSON.parse(text);

async function postJson(path: string, fields: unknown, to = gateway): Promise<RawAnswer> {
	return await exchange(to.baseUrl + path, {
		headers: { ...bearer(to), 'content-type': 'application/json' },
		body: typeof fields === 'string' ? fields : JSON.stringify(fields),
	});
}

async function postForm(path: string, fields: Fields, to = gateway): Promise<RawAnswer> {
	const pairs = Object.entries(fields).flatMap(([name, value]) =>
		[value].flat().map((each): [string, string] => [name, each]),
	);
	return await exchange(to.baseUrl + path, {
		headers: { ...bearer(to), 'content-type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams(pairs).toString(),
	});
}

interface Upload {
	field?: string;
	name?: string;
	content?: Buffer | Readable;
	knownLength?: number;
}

function multipartOf(fields: Record<string, string>, upload?: Upload): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	if (upload) {
		const { field = 'image', name = 'photo.jpg', content = readFileSync(PHOTO) } = upload;
		form.append(field, content, { filename: name, knownLength: upload.knownLength });
	}
	return form;
}

async function postMultipart(
	path: string,
	fields: Record<string, string>,
	upload?: Upload,
	to = gateway,
): Promise<RawAnswer> {
	const form = multipartOf(fields, upload);
	const headers = { ...bearer(to), ...form.getHeaders() };
	return await exchange(to.baseUrl + path, { headers, body: form as unknown as Readable });
}

const text = (more: Fields = {}): Fields => ({
	deviceid: gateway.deviceId,
	number: '6281234567890',
	message: 'Hello',
	...more,
});
const BACKGROUND = { code: 200, message: 'Message is sent in the background.' };
const WAITING = { code: 200, message: 'All messages are in the waiting list.' };

test('a text in a form is queued, and the envelope has no data', async () => {
	const answer = await postForm('/api/v1/message/send', text({ message: 'Héllo & “you” 👋\n2' }));
	expect(answer.status).toBe(200);
	expect(answer.headers['content-type']).toMatch(/^application\/json/);
	expect(parsed(answer)).toEqual(BACKGROUND);
	expect(gateway.messages).toEqual([
		{
			queueId: expect.stringMatching(/^\d+$/) as string,
			at: expect.stringMatching(TIME) as string,
			endpoint: 'v1/send',
			deviceId: gateway.deviceId,
			recipients: ['6281234567890'],
			text: 'Héllo & “you” 👋\n2',
			bodyFormat: 'form',
		},
	]);
});

test('a text in JSON is queued too', async () => {
	expect(parsed(await postJson('/api/v1/message/send', text()))).toEqual(BACKGROUND);
	expect(gateway.messages).toMatchObject([{ text: 'Hello', bodyFormat: 'json' }]);
});

test.each([
	['a JSON array', 'json', async (n: string[]) => await postJson(BULK, text({ number: n }))],
	['the form field number[]', 'form', async (n: string[]) => await postForm(BULK, bulkForm(n))],
	[
		'the form field number, repeated',
		'form',
		async (n: string[]) => await postForm(BULK, text({ number: n })),
	],
])('bulk numbers are accepted as %s', async (_, bodyFormat, post) => {
	const numbers = ['6281234567890', '081234567891'];
	expect(parsed(await post(numbers))).toEqual(WAITING);
	expect(gateway.messages).toMatchObject([
		{ endpoint: 'v1/sendbulk', recipients: numbers, text: 'Hello', bodyFormat },
	]);
});

const BULK = '/api/v1/message/sendbulk';
function bulkForm(numbers: string[]): Fields {
	return { deviceid: gateway.deviceId, 'number[]': numbers, message: 'Hello' };
}

test('bulk with one number is still bulk, and ten thousand numbers are one message', async () => {
	await postForm(BULK, bulkForm(['6281234567890']));
	const many = Array.from({ length: 10_000 }, (_, i) => String(6_281_000_000_000 + i));
	await postJson(BULK, text({ number: many }));
	expect(gateway.messages.map(({ recipients }) => recipients.length)).toEqual([1, 10_000]);
});

test.each(['json', 'form'] as const)('a group text in %s goes to the group', async (format) => {
	const fields = { deviceid: gateway.deviceId, message: 'Hi all' };
	const path = '/api/v1/message/sendgroup/120363025246125016';
	const answer = await (format === 'json' ? postJson : postForm)(path, fields);
	expect(parsed(answer)).toEqual(WAITING);
	expect(gateway.messages).toMatchObject([
		{ endpoint: 'v1/sendgroup', groupId: '120363025246125016', recipients: [], text: 'Hi all' },
	]);
});

test('the group ID is one encoded segment of the path', async () => {
	const id = 'a/b c%d@g.us?é#1';
	const path = `/api/v1/message/sendgroup/${encodeURIComponent(id)}`;
	const fields = { deviceid: gateway.deviceId, message: 'Hi' };
	expect(await postJson(path, fields)).toMatchObject({ status: 200 });
	expect(gateway.messages).toMatchObject([{ groupId: id }]);
	expect(gateway.requests).toMatchObject([{ url: path, status: 200 }]);
	expect(await postJson('/api/v1/message/sendgroup/a/b', fields)).toMatchObject({ status: 404 });
});
const QUEUED = expect.stringMatching(/queued/) as string;
const phone = '081234567890';

function recordOf(more: object): object {
	return {
		queue_id: expect.stringMatching(/^\d+$/) as string,
		uuid: expect.stringMatching(UUID) as string,
		user_id: expect.stringMatching(UUID) as string,
		device_id: gateway.deviceId,
		phone: '6281234567890',
		attachment_id: expect.stringMatching(UUID) as string,
		category: 'Outbox',
		status: 'Pending',
		updated_at: expect.stringMatching(TIME) as string,
		created_at: expect.stringMatching(TIME) as string,
		...more,
	};
}

test('the answer to an image has its record, with the caption as the message', async () => {
	const answer = await postMultipart(
		'/api/v2/message/send-image',
		{ phone, caption: 'Ours – “new”' },
		{},
	);
	expect(answer.status).toBe(200);
	expect(parsed(answer)).toEqual({
		code: 200,
		message: QUEUED,
		data: recordOf({ message: 'Ours – “new”', type: 'Image' }),
	});
	const bytes = readFileSync(PHOTO);
	expect(gateway.messages).toMatchObject([
		{
			endpoint: 'v2/send-image',
			recipients: [phone],
			text: 'Ours – “new”',
			bodyFormat: 'multipart',
			file: {
				field: 'image',
				name: 'photo.jpg',
				contentType: 'image/jpeg',
				size: bytes.length,
				sha256: sha256(bytes),
			},
		},
	]);
});

test('an image without a caption is queued without a text', async () => {
	const answer = await postMultipart('/api/v2/message/send-image', { phone }, {});
	expect(parsed(answer)).toMatchObject({ data: { message: '' } });
	expect(gateway.messages[0]).not.toHaveProperty('text');
});

test('the answer to a document has its record, with the file name as the message', async () => {
	const upload = { field: 'document', name: 'Résumé – 2026 (final).pdf', content: PDF };
	const answer = await postMultipart('/api/v2/message/send-document', { phone }, upload);
	expect(parsed(answer)).toEqual({
		code: 200,
		message: QUEUED,
		data: recordOf({ message: 'Résumé – 2026 (final).pdf', type: 'Document' }),
	});
});

const PDF = readFileSync(join(__dirname, '..', 'test', 'support', 'files', 'document.pdf'));

test.each([
	['send-group-image', { field: 'image', name: 'p.png', content: PDF }],
	['send-group-document', { field: 'document', name: 'd.pdf', content: PDF }],
])('the answer to %s has no record', async (name, upload) => {
	const fields = { phone, groupid: '120363@g.us' };
	const answer = await postMultipart(`/api/v2/message/${name}`, fields, upload);
	expect(parsed(answer)).toEqual({ code: 200, message: QUEUED });
	expect(gateway.messages).toMatchObject([{ recipients: [phone], groupId: '120363@g.us' }]);
});

test('each record has its own IDs, and all share one user ID', async () => {
	const send = async () => await postMultipart('/api/v2/message/send-image', { phone }, {});
	type Record = Readonly<{
		queue_id: string;
		uuid: string;
		attachment_id: string;
		user_id: string;
	}>;
	const [a, b] = [await send(), await send()].map(
		(answer) => (parsed(answer) as { data: Record }).data,
	);
	expect(Number(b?.queue_id)).toBeGreaterThan(Number(a?.queue_id));
	expect(b?.uuid).not.toBe(a?.uuid);
	expect(b?.attachment_id).not.toBe(a?.attachment_id);
	expect(b?.user_id).toBe(a?.user_id);
});

test('a local number gets the country code in the record; other numbers stay unchanged', async () => {
	const elsewhere = await start({ countryCode: '49' });
	for (const [given, recorded] of [
		['017212345678', '4917212345678'],
		['6281234567890', '6281234567890'],
	] as const) {
		const answer = await postMultipart(
			'/api/v2/message/send-image',
			{ phone: given },
			{},
			elsewhere,
		);
		expect(parsed(answer)).toMatchObject({ data: { phone: recorded } });
	}
});

test.each(['.jpeg .jpg .png .doc .docx .pdf .csv .ppt .pptx .xls .xlsx'.split(' ')].flat())(
	'a document may have the extension %s, in upper or lower case',
	async (extension) => {
		for (const name of [`a${extension}`, `A${extension.toUpperCase()}`]) {
			const upload = { field: 'document', name, content: PDF };
			const answer = await postMultipart('/api/v2/message/send-document', { phone }, upload);
			expect(answer.status).toBe(200);
		}
	},
);

test('a file of 10 MB arrives unchanged', async () => {
	const content = randomBytes(10 * MEGABYTE);
	await postMultipart(
		'/api/v2/message/send-document',
		{ phone },
		{ field: 'document', name: 'big.pdf', content: Readable.from(slices(content)) },
	);
	expect(gateway.messages[0]?.file).toEqual({
		field: 'document',
		name: 'big.pdf',
		contentType: 'application/pdf',
		size: content.length,
		sha256: sha256(content),
	});
});

function* slices(bytes: Buffer): Generator<Buffer> {
	for (let at = 0; at < bytes.length; at += MEGABYTE) yield bytes.subarray(at, at + MEGABYTE);
}

// V8 frees what it has read after 64 MB or more.
test('a file of 300 MB is streamed and takes less than half of that in memory', async () => {
	const { arrayBuffers: before } = process.memoryUsage();
	const chunk = Buffer.alloc(MEGABYTE, 'gateway ');
	let most = 0;
	function* pour(): Generator<Buffer> {
		for (let i = 0; i < 300; i++) {
			most = Math.max(most, process.memoryUsage().arrayBuffers - before);
			yield chunk;
		}
	}
	await postMultipart(
		'/api/v2/message/send-document',
		{ phone },
		{ field: 'document', name: 'big.pdf', content: Readable.from(pour()) },
	);
	expect(gateway.messages[0]?.file?.size).toBe(300 * MEGABYTE);
	expect(most).toBeLessThan(150 * MEGABYTE);
});

test('only small files are kept for the outbox, and only on request', async () => {
	const keeping = await start({ keepFiles: 'bytes' });
	const image = { content: readFileSync(PHOTO) };
	const large = { name: 'big.png', content: Buffer.alloc(17 * MEGABYTE) };
	await postMultipart('/api/v2/message/send-image', { phone }, image);
	await postMultipart('/api/v2/message/send-image', { phone }, image, keeping);
	await postMultipart('/api/v2/message/send-image', { phone }, large, keeping);
	expect(gateway.messages[0]?.file).not.toHaveProperty('bytes');
	expect(keeping.messages[0]?.file?.bytes?.equals(image.content)).toBe(true);
	expect(keeping.messages[1]?.file).toMatchObject({ size: 17 * MEGABYTE });
	expect(keeping.messages[1]?.file).not.toHaveProperty('bytes');
});

test('an upload that is cut off is not queued', async () => {
	const form = multipartOf({ phone }, {});
	const whole = form.getBuffer();
	const sent = request(`${gateway.baseUrl}/api/v2/message/send-image`, {
		agent: false,
		method: 'POST',
		headers: { ...bearer(), ...form.getHeaders(), 'content-length': whole.length },
	}).on('error', () => undefined);
	sent.write(whole.subarray(0, whole.length / 2));
	await requestSeen();
	sent.destroy();
	await postForm('/api/v1/message/send', text());
	expect(gateway.messages).toMatchObject([{ endpoint: 'v1/send' }]);
});

async function requestSeen(): Promise<void> {
	while (gateway.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
}
const path = '/api/v2/message/send-image';

test.each([
	['missing', {}],
	['wrong', { authorization: 'Bearer wrong' }],
	['right, but in the wrong header', { authentication: 'Bearer secret' }],
	['right, but without “Bearer”', { authorization: 'secret' }],
])('the answer to a token that is %s is 401', async (_, headers) => {
	const guarded = await start({ token: 'secret' });
	const answer = await exchange(guarded.baseUrl + path, { headers });
	expect(answer.status).toBe(401);
	expect(parsed(answer)).toEqual({ code: 401, message: 'Unauthenticated.' });
	expect(guarded.requests).toMatchObject([{ method: 'POST', url: path, status: 401 }]);
});

test('the token is checked before any of the body is sent', async () => {
	const sent = request(gateway.baseUrl + path, {
		agent: false,
		method: 'POST',
		headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 10 ** 9 },
	});
	sent.flushHeaders();
	expect((await answerTo(sent)).status).toBe(401);
	sent.destroy();
});

test('the outbox does not require the token', async () => {
	expect((await exchange(`${gateway.baseUrl}/`, { method: 'GET' })).status).toBe(200);
});
const required = (field: string) => [`The ${field} field is required.`];
const invalid = (field: string) => [`The ${field} format is invalid.`];
const types = (field: string, list: string) => [`The ${field} must be a file of type: ${list}.`];

async function expectRefusal(answer: Promise<RawAnswer>, errors: object): Promise<void> {
	const { status, text: body } = await answer;
	expect({ status, body: JSON.parse(body) as unknown }).toEqual({
		status: 422,
		body: { message: 'The given data was invalid.', errors },
	});
	expect(gateway.messages).toEqual([]);
}

test('the gateway refuses an empty text, and names every missing field', async () => {
	const errors = {
		deviceid: required('deviceid'),
		number: required('number'),
		message: required('message'),
	};
	await expectRefusal(postForm('/api/v1/message/send', {}), errors);
	await expectRefusal(postJson('/api/v1/message/sendbulk', {}), errors);
	const { number, ...ofGroup } = errors;
	expect(number).toBeDefined();
	await expectRefusal(postJson('/api/v1/message/sendgroup/1', {}), ofGroup);
});

test('the gateway refuses a request without a body, and names every missing field', async () => {
	await expectRefusal(
		exchange(`${gateway.baseUrl}/api/v2/message/send-image`, { headers: bearer() }),
		{ phone: required('phone'), image: required('image') },
	);
});

test('the gateway refuses an unknown device', async () => {
	await expectRefusal(postForm('/api/v1/message/send', text({ deviceid: 'other' })), {
		deviceid: ['The selected deviceid is invalid.'],
	});
});

test.each(['+6281234567890', '62 812', '', '12345', '1234567890123456', 'abc'])(
	'the gateway refuses the number “%s”',
	async (number) => {
		await expectRefusal(postForm('/api/v1/message/send', text({ number })), {
			number: number === '' ? required('number') : invalid('number'),
		});
	},
);

test('the gateway refuses one wrong number among many', async () => {
	const number = ['6281234567890', 'x'];
	await expectRefusal(postJson('/api/v1/message/sendbulk', text({ number })), {
		number: invalid('number'),
	});
});

test('the gateway refuses an image that is a document, under the wrong name, empty, or missing', async () => {
	const post = async (upload?: Upload) =>
		await postMultipart('/api/v2/message/send-image', { phone: '6281234567890' }, upload);
	await expectRefusal(post({ name: 'a.pdf' }), { image: types('image', 'jpg, jpeg, png') });
	await expectRefusal(post({ field: 'document' }), { image: required('image') });
	await expectRefusal(post({ content: Buffer.alloc(0) }), { image: required('image') });
	await expectRefusal(post(), { image: required('image') });
});

test('the gateway refuses a document that is a program', async () => {
	const upload = { field: 'document', name: 'run.exe' };
	await expectRefusal(
		postMultipart('/api/v2/message/send-document', { phone: '6281234567890' }, upload),
		{
			document: types('document', 'jpg, jpeg, png, doc, docx, pdf, csv, ppt, pptx, xls, xlsx'),
		},
	);
});

test('the gateway refuses a group file without a number and a group', async () => {
	await expectRefusal(postMultipart('/api/v2/message/send-group-image', {}, {}), {
		phone: required('phone'),
		groupid: required('groupid'),
	});
});

test.each([
	['invalid JSON', 400, 'application/json', '{"number":'],
	['a multipart body that is cut off', 400, 'multipart/form-data; boundary=x', '--x\r\n'],
	['a multipart body without a boundary', 400, 'multipart/form-data', 'x'],
	['another type of body', 415, 'text/plain', 'Hello'],
])('the gateway refuses %s', async (_, status, type, body) => {
	const headers = { ...bearer(), 'content-type': type };
	const url = `${gateway.baseUrl}/api/v2/message/send-image`;
	const answer = await exchange(url, { headers, body });
	expect(answer.status).toBe(status);
	expect(parsed(answer)).toEqual({ code: status, message: expect.any(String) as string });
	expect(gateway.messages).toEqual([]);
});

test.each([
	'/api/v1/message/nothing',
	'/api/v3/message/send',
	'/api/v1/message/sendgroup/',
	'/api/sendgroup/1',
	'/nowhere',
])('the gateway refuses the unknown path %s, with 404', async (path) => {
	const answer = await postForm(path, text());
	expect(answer.status).toBe(404);
	expect(parsed(answer)).toEqual({
		code: 404,
		message: `The route ${path} could not be found.`,
	});
	expect(gateway.requests).toHaveLength(path.includes('/api/') ? 1 : 0);
	expect(gateway.messages).toEqual([]);
});

test.each([
	['GET', '/api/v1/message/send'],
	['PUT', '/api/v1/message/sendbulk'],
	['DELETE', '/api/v1/message/sendgroup/12'],
	['GET', '/api/v2/message/send-group-document?x=1'],
])('the gateway refuses %s %s, with 405 and the allowed method', async (method, path) => {
	const answer = await exchange(gateway.baseUrl + path, { method, headers: bearer() });
	expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
	expect(parsed(answer)).toEqual({
		code: 405,
		message: `The ${method} method is not supported for this route.`,
	});
	expect(gateway.requests).toMatchObject([{ method, url: path, status: 405 }]);
});

test.each(['/api/v1/message/sendgroup/', '/api/v1/message/sendings'])(
	'the gateway refuses GET %s, which is not an endpoint either, with 404',
	async (path) => {
		const answer = await exchange(gateway.baseUrl + path, { method: 'GET' });
		expect(answer.status).toBe(404);
	},
);

describe('a path prefix', () => {
	let tenant: Gateway;

	beforeAll(async () => {
		tenant = await start({ pathPrefix: '/tenant-7/' });
	});

	test('a path prefix is part of the base URL, without a trailing slash', () => {
		expect(new URL(tenant.baseUrl).pathname).toBe('/tenant-7');
	});

	test('a path prefix is required for every path of the API', async () => {
		const fields = text({ deviceid: tenant.deviceId });
		expect((await postForm('/api/v1/message/send', fields, tenant)).status).toBe(200);
		const { origin } = new URL(tenant.baseUrl);
		const beside = await exchange(`${origin}/api/v1/message/send`, { headers: bearer(tenant) });
		expect(beside.status).toBe(404);
		const wrongMethod = await exchange(`${tenant.baseUrl}/api/v1/message/send`, { method: 'GET' });
		expect(wrongMethod.status).toBe(405);
	});

	test('a path prefix is required for the outbox, which redirects if the trailing slash is missing', async () => {
		expect((await exchange(`${tenant.baseUrl}/`, { method: 'GET' })).text).toContain(
			'Gateway outbox',
		);
		const short = await exchange(tenant.baseUrl, { method: 'GET' });
		expect(short).toMatchObject({ status: 302, headers: { location: '/tenant-7/' } });
	});
});
const send = async (number = '6281234567890') =>
	await postForm('/api/v1/message/send', text({ number }));
const RIGHT = JSON.stringify({ code: 200, message: 'Message is sent in the background.' });

test('misbehavior applies until it is turned off', async () => {
	gateway.misbehave({ respond: { status: 503 } });
	expect((await send()).status).toBe(503);
	expect((await send()).status).toBe(503);
	gateway.behave();
	expect((await send()).status).toBe(200);
	expect(gateway.messages).toHaveLength(1);
});

test('misbehavior answers with any status, headers and body, and queues nothing', async () => {
	const page = '<h1>Busy</h1>';
	const headers = { 'retry-after': '7', 'content-type': 'text/html' };
	gateway.misbehave({ respond: { status: 429, headers, body: page } });
	expect(await send()).toMatchObject({ status: 429, headers, text: page });
	expect(gateway.messages).toEqual([]);
	expect(gateway.requests).toMatchObject([{ status: 429 }]);
});

test('misbehavior answers with an object as JSON, or with nothing', async () => {
	gateway.misbehave({ times: 1, respond: { status: 200, body: { code: 500 } } });
	gateway.misbehave({ times: 1, respond: { status: 204 } });
	expect(parsed(await send())).toEqual({ code: 500 });
	expect(await send()).toMatchObject({ status: 204, text: '' });
});

test('misbehavior can queue the message anyway', async () => {
	gateway.misbehave({ respond: { status: 500 }, queueAnyway: true });
	await send();
	expect(gateway.messages).toHaveLength(1);
});

test('misbehavior stops after the given number of times', async () => {
	gateway.misbehave({ times: 2, respond: { status: 500 } });
	const statuses = [await send(), await send(), await send()].map(({ status }) => status);
	expect(statuses).toEqual([500, 500, 200]);
});

test('misbehavior applies the first rule that matches', async () => {
	gateway.misbehave({ path: 'sendbulk', respond: { status: 500 } });
	gateway.misbehave({ recipient: '6281111111111', respond: { status: 502 } });
	gateway.misbehave({ path: '/send', respond: { status: 503 } });
	expect((await send()).status).toBe(503);
	expect((await send('6281111111111')).status).toBe(502);
	const bulk = text({ number: ['6281111111111'] });
	expect((await postJson('/api/v1/message/sendbulk', bulk)).status).toBe(500);
});

test('misbehavior affects a share of the requests, the same ones in each run', async () => {
	const run = async () => {
		gateway.behave();
		gateway.misbehave({ rate: 0.3, respond: { status: 500 } });
		const statuses: number[] = [];
		for (let i = 0; i < 60; i++) statuses.push((await send()).status);
		return statuses;
	};
	const first = await run();
	const share = first.filter((status) => status === 500).length / first.length;
	expect(share).toBeGreaterThan(0.15);
	expect(share).toBeLessThan(0.45);
	expect(await run()).toEqual(first);
});

test('misbehavior can wait before a normal answer', async () => {
	gateway.misbehave({ latency: 150 });
	const begin = performance.now();
	expect((await send()).status).toBe(200);
	expect(performance.now() - begin).toBeGreaterThanOrEqual(149);
	expect(gateway.messages).toHaveLength(1);
});

test('misbehavior can wait before a faulty answer too', async () => {
	gateway.misbehave({ latency: 100, respond: { status: 500 } });
	const begin = performance.now();
	expect((await send()).status).toBe(500);
	expect(performance.now() - begin).toBeGreaterThanOrEqual(99);
});
const fault = (name: Fault) => gateway.misbehave({ fault: name });

/** A request whose body the test sends itself. */
function openRequest(length: number) {
	return request(`${gateway.baseUrl}/api/v1/message/send`, {
		agent: false,
		method: 'POST',
		headers: {
			...bearer(),
			'content-type': 'application/x-www-form-urlencoded',
			'content-length': length,
		},
	});
}

test('misbehavior resetBeforeBody resets as soon as the head has arrived', async () => {
	fault('resetBeforeBody');
	const sent = openRequest(100);
	sent.flushHeaders();
	await expect(answerTo(sent)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('misbehavior resetDuringBody resets after the first bytes of the body, not before', async () => {
	fault('resetDuringBody');
	const sent = openRequest(100);
	sent.flushHeaders();
	const broken = answerTo(sent).catch((error: unknown) => error);
	while (gateway.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
	expect(sent.destroyed).toBe(false);
	sent.write('deviceid=');
	expect(await broken).toMatchObject({ code: 'ECONNRESET' });
});

test('misbehavior resetAfterBody resets instead of answering', async () => {
	fault('resetAfterBody');
	await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(gateway.requests).toHaveLength(1);
});

test('misbehavior halfAnswer sends half of the correct envelope, then resets', async () => {
	fault('halfAnswer');
	await expect(send()).rejects.toMatchObject({
		code: 'ECONNRESET',
		text: RIGHT.slice(0, RIGHT.length / 2),
	});
});

test('misbehavior wrongLength sends less than the head announced, then closes normally', async () => {
	fault('wrongLength');
	await expect(send()).rejects.toMatchObject({ message: 'aborted', text: RIGHT });
});

test('misbehavior silence keeps the connection open and sends nothing', async () => {
	fault('silence');
	await expect(
		exchange(`${gateway.baseUrl}/api/v1/message/send`, {
			headers: bearer(),
			signal: AbortSignal.timeout(300),
		}),
	).rejects.toMatchObject({ name: 'AbortError' });
	expect(gateway.requests).toHaveLength(1);
});

test('misbehavior slowDrip sends the correct envelope, one byte every 100 ms', async () => {
	fault('slowDrip');
	const begin = performance.now();
	const sent = openRequest(1);
	sent.end('x');
	const [response] = (await once(sent, 'response')) as [Readable];
	const pieces: string[] = [];
	for await (const piece of response as AsyncIterable<Buffer>) {
		if (pieces.push(piece.toString()) === 5) break;
	}
	expect(pieces).toEqual([...RIGHT.slice(0, 5)]);
	expect(performance.now() - begin).toBeGreaterThan(4 * 95);
});

test('misbehavior endlessAnswer sends as much as the client reads', async () => {
	fault('endlessAnswer');
	const sent = openRequest(1);
	sent.end('x');
	const [response] = (await once(sent, 'response')) as [Readable];
	let size = 0;
	for await (const chunk of response as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > 20 * MEGABYTE) break;
	}
	expect(size).toBeGreaterThan(20 * MEGABYTE);
});

test('misbehavior http10 sends the correct envelope without a length, then closes the connection', async () => {
	fault('http10');
	const answer = await send();
	expect(answer).toMatchObject({ status: 200, httpVersion: '1.0', text: RIGHT });
	expect(answer.headers).not.toHaveProperty('content-length');
});

test.each<Fault>([
	'resetAfterBody',
	'halfAnswer',
	'silence',
	'slowDrip',
	'wrongLength',
	'endlessAnswer',
	'http10',
])('misbehavior %s queues the message if told to, and records no status', async (name) => {
	gateway.misbehave({ fault: name, queueAnyway: true });
	await exchange(`${gateway.baseUrl}/api/v1/message/send`, {
		headers: { ...bearer(), 'content-type': 'application/json' },
		body: JSON.stringify(text()),
		signal: AbortSignal.timeout(200),
	}).catch(() => undefined);
	expect(gateway.messages).toHaveLength(1);
	expect(gateway.requests[0]?.status).toBeUndefined();
});

test('misbehavior http10 sends the whole record of an image too', async () => {
	fault('http10');
	const phone = '081234567890';
	const answer = await postMultipart('/api/v2/message/send-image', { phone }, {});
	expect(parsed(answer)).toMatchObject({ code: 200, data: { phone: '6281234567890' } });
});

test('misbehavior after the body can apply to only one recipient', async () => {
	gateway.misbehave({ fault: 'resetAfterBody', recipient: '6281111111111' });
	expect((await send()).status).toBe(200);
	await expect(send('6281111111111')).rejects.toMatchObject({ code: 'ECONNRESET' });
});
const control = async (name: string, body: object = {}) =>
	await exchange(`${gateway.baseUrl}/_control/${name}`, {
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
const read = async (name: string) =>
	parsed(await exchange(`${gateway.baseUrl}/_control/${name}`, { method: 'GET' }));

test('the controls for tests in other processes list messages and requests, without the bytes of files', async () => {
	await postForm('/api/v1/message/send', text());
	await postMultipart('/api/v2/message/send-image', { phone: '6281234567890' }, {});
	expect(await read('messages')).toEqual([
		expect.objectContaining({ endpoint: 'v1/send', text: 'Hello' }),
		expect.objectContaining({
			file: expect.objectContaining({
				name: 'photo.jpg',
				sha256: sha256(readFileSync(PHOTO)),
			}) as object,
		}),
	]);
	expect(await read('requests')).toEqual([
		expect.objectContaining({ url: '/api/v1/message/send', status: 200 }),
		expect.objectContaining({ url: '/api/v2/message/send-image', status: 200 }),
	]);
});

test('the controls for tests in other processes misbehave, behave and clear', async () => {
	await control('misbehave', { respond: { status: 418 } });
	expect((await postForm('/api/v1/message/send', text())).status).toBe(418);
	await control('behave');
	expect((await postForm('/api/v1/message/send', text())).status).toBe(200);
	await control('clear');
	expect(await read('messages')).toEqual([]);
	expect(await read('requests')).toEqual([]);
});

test('requests are not kept if `keepRequests` is off', async () => {
	const forgetful = await start({ keepRequests: false });
	await postForm('/api/v1/message/send', text({ deviceid: forgetful.deviceId }), forgetful);
	expect(forgetful.messages).toHaveLength(1);
	expect(forgetful.requests).toEqual([]);
});

test('a queue ID is never used twice, even after the list is cleared', async () => {
	await postForm('/api/v1/message/send', text());
	const first = Number(gateway.messages[0]?.queueId);
	gateway.clear();
	await postForm('/api/v1/message/send', text());
	expect(Number(gateway.messages[0]?.queueId)).toBeGreaterThan(first);
});

test('the gateway ends every connection at once when it closes: idle, waiting, half sent, and the outbox’s', async () => {
	const closing = await startGateway();
	const { port } = new URL(closing.baseUrl);
	const sockets = [
		'',
		'GET /outbox/updates HTTP/1.1\r\nHost: gateway\r\n\r\n',
		`POST /api/v1/message/send HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${closing.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
	].map((words) => {
		const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
		socket.write(words);
		return socket;
	});
	closing.misbehave({ latency: 600_000 });
	const waiting = exchange(`${closing.baseUrl}/api/v1/message/send`, {
		headers: { ...bearer(closing), 'content-type': 'application/json' },
		body: '{}',
	}).catch((error: unknown) => error);
	while (closing.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));

	const ended = sockets.map(async (socket) => await once(socket.resume(), 'close'));
	await closing.close();
	await Promise.all(ended);
	expect(await waiting).toMatchObject({ code: 'ECONNRESET' });
});

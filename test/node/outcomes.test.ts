import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { startGateway, type Gateway, type Misbehavior } from '../../practice-gateway/index';
import type { ItemInput, Run } from '../support/engine/engine';
import {
	bulk,
	errorOf,
	expectEachOnce,
	file,
	freePort,
	CONTINUE_ON_FAIL,
	groupText,
	jsonOf,
	numberOf,
	sample,
	sha256,
	text,
	useHarness,
	withFile,
	withServer,
	type ItemError,
} from '../support/harness';

const harness = useHarness({ binaryMode: 'filesystem' });

/** Three of each: the fault meets the second one only, so that its neighbors show who is to blame. */
interface Kind {
	parameters(options?: object): INodeParameters;
	items: ItemInput[];
	path: string;
}

const THREE = [0, 1, 2].map((index) => ({ json: { index } }));
const PHONE = `={{ '${numberOf(0).slice(0, -1)}' + $json.index }}`;
const SECOND = numberOf(1);

const kinds: Record<string, Kind> = {
	'a text': {
		parameters: (options) => text({ phoneNumber: PHONE, options: { ...ALONE, ...options } }),
		items: THREE,
		path: '/message/send',
	},
	'an upload': {
		parameters: (options) =>
			file('document', 'send', { phoneNumber: PHONE, options: { ...ALONE, ...options } }),
		items: THREE.map((item) => ({ ...item, ...withFile('document.pdf') })),
		path: '/send-document',
	},
};
const ALONE = { maxConcurrency: 1, maxRetries: 0 };

const NOTHING_SENT = 'This message was not sent';
const PERHAPS_SENT = 'This message may or may not have been sent';
/** Of the second of several items. */
const OUTBOX = /outbox/;

interface Row {
	rule: Omit<Misbehavior, 'recipient' | 'path'>;
	outcome: ItemError['outcome'] | 'accepted';
	/** Of the error's message. */
	says?: RegExp | string;
	/** Of the last sentences, which say what to do. */
	advises?: RegExp;
	httpCode?: string;
	options?: object;
}

const status = (code: number, body?: string | object, headers?: Record<string, string>) => ({
	respond: { status: code, body, headers },
});
const HTML = { 'Content-Type': 'text/html' };
const PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

const rows: Record<string, Row> = {
	'301 to the same path elsewhere': {
		rule: status(301, '', { Location: 'https://other.example/api/v1/message/send' }),
		outcome: 'notSent',
		says: /redirected the request to https:\/\/other\.example\/api\/v1\/message\/send .*\(status 301\)/,
		advises: /Base URL/,
		httpCode: '301',
	},
	'302 to a login page': {
		rule: status(302, '', { Location: '/login' }),
		outcome: 'notSent',
		says: /redirected the request to http:\/\/127\.0\.0\.1:\d+\/login/,
		advises: /Base URL .*http:\/\/127\.0\.0\.1/,
		httpCode: '302',
	},
	'307': {
		rule: status(307, '', { Location: 'https://other.example/' }),
		outcome: 'notSent',
		says: /other\.example/,
		httpCode: '307',
	},
	'308 without a target': {
		rule: status(308),
		outcome: 'notSent',
		says: /to another address/,
		httpCode: '308',
	},
	'304': { rule: status(304), outcome: 'notSent', says: /to another address/, httpCode: '304' },
	'429': {
		rule: status(429, { message: 'Too Many Attempts.' }),
		outcome: 'notSent',
		says: 'The gateway is not accepting more messages right now (status 429): “Too Many Attempts”.',
		advises: /'Batching' and 'Max Concurrency'/,
		httpCode: '429',
	},
	'429 with Retry-After': {
		rule: status(429, {}, { 'Retry-After': '30' }),
		outcome: 'notSent',
		advises: /Wait 30 seconds/,
		httpCode: '429',
	},
	'503 with Retry-After in seconds': {
		rule: status(503, {}, { 'Retry-After': '7' }),
		outcome: 'notSent',
		says: /temporarily unavailable \(status 503\)/,
		advises: /Wait 7 seconds/,
		httpCode: '503',
	},
	'503 with Retry-After as a date': {
		rule: status(503, {}, { 'Retry-After': inSeconds(30) }),
		outcome: 'notSent',
		advises: /Wait \d+ seconds?: the gateway asked/,
		httpCode: '503',
	},
	'503 with an invalid Retry-After': {
		rule: status(503, {}, { 'Retry-After': 'soon' }),
		outcome: 'uncertain',
		httpCode: '503',
	},
	'503 without Retry-After': { rule: status(503), outcome: 'uncertain', httpCode: '503' },
	'408': { rule: status(408), outcome: 'uncertain', advises: OUTBOX, httpCode: '408' },
	'499': { rule: status(499), outcome: 'uncertain', advises: OUTBOX, httpCode: '499' },
	'500': {
		rule: { ...status(500, { message: 'Server Error' }), queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway reported an internal error while it handled the message (status 500): “Server Error”.',
		advises: OUTBOX,
		httpCode: '500',
	},
	'502 with a page': {
		rule: status(502, PAGE, HTML),
		outcome: 'uncertain',
		says: /\(status 502\): “502 Bad Gateway”\.$/,
		httpCode: '502',
	},
	'504': { rule: status(504), outcome: 'uncertain', httpCode: '504' },
	'520 with a page without a title': {
		rule: status(520, '<script>evil()</script><p>Web &amp; server</p>', HTML),
		outcome: 'uncertain',
		says: /“Web & server”\.$/,
		httpCode: '520',
	},
	'400 in the words of the gateway': {
		rule: status(400, { error: 'The device is not connected' }),
		outcome: 'notSent',
		says: 'The gateway refused the message (status 400): “The device is not connected”.',
		advises: /Correct the value that the gateway names/,
		httpCode: '400',
	},
	'401': {
		rule: status(401, { message: 'Unauthenticated.' }),
		outcome: 'notSent',
		says: /rejected the access token \(status 401\): “Unauthenticated”/,
		advises: /Copy the token from your gateway/,
		httpCode: '401',
	},
	'403': { rule: status(403), outcome: 'notSent', says: /does not allow/, httpCode: '403' },
	'404': {
		rule: status(404, { message: 'Not here' }),
		outcome: 'notSent',
		says: /does not know the path \/api\//,
		advises: /Correct the Base URL in the credential \(now http:\/\/127/,
		httpCode: '404',
	},
	'405': { rule: status(405), outcome: 'notSent', says: /the path \/api/, httpCode: '405' },
	'413': {
		rule: status(413, '<h1>413 Request Entity Too Large</h1>', HTML),
		outcome: 'notSent',
		says: /too large for the gateway \(status 413\): “413 Request Entity Too Large”/,
		httpCode: '413',
	},
	'422 in the words of Laravel': {
		rule: status(422, {
			message: 'The given data was invalid.',
			errors: { phone: ['The phone format is invalid.', 'It is short.'], text: ['Too long.'] },
		}),
		outcome: 'notSent',
		says: /The given data was invalid\. – phone: The phone format is invalid\. It is short\. – text: Too long”\.$/,
		httpCode: '422',
	},
	'418': { rule: status(418), outcome: 'notSent', httpCode: '418' },
	'code 200 as a text': {
		rule: status(200, { code: '200', message: 'ok' }),
		outcome: 'accepted',
	},
	'code 200 with status 201': { rule: status(201, { code: 200 }), outcome: 'accepted' },
	'another code': {
		rule: status(200, { code: 402, message: 'No credit left.' }),
		outcome: 'notSent',
		says: 'The gateway refused the message with code 402: “No credit left”.',
		advises: /Correct the value that the gateway names/,
		httpCode: '200',
	},
	'another code as a text': {
		rule: status(200, { code: 'E12' }),
		outcome: 'uncertain',
		says: 'The gateway answered with code E12 instead of 200.',
		advises: OUTBOX,
		httpCode: '200',
	},
	'code 201': {
		rule: { ...status(200, { code: 201, message: 'Created' }), queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway answered with code 201 instead of 200: “Created”.',
		advises: OUTBOX,
		httpCode: '200',
	},
	'303 to another page': {
		rule: { ...status(303, '', { Location: '/done' }), queueAnyway: true },
		outcome: 'uncertain',
		says: /redirect that does not say whether it accepted the message \(status 303\)/,
		advises: OUTBOX,
		httpCode: '303',
	},
	'HTML with status 200': {
		rule: { ...status(200, '<title>Log in</title>', HTML), queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway sent an answer that is not JSON (status 200): “Log in”.',
		advises: /Base URL in the credential leads to the gateway itself/,
		httpCode: '200',
	},
	'nothing with status 200': {
		rule: status(200, ''),
		outcome: 'uncertain',
		says: /empty answer/,
		httpCode: '200',
	},
	'204': { rule: status(204), outcome: 'uncertain', says: /empty answer/, httpCode: '204' },
	'no code': {
		rule: status(200, { message: 'fine' }),
		outcome: 'uncertain',
		says: /without a result code \(status 200\): “fine”/,
		httpCode: '200',
	},
	'code null': { rule: status(200, { code: null }), outcome: 'uncertain', httpCode: '200' },
	'a list': { rule: status(200, [{ code: 200 }]), outcome: 'uncertain', httpCode: '200' },
	'JSON that is cut off': {
		rule: status(200, '{"code": 200, "mess'),
		outcome: 'uncertain',
		says: /not JSON/,
		httpCode: '200',
	},
	'an answer nested too deeply': {
		rule: status(200, `{"code":200,"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
		outcome: 'uncertain',
		httpCode: '200',
	},
	'a hostile answer': {
		rule: status(
			400,
			'{"message":"\\u202Eevil\\u0000\\r\\n<b>bold</b>","__proto__":{"outcome":"accepted"},"constructor":1}',
		),
		outcome: 'notSent',
		says: 'The gateway refused the message (status 400): “evil bold”.',
		httpCode: '400',
	},
	'a reset before the body': {
		rule: { fault: 'resetBeforeBody' },
		outcome: 'uncertain',
		says: /The connection broke while the message was being sent \((ECONNRESET|EPIPE)\)/,
		advises: OUTBOX,
	},
	'a reset in the middle of the body': {
		rule: { fault: 'resetDuringBody' },
		outcome: 'uncertain',
		says: /The connection broke/,
	},
	'a reset after the body': {
		rule: { fault: 'resetAfterBody', queueAnyway: true },
		outcome: 'uncertain',
		says: /The connection broke/,
	},
	'half an answer': {
		rule: { fault: 'halfAnswer', queueAnyway: true },
		outcome: 'uncertain',
		says: /an answer that was cut off \(status 200\)/,
		httpCode: '200',
	},
	'fewer bytes than announced': {
		rule: { fault: 'wrongLength', queueAnyway: true },
		outcome: 'uncertain',
		says: /cut off/,
		httpCode: '200',
	},
	silence: {
		rule: { fault: 'silence', queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway did not answer in time.',
		advises: OUTBOX,
		options: { timeout: 300 },
	},
	'a slow drip': {
		rule: { fault: 'slowDrip', queueAnyway: true },
		outcome: 'uncertain',
		says: /cut off/,
		options: { timeout: 400 },
		httpCode: '200',
	},
	'an endless answer': {
		rule: { fault: 'endlessAnswer', queueAnyway: true },
		outcome: 'uncertain',
		says: /an answer that is too long/,
		httpCode: '200',
	},
	'an answer as HTTP/1.0': {
		rule: { fault: 'http10', queueAnyway: true },
		outcome: 'accepted',
	},
};

const EARLY = new Set(['resetBeforeBody', 'resetDuringBody']);

/** The fault meets the second request: early ones know no recipient, but one lane sends in order. */
function misbehave({ rule }: Row, { path }: Kind): void {
	const early = rule.fault !== undefined && EARLY.has(rule.fault);
	if (!early) harness.gateway.misbehave({ ...rule, recipient: SECOND });
	else harness.gateway.misbehave({ ...rule, path, times: 1 });
}

function expectFailure(error: ItemError, row: Row): void {
	expect(error.outcome).toBe(row.outcome);
	expect(error.httpCode).toBe(row.httpCode);
	if (typeof row.says === 'string') expect(error.message).toBe(row.says);
	else expect(error.message).toMatch(row.says ?? /./);
	expectThreeSentences(error, row.outcome);
	expect(error.description).toMatch(row.advises ?? /./);
}

function expectThreeSentences({ message, description }: ItemError, outcome: Row['outcome']): void {
	expect(message).toMatch(/^[^\n]{10,500}[.]$/);
	const second = `${outcome === 'notSent' ? NOTHING_SENT : PERHAPS_SENT}. `;
	expect(description.startsWith(second)).toBe(true);
	expect(description.slice(second.length)).toMatch(/^[A-Z][^\n]{15,400}\.$/);
}

describe.each(Object.entries(kinds))('%s', (_, kind) => {
	describe.each(Object.entries(rows))('answered with %s', (_name, row) => {
		const isEarly = row.rule.fault !== undefined && EARLY.has(row.rule.fault);
		// A fault before the body cannot distinguish requests, so the item is alone there.
		const items = isEarly ? kind.items.slice(1, 2) : kind.items;
		const at = isEarly ? 0 : 1;

		it(`is ${row.outcome}`, async () => {
			misbehave(row, kind);
			const run = await harness.run(kind.parameters(row.options), {
				items,
				node: CONTINUE_ON_FAIL,
			});

			expect(run.status).toBe('success');
			expectEachOnce(run, items.length);
			expect(harness.requestCount).toBe(items.length);
			if (row.outcome === 'accepted') {
				expect(String(jsonOf(run)[at]?.code)).toBe('200');
			} else {
				expectFailure(errorOf(run, at), row);
			}
			const others = jsonOf(run).filter((_json, index) => index !== at);
			expect(others.map(({ code }) => code)).toEqual(others.map(() => 200));
			const queued = row.rule.queueAnyway ? items.length : items.length - 1;
			expect(harness.gateway.messages).toHaveLength(queued);
		});

		it('says the same on the error that stops the node', async () => {
			if (row.outcome === 'accepted') return;
			misbehave(row, kind);
			const run = await harness.run(kind.parameters(row.options), { items });

			expect(run.status).toBe('error');
			const { message, description, context } = run.error as NonNullable<Run['error']>;
			const { httpCode } = run.error as { httpCode?: string | null };
			expect(run.error?.name).toBe('NodeApiError');
			expect(httpCode ?? undefined).toBe(row.httpCode);
			expect(context?.itemIndex).toBe(at);
			if (typeof row.says === 'string') expect(message).toBe(row.says);
			else expect(message).toMatch(row.says ?? /./);
			const fact = row.outcome === 'notSent' ? NOTHING_SENT : PERHAPS_SENT;
			const progress = `1 message was sent; 1 item was not tried. ${fact}.`;
			if (isEarly) expect(description).not.toContain('1 message was sent');
			else expect(description?.startsWith(progress)).toBe(true);
			expect(harness.requestCount).toBe(isEarly ? 1 : 2);
		});
	});
});

describe('a group send, whose answer the API does not show', () => {
	const groupImage = () => file('image', 'sendToGroup', { options: ALONE });
	const answered = async (body: string | object, code = 200) => {
		harness.gateway.misbehave({ respond: { status: code, body }, queueAnyway: true });
		return await harness.run(groupImage(), {
			items: [withFile('picture.png')],
			node: CONTINUE_ON_FAIL,
		});
	};

	it.each<[string, string | object, object]>([
		['nothing', '', { response: '' }],
		['a list', [1, 2], { response: [1, 2] }],
		['a text', '"queued"', { response: 'queued' }],
		['null', 'null', { response: null }],
		['a number', '7', { response: 7 }],
		['an object', { queued: true, id: 5 }, { queued: true, id: 5 }],
		['the envelope', { code: 200, message: 'ok' }, { code: 200, message: 'ok' }],
	])('is accepted with %s', async (_, body, json) => {
		const run = await answered(body);

		expect(jsonOf(run)).toEqual([json]);
		expect(harness.requestCount).toBe(1);
	});

	it('is accepted with 204', async () => {
		expect(errorOf(await answered('', 204))).toBeUndefined();
	});

	it('is not sent with another code', async () => {
		const error = errorOf(await answered({ code: 500, message: 'Not a group' }));

		expect(error).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('code 500'),
		});
	});

	it.each<[string, string | object]>([
		['success: false', { success: false }],
		['status: false', { status: false, message: 'Not a group' }],
		['an error', { error: 'Not a group' }],
		['HTML', '<h1>Hello</h1>'],
		['half of an object', '{"queued": tr'],
	])('is uncertain with %s', async (_, body) => {
		expect(errorOf(await answered(body)).outcome).toBe('uncertain');
	});

	it('goes for documents too, and not for texts', async () => {
		harness.gateway.misbehave({ respond: { status: 200, body: {} } });
		const document = await harness.run(file('document', 'sendToGroup', { options: ALONE }), {
			items: [withFile('table.csv')],
			node: CONTINUE_ON_FAIL,
		});
		const groupOfText = await harness.run(groupText({ options: ALONE }), {
			node: CONTINUE_ON_FAIL,
		});

		expect(jsonOf(document)).toEqual([{}]);
		expect(errorOf(groupOfText).outcome).toBe('uncertain');
	});
});

it('names the path and the Base URL where a group text is answered with 404', async () => {
	const run = await harness.run(groupText({ options: ALONE }), {
		credential: { ...harness.credential, baseUrl: `${harness.gateway.baseUrl}/wrong` },
		node: CONTINUE_ON_FAIL,
	});

	expect(errorOf(run).message).toContain('/wrong/api/v1/message/sendgroup/team');
	expect(errorOf(run).description).toMatch(
		/Base URL .*\/wrong\)\. If the node sends other messages, the Base URL is right and the gateway may not know the contact group: check 'Contact Group ID'/,
	);
});

it('names the recipients of a bulk request that failed, and sends the others', async () => {
	harness.gateway.misbehave({ recipient: numberOf(2), ...status(500) });
	const run = await harness.run(
		bulk({
			phoneNumbers: [0, 1, 2, 3, 4].map(numberOf),
			options: { ...ALONE, numbersPerRequest: 2 },
		}),
		{ node: CONTINUE_ON_FAIL },
	);

	expect(jsonOf(run).map(({ code }) => code)).toEqual([200, undefined, 200]);
	expect(errorOf(run, 1)).toMatchObject({
		outcome: 'uncertain',
		recipients: [numberOf(2), numberOf(3)],
	});
	expect(harness.requestCount).toBe(3);
});

describe('no connection', () => {
	const sendTo = async (baseUrl: string, options: object = ALONE, credential: object = {}) =>
		await harness.run(text({ options }), {
			credential: { ...harness.credential, baseUrl, ...credential },
			node: CONTINUE_ON_FAIL,
		});

	it('is not sent if nothing listens', async () => {
		const port = await freePort();
		const error = errorOf(await sendTo(`http://127.0.0.1:${port}`));

		expect(error).toMatchObject({
			outcome: 'notSent',
			message: `The gateway at 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`,
			description: expect.stringMatching(/^This message was not sent\. .* Base URL/),
		});
	});

	it('is tried again if nothing listens yet', async () => {
		const port = await freePort();
		const sending = sendTo(`http://127.0.0.1:${port}`, { maxRetries: 2 }, { accessToken: 'later' });
		await new Promise((resolve) => setTimeout(resolve, 300));
		const late = await startGateway({
			port,
			token: 'later',
			deviceId: harness.gateway.deviceId,
		});
		const run = await sending.finally(async () => await late.close());

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(late.messages).toHaveLength(1);
	});

	describe('to a name', () => {
		const lookupFailing = (code: string) => {
			const fail = (...args: unknown[]) => {
				const error = Object.assign(new Error(`getaddrinfo ${code} gateway.invalid`), {
					code,
					syscall: 'getaddrinfo',
				});
				process.nextTick(args.at(-1) as (error: Error) => void, error);
			};
			return jest.spyOn(dns, 'lookup').mockImplementation(fail as never);
		};
		afterEach(() => jest.restoreAllMocks());

		it('is not sent if the name does not exist, and not tried again', async () => {
			const lookup = lookupFailing('ENOTFOUND');
			const error = errorOf(await sendTo('http://gateway.invalid', { maxRetries: 3 }));

			expect(lookup).toHaveBeenCalledTimes(1);
			expect(error).toMatchObject({
				outcome: 'notSent',
				message: 'The address gateway.invalid does not exist.',
				description: expect.stringContaining('Correct the Base URL in the credential.'),
			});
		});

		it('is not sent if the name cannot be looked up right now, and tried again', async () => {
			const lookup = lookupFailing('EAI_AGAIN');
			const error = errorOf(await sendTo('http://gateway.invalid', { maxRetries: 1 }));

			expect(lookup).toHaveBeenCalledTimes(2);
			expect(error).toMatchObject({
				outcome: 'notSent',
				message: 'n8n cannot look up the address gateway.invalid right now.',
			});
		});
	});

	it.each([
		['no address', 'not an address'],
		['another protocol', 'ftp://gateway.example'],
		['a query', 'http://127.0.0.1/?a=b'],
		['a user in it', 'http://user:secret@127.0.0.1'],
		['nothing', ''],
	])('is refused where the Base URL is %s', async (_, baseUrl) => {
		const run = await sendTo(baseUrl);

		expect(JSON.stringify(run.output)).not.toContain('"code":200');
		expect(run.error?.message ?? JSON.stringify(jsonOf(run))).toMatch(/Base URL/);
	});

	it.each(['', ' ', '\n'])(
		'is sent in spite of white space (%j) around the token',
		async (space) => {
			const { token } = harness.gateway;
			const run = await sendTo(harness.gateway.baseUrl, ALONE, { accessToken: `${token}${space}` });

			expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		},
	);

	it.each(['line\nbreak', 'ünï✓'])('is not sent where the token is %j', async (accessToken) => {
		const error = errorOf(await sendTo(harness.gateway.baseUrl, ALONE, { accessToken }));

		expect(error.outcome).toBe('notSent');
		expect(harness.gateway.messages).toHaveLength(0);
	});
});

describe('TLS', () => {
	const pem = (name: string) => readFileSync(join(__dirname, '../support/tls', name), 'utf8');
	let secured: Gateway;
	beforeAll(async () => {
		secured = await startGateway({ tls: { key: pem('key.pem'), cert: pem('cert.pem') } });
	});
	afterAll(async () => await secured.close());

	const send = async (more: object, kind: Kind) => {
		const { baseUrl, token: accessToken, deviceId } = secured;
		const credential = { baseUrl, accessToken, deviceId, ...more };
		const [item] = kind.items as [ItemInput];
		return await harness.run(kind.parameters(), {
			credential,
			items: [item],
			node: CONTINUE_ON_FAIL,
		});
	};

	it.each(Object.entries(kinds))('a self-signed certificate stops %s', async (_, kind) => {
		const run = await send({}, kind);

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/could not be secured \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
			description: expect.stringContaining('Ignore SSL Issues'),
		});
		expect(secured.requests).toHaveLength(0);
	});

	it.each(Object.entries(kinds))('takes %s where the credential ignores it', async (_, kind) => {
		const run = await send({ allowUnauthorizedCerts: true }, kind);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
	});

	it('is not sent by https to a gateway that speaks http', async () => {
		const baseUrl = harness.gateway.baseUrl.replace('http:', 'https:');
		const run = await send({ baseUrl }, kinds['a text'] as Kind);

		expect(errorOf(run).outcome).toBe('notSent');
		expect(harness.requestCount).toBe(0);
	});

	it('is not claimed to be sent by http to a gateway that speaks https', async () => {
		const run = await send(
			{ baseUrl: secured.baseUrl.replace('https:', 'http:') },
			kinds['a text'] as Kind,
		);

		expect(errorOf(run)).toBeDefined();
	});
});

it('takes no half status line for an answer', async () => {
	const server = createServer((socket) => socket.once('data', () => socket.end('HTTP/1.1 2')));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const run = await harness.run(text({ options: ALONE }), {
		credential: { ...harness.credential, baseUrl: `http://127.0.0.1:${port}` },
		node: CONTINUE_ON_FAIL,
	});
	server.close();

	expect(errorOf(run).outcome).toBe('uncertain');
});

describe('trying again inside the node', () => {
	const busy = (more: Omit<Misbehavior, 'respond'> = {}, code = 429, after = '0') =>
		harness.gateway.misbehave({ times: 1, ...status(code, '', { 'Retry-After': after }), ...more });
	const PDF = withFile('document.pdf');
	const upload = (options: object = {}) => file('document', 'send', { options });

	it('sends after 429, and after 503 with Retry-After', async () => {
		busy();
		busy({}, 503);
		const run = await harness.run(text());

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(harness.requestCount).toBe(3);
		expect(harness.gateway.messages).toHaveLength(1);
	});

	it.each(['default', 'filesystem'] as const)('opens the file again (%s)', async (mode) => {
		busy({ times: 2 });
		const item = withFile('document.pdf');
		if (mode === 'default') {
			const data = sample('document.pdf').toString('base64');
			item.binary = { data: { fileName: 'a.pdf', mimeType: 'application/pdf', data } };
		}
		const run = await harness.run(upload(), { items: [item] });

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(harness.requestCount).toBe(3);
		expect(harness.gateway.messages.map(({ file }) => file?.sha256)).toEqual([
			sha256(sample('document.pdf')),
		]);
	});

	it('requests the file of a URL again', async () => {
		busy();
		let downloads = 0;
		await withServer(
			(_request, response) => {
				downloads++;
				response.setHeader('Content-Type', 'application/pdf').end(sample('document.pdf'));
			},
			async (url) => {
				const parameters = { fileSource: 'url', fileUrl: `${url}/a.pdf` };
				await harness.run(file('document', 'send', parameters));
			},
		);

		expect(downloads).toBe(2);
		expect(harness.gateway.messages.map(({ file }) => file?.sha256)).toEqual([
			sha256(sample('document.pdf')),
		]);
	});

	it('waits as long as the gateway asks', async () => {
		busy({}, 429, '1');
		const started = Date.now();
		await harness.run(text());

		expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
		expect(harness.gateway.messages).toHaveLength(1);
	});

	it('waits until the date that the gateway gives', async () => {
		const date = inSeconds(2);
		busy({}, 503, date);
		await harness.run(text());

		expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date));
		expect(harness.gateway.messages).toHaveLength(1);
	});

	it('waits about a second where the gateway gives no time', async () => {
		harness.gateway.misbehave({ times: 1, ...status(429) });
		const started = Date.now();
		await harness.run(text());

		expect(Date.now() - started).toBeGreaterThanOrEqual(1_000);
		expect(Date.now() - started).toBeLessThan(2_000);
		expect(harness.requestCount).toBe(2);
	});

	it('does not wait for more than a minute, and says how long to wait', async () => {
		busy({}, 429, '61');
		const started = Date.now();
		const run = await harness.run(text(), { node: CONTINUE_ON_FAIL });

		expect(Date.now() - started).toBeLessThan(2_000);
		expect(errorOf(run).description).toContain('Wait 61 seconds');
		expect(harness.requestCount).toBe(1);
	});

	it.each([
		[0, 1],
		[2, 3],
		[3, 4],
	])('gives up after %i tries more', async (maxRetries, requests) => {
		busy({ times: 9 });
		const run = await harness.run(text({ options: { maxRetries } }), { node: CONTINUE_ON_FAIL });

		expect(errorOf(run)).toMatchObject({ outcome: 'notSent', httpCode: '429' });
		expect(harness.requestCount).toBe(requests);
	});

	it.each<[string, Misbehavior]>([
		['silence', { fault: 'silence' }],
		['a reset', { fault: 'resetAfterBody' }],
		['a reset in the middle', { fault: 'resetDuringBody' }],
		['half an answer', { fault: 'halfAnswer' }],
		['500', status(500)],
		['502', status(502)],
		['503 without Retry-After', status(503)],
		['408', status(408)],
		['422', status(422)],
	])('does not try again after %s', async (_, rule) => {
		harness.gateway.misbehave({ times: 1, ...rule });
		const run = await harness.run(upload({ timeout: 300 }), {
			items: [PDF],
			node: CONTINUE_ON_FAIL,
		});

		expect(errorOf(run)).toBeDefined();
		expect(harness.requestCount).toBe(1);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { readFault } from '../../../nodes/MessagingGateway/gateway/fault';
import { inNode, serveTls, type RunningServer } from '../../support/rooms';
import { withSockets } from '../../support/sockets';

const HOST = 'gateway.example.com';

const tlsFile = (name: string) => readFileSync(join(__dirname, '..', '..', 'support', 'tls', name));

/** What n8n's own request helper throws. */
async function thrownFor(options: IHttpRequestOptions, isDirect = false): Promise<unknown> {
	return await inNode(async ({ helpers }) => {
		const request = {
			method: 'POST' as const,
			body: 'a=b',
			disableFollowRedirect: isDirect,
			...options,
		};
		return await helpers.httpRequest(request).then(
			() => undefined,
			(error: unknown) => error,
		);
	});
}

async function portThatNobodyHas(): Promise<number> {
	return await withSockets(
		() => undefined,
		async (port) => port,
	);
}
it('a connection that fails is not sent and tried again if nothing listens', async () => {
	const error = await thrownFor({ url: `http://127.0.0.1:${await portThatNobodyHas()}` });

	expect(readFault(error, HOST)).toMatchObject({
		outcome: 'notSent',
		origin: 'gateway',
		what: `The gateway at ${HOST} cannot be reached (ECONNREFUSED)`,
		retry: {},
	});
});

it('a connection that fails is not sent if none of the addresses of a name answers', async () => {
	const error = await thrownFor({ url: `http://localhost:${await portThatNobodyHas()}` });

	expect(readFault(error, HOST)).toMatchObject({ outcome: 'notSent', retry: {} });
});

it('a connection that fails is not sent if the name does not exist', async () => {
	const error = await thrownFor({ url: 'http://gateway.invalid' });
	const fault = readFault(error, HOST);

	expect(fault.outcome).toBe('notSent');
	expect(fault.what).toMatch(/does not exist|cannot look up/);
});

it('a connection that fails is uncertain if the request was read and the connection reset', async () => {
	const error = await withSockets(
		(socket) => socket.once('data', () => socket.resetAndDestroy()),
		async (port) => await thrownFor({ url: `http://127.0.0.1:${port}` }),
	);

	const fault = readFault(error, HOST);
	expect(fault).toMatchObject({
		outcome: 'uncertain',
		origin: 'gateway',
		what: 'The connection broke while the message was on its way (ECONNRESET)',
	});
	expect(fault.retry).toBeUndefined();
});

it('a connection that fails is uncertain if the connection was closed without an answer', async () => {
	const error = await withSockets(
		(socket) => socket.once('data', () => socket.end()),
		async (port) => await thrownFor({ url: `http://127.0.0.1:${port}` }),
	);

	expect(readFault(error, HOST).outcome).toBe('uncertain');
});

it('a connection that fails is uncertain if the answer is not HTTP', async () => {
	const error = await withSockets(
		(socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
		async (port) => await thrownFor({ url: `http://127.0.0.1:${port}` }),
	);

	expect(readFault(error, HOST).outcome).toBe('uncertain');
});

it('a connection that fails is uncertain if nothing came in time', async () => {
	const error = await withSockets(
		() => undefined,
		async (port) => await thrownFor({ url: `http://127.0.0.1:${port}`, timeout: 100 }),
	);

	expect(readFault(error, HOST)).toMatchObject({
		outcome: 'uncertain',
		what: 'The gateway did not answer in time',
	});
});

it('a connection that fails is not sent if https meets a server that speaks http', async () => {
	const error = await withSockets(
		(socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
		async (port) => await thrownFor({ url: `https://127.0.0.1:${port}` }),
	);

	expect(readFault(error, HOST)).toMatchObject({ outcome: 'notSent' });
	expect(readFault(error, HOST).what).toContain('could not be secured');
	expect(readFault(error, HOST).retry).toBeUndefined();
});

it('a connection that fails is not sent if the handshake is cut off', async () => {
	const error = await withSockets(
		(socket) => socket.once('data', () => socket.end()),
		async (port) => await thrownFor({ url: `https://127.0.0.1:${port}` }),
	);

	expect(readFault(error, HOST).outcome).toBe('notSent');
});

describe('a self-signed certificate', () => {
	let gateway: RunningServer;
	beforeAll(async () => {
		gateway = await serveTls((_request, response) => response.end('{}'));
	});
	afterAll(async () => await gateway.close());

	it('a request to a gateway with a self-signed certificate is not sent, and says what to switch on', async () => {
		const error = await thrownFor({ url: gateway.url });

		expect(readFault(error, HOST)).toMatchObject({
			outcome: 'notSent',
			what: `The connection to ${HOST} could not be secured (DEPTH_ZERO_SELF_SIGNED_CERT)`,
			advice: expect.stringContaining('Ignore SSL Issues'),
		});
	});

	it('a request that the gateway has read is uncertain if its secured connection breaks', async () => {
		const certificate = { key: tlsFile('key.pem'), cert: tlsFile('cert.pem') };
		const errors = await Promise.all(
			[Buffer.from('HTTP/1.1 502 Bad Gateway\r\n\r\n'), Buffer.from([23, 3, 3, 0, 9, 1])].map(
				async (broken) =>
					await withSockets(
						(socket) => {
							const secured = new TLSSocket(Duplex.from(socket), {
								isServer: true,
								...certificate,
							});
							secured.once('data', () => socket.end(Buffer.concat([broken, Buffer.alloc(99)])));
							secured.on('error', () => undefined);
						},
						async (port) =>
							await thrownFor({
								url: `https://127.0.0.1:${port}`,
								skipSslCertificateValidation: true,
							}),
					),
			),
		);

		for (const error of errors) {
			expect(readFault(error, HOST)).toMatchObject({
				outcome: 'uncertain',
				what: expect.stringContaining('(ERR_SSL_'),
			});
		}
	});

	it('a request over http to a gateway that speaks https is uncertain', async () => {
		const error = await thrownFor({ url: gateway.url.replace('https', 'http') });

		// The request was being sent in plain text, so this much caution is right.
		expect(readFault(error, HOST).outcome).toBe('uncertain');
	});
});

describe('a connection that was never ready for the request', () => {
	afterEach(() => jest.restoreAllMocks());
	const neverLookedUp = () =>
		jest.spyOn(dns, 'lookup').mockImplementation((() => undefined) as never);

	it('a request is not sent and tried again if the timeout comes before TCP connects', async () => {
		const lookup = neverLookedUp();
		const error = await thrownFor({ url: 'http://localhost:1', timeout: 200 }, true);

		expect(lookup).toHaveBeenCalled();
		expect(readFault(error, HOST)).toMatchObject({
			outcome: 'notSent',
			what: `The gateway at ${HOST} cannot be reached (no connection in time)`,
			retry: {},
		});
	});

	it('a request is not sent if the timeout comes before TLS is ready', async () => {
		const error = await withSockets(
			() => undefined,
			async (port) => await thrownFor({ url: `https://127.0.0.1:${port}`, timeout: 300 }, true),
		);

		expect(readFault(error, HOST)).toMatchObject({ outcome: 'notSent', retry: {} });
	});

	it('a request is uncertain if the timeout comes after it has left', async () => {
		const error = await withSockets(
			() => undefined,
			async (port) => await thrownFor({ url: `http://127.0.0.1:${port}`, timeout: 800 }, true),
		);

		expect(readFault(error, HOST).outcome).toBe('uncertain');
	});

	it.each([{}, { socket: undefined }, { socket: {} }, { socket: 5 }, 5])(
		'a connection that was never ready for the request is not believed of a request that does not tell: %j',
		(request) => {
			const error = Object.assign(new Error('x'), { code: 'ECONNABORTED', request });
			expect(readFault(error, HOST).outcome).toBe('uncertain');
		},
	);

	it.each([
		[{ socket: null }, 'notSent'],
		[{ socket: { _bytesDispatched: 0 } }, 'notSent'],
		[{ socket: { _bytesDispatched: 9, secureConnecting: true } }, 'notSent'],
		[{ socket: { _bytesDispatched: 9, secureConnecting: false } }, 'uncertain'],
		[{ socket: { _bytesDispatched: 9 } }, 'uncertain'],
	])(
		'a connection that was never ready for the request decides about a stopped execution (%j: %s)',
		(request, outcome) => {
			const error = Object.assign(new Error('x'), { code: 'ERR_CANCELED', request });
			expect(readFault(error, HOST).outcome).toBe(outcome);
		},
	);
});
const fault = (facts: object) => readFault(Object.assign(new Error('x'), facts), HOST);
const connecting = { socket: null };
const securing = { socket: { _bytesDispatched: 9, secureConnecting: true } };
const sending = { socket: { _bytesDispatched: 9, secureConnecting: false } };
const stopped = {
	outcome: 'notSent',
	cause: 'canceled',
	what: 'The execution was stopped before this message was queued',
};

it('what a connection was doing says why the message was not sent', () => {
	expect(fault({ code: 'ECONNRESET', request: connecting })).toMatchObject({
		outcome: 'notSent',
		what: `The gateway at ${HOST} cannot be reached (ECONNRESET)`,
		retry: {},
	});
	expect(fault({ code: 'ECONNRESET', request: securing })).toMatchObject({
		outcome: 'notSent',
		what: `The connection to ${HOST} could not be secured (ECONNRESET)`,
	});
	expect(fault({ code: 'ERR_CANCELED', request: connecting })).toMatchObject(stopped);
	expect(fault({ code: 'ERR_CANCELED', request: securing })).toMatchObject(stopped);
});

it.each<[string, string, object]>([
	['gateway', 'cannot be reached', { code: 'ECONNREFUSED' }],
	['gateway', 'cannot be looked up now', { code: 'EAI_AGAIN' }],
	['gateway', 'is not there in time', { code: 'ETIMEDOUT', request: connecting }],
	['gateway', 'breaks the connection', { code: 'ECONNRESET', request: connecting }],
	['gateway', 'breaks it while it is secured', { code: 'ECONNRESET', request: securing }],
	['gateway', 'ends it', { message: 'disconnected before secure TLS connection was made' }],
	['subscription', 'has another protocol', { code: 'EPROTO', request: securing }],
	['subscription', 'has a wrong certificate', { code: 'CERT_HAS_EXPIRED', request: securing }],
	['subscription', 'speaks no TLS', { code: 'EPROTO', message: 'wrong version number' }],
	[
		'message',
		'may have it in full',
		{ code: 'EPROTO', message: 'wrong version number', request: sending },
	],
	[
		'subscription',
		'shares no cipher',
		{ code: 'EPROTO', message: 'no shared cipher', request: { socket: {} } },
	],
	['subscription', 'wants a certificate', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
	['subscription', 'gives a reason', { code: 'ERR_SSL_BAD_RECORD_TYPE', request: securing }],
	['message', 'may have read it', { code: 'ERR_SSL_BAD_RECORD_TYPE', request: sending }],
	['message', 'may have read it all', { code: 'ERR_SSL_X', message: 'wrong version number' }],
	['subscription', 'does not exist', { code: 'ENOTFOUND' }],
	['subscription', 'has no address', { code: 'ERR_INVALID_URL' }],
	['subscription', 'may not be asked', { name: 'SsrfBlockedIpError' }],
	['message', 'may have the message', { code: 'ECONNRESET' }],
	['message', 'may not get it any more', { code: 'ERR_CANCELED', request: connecting }],
])('a fault is that of the %s if the gateway %s', (blame, _name, facts) => {
	const failure = fault(facts);
	expect(failure.blame ?? 'message').toBe(blame);
	expect(failure.retry !== undefined).toBe(blame === 'gateway');
});

it('what a connection was doing is not known of an error whose request is null', () => {
	expect(fault({ code: 'ECONNRESET', request: null }).outcome).toBe('uncertain');
});

it('what a connection was doing was nothing yet if axios was stopped before it made a request', () => {
	const early = { code: 'ERR_CANCELED', name: 'CanceledError', config: {} };
	expect(fault(early)).toMatchObject(stopped);
	for (const more of [
		{ name: 'AxiosError' },
		{ config: undefined },
		{ request: { socket: { _bytesDispatched: 9 } } },
	]) {
		expect(fault({ ...early, ...more }).outcome).toBe('uncertain');
	}
});

it('the fault that Node.js itself gives is the same without n8n around it', async () => {
	const port = await portThatNobodyHas();
	const error = await new Promise((resolve) => connect(port, '127.0.0.1').on('error', resolve));

	expect(readFault(error, HOST).outcome).toBe('notSent');
});
const withCode = (code: string, more: object = {}) =>
	Object.assign(new Error('failed'), { code, ...more });

it.each([
	['ECONNREFUSED', 'notSent', true],
	['EADDRNOTAVAIL', 'notSent', true],
	['EAI_AGAIN', 'notSent', true],
	['ENOTFOUND', 'notSent', false],
	['ERR_INVALID_URL', 'notSent', false],
	['CERT_HAS_EXPIRED', 'notSent', false],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'notSent', false],
	['SELF_SIGNED_CERT_IN_CHAIN', 'notSent', false],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'notSent', false],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'notSent', false],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'notSent', false],
	['HOSTNAME_MISMATCH', 'notSent', false],
	['INVALID_CA', 'notSent', false],
	['ECONNRESET', 'uncertain', false],
	['EPIPE', 'uncertain', false],
	['EHOSTUNREACH', 'uncertain', false],
	['ENETUNREACH', 'uncertain', false],
	['EHOSTDOWN', 'uncertain', false],
	['ENETDOWN', 'uncertain', false],
	['ETIMEDOUT', 'uncertain', false],
	['ECONNABORTED', 'uncertain', false],
	['ERR_CANCELED', 'uncertain', false],
	['ERR_BAD_RESPONSE', 'uncertain', false],
	['HPE_INVALID_CONSTANT', 'uncertain', false],
	['EPROTO', 'uncertain', false],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'uncertain', false],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'uncertain', false],
	['', 'uncertain', false],
])('the outcome of a fault with the code “%s” is %s', (code, outcome, isRetried) => {
	const fault = readFault(withCode(code), HOST);
	expect(fault.outcome).toBe(outcome);
	expect(fault.origin).toBe('gateway');
	expect(fault.httpCode).toBeUndefined();
	expect(fault.retry !== undefined).toBe(isRetried);
	expect(fault.advice).toMatch(/\.$/);
});

it.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'])(
	'a fault counts %s as not sent while connecting, but not once the connection is open',
	(code) => {
		const fault = readFault(withCode(code, { syscall: 'connect' }), HOST);
		expect(fault).toMatchObject({ outcome: 'notSent', retry: {} });
		expect(readFault(withCode(code, { syscall: 'read' }), HOST).outcome).toBe('uncertain');
	},
);

it('a fault counts every failure to look a name up as not sent', () => {
	const fault = readFault(withCode('EINVAL', { syscall: 'getaddrinfo' }), HOST);
	expect(fault).toMatchObject({
		outcome: 'notSent',
		what: `n8n cannot look up the address ${HOST} right now`,
	});
});

it('a fault counts a name that does not exist as not sent, and does not try it again', () => {
	const fault = readFault(withCode('ENOTFOUND', { syscall: 'getaddrinfo' }), HOST);
	expect(fault.what).toBe(`The address ${HOST} does not exist`);
	expect(fault.retry).toBeUndefined();
});

it('the code of a fault may be missing while connecting', () => {
	expect(readFault({ syscall: 'connect' }, HOST)).toMatchObject({
		what: `The gateway at ${HOST} cannot be reached (no connection)`,
		retry: {},
	});
});

it('the code of a fault is looked for in six errors around each other, and no deeper', () => {
	const within = (levels: number): object =>
		levels === 0 ? withCode('ECONNREFUSED') : { cause: within(levels - 1) };
	expect(readFault(within(5), HOST).outcome).toBe('notSent');
	expect(readFault(within(6), HOST).outcome).toBe('uncertain');
});

it.each(['EACCES', 'EPERM', 'EMFILE', 'EPIPE', 'EINVAL'])(
	'a fault counts %s as not sent while connecting, and as uncertain in any other call',
	(code) => {
		const fault = readFault(withCode(code, { syscall: 'connect' }), HOST);
		expect(fault).toMatchObject({ outcome: 'notSent', retry: {} });
		expect(readFault(withCode(code, { syscall: 'write' }), HOST).outcome).toBe('uncertain');
		const lost = Object.assign(new Error('x'), {
			httpCode: code,
			messages: [`connect ${code} a:1`],
		});
		expect(readFault(lost, HOST).outcome).toBe('notSent');
	},
);

it.each(['tlsv1 unrecognized name', 'dh key too small', 'ee key too small'])(
	'a fault counts “%s” as not sent',
	(words) => {
		const error = withCode('EPROTO', { message: `write EPROTO 0A:SSL routines:${words}:ssl/` });
		expect(readFault(error, HOST)).toMatchObject({
			outcome: 'notSent',
			what: `The connection to ${HOST} could not be secured (EPROTO)`,
		});
	},
);

it('the code of a fault and what it was doing may stand in different causes', () => {
	const wrapped = { syscall: 'connect', cause: { code: 'ETIMEDOUT' } };
	expect(readFault(wrapped, HOST).outcome).toBe('notSent');
	const blocked = { name: 'SsrfBlockedIpError', cause: { code: 'EPIPE' } };
	expect(readFault(blocked, HOST).outcome).toBe('notSent');
});

it('the code of a fault may be missing if the connection could not be secured', () => {
	const error = new Error('socket disconnected before secure TLS connection was established');
	expect(readFault(error, HOST).what).toBe(
		`The connection to ${HOST} could not be secured (TLS failure)`,
	);
});

it.each(['broken', 'eXotic', ['EPIPE'], { EPIPE: 1 }])(
	'the code of a fault is not taken from %j',
	(code) => {
		expect(readFault({ code }, HOST).what).toBe(
			'The connection broke while the message was on its way',
		);
	},
);

it('the code of a fault is found if it is wrapped in causes', () => {
	const wrapped = new Error('outer', {
		cause: new Error('middle', { cause: withCode('ECONNREFUSED') }),
	});
	expect(readFault(wrapped, HOST).outcome).toBe('notSent');
});

it('the code of a fault is the first of several attempts', () => {
	const all = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
	expect(readFault(all, HOST).what).toContain('ECONNREFUSED');
});

it('a fault says what it was', () => {
	expect(readFault(withCode('ENOTFOUND'), HOST).what).toBe(`The address ${HOST} does not exist`);
	expect(readFault(withCode('EAI_AGAIN'), HOST).what).toBe(
		`n8n cannot look up the address ${HOST} right now`,
	);
	expect(readFault(withCode('ERR_CANCELED'), HOST).what).toBe(
		'The execution was stopped while the message was on its way',
	);
	expect(readFault(withCode('ECONNABORTED'), HOST).what).toBe('The gateway did not answer in time');
	expect(readFault(withCode('ERR_INVALID_URL'), HOST).what).toBe(`${HOST} is not a web address`);
	expect(readFault(new Error('x'), HOST).what).toBe(
		'The connection broke while the message was on its way',
	);
});

it('a fault is not sent if n8n blocks the address', () => {
	const blocked = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
	expect(readFault(new Error('outer', { cause: blocked }), HOST)).toMatchObject({
		outcome: 'notSent',
		what: `n8n's protection of internal addresses blocked ${HOST}`,
		advice:
			'Ask the administrator of n8n to add gateway.example.com to N8N_SSRF_ALLOWED_HOSTNAMES.',
	});
});

it.each([
	undefined,
	null,
	'ECONNREFUSED',
	5,
	{},
	{ code: 5, message: {}, cause: 'x' },
	{ message: Symbol('x') },
])('a fault is uncertain if something else was thrown than an error: %p', (thrown) => {
	expect(readFault(thrown, HOST).outcome).toBe('uncertain');
});

it('the code of a fault is found in an error that is its own cause', () => {
	const circle = withCode('EPIPE') as Error;
	circle.cause = circle;
	expect(readFault(circle, HOST).outcome).toBe('uncertain');
});

it.each([
	['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:80', 'notSent', 'cannot be reached'],
	['ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443', 'notSent', 'cannot be reached'],
	['EPIPE', 'connect EPIPE 192.0.2.1:443', 'notSent', 'cannot be reached'],
	['ETIMEDOUT', 'read ETIMEDOUT', 'uncertain', 'did not answer in time'],
	['ETIMEDOUT', 'a failed connect TO it', 'uncertain', 'did not answer in time'],
	['ENOTFOUND', `getaddrinfo ENOTFOUND ${HOST}`, 'notSent', 'does not exist'],
	['ECONNRESET', 'socket hang up', 'uncertain', 'broke'],
	['ERR_CANCELED', 'canceled', 'uncertain', 'was stopped'],
	['EPROTO', 'write EPROTO ssl3_get_record:wrong version number', 'notSent', 'be secured'],
])(
	'an error of which n8n 1.x has lost the cause is recognized by its code %s and its words “%s”',
	(httpCode, words, outcome, what) => {
		const error = Object.assign(new Error('n8n has its own words'), {
			httpCode,
			messages: [words],
		});

		expect(readFault(error, HOST)).toMatchObject({
			outcome,
			what: expect.stringContaining(what),
		});
	},
);

it('an error of which n8n 1.x has lost the cause is recognized by its message alone', () => {
	const error = { httpCode: 'ETIMEDOUT', message: 'connect ETIMEDOUT 192.0.2.1:443' };
	expect(readFault(error, HOST).outcome).toBe('notSent');
});

it('an error of which n8n 1.x has lost the cause takes no status for a code', () => {
	const error = Object.assign(new Error('x'), { httpCode: '500', messages: [] });
	expect(readFault(error, HOST).what).not.toContain('500');
});

it.each([
	[
		'localhost:1',
		/In Docker, localhost is n8n's own container: enter the name .*, or host\.docker\.internal/,
	],
	['127.0.0.1', /In Docker, 127\.0\.0\.1 is n8n's own container/],
	['[::1]:8080', /In Docker, \[::1\] is n8n's own container/],
	['gateway.localhost', /own container/],
	['host.docker.internal:3000', /--add-host=host\.docker\.internal:host-gateway/],
	['gateway:3000', /If gateway is a container in Docker, it must run, in the same network as n8n/],
	[
		'gateway.example.com',
		/^(Check that the gateway is running and|Correct the Base URL in the credential\.$)/,
	],
	[
		'192.168.0.7:3000',
		/^(Check that the gateway is running and|Correct the Base URL in the credential\.$)/,
	],
])('a fault to reach %s names what this address means in Docker', (host, advice) => {
	for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']) {
		expect(readFault({ code }, host)).toMatchObject({
			outcome: 'notSent',
			advice: expect.stringMatching(advice) as string,
		});
	}
});

it.each([
	['gw.internal:3000', 'add gw.internal to N8N_SSRF_ALLOWED_HOSTNAMES.'],
	['192.168.0.7', 'add 192.168.0.7 to N8N_SSRF_ALLOWED_IP_RANGES.'],
	['[fd00::7]:80', 'add fd00::7 to N8N_SSRF_ALLOWED_IP_RANGES.'],
])('a fault because n8n blocks %s names the setting', (host, setting) => {
	expect(readFault({ name: 'SsrfBlockedIpError' }, host).advice).toContain(setting);
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type FormData from 'form-data';
import { Readable, Writable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { GatewayClient } from '../../../nodes/MessagingGateway/gateway/client';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import { LONGEST_TIME } from '../../../nodes/MessagingGateway/shared/time';

interface Answer {
	statusCode: number;
	body: unknown;
}

/** The context of a request, and the body that it sends. */
type Helper = (this: IExecuteFunctions, body: string | FormData) => Promise<Answer>;

/** A client of an n8n whose request helper does `answer`. */
const clientWith = async (answer: Helper) => {
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://a.example', accessToken: 'token-1234' }),
		helpers: {
			async httpRequestWithAuthentication(
				this: IExecuteFunctions,
				_: string,
				{ body }: { body: string | FormData },
			) {
				return { headers: {}, ...(await answer.call(this, body)) };
			},
		},
	};
	return await GatewayClient.open(context as unknown as IExecuteFunctions);
};

const TEXT: GatewayRequest = { path: ['x'], fields: {}, answer: 'envelope' };

/** A message whose file never comes to its end. */
const endless = (): GatewayRequest => ({
	...TEXT,
	file: {
		field: 'file',
		content: {
			name: 'a.pdf',
			contentType: 'application/pdf',
			size: 10,
			open: async () => new Readable({ read: () => undefined }),
		},
	},
});

/** Takes in a body as a request does. */
const request = () =>
	Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), {
		setHeader: () => undefined,
		socket: null,
	});

const ACCEPTED = JSON.stringify({ code: 200, message: 'queued' });
const BEFORE_THE_FILE = 'The gateway answered before it had received the whole file';

const exchange = async (given: GatewayRequest, answer: Helper, timeout = 5_000) =>
	await (await clientWith(answer)).exchange(given, timeout);

it('a credential without a device and a country code has neither', async () => {
	const client = await clientWith(async () => ({ statusCode: 200, body: '' }));
	expect([client.deviceId, client.defaultCountryCode]).toEqual(['', '']);
});

it.each<[string, () => Promise<Answer>, boolean]>([
	['is ended after an error', async () => await Promise.reject(new Error('x')), true],
	['stays after an answer', async () => ({ statusCode: 200, body: ACCEPTED }), false],
])('a connection of an execution %s', async (_, answer, isEnded) => {
	let signal: AbortSignal | undefined;
	await exchange(TEXT, async function () {
		signal = this.getExecutionCancelSignal();
		return await answer();
	});
	expect(signal?.aborted).toBe(isEnded);
});

it.each([
	[5_000, 7_000],
	[0, LONGEST_TIME],
])(
	'a connection that n8n does not end is given up two seconds after %i ms',
	async (timeout, limit) => {
		const asked = jest.spyOn(AbortSignal, 'timeout');
		await exchange(TEXT, async () => ({ statusCode: 200, body: ACCEPTED }), timeout);
		expect(asked.mock.calls).toEqual([[limit]]);
		asked.mockRestore();
	},
);

it.each<[number, string, string, string]>([
	[200, ACCEPTED, 'uncertain', BEFORE_THE_FILE],
	[200, '{"code":400,"message":"Wrong number"}', 'notSent', 'Wrong number'],
	[300, '{"message":"Choices"}', 'notSent', ''],
	[400, '{"message":"Wrong number"}', 'notSent', 'Wrong number'],
	[500, '{"message":"Down"}', 'uncertain', 'internal error'],
])(
	'an answer that comes before the file has been sent with the status %i and %s is %s',
	async (statusCode, body, outcome, what) => {
		const got = await exchange(endless(), async () => ({ statusCode, body }));
		expect(got).toMatchObject({ outcome, what: expect.stringContaining(what) });
		if (what !== BEFORE_THE_FILE) expect(got).not.toMatchObject({ what: BEFORE_THE_FILE });
	},
);

it.each([300, 400, 500])(
	'an answer that comes before the file has been sent is read at once with the status %i',
	async (statusCode) => {
		const answer: Helper = async (body) => {
			(body as FormData).pipe(request());
			return { statusCode, body: Readable.from([Buffer.from('{"message":"No"}')]) };
		};
		await exchange(endless(), answer, 600_000);
	},
);

it('an answer that comes before the file has been sent waits for the file no longer than the timeout', async () => {
	const answer: Helper = async (body) => {
		(body as FormData).pipe(request());
		return { statusCode: 200, body: Readable.from([Buffer.from(ACCEPTED)]) };
	};
	expect(await exchange(endless(), answer, 100)).toMatchObject({ outcome: 'uncertain' });
});

it('an answer that comes before the file has been sent may break while it waits for the file', async () => {
	const body = Readable.from([Buffer.from(ACCEPTED)]);
	let isBroken: () => void = () => undefined;
	const breaking = new Promise<void>((resolve) => (isBroken = resolve));
	const answer: Helper = async (form) => {
		(form as FormData).pipe(request());
		setImmediate(isBroken);
		return { statusCode: 200, body };
	};
	const waiting = exchange(endless(), answer, 100);
	await breaking;
	expect(() => body.emit('error', new Error('reset'))).not.toThrow();
	expect(await waiting).toMatchObject({ outcome: 'uncertain' });
});

it.each([
	[1_000_000, 'accepted'],
	[1_000_001, 'uncertain'],
])('the stream of an answer of %i characters is %s', async (length, outcome) => {
	const body = ACCEPTED.padEnd(length);
	const got = await exchange(TEXT, async () => ({
		statusCode: 200,
		body: Readable.from([Buffer.from(body)]),
	}));
	expect(got.outcome).toBe(outcome);
});

it('the stream of an answer may break when it has been read', async () => {
	const body = Readable.from([Buffer.from(ACCEPTED)]);
	const got = await exchange(TEXT, async () => ({ statusCode: 200, body }));
	expect(got.outcome).toBe('accepted');
	expect(() => body.emit('error', new Error('late'))).not.toThrow();
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type FormData from 'form-data';
import { Readable } from 'node:stream';
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

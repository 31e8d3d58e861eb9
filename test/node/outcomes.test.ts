/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What an answer, or none, does to an item: each kind of outcome once, for a text and for an upload. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import type { Misbehavior } from '../../practice-gateway/index';
import { startDescribedGateway } from '../support/describedGateway';
import type { ItemInput, Run } from '../support/engine/engine';
import { useFastClock } from '../support/fastClock';
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
	TO_ERROR_OUTPUT,
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

const ALONE = { maxConcurrency: 1, maxRetries: 0 };
const THREE = [0, 1, 2].map((index) => ({ json: { index } }));
const PHONE = `={{ '${numberOf(0).slice(0, -1)}' + $json.index }}`;

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

interface Row {
	rule: Omit<Misbehavior, 'recipient' | 'path'>;
	outcome: ItemError['outcome'];
	/** Of the error's message. */
	says: RegExp | string;
	/** Of the last sentences, which say what to do. */
	advises: RegExp;
	httpCode?: string;
	options?: object;
}

const status = (code: number, body?: string | object, headers?: Record<string, string>) => ({
	respond: { status: code, body, headers },
});

const rows: Record<string, Row> = {
	'a redirect': {
		rule: status(301, '', { Location: 'https://other.example/api/v1/message/send' }),
		outcome: 'notSent',
		says: /redirected the request to https:\/\/other\.example\/api\/v1\/message\/send .*\(status 301\)/,
		advises: /Base URL/,
		httpCode: '301',
	},
	'429 with Retry-After': {
		rule: status(429, { message: 'Too Many Attempts.' }, { 'Retry-After': '1' }),
		outcome: 'notSent',
		says: 'The gateway is not accepting more messages right now (status 429): “Too Many Attempts”.',
		advises: /Wait 1 second/,
		httpCode: '429',
	},
	'422 in the words of Laravel': {
		rule: status(422, {
			message: 'The given data was invalid.',
			errors: { phone: ['The phone format is invalid.', 'It is short.'], text: ['Too long.'] },
		}),
		outcome: 'notSent',
		says: /The given data was invalid\. – phone: The phone format is invalid\. It is short\. – text: Too long”\.$/,
		advises: /Correct the value that the gateway names/,
		httpCode: '422',
	},
	'500': {
		rule: { ...status(500, { message: 'Server Error' }), queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway reported an internal error while it handled the message (status 500): “Server Error”.',
		advises: /outbox/,
		httpCode: '500',
	},
	'a code that refuses': {
		rule: status(200, { code: 412, message: 'No device.' }),
		outcome: 'notSent',
		says: 'The gateway refused the message (code 412): “No device”.',
		advises: /Correct the value that the gateway names/,
		httpCode: '200',
	},
	'another code': {
		rule: { ...status(200, { code: 201, message: 'Created' }), queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway answered with code 201 instead of 200: “Created”.',
		advises: /outbox/,
		httpCode: '200',
	},
	'a reset in the middle of the body': {
		rule: { fault: 'resetDuringBody' },
		outcome: 'uncertain',
		says: /The connection broke while the message was on its way \((ECONNRESET|EPIPE)\)/,
		advises: /outbox/,
	},
	'half an answer': {
		rule: { fault: 'halfAnswer', queueAnyway: true },
		outcome: 'uncertain',
		says: /an answer that was cut off \(status 200\)/,
		advises: /outbox/,
		httpCode: '200',
	},
	silence: {
		rule: { fault: 'silence', queueAnyway: true },
		outcome: 'uncertain',
		says: 'The gateway did not answer in time.',
		advises: /outbox/,
		options: { timeout: 800 },
	},
};
const cases = Object.entries(kinds).flatMap(([kind, { parameters, items, path }]) =>
	Object.entries(rows).map(([answer, row]) => {
		const { rule, options } = row;
		// A fault before the body cannot distinguish requests, so the item is alone there.
		const isEarly = rule.fault === 'resetDuringBody';
		return {
			...{ kind, answer, row, isEarly },
			parameters: parameters(options),
			items: isEarly ? items.slice(1, 2) : items,
			at: isEarly ? 0 : 1,
			rule: isEarly ? { ...rule, path, times: 1 } : { ...rule, recipient: numberOf(1) },
		};
	}),
);

// After a redirect nobody else is tried.
it.each(cases.filter(({ answer }) => answer !== 'a redirect'))(
	'the node gives $kind that is answered with $answer an error of its own, and its neighbors what they had',
	async ({ row, parameters, items, at, rule }) => {
		harness.gateway.misbehave(rule);
		const run = await harness.run(parameters, { items, node: CONTINUE_ON_FAIL });

		expect(run.status).toBe('success');
		expectEachOnce(run, items.length);
		expect(harness.requestCount).toBe(items.length);
		const { message, description, ...error } = errorOf(run, at);
		expect(error).toMatchObject({ outcome: row.outcome });
		expect(error.httpCode).toBe(row.httpCode);
		expectSaid(message, row);
		const fact = `This message ${row.outcome === 'notSent' ? 'was not' : 'may or may not be'} queued. `;
		expect(description.startsWith(fact)).toBe(true);
		expect(description.slice(fact.length)).toMatch(/^[A-Z][^\n]{15,400}\.$/);
		expect(description).toMatch(row.advises);
		const others = jsonOf(run).filter((_json, index) => index !== at);
		expect(others.map(({ code }) => code)).toEqual(others.map(() => 200));
		const queued = row.rule.queueAnyway ? items.length : items.length - 1;
		expect(harness.gateway.messages).toHaveLength(queued);
	},
);

it.each(cases)(
	'the node stops the node at $kind that is answered with $answer, and says the same',
	async ({ row, parameters, items, rule, isEarly }) => {
		harness.gateway.misbehave(rule);
		const run = await harness.run(parameters, { items });

		expect(run.status).toBe('error');
		const { name, message, description, context } = run.error as NonNullable<Run['error']>;
		const { httpCode } = run.error as { httpCode?: string | null };
		expect(name).toBe('NodeApiError');
		expect(httpCode ?? undefined).toBe(row.httpCode);
		expect(context?.itemIndex).toBeUndefined();
		expectSaid(message, row);
		const fact = row.outcome === 'uncertain' ? ' This message may' : '';
		const progress = `1 message is queued; 1 item was not tried. Do not press 'Execute step': it would send it again.${fact}`;
		if (isEarly) expect(description).not.toContain('1 message is');
		else expect(description?.slice(0, progress.length)).toBe(progress);
		expect(harness.requestCount).toBe(isEarly ? 1 : 2);
	},
);

it.each<[string, () => object, Misbehavior | undefined]>([
	['the token is wrong', () => ({ accessToken: 'another' }), undefined],
	['the path is wrong', () => ({ baseUrl: `${harness.gateway.baseUrl}/nowhere` }), undefined],
	['all is redirected', () => ({}), status(301, '', { Location: 'https://other.example/' })],
	['the plan has ended', () => ({}), status(402, { message: 'Your plan has expired.' })],
	['its code says so', () => ({}), status(200, { code: 402, message: 'No credit.' })],
	['it is a web page', () => ({}), status(419, { message: 'CSRF token mismatch.' })],
	[
		'a firewall blocks n8n',
		() => ({}),
		status(403, '<title>Attention Required! | Cloudflare</title>'),
	],
])(
	'the node knocks for 60 items a few times if %s, and sends each once then',
	async (cause, wrong, rule) => {
		const items = Array.from({ length: 60 }, (_each, at) => ({ json: { phone: numberOf(at) } }));
		const parameters = text({
			phoneNumber: '={{ $json.phone }}',
			options: { sendOnceKey: `={{ $json.phone }} ${cause}` },
		});
		if (rule) harness.gateway.misbehave(rule);
		const credential = { ...harness.credential, ...wrong() };
		const run = await harness.run(parameters, { items, credential, node: TO_ERROR_OUTPUT });

		// Five are under way at once; a path could be unknown for one recipient only, until three have failed.
		expect(harness.requestCount).toBeLessThanOrEqual(5 + 3);
		const errors = (run.output[1] ?? []).map(({ json }) => json.error as unknown as ItemError);
		expect(errors).toHaveLength(60);
		expect(new Set(errors.map(({ message, outcome }) => `${outcome}: ${message}`)).size).toBe(1);
		expect(errors[59]).toMatchObject({
			outcome: 'notSent',
			description: expect.stringMatching(
				/^This message was not queued\. 5\d items were not tried, /,
			),
		});
		const warnings = run.hints.filter(({ type }) => type === 'warning');
		expect(warnings.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^Nothing was queued, and 5\d items were not tried: (The|Something)/),
		]);
		harness.gateway.behave();
		await harness.run(parameters, { items, node: TO_ERROR_OUTPUT });
		expect(harness.gateway.messages.flatMap(({ recipients }) => recipients).sort()).toEqual(
			items.map(({ json }) => json.phone).sort(),
		);
	},
);

const SIXTY = Array.from({ length: 60 }, (_each, at) => ({ json: { phone: numberOf(at) } }));
const errorsOf = (run: Run) =>
	(run.output[1] ?? []).map(({ json }) => json.error as unknown as ItemError);

it.each<[string, Misbehavior, object?]>([
	['answers 500', status(500, { message: 'Server Error' })],
	['answers 502 with a page', status(502, '<title>Bad gateway</title>')],
	['answers with a web page', status(200, '<title>Parked domain</title>')],
	['answers nothing', { fault: 'silence' }, { timeout: 500 }],
	['contradicts itself', status(200, { code: 200, status: false, message: 'Disconnected' })],
])(
	'the node stops trying after ten messages in a row that nobody can be sure of, and the rest keeps its keys free: the gateway %s',
	async (cause, rule, options = {}) => {
		const parameters = text({
			phoneNumber: '={{ $json.phone }}',
			options: { sendOnceKey: `={{ $json.phone }} ${cause}`, ...options },
		});
		harness.gateway.misbehave(rule);
		const run = await harness.run(parameters, { items: SIXTY, node: TO_ERROR_OUTPUT });

		expect(harness.requestCount).toBe(10);
		const errors = errorsOf(run);
		expect(errors).toHaveLength(60);
		const rest = errors.filter(({ outcome }) => outcome === 'notSent');
		expect(rest).toEqual(errors.slice(10));
		expect(rest[0]).toMatchObject({
			message: expect.stringMatching(
				/^The node stopped trying\. The last message before: The gateway /,
			),
			description:
				'This message was not queued. 50 items were not tried, because the outcome of 10 requests in a row is uncertain. Make sure that the gateway works before you send the rest.',
		});
		harness.gateway.behave();
		await harness.run(parameters, { items: SIXTY, node: TO_ERROR_OUTPUT });
		expect(harness.gateway.messages.flatMap(({ recipients }) => recipients).sort()).toEqual(
			SIXTY.slice(10).map(({ json }) => json.phone),
		);
	},
);

it.each([1, 5])(
	'the node tries all messages of a gateway that takes every other one, %s at once',
	async (maxConcurrency) => {
		for (const { json } of SIXTY.filter((_each, at) => at % 2 === 0)) {
			harness.gateway.misbehave({ recipient: json.phone, ...status(500) });
		}
		const parameters = text({ phoneNumber: '={{ $json.phone }}', options: { maxConcurrency } });
		const run = await harness.run(parameters, { items: SIXTY, node: TO_ERROR_OUTPUT });

		expect(harness.requestCount).toBe(60);
		expect(errorsOf(run).map(({ outcome }) => outcome)).toEqual(Array(30).fill('uncertain'));
	},
);

it('the node stops a bulk send after three requests in a row that nobody can be sure of', async () => {
	harness.gateway.misbehave(status(500));
	const options = { numbersPerRequest: 2, output: 'perRecipient' };
	const phoneNumbers = SIXTY.map(({ json }) => json.phone);
	const run = await harness.run(bulk({ phoneNumbers, options }), { node: CONTINUE_ON_FAIL });

	expect(harness.requestCount).toBe(3);
	expect(jsonOf(run).map((row) => row.status)).toEqual([
		...Array<string>(6).fill('uncertain'),
		...Array<string>(54).fill('notSent'),
	]);
});

function expectSaid(message: string, { says }: Row): void {
	expect(message).toMatch(/^[^\n]{10,500}[.]$/);
	if (typeof says === 'string') expect(message).toBe(says);
	else expect(message).toMatch(says);
}

it.each<[string, Misbehavior]>([
	['in HTTP/1.0', { fault: 'http10', queueAnyway: true }],
	['with its code as a text', status(200, { code: '200', message: 'ok' })],
])('the node accepts an answer %s', async (_, rule) => {
	harness.gateway.misbehave(rule);
	const run = await harness.run(text());

	expect(String(jsonOf(run)[0]?.code)).toBe('200');
});

it.each<[string, INodeParameters, ItemInput, string | object, object | undefined]>([
	['an image', file('image', 'sendToGroup'), withFile('picture.png'), '', { response: '' }],
	['a document', file('document', 'sendToGroup'), withFile('table.csv'), [1], { response: [1] }],
	['a document', file('document', 'sendToGroup'), withFile('table.csv'), {}, {}],
	['a text', groupText(), {}, {}, undefined],
])(
	'the node takes any answer without a failure as accepting a file to a group, but not a text: %s',
	async (_, parameters, item, body, json) => {
		harness.gateway.misbehave({ respond: { status: 200, body } });
		const run = await harness.run(parameters, { items: [item], node: CONTINUE_ON_FAIL });

		if (json) expect(jsonOf(run)).toEqual([json]);
		else expect(errorOf(run).outcome).toBe('uncertain');
	},
);

it('the node names the path and the Base URL if a group text is answered with 404', async () => {
	const run = await harness.run(groupText({ options: ALONE }), {
		credential: { ...harness.credential, baseUrl: `${harness.gateway.baseUrl}/wrong` },
		node: CONTINUE_ON_FAIL,
	});

	expect(errorOf(run).message).toContain('/wrong/api/v1/message/sendgroup/team');
	expect(errorOf(run).description).toMatch(
		/Base URL .*\/wrong\)\. If other messages go out, the Base URL is right, and the gateway may not know the contact group: check 'Contact Group ID'/,
	);
});

it('the node names the recipients of a bulk request that failed, and sends the others', async () => {
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

it('the node tries again if nothing listens yet', async () => {
	const port = await freePort();
	const credential = { ...harness.credential, baseUrl: `http://127.0.0.1:${port}` };
	const sending = harness.run(text(), { credential, node: CONTINUE_ON_FAIL });
	await new Promise((resolve) => setTimeout(resolve, 300));
	const { token, deviceId } = harness.gateway;
	const late = await startDescribedGateway({ port, token, deviceId });
	const run = await sending.finally(async () => await late.close());

	expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
	expect(late.messages).toHaveLength(1);
});

it.each(Object.entries(kinds))(
	'the node sends %s to a gateway with a self-signed certificate only if the credential ignores it',
	async (_, { parameters, items: [item] }) => {
		const pem = (name: string) => readFileSync(join(__dirname, '../support/tls', name), 'utf8');
		const secured = await startDescribedGateway({
			tls: { key: pem('key.pem'), cert: pem('cert.pem') },
		});
		const { baseUrl, token: accessToken, deviceId } = secured;
		const credential = { baseUrl, accessToken, deviceId };
		const options = { items: [item as ItemInput], node: CONTINUE_ON_FAIL };
		const refused = await harness.run(parameters(), { ...options, credential });
		const requests = secured.requests.length;
		const ignores = { ...credential, allowUnauthorizedCerts: true };
		const accepted = await harness.run(parameters(), { ...options, credential: ignores });
		await secured.close();

		expect(errorOf(refused)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/could not be secured \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
			description: expect.stringContaining('Ignore SSL Issues'),
		});
		expect(requests).toBe(0);
		expect(jsonOf(accepted)).toMatchObject([{ code: 200 }]);
	},
);

describe('a busy gateway', () => {
	useFastClock(20);

	const busy = (more: Omit<Misbehavior, 'respond'> = {}, code = 429) =>
		harness.gateway.misbehave({ times: 1, ...status(code, '', { 'Retry-After': '1' }), ...more });

	it('the node sends after 429, and after 503 with Retry-After, as soon as the gateway allows it', async () => {
		busy();
		busy({}, 503);
		const started = Date.now();
		const run = await harness.run(text());

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(harness.requestCount).toBe(3);
		expect(harness.gateway.messages).toHaveLength(1);
		expect(Date.now() - started).toBeGreaterThanOrEqual(2_000);
	});

	it('the node gives up after as many tries more as the option allows', async () => {
		busy({ times: 9 });
		const options = { maxRetries: 1 };
		const run = await harness.run(text({ options }), { node: CONTINUE_ON_FAIL });

		expect(errorOf(run)).toMatchObject({ outcome: 'notSent', httpCode: '429' });
		expect(harness.requestCount).toBe(2);
	});

	it.each(['default', 'filesystem', 'URL'])(
		'the node opens the file again for the next try (%s)',
		async (from) => {
			busy();
			const bytes = sample('document.pdf');
			let downloads = 0;
			await withServer(
				(_request, response) => {
					downloads++;
					response.setHeader('Content-Type', 'application/pdf').end(bytes);
				},
				async (url) => {
					const fromUrl = { fileSource: 'url', fileUrl: `${url}/a.pdf` };
					const item = withFile('document.pdf');
					if (from === 'default') {
						const data = { fileName: 'a.pdf', mimeType: 'application/pdf' };
						item.binary = { data: { ...data, data: bytes.toString('base64') } };
					}
					await harness.run(file('document', 'send', from === 'URL' ? fromUrl : {}), {
						items: [item],
					});
				},
			);

			expect(downloads).toBe(from === 'URL' ? 1 : 0);
			expect(harness.requestCount).toBe(2);
			expect(harness.gateway.messages.map(({ file }) => file?.sha256)).toEqual([sha256(bytes)]);
		},
	);
});

it.each(['silence', 'resetAfterBody', 'resetDuringBody', 'halfAnswer'] as const)(
	'the node does not try an upload again after %s',
	async (fault) => {
		harness.gateway.misbehave({ times: 1, fault });
		const run = await harness.run(file('document', 'send', { options: { timeout: 800 } }), {
			items: [withFile('document.pdf')],
			node: CONTINUE_ON_FAIL,
		});

		expect(errorOf(run).outcome).toBe('uncertain');
		expect(harness.requestCount).toBe(1);
	},
);

it.each([
	['none', {}, 'No credential is chosen in this node.'],
	[
		'that of another n8n',
		{ messagingGatewayApi: { id: 'elsewhere', name: 'Main' } },
		'n8n cannot open the credential “Main” of this node: “There is no credential "Main"”.',
	],
])(
	'the node says to choose a credential, and nothing of a Retry, if it has %s',
	async (_name, credentials, message) => {
		const items = SIXTY.slice(0, 2);
		const run = await harness.run(text(), { items, node: { credentials } });

		expect(run.error?.message).toBe(message);
		expect(run.error?.description).toBe(
			"Nothing was queued; 1 item was not tried. Choose or create a 'Messaging Gateway API' credential in this node.",
		);
		const continued = await harness.run(text(), {
			items,
			node: { credentials, ...CONTINUE_ON_FAIL },
		});
		expect(errorOf(continued)).toMatchObject({ message, outcome: 'notSent' });
		expect(harness.requestCount).toBe(0);
	},
);

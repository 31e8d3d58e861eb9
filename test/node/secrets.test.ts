import type { INodeParameters } from 'n8n-workflow';
import type { ItemInput, Run } from '../support/engine/engine';
import {
	file,
	CONTINUE_ON_FAIL,
	text,
	useHarness,
	withFile,
	withServer,
	errorOf,
} from '../support/harness';

/** Has every character that some encoding writes differently. */
const TOKEN = 'tok/en+"quoted"&<x>=\\7secret-1234567890';
const harness = useHarness({ binaryMode: 'filesystem' }, { token: TOKEN });

/** The ways in which a server may encode a text. */
const encodings = (secret: string): Record<string, string> => ({
	plain: secret,
	'URL-encoded': encodeURIComponent(secret),
	'URL-encoded in lower case': encodeURIComponent(secret).replace(/%../g, (x) => x.toLowerCase()),
	'form-encoded': new URLSearchParams({ a: secret }).toString().slice(2),
	'in JSON': JSON.stringify(secret).slice(1, -1),
	'in JSON as PHP writes it': JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
	'in HTML': secret
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;'),
});

/** Returns everything from a run that n8n shows, logs or stores. */
const visibleIn = (run: Run): string =>
	[
		run.stored(),
		JSON.stringify(run.output),
		JSON.stringify(run.hints),
		JSON.stringify(run.error ?? {}),
		run.error?.message,
		run.error?.stack,
		run.error?.description,
		String((run.error as Error | undefined)?.cause),
		...run.logs,
	].join('\n');

/** Fails if the run has the token in any encoding, or a part of it that is long enough to be useful. */
function expectNoToken(run: Run): void {
	const traces = visibleIn(run);
	for (const encoding of Object.values(encodings(TOKEN))) expect(traces).not.toContain(encoding);
	expect(traces).not.toContain(TOKEN.slice(0, 12));
	expect(traces).not.toContain(TOKEN.slice(-12));
}

const encoded = Object.entries(encodings(TOKEN));

it.each<
	[string, (written: string) => { status: number; body?: string | object; headers?: object }]
>([
	[
		'in a refusal',
		(token) => ({ status: 422, body: { message: token, errors: { [token]: [token] } } }),
	],
	[
		'in an error',
		(token) => ({ status: 500, body: { error: `Cannot read ${token} of ${token}` } }),
	],
	[
		'in an envelope',
		(token) => ({ status: 200, body: { code: 200, message: token, data: { [token]: [token] } } }),
	],
	['as a code', (token) => ({ status: 200, body: { code: token, message: 'no' } })],
	['on a page', (token) => ({ status: 502, body: `<title>${token}</title>` })],
	['after a long text', (token) => ({ status: 500, body: `<p>${'x'.repeat(285)} ${token}</p>` })],
	['in invalid JSON', (token) => ({ status: 200, body: `{"message":"${token}` })],
	[
		'in a redirect',
		(token) => {
			const target = encodeURI(token).replaceAll('\\', '%5C');
			return { status: 302, headers: { Location: `http://127.0.0.1:9/${target}?t=${target}` } };
		},
	],
])(
	'the node shows nowhere a token that the gateway repeats %s, however it writes it',
	async (_, respond) => {
		const options = { maxRetries: 0 };
		for (const [, written] of encoded) {
			harness.gateway.misbehave({ times: 3, respond: respond(written) as never });
			expectNoToken(await harness.run(text({ options })));
			expectNoToken(await harness.run(text({ options }), { node: CONTINUE_ON_FAIL }));
			const items = [withFile('photo.jpg')];
			expectNoToken(await harness.run(file('image', 'send', { options }), { items }));
		}
		expect(harness.requestCount).toBe(3 * encoded.length);
		for (const { headers } of harness.gateway.requests) {
			expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
		}
	},
);

it.each(['resetBeforeBody', 'resetAfterBody', 'halfAnswer', 'silence'] as const)(
	'the node shows no token in an error after %s',
	async (fault) => {
		harness.gateway.misbehave({ fault });
		const options = { maxRetries: 0, timeout: 200 };

		expectNoToken(await harness.run(text({ options })));
		expectNoToken(await harness.run(text({ options }), { node: CONTINUE_ON_FAIL }));
	},
);

it('the node shows no token in a successful run, nor in one with an invalid Base URL', async () => {
	const credential = { ...harness.credential, baseUrl: 'no where' };

	expectNoToken(await harness.run(text()));
	expectNoToken(await harness.run(text(), { credential }));
});

it.each<[string, INodeParameters, ItemInput[] | undefined]>([
	['a text', text(), undefined],
	['a file', file('image', 'send'), [withFile('photo.jpg')]],
])('the node sends %s to no other server that a redirect names', async (_, parameters, items) => {
	let strangers = 0;
	await withServer(
		(_request, response) => {
			strangers++;
			response.end('{"code":200}');
		},
		async (url) => {
			harness.gateway.misbehave({
				respond: { status: 307, headers: { Location: `${url}/steal` } },
			});
			const run = await harness.run(parameters, { items, node: CONTINUE_ON_FAIL });
			expect(errorOf(run)).toMatchObject({ outcome: 'notSent', httpCode: '307' });
		},
	);

	expect(strangers).toBe(0);
});

import type { Run } from '../support/engine/engine';
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
const PLAIN = 'plain-token-0123456789abcdef';

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

/** Fails if the run has the secret in any encoding, or a part of it that is long enough to be useful. */
function expectNoSecret(run: Run, secret: string): void {
	const traces = visibleIn(run);
	for (const encoding of Object.values(encodings(secret))) expect(traces).not.toContain(encoding);
	expect(traces).not.toContain(secret.slice(0, 12));
	expect(traces).not.toContain(secret.slice(-12));
}

describe.each([
	['of letters and digits', PLAIN],
	['of all kinds of characters', TOKEN],
])('a token %s', (_kind, token) => {
	const harness = useHarness({ binaryMode: 'filesystem' }, { token });
	const both = async () => {
		const options = { maxRetries: 0 };
		const runs = [
			await harness.run(text({ options })),
			await harness.run(text({ options }), { node: CONTINUE_ON_FAIL }),
			await harness.run(file('image', 'send', { options }), { items: [withFile('photo.jpg')] }),
		];
		expect(harness.requestCount).toBe(3);
		for (const { headers } of harness.gateway.requests) {
			expect(headers.authorization).toBe(`Bearer ${token}`);
		}
		return runs;
	};

	describe.each(Object.entries(encodings(token)))('that the gateway repeats, %s', (_w, written) => {
		it.each<[string, number, string | object]>([
			['in a refusal', 422, { message: `Bad token ${written}`, errors: { [written]: [written] } }],
			['in an error', 500, { error: `Cannot read ${written} of ${written}` }],
			['in an envelope', 200, { code: 200, message: written, data: { [written]: [written] } }],
			['as a code', 200, { code: written, message: 'no' }],
			['on a page', 502, `<title>${written}</title>`],
			['after a long text', 500, `<p>${'x'.repeat(285)} ${written}</p>`],
			['in raw JSON', 500, `{"message":"${'y'.repeat(260)} ${written}"}`],
			['in invalid JSON', 200, `{"message":"${written}`],
			['on a page with status 200', 200, `<p>${written}</p>`],
		])('%s', async (_where, status, body) => {
			harness.gateway.misbehave({ respond: { status, body } });

			for (const run of await both()) expectNoSecret(run, token);
		});

		it('in a redirect', async () => {
			const target = encodeURI(written).replaceAll('\\', '%5C');
			const headers = { Location: `http://127.0.0.1:9/${target}?t=${target}` };
			harness.gateway.misbehave({ respond: { status: 302, headers } });

			for (const run of await both()) expectNoSecret(run, token);
		});
	});

	it.each(['resetBeforeBody', 'resetAfterBody', 'halfAnswer', 'silence'] as const)(
		'does not appear in an error after %s',
		async (fault) => {
			harness.gateway.misbehave({ fault });
			const options = { maxRetries: 0, timeout: 200 };

			expectNoSecret(await harness.run(text({ options })), token);
			expectNoSecret(await harness.run(text({ options }), { node: CONTINUE_ON_FAIL }), token);
		},
	);

	it('does not appear in a successful run', async () => {
		expectNoSecret(await harness.run(text()), token);
	});

	it('does not appear in a run with an invalid Base URL', async () => {
		const credential = { ...harness.credential, baseUrl: 'no where' };

		expectNoSecret(await harness.run(text(), { credential }), token);
	});
});

describe('another server that a redirect points to', () => {
	const harness = useHarness({}, { token: PLAIN });
	const afterRedirect = async (status: number, parameters: Parameters<typeof harness.run>) => {
		const met: string[] = [];
		await withServer(
			(request, response) => {
				met.push(JSON.stringify([request.url, request.headers]));
				response.end('{"code":200}');
			},
			async (url) => {
				harness.gateway.misbehave({ respond: { status, headers: { Location: `${url}/steal` } } });
				const run = await harness.run(...parameters);
				const outcome = status === 303 ? 'uncertain' : 'notSent';
				expect(errorOf(run)).toMatchObject({ outcome, httpCode: String(status) });
			},
		);
		return met;
	};

	it.each([301, 302, 303, 307, 308])('gets nothing after a %i', async (status) => {
		expect(await afterRedirect(status, [text(), { node: CONTINUE_ON_FAIL }])).toEqual([]);
	});

	it('gets no file either', async () => {
		const options = { items: [withFile('photo.jpg')], node: CONTINUE_ON_FAIL };

		expect(await afterRedirect(307, [file('image', 'send'), options])).toEqual([]);
	});
});

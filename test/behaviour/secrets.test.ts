import type { Run } from '../support/engine/engine';
import { file, GOES_ON, text, useWorld, withFile, withServer, errorOf } from '../support/world';

/** With everything that one encoding or another writes differently. */
const TOKEN = 'tok/en+"quoted"&<x>=\\7secret-1234567890';
const PLAIN = 'plain-token-0123456789abcdef';

/** How a server may write a text. */
const writings = (secret: string): Record<string, string> => ({
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

/** Everything of a run that n8n shows, logs or keeps. */
const tracesOf = (run: Run): string =>
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

/** Nothing of it, in any writing, not even a part that is long enough to be of use. */
function expectNone(run: Run, secret: string): void {
	const traces = tracesOf(run);
	for (const writing of Object.values(writings(secret))) expect(traces).not.toContain(writing);
	expect(traces).not.toContain(secret.slice(0, 12));
	expect(traces).not.toContain(secret.slice(-12));
}

describe.each([
	['of letters and digits', PLAIN],
	['of all kinds of characters', TOKEN],
])('a token %s', (_kind, token) => {
	const world = useWorld({ binaryMode: 'filesystem' }, { token });
	const both = async () => {
		const options = { maxRetries: 0 };
		const runs = [
			await world.run(text({ options })),
			await world.run(text({ options }), { node: GOES_ON }),
			await world.run(file('image', 'send', { options }), { items: [withFile('photo.jpg')] }),
		];
		expect(world.requestCount).toBe(3);
		for (const { headers } of world.gateway.requests) {
			expect(headers.authorization).toBe(`Bearer ${token}`);
		}
		return runs;
	};

	describe.each(Object.entries(writings(token)))('that the gateway repeats %s', (_w, written) => {
		it.each<[string, number, string | object]>([
			['in a refusal', 422, { message: `Bad token ${written}`, errors: { [written]: [written] } }],
			['in an error', 500, { error: `Cannot read ${written} of ${written}` }],
			['in an envelope', 200, { code: 200, message: written, data: { [written]: [written] } }],
			['as a code', 200, { code: written, message: 'no' }],
			['on a page', 502, `<title>${written}</title>`],
			['after a long text', 500, `<p>${'x'.repeat(285)} ${written}</p>`],
			['in raw JSON', 500, `{"message":"${'y'.repeat(260)} ${written}"}`],
			['in raw JSON that is broken', 200, `{"message":"${written}`],
			['on a page with status 200', 200, `<p>${written}</p>`],
		])('%s', async (_where, status, body) => {
			world.gateway.misbehave({ respond: { status, body } });

			for (const run of await both()) expectNone(run, token);
		});

		it('in a redirect', async () => {
			const target = encodeURI(written).replaceAll('\\', '%5C');
			const headers = { Location: `http://127.0.0.1:9/${target}?t=${target}` };
			world.gateway.misbehave({ respond: { status: 302, headers } });

			for (const run of await both()) expectNone(run, token);
		});
	});

	it.each(['resetBeforeBody', 'resetAfterBody', 'halfAnswer', 'silence'] as const)(
		'is in no error after %s',
		async (fault) => {
			world.gateway.misbehave({ fault });
			const options = { maxRetries: 0, timeout: 200 };

			expectNone(await world.run(text({ options })), token);
			expectNone(await world.run(text({ options }), { node: GOES_ON }), token);
		},
	);

	it('is in nothing of a run that goes well', async () => {
		expectNone(await world.run(text()), token);
	});

	it('is in nothing of a run with a Base URL that is none', async () => {
		const credential = { ...world.credential, baseUrl: 'no where' };

		expectNone(await world.run(text(), { credential }), token);
	});
});

describe('another server', () => {
	const world = useWorld({}, { token: PLAIN });
	const meeting = async (status: number, parameters: Parameters<typeof world.run>) => {
		const met: string[] = [];
		await withServer(
			(request, response) => {
				met.push(JSON.stringify([request.url, request.headers]));
				response.end('{"code":200}');
			},
			async (url) => {
				world.gateway.misbehave({ respond: { status, headers: { Location: `${url}/steal` } } });
				const run = await world.run(...parameters);
				const outcome = status === 303 ? 'uncertain' : 'notSent';
				expect(errorOf(run)).toMatchObject({ outcome, httpCode: String(status) });
			},
		);
		return met;
	};

	it.each([301, 302, 303, 307, 308])('gets nothing at all after a %i', async (status) => {
		expect(await meeting(status, [text(), { node: GOES_ON }])).toEqual([]);
	});

	it('gets no file either', async () => {
		const options = { items: [withFile('photo.jpg')], node: GOES_ON };

		expect(await meeting(307, [file('image', 'send'), options])).toEqual([]);
	});
});

/** Tests n8n behind a proxy: n8n's own settings apply to every request, and the node adds none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import {
	bulk,
	errorOf,
	file,
	freePort,
	CONTINUE_ON_FAIL,
	jsonOf,
	sample,
	sha256,
	text,
	useHarness,
	withFile,
	withServer,
} from '../support/harness';
import type { ItemInput, Run } from '../support/engine/engine';
import { startGateway, type Gateway } from '../../practice-gateway/index';
import { startForwardProxy, type ForwardProxy } from '../support/forwardProxy';

const harness = useHarness({ binaryMode: 'filesystem' });

/** No name server knows these hosts, so they can be reached only through the proxy. */
const PLAIN = 'http://plain.gateway.test';
const SECURED = 'https://secured.gateway.test';

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
	name,
	name.toLowerCase(),
]);

let secured: Gateway;
let proxy: ForwardProxy;
let filesPort: number;
let before: Record<string, string | undefined>;

const portOf = (url: string) => Number(new URL(url).port);

beforeAll(async () => {
	const pem = (name: string) => readFileSync(join(__dirname, '../support/tls', name), 'utf8');
	secured = await startGateway({ tls: { key: pem('key.pem'), cert: pem('cert.pem') } });
	proxy = await startForwardProxy((name) => {
		if (name.startsWith('files')) return filesPort;
		return portOf((name.startsWith('secured') ? secured : harness.gateway).baseUrl);
	});
	before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
});
beforeEach(() => behindProxy({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }));
afterEach(() => {
	secured.clear();
	proxy.passed.length = 0;
	delete proxy.refuse;
});
afterAll(async () => {
	behindProxy(before);
	await proxy.close();
	await secured.close();
});

/** Sets these proxy variables, and clears all others. */
function behindProxy(variables: Record<string, string | undefined>): void {
	for (const name of VARIABLES) {
		if (variables[name] === undefined) delete process.env[name];
		else process.env[name] = variables[name];
	}
}

async function sendTo(baseUrl: string, { parameters, items }: Row): Promise<Run> {
	const { token: accessToken, deviceId } = baseUrl === SECURED ? secured : harness.gateway;
	const credential = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: true };
	return await harness.run(parameters, { items, credential, node: CONTINUE_ON_FAIL });
}

interface Row {
	parameters: INodeParameters;
	items?: ItemInput[];
	path: string;
}

const rows: Record<string, Row> = {
	'a text': { parameters: text(), path: '/api/v1/message/send' },
	'a list': {
		parameters: bulk({ phoneNumbers: '6281234567890' }),
		path: '/api/v1/message/sendbulk',
	},
	'an image': {
		parameters: file('image', 'send', { caption: 'Grüße' }),
		items: [withFile('photo.jpg')],
		path: '/api/v2/message/send-image',
	},
	'a document of 5 MB': {
		parameters: file('document', 'send'),
		items: [
			{
				binary: {
					data: {
						fileName: 'ü.pdf',
						mimeType: 'application/pdf',
						content: Buffer.alloc(5 * 1024 * 1024, sample('document.pdf')),
					},
				},
			},
		],
		path: '/api/v2/message/send-document',
	},
};

/** Returns the SHA-256 of the file that a row sends, if any. */
function hashIn({ items }: Row): string | undefined {
	const given = items?.[0]?.binary?.data;
	return given && 'content' in given ? sha256(given.content as Buffer) : undefined;
}

describe.each(Object.entries(rows))('%s', (_, row) => {
	it('goes through HTTP_PROXY', async () => {
		const run = await sendTo(PLAIN, row);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(proxy.passed).toEqual([`POST ${PLAIN}${row.path}`]);
		expect(harness.gateway.messages).toHaveLength(1);
		expect(harness.gateway.messages[0]?.file?.sha256).toBe(hashIn(row));
		expect(harness.gateway.requests[0]?.headers).toMatchObject({
			host: 'plain.gateway.test',
			authorization: `Bearer ${harness.gateway.token}`,
			'content-length': expect.any(String),
		});
	});

	it('goes through HTTPS_PROXY, in a tunnel that the proxy cannot read', async () => {
		const run = await sendTo(SECURED, row);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(proxy.passed).toEqual(['CONNECT secured.gateway.test:443']);
		expect(secured.messages).toHaveLength(1);
		expect(secured.messages[0]?.file?.sha256).toBe(hashIn(row));
	});

	it.each([
		['past it', '127.0.0.1'],
		['past it', '.gateway.test,127.0.0.1'],
		['past it', '*'],
		['through it', '.gateway.test'],
	])('goes %s with NO_PROXY=%s', async (where, NO_PROXY) => {
		behindProxy({ HTTP_PROXY: proxy.url, NO_PROXY });
		const { baseUrl } = harness.gateway;
		const run = await sendTo(baseUrl, row);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(proxy.passed).toEqual(where === 'past it' ? [] : [`POST ${baseUrl}${row.path}`]);
	});

	it.each([
		[PLAIN, 407],
		[PLAIN, 403],
		[SECURED, 407],
		[SECURED, 403],
	])('is not sent to %s if the proxy answers %i', async (baseUrl, status) => {
		proxy.refuse = status;
		const run = await sendTo(baseUrl, row);

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			httpCode: String(status),
		});
		expect([...harness.gateway.requests, ...secured.requests]).toEqual([]);
	});

	it.each([PLAIN, SECURED])('is not sent to %s if the proxy is not running', async (baseUrl) => {
		const nobody = `http://127.0.0.1:${await freePort()}`;
		behindProxy({ HTTP_PROXY: nobody, HTTPS_PROXY: nobody });
		const options = { maxRetries: 0 };
		const run = await sendTo(baseUrl, { ...row, parameters: { ...row.parameters, options } });

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
		});
	});
});

it('a file is fetched through the proxy too', async () => {
	const content = sample('document.pdf');
	await withServer(
		(_request, response) => response.end(content),
		async (url) => {
			filesPort = portOf(url);
			behindProxy({ HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' });
			const fileUrl = 'http://files.test/a.pdf';
			const parameters = file('document', 'send', { fileSource: 'url', fileUrl });
			const run = await sendTo(harness.gateway.baseUrl, { parameters, path: '' });

			expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
			expect(proxy.passed).toEqual([`GET ${fileUrl}`]);
			expect(harness.gateway.messages[0]?.file?.sha256).toBe(sha256(content));
		},
	);
});

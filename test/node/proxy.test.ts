/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Tests n8n behind a proxy: n8n's own settings apply to every request, and the node adds none. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import {
	errorOf,
	file,
	freePort,
	CONTINUE_ON_FAIL,
	jsonOf,
	sample,
	sha256,
	text,
	useHarness,
	withServer,
} from '../support/harness';
import type { ItemInput, Run } from '../support/engine/engine';
import type { Gateway } from '../../practice-gateway/index';
import { startDescribedGateway } from '../support/describedGateway';
import { mainRealm } from '../support/mainRealm';
import { startForwardProxy, type ForwardProxy } from '../support/forwardProxy';

const harness = useHarness({ binaryMode: 'filesystem' });

const { env } = mainRealm.process;

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
	secured = await startDescribedGateway({ tls: { key: pem('key.pem'), cert: pem('cert.pem') } });
	proxy = await startForwardProxy((name) => {
		if (name.startsWith('files')) return filesPort;
		return portOf((name.startsWith('secured') ? secured : harness.gateway).baseUrl);
	});
	before = Object.fromEntries(VARIABLES.map((name) => [name, env[name]]));
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
		if (variables[name] === undefined) delete env[name];
		else env[name] = variables[name];
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

const each = Object.entries(rows);
const forEach = <T extends unknown[]>(...more: T[]) =>
	each.flatMap(([what, row]) => more.map((given) => [what, ...given, row] as const));

it.each(each)('the node sends %s through HTTP_PROXY', async (_, row) => {
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

it.each(each)(
	'the node sends %s through HTTPS_PROXY, in a tunnel that the proxy cannot read',
	async (_, row) => {
		const run = await sendTo(SECURED, row);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(proxy.passed).toEqual(['CONNECT secured.gateway.test:443']);
		expect(secured.messages).toHaveLength(1);
		expect(secured.messages[0]?.file?.sha256).toBe(hashIn(row));
	},
);

it.each(forEach(['past', '.gateway.test,127.0.0.1'], ['through', '.gateway.test']))(
	'the node sends %s %s the proxy with NO_PROXY=%s',
	async (_, where, NO_PROXY, row) => {
		behindProxy({ HTTP_PROXY: proxy.url, NO_PROXY });
		const { baseUrl } = harness.gateway;
		const run = await sendTo(baseUrl, row);

		expect(jsonOf(run)).toMatchObject([{ code: 200 }]);
		expect(proxy.passed).toEqual(where === 'past' ? [] : [`POST ${baseUrl}${row.path}`]);
	},
);

it.each(forEach([PLAIN], [SECURED]))(
	'the node does not send %s to %s if the proxy wants a sign-in',
	async (_, baseUrl, row) => {
		proxy.refuse = 407;
		const run = await sendTo(baseUrl, row);

		expect(errorOf(run)).toMatchObject({ outcome: 'notSent', httpCode: '407' });
		expect([...harness.gateway.requests, ...secured.requests]).toEqual([]);
	},
);

it.each(forEach([PLAIN], [SECURED]))(
	'the node does not send %s to %s if the proxy is not running',
	async (_, baseUrl, row) => {
		const nobody = `http://127.0.0.1:${await freePort()}`;
		behindProxy({ HTTP_PROXY: nobody, HTTPS_PROXY: nobody });
		const options = { maxRetries: 0 };
		const run = await sendTo(baseUrl, { ...row, parameters: { ...row.parameters, options } });

		expect(errorOf(run)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
		});
	},
);

it('the node fetches a file through the proxy too', async () => {
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

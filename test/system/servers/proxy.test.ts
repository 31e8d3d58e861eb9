/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Tests a real n8n with a proxy, set by environment variables as n8n's documentation describes. */
import { join } from 'node:path';
import { sample, sha256 } from '../../support/harness';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	gatewayNode,
	headlessN8n,
	readFiles,
	removeUserFolder,
	trigger,
	workflow,
} from '../../../tools/n8n/server/index';
import { startForwardProxy, type ForwardProxy } from '../../support/forwardProxy';

const CREDENTIAL = { id: 'gateway', name: 'Gateway' };
const FILES = join(__dirname, '../../support/files');
/** No name server knows this host, so it can be reached only through the proxy. */
const NAMED = 'http://plain.gateway.test/customers/42';

let gateway: Gateway;
let proxy: ForwardProxy;
let userFolder: string;

beforeAll(async () => {
	gateway = await startGateway({ pathPrefix: '/customers/42' });
	proxy = await startForwardProxy(() => Number(new URL(gateway.baseUrl).port));
	userFolder = await createUserFolder();
});
afterEach(() => {
	gateway.clear();
	proxy.passed.length = 0;
});
afterAll(async () => {
	await proxy?.close();
	await gateway?.close();
	if (userFolder) removeUserFolder(userFolder);
});

/** Sends a text and a document from one n8n with these settings. */
async function sendBoth(baseUrl: string, noProxy: string): Promise<void> {
	const env = { HTTP_PROXY: proxy.url, NO_PROXY: noProxy, http_proxy: '', no_proxy: '' };
	const n8n = await headlessN8n({ userFolder, files: FILES, env });
	const { token: accessToken, deviceId } = gateway;
	const data = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: false };
	await n8n.importCredentials([{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]);
	const send = { operation: 'send', phoneNumber: '6281234567890' };
	const nodes = [
		trigger(),
		gatewayNode('Text', { resource: 'text', ...send, message: 'Grüße & 日本' }, CREDENTIAL),
		readFiles('File', join(FILES, 'document.pdf')),
		gatewayNode('Document', { resource: 'document', ...send }, CREDENTIAL),
	];
	const both = workflow('Both', nodes, [
		['Start', 'Text'],
		['Start', 'File'],
		['File', 'Document'],
	]);
	await n8n.importWorkflow({ id: 'both', ...both });
	await n8n.execute('both');
}

function expectBothArrived(): void {
	const { messages } = gateway;
	expect(messages.map(({ endpoint }) => endpoint).sort()).toEqual(['v1/send', 'v2/send-document']);
	expect(messages.find(({ text }) => text)?.text).toBe('Grüße & 日本');
	expect(messages.find(({ file }) => file)?.file?.sha256).toBe(sha256(sample('document.pdf')));
}

/** Returns the proxy's requests to the gateway; n8n may use the proxy for other requests too. */
const passedTo = (baseUrl: string) => proxy.passed.filter((line) => line.includes(baseUrl)).sort();

test('a text and a document go through HTTP_PROXY', async () => {
	await sendBoth(NAMED, '');

	expectBothArrived();
	expect(passedTo(NAMED)).toEqual([
		`POST ${NAMED}/api/v1/message/send`,
		`POST ${NAMED}/api/v2/message/send-document`,
	]);
});

test('a text and a document bypass HTTP_PROXY if NO_PROXY names the gateway', async () => {
	await sendBoth(gateway.baseUrl, 'example.com,127.0.0.1');

	expectBothArrived();
	expect(passedTo('')).toEqual([]);
});

test('a text and a document go through HTTP_PROXY if NO_PROXY names other hosts', async () => {
	await sendBoth(gateway.baseUrl, 'example.com');

	expectBothArrived();
	expect(passedTo(gateway.baseUrl)).toHaveLength(2);
});

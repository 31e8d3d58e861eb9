/** n8n behind a company's proxy: the node's requests go the way that n8n's settings name. */
import { join } from 'node:path';
import { startGateway, type Gateway } from '../gateway';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	gatewayNode,
	headlessN8n,
	readFiles,
	removeUserFolder,
	trigger,
	workflow,
} from '../n8n';
import { startForwardProxy, type ForwardProxy } from '../servers/forwardProxy';
import { credentialData } from './credentialData';

const CREDENTIAL = { id: 'gatewayCredential', name: 'Gateway' };
const FILES = join(__dirname, '../files');
const TO = { operation: 'send', phoneNumber: '6281234567890' };

let gateway: Gateway;
let proxy: ForwardProxy;
let userFolder: string;

beforeAll(async () => {
	gateway = await startGateway();
	proxy = await startForwardProxy();
	userFolder = await createUserFolder();
});

afterAll(async () => {
	await gateway?.close();
	await proxy?.close();
	if (userFolder) removeUserFolder(userFolder);
});

beforeEach(() => {
	gateway.clear();
	proxy.hosts.length = 0;
});

/** Sends a text and a document; gives what became of the execution. */
async function send(id: string, env: Record<string, string>): Promise<string> {
	const n8n = await headlessN8n({ userFolder, files: FILES, env });
	const data = credentialData(gateway);
	await n8n.importCredentials([{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]);
	const nodes = [
		trigger(),
		gatewayNode('Text', { resource: 'text', ...TO, message: 'Hello' }, CREDENTIAL),
		readFiles('Read', join(FILES, 'document.pdf')),
		gatewayNode('Document', { resource: 'document', ...TO }, CREDENTIAL),
	];
	const sending = workflow('Proxy', nodes, [
		['Start', 'Text'],
		['Text', 'Read'],
		['Read', 'Document'],
	]);
	await n8n.importWorkflow({ id, ...sending });
	return (await n8n.execute(id)).status;
}

const atGateway = () => gateway.messages.map(({ endpoint }) => endpoint);
const throughProxy = () => proxy.hosts.filter((host) => gateway.baseUrl.endsWith(host));

test('HTTP_PROXY leads texts and uploads through the proxy', async () => {
	expect(await send('proxied', { HTTP_PROXY: proxy.url })).toBe('success');
	expect(atGateway()).toEqual(['v1/send', 'v2/send-document']);
	expect(throughProxy()).toHaveLength(2);
});

test('NO_PROXY leads them past it', async () => {
	const env = { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1,localhost' };
	expect(await send('direct', env)).toBe('success');
	expect(atGateway()).toEqual(['v1/send', 'v2/send-document']);
	expect(throughProxy()).toEqual([]);
});

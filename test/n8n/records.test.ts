/** What version 1.1.0 has left in n8n's database goes on in a real n8n; `test/node/records.test.ts` retries the rest. */
import type { Gateway } from '../../practice-gateway/index';
import { startGateway } from '../../practice-gateway/index';
import { NODE_NAME } from '../support/engine/execution';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	ensureN8n,
	headlessN8n,
	removeUserFolder,
	startN8n,
	type N8nServer,
} from '../support/n8n/index';
import { approve, outputOf } from '../support/questions';
import { readReleases, restore, type Release } from '../support/records/records';
import { CREDENTIAL, ENV } from '../support/records/scenes';
import { credentialData } from './credentialData';

const { scenes, ...release } = readReleases().find(({ node }) => node === '1.1.0') as Release;

let gateway: Gateway;
let userFolder: string;
let n8n: N8nServer;

beforeAll(async () => {
	gateway = await startGateway();
	userFolder = await createUserFolder();
	const headless = await headlessN8n({ userFolder });
	const data = credentialData(gateway);
	await headless.importCredentials([{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]);
	restore(await ensureN8n(), userFolder, { ...release, scenes });
	n8n = await startN8n({ userFolder, env: ENV });
});

afterAll(async () => {
	await n8n?.stop();
	await gateway.close();
	removeUserFolder(userFolder);
});

it('a recorded question takes its reply, and is not asked again', async () => {
	const { executionId = '', link = '' } = scenes.question ?? {};
	const page = await approve(link.replace(/^http:\/\/[^/]+/, n8n.url));
	expect(page.status).toBe(200);
	const execution = await n8n.api.waitForEnd(executionId);
	expect(execution.status).toBe('success');
	expect(outputOf(execution, NODE_NAME)).toMatchObject([{ data: { approved: true } }]);
	expect(gateway.messages).toEqual([]);
});

it("a Retry in n8n's list of executions sends nothing of a recorded failed one", async () => {
	const { executionId = '' } = scenes.failed ?? {};
	const { status } = await n8n.api.waitForEnd(await n8n.api.retry(executionId));
	expect(status).toBe('error');
	expect(gateway.messages).toEqual([]);
});

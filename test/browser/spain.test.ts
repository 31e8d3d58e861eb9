/**
 * A shop in Spain, in n8n's editor: numbers as people there write them, a wrong one, an opt-out, and
 * a text for each of more than 1,000 customers.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { startGateway, type Gateway } from '../../practice-gateway/index';
import { launchBrowser, pictureFile } from '../support/browser';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	freePort,
	gatewayNode,
	givenItems,
	removeUserFolder,
	startN8n,
	trigger,
	workflow,
	type N8nServer,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { Editor } from './editor';

const NODE = 'Messaging Gateway';

let browser: Browser;
let gateway: Gateway;
let userFolder: string;
let n8n: N8nServer;
let editor: Editor;
let credential: SavedCredential;

beforeAll(async () => {
	gateway = await startGateway({ port: await freePort(8025) });
	userFolder = await createUserFolder();
	n8n = await startN8n({ userFolder, hasEditor: true });
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const data = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: false };
	credential = await n8n.api.createCredential('Gateway', CREDENTIAL_TYPE, data);
	browser = await launchBrowser();
	editor = await Editor.signIn(browser, n8n.url);
	await editor.page.setViewportSize({ width: 1600, height: 1000 });
});

afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	await gateway?.close();
	if (userFolder) removeUserFolder(userFolder);
});

beforeEach(() => gateway.clear());

/** Opens the node that gets a text for each customer. */
async function openShop(customers: IDataObject[], parameters: INodeParameters): Promise<void> {
	const phoneNumber = '={{ $json.phone }}';
	const send = { resource: 'text', operation: 'send', phoneNumber, ...parameters };
	const nodes = [
		trigger(),
		...givenItems('Customers', customers),
		gatewayNode(NODE, send, credential),
	];
	nodes.forEach((each, column) => (each.position = [column * 260, 0]));
	const { id } = await n8n.api.createWorkflow(
		workflow('Shop', nodes, [
			['Start', 'Customers (list)'],
			['Customers (list)', 'Customers'],
			['Customers', NODE],
		]),
	);
	await editor.openWorkflow(id);
	await editor.openNode(NODE);
}

async function lookAt(name: string): Promise<void> {
	const path = pictureFile(name);
	if (path) await editor.picture(path);
}

test('a shop in Spain reaches the right customers, and sees which number is wrong', async () => {
	const customers = [
		{ name: 'Lucía', phone: '612 34 56 78' },
		{ name: 'Hugo', phone: '612 34 56' },
		{ name: 'Martina', phone: '698 76 54 32' },
		{ name: 'Pablo', phone: '0034 711 22 33 44' },
	];
	await openShop(customers, { message: '=Hola {{ $json.name }}, abrimos el lunes.' });
	await editor.addOption('Default Country Code');
	await editor.fill('defaultCountryCode', '34');
	await editor.addOption('Skip Numbers (Opt-Outs)');
	await editor.fill('skipNumbers', '+34 698 76 54 32');
	await editor.addOption('Dry Run (Send Nothing)');
	await editor.execute();
	await editor.output().getByText('4 recipients: 2 ready, 1 skipped, 1 refused').waitFor();
	await editor.output().getByText('“612 34 56” is').first().waitFor();
	await lookAt('spain-dry-run');
	expect(gateway.requests).toEqual([]);

	await editor.toggle('dryRun');
	await editor.continueOnError('Continue (using error output)');
	await editor.execute();
	await editor.output().getByText('4 recipients: 2 queued, 1 skipped, 1 not queued').waitFor();
	await lookAt('spain-sent');
	await editor.output().getByText('Error', { exact: false }).first().click();
	await lookAt('spain-errors');
	expect(gateway.messages).toMatchObject([
		{ recipients: ['34612345678'], text: 'Hola Lucía, abrimos el lunes.' },
		{ recipients: ['34711223344'], text: 'Hola Pablo, abrimos el lunes.' },
	]);
});

test('a shop that sends 1,001 equal texts one by one sees that Send Bulk needs 3 requests', async () => {
	const customers = Array.from({ length: 1_001 }, (_, n) => ({ phone: `612 ${346_000 + n}` }));
	await openShop(customers, {
		message: 'Abrimos el lunes.',
		options: { defaultCountryCode: '34' },
	});
	await editor.execute();
	await editor.output().getByText('1,001 recipients: 1,001 queued').waitFor();
	await lookAt('one-by-one');
	const hint = editor.output().getByText('1,001 items have the same text');
	await hint.waitFor();
	expect(await hint.innerText()).toContain('needs 3 requests');
	expect(gateway.requests).toHaveLength(1_001);
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/**
 * A campaign in n8n's editor: a dry run of 500 rows with mistakes, which a person reads, then the
 * same workflow sends, and its last nodes write a CSV of who got it. And the example that asks on a
 * page before it sends.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startGateway, type Gateway } from '../../practice-gateway/index';
import { copyExampleData, madeReady } from '../../tools/n8n/examples';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	freePort,
	gatewayNode,
	node,
	readFiles,
	removeUserFolder,
	startN8n,
	trigger,
	workflow,
	type N8nServer,
	type NewWorkflow,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { documentationPicture, launchBrowser, pictureFile } from '../support/browser';
import { eventually } from '../support/until';
import { Editor } from './editor';

const NODE = 'Messaging Gateway';
const MAX_PICTURE_BYTES = 200 * 1024;

let folder: string;
let browser: Browser;
let gateway: Gateway;
let userFolder: string;
let n8n: N8nServer;
let editor: Editor;
let gatewayCredential: SavedCredential;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'campaign-'));
	gateway = await startGateway({ port: await freePort(8025) });
	userFolder = await createUserFolder();
	n8n = await startN8n({ userFolder, files: folder, hasEditor: true });
	writeFiles();
	gatewayCredential = await createCredential();
	browser = await launchBrowser();
	editor = await Editor.signIn(browser, n8n.url);
});

afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	await gateway?.close();
	if (userFolder) removeUserFolder(userFolder);
	rmSync(folder, { recursive: true, force: true });
});

const SUBSCRIBER = 81_200_001_000;
const ROWS = Array.from({ length: 500 }, (_, row) => row);
const WRONG = ['12 34', '2026-11-21', '8.12E+11', '', '-6281200001041', '192.168.12.34'];

/** Of 20 rows, one is wrong, one has opted out, and one has the number of another row. */
const isWrong = (row: number) => row % 20 === 1;
const hasOptedOut = (row: number) => row % 20 === 2;
const isDuplicate = (row: number) => row % 20 === 3;
const isReached = (row: number) => !isWrong(row) && !hasOptedOut(row) && !isDuplicate(row);

/** In the ways that people write them. */
function phoneIn(row: number): string {
	if (isWrong(row)) return WRONG[Math.floor(row / 20) % WRONG.length] ?? '';
	if (isDuplicate(row)) return `62${SUBSCRIBER + row - 3}`;
	const digits = String(SUBSCRIBER + row);
	const [first, middle, last] = [digits.slice(0, 3), digits.slice(3, 7), digits.slice(7)];
	return row % 2 === 0 ? `0${digits}` : `+62 ${first}-${middle}-${last}`;
}

function writeFiles(): void {
	const customers = ROWS.map((row) => `C${row},${phoneIn(row)}`);
	const optOuts = ROWS.filter(hasOptedOut).map((row) => `0${SUBSCRIBER + row}`);
	writeFileSync(join(folder, 'customers.csv'), ['customer,phone', ...customers].join('\n'));
	writeFileSync(join(folder, 'opt-outs.csv'), ['phone', ...optOuts].join('\n'));
}

async function createCredential(): Promise<SavedCredential> {
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const plan = { requestsPerMinute: 30, defaultCountryCode: '62' };
	const data = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: false, ...plan };
	return await n8n.api.createCredential('Gateway', CREDENTIAL_TYPE, data);
}

/** From two files to the file of who got it. */
function campaign(): NewWorkflow {
	const csv = { operation: 'csv', options: {} };
	const cell = (name: string, value: string) => ({ id: name, name, type: 'string', value });
	const cells = [
		cell('customer', "={{ $('Customers').item.json.customer }}"),
		cell('to', "={{ $json.to ?? '' }}"),
		cell('status', '={{ $json.status ?? $json.error.outcome }}'),
	];
	const result = { operation: 'write', fileName: join(folder, 'result.csv'), options: {} };
	const send = {
		resource: 'text',
		operation: 'sendBulk',
		recipientSource: 'items',
		phoneNumberField: 'phone',
		message: 'We are closed on Monday.',
		options: {
			output: 'perRecipient',
			skipNumbers: "={{ $('Opt-outs').all().map((item) => item.json.phone) }}",
		},
	};
	const once = { executeOnce: true };
	const nodes = [
		trigger(),
		readFiles('Read opt-outs.csv', join(folder, 'opt-outs.csv')),
		node('Opt-outs', 'n8n-nodes-base.extractFromFile', 1, csv),
		{ ...readFiles('Read customers.csv', join(folder, 'customers.csv')), ...once },
		node('Customers', 'n8n-nodes-base.extractFromFile', 1, csv),
		gatewayNode(NODE, send, gatewayCredential),
		node('Rows', 'n8n-nodes-base.set', 3.4, { assignments: { assignments: cells }, options: {} }),
		node('As a table', 'n8n-nodes-base.convertToFile', 1.1, csv),
		node('Write result.csv', 'n8n-nodes-base.readWriteFile', 1, result),
	];
	nodes.forEach((each, column) => (each.position = [column * 200, 0]));
	const arrows = nodes
		.slice(1)
		.map(({ name }, before): [string, string] => [nodes[before]?.name ?? '', name]);
	return workflow('Closed on Monday', nodes, arrows);
}

test('a dry run shows who would get the message, and what is wrong with the others', async () => {
	const { id } = await n8n.api.createWorkflow(campaign());
	await editor.page.setViewportSize({ width: 1840, height: 1000 });
	await editor.openWorkflow(id);
	await editor.openNode(NODE);
	await editor.addOption('Dry Run (Send Nothing)');
	await editor.execute();
	await editor.byId('node-run-status-success').waitFor();
	await lookAt('dry-run-editor');
	await editor.output().getByText('“12 34” is not a phone number').first().waitFor();

	const words = ['ready', 'skipped', 'Skip Numbers', '“12 34” is not a phone number'];
	words.push('nothing was queued. 500 messages to 475 numbers: 425 ready, 50 skipped, 25 refused');
	for (const word of [...words, '25 duplicate phone numbers']) {
		await eventually(async () => expect(await editor.output().innerText()).toContain(word));
	}
	expect(gateway.requests).toEqual([]);

	const picture = documentationPicture('dry-run');
	await editor.pictureOf(editor.output(), 600, picture);
	expect(statSync(picture).size).toBeLessThan(MAX_PICTURE_BYTES);
});

test('a run without the dry run sends, and the sums of its CSV are those of the gateway', async () => {
	await editor.toggle('dryRun');
	await editor.continueOnError();
	await editor.closeNode();
	await editor.executeWorkflow();
	await editor.page.getByText('Workflow executed successfully').first().waitFor();

	const [head, ...lines] = readFileSync(join(folder, 'result.csv'), 'utf8').trim().split(/\r?\n/);
	expect(head).toMatch(/customer,to,status$/);
	const rows = lines.map((line) => line.split(','));
	expect(rows.map(([customer]) => customer)).toEqual(ROWS.map((row) => `C${row}`));
	const statuses = rows.map(([, , status]) => status);
	expect(statuses).toEqual(
		ROWS.map((row) => (isWrong(row) ? 'notSent' : isReached(row) ? 'queued' : 'skipped')),
	);

	const queued = rows.filter(([, , status]) => status === 'queued').map(([, to]) => to);
	const ledger = gateway.messages.flatMap(({ recipients }) => recipients);
	expect(queued.sort()).toEqual([...ledger].sort());
	expect(ledger).toHaveLength(425);
	expect(new Set(ledger).size).toBe(425);

	await editor.openNode(NODE);
	const sums = /500 messages to 475 numbers: 425 \w+, 50 skipped, 25 not queued/;
	await editor.output().getByText(sums).waitFor();
	const picture = pictureFile('campaign-sent');
	if (picture) await editor.pictureOf(editor.output(), 600, picture);
});

test('example 11 shows the sums on a page, and sends after a yes', async () => {
	gateway.clear();
	const data = join(folder, 'example');
	mkdirSync(data);
	copyExampleData(data);
	const example = madeReady('11-check-a-mailing-before-you-send-it.json', gatewayCredential, {
		folder: data,
	});
	const { id } = await n8n.api.createWorkflow(example);
	await editor.openWorkflow(id);
	const opened = editor.page.waitForEvent('popup');
	await editor.executeWorkflow();
	const form = await opened;
	await form.setViewportSize({ width: 800, height: 900 });
	await pictureOfPage(form, 'form-text');
	await form.locator('textarea').fill('Dear {name}, we are closed on Monday.');
	await form.getByRole('button', { name: 'Check the list' }).click();

	await form.getByText('6 ready, 2 skipped, 4 refused').waitFor({ timeout: 60_000 });
	await form.getByText('To Ana: Dear Ana, we are closed on Monday.').waitFor();
	await form.getByText('{name} is empty in 1 of 6 texts: Row 13').waitFor();
	await form.getByText('Gita (no number): ').waitFor();
	expect(gateway.requests).toEqual([]);
	const picture = documentationPicture('dry-run-form');
	await form.locator('form').screenshot({ path: picture, caret: 'hide' });
	expect(statSync(picture).size).toBeLessThan(MAX_PICTURE_BYTES);

	await form.locator('select').selectOption('Send it');
	await form.getByRole('button', { name: 'Continue' }).click();
	await form.getByText('6 queued, 2 skipped, 4 not queued').waitFor({ timeout: 60_000 });
	await pictureOfPage(form, 'form-sent');
	expect(gateway.messages.flatMap(({ recipients }) => recipients)).toHaveLength(6);
});

async function lookAt(name: string): Promise<void> {
	const path = pictureFile(name);
	if (path) await editor.picture(path);
}

async function pictureOfPage(page: Page, name: string): Promise<void> {
	const path = pictureFile(name);
	if (path) await page.screenshot({ path });
}

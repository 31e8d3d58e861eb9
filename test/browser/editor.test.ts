/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/**
 * Tests the packed node in n8n's editor in a browser: finds, sets up, fills in and executes it, and
 * reads the result. Also takes the pictures for the README and docs/.
 */
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import type { INode, INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { properties } from '../../nodes/MessagingGateway/operations';
import { startGateway, type Gateway } from '../../practice-gateway/index';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	freePort,
	gatewayNode,
	node,
	removeUserFolder,
	startN8n,
	trigger,
	workflow,
	type N8nServer,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { documentationPicture, launchBrowser, pictureFile } from '../support/browser';
import { eventually } from '../support/until';
import { DESKTOP, Editor, type Part, type Theme } from './editor';
import { toSequence, type Frame } from './sequence';

const FILES = join(__dirname, '..', 'support', 'files');
const NODE = 'Messaging Gateway';
const DEVICE = '3f1c2b7e-9a4d-4f6e-8b1a-5c2d7e9f0a1b';
const MAX_PICTURE_BYTES = 200 * 1024;
const MAX_SEQUENCE_BYTES = 400 * 1024;

let browser: Browser;
let gateway: Gateway;
let userFolder: string;
let n8n: N8nServer;
let editor: Editor;
let files: Server;
/** The pictures of a first message, for the README. */
const firstMessage: Frame[] = [];

beforeAll(async () => {
	gateway = await startGateway({ port: await freePort(8025), deviceId: DEVICE });
	userFolder = await createUserFolder();
	n8n = await startN8n({ userFolder, hasEditor: true });
	files = createServer(({ url = '' }, response) => {
		createReadStream(join(FILES, basename(url))).pipe(response);
	}).listen(0, '127.0.0.1');
	browser = await launchBrowser();
	const signedIn = await Editor.signInByHand(browser, n8n.url);
	editor = signedIn.editor;
	firstMessage.push({ caption: 'sign in to n8n', png: signedIn.picture });
});

afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	await gateway?.close();
	files?.close();
	if (userFolder) removeUserFolder(userFolder);
});

afterEach(() => gateway.clear());

async function pictureForDocs(name: string, part: Part): Promise<void> {
	const path = documentationPicture(name);
	await editor.picture(path, part);
	expect(statSync(path).size).toBeLessThan(MAX_PICTURE_BYTES);
}

async function pictureToLookAt(name: string): Promise<void> {
	const path = pictureFile(name);
	if (path) await editor.picture(path);
}

/** n8n shows which fields follow from a choice up to 200 ms later. */
async function expectLabels(labels: string[]): Promise<void> {
	await eventually(async () => expect(await editor.labels()).toEqual(labels));
}

/** Resolves to a picture of the gateway's outbox. */
async function outbox(): Promise<Buffer> {
	const page = await browser.newPage({ viewport: { width: 640, height: 300 } });
	await page.goto(`${gateway.baseUrl}/`);
	await page.getByRole('listitem').first().waitFor();
	const picture = await page.screenshot();
	await page.context().close();
	return picture;
}

/** Downloads by HTTP, because a file from disk would show a folder name in the pictures. */
function downloadOf(file: string): INode {
	const { port } = files.address() as AddressInfo;
	const parameters = {
		url: `http://127.0.0.1:${port}/${file}`,
		options: { response: { response: { responseFormat: 'file' } } },
	};
	return node('Download', 'n8n-nodes-base.httpRequest', 4.2, parameters);
}

async function gatewayCredential(): Promise<SavedCredential> {
	const saved = (await n8n.api.listCredentials()).find(({ name }) => name === 'Gateway');
	if (saved) return saved;
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const data = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: false };
	return await n8n.api.createCredential('Gateway', CREDENTIAL_TYPE, data);
}

/** Opens a new node after one that downloads a file. */
async function openFreshNode(file = 'document.pdf'): Promise<void> {
	const nodes = [
		trigger(),
		downloadOf(file),
		gatewayNode(NODE, { resource: 'text', operation: 'send' }, await gatewayCredential()),
	];
	nodes.forEach((each, i) => (each.position = [i * 260, 0]));
	const arrows: Array<[string, string]> = [
		['Start', 'Download'],
		['Download', NODE],
	];
	const { id } = await n8n.api.createWorkflow(workflow('Operations', nodes, arrows));
	await editor.openWorkflow(id);
	await editor.openNode(NODE);
}

describe('a first-time user', () => {
	beforeAll(async () => {
		await editor.newWorkflow();
		await editor.openNodePanel();
	});

	// How far down the node may be: n8n's own nodes come first if the words are in their names.
	test.each([
		['SMS', 6],
		['SMS gateway', 1],
		['text message', 1],
		['bulk message', 1],
		['broadcast', 1],
		['blast', 1],
		['group message', 1],
		['notification', 1],
		['reminder', 1],
		['send image', 1],
		['send document', 1],
		['messenger', 2],
		['WhatsApp', 2],
		['WhatsApp group', 1],
		['WhatsApp message', 1],
		['send SMS', 1],
		['newsletter', 1],
		['marketing', 1],
		['campaign', 2],
		['send message', 9],
		['send text', 9],
		['send file', 9],
		['notify', 9],
		['alert', 9],
		['photo', 9],
		['picture', 9],
		['pdf', 9],
		['invoice', 9],
		['phone', 9],
		['whats app', 9],
		['send whatsapp', 1],
		['send pdf', 1],
		['send photo', 1],
		['send invoice', 1],
		['notify customer', 1],
		['appointment', 1],
		['appointment reminder', 1],
		['ask for approval', 1],
		['bulk whatsapp', 1],
		['send reminder', 1],
		['whatsapp reminder', 1],
		['send bulk message', 1],
		['approve', 2],
	])('a new user finds the node as “%s”', async (words, first) => {
		const names = await editor.search(words, NODE);
		expect(names).toContain(NODE);
		expect(names.indexOf(NODE)).toBeLessThan(first);
		// Seen without scrolling.
		const place = await editor.foundNode(NODE).boundingBox();
		expect(place?.y).toBeLessThan(DESKTOP.height - (place?.height ?? 0));
		await pictureToLookAt(`search-${words.replaceAll(' ', '-')}`);
	});

	test('a new user sees in the panel what the node does', async () => {
		await editor.search('WhatsApp', NODE);
		await editor.page.getByText('Send WhatsApp-style messages').waitFor();
		const png = await editor.picture(undefined, 'nodePanel');
		firstMessage.push({ caption: 'add the node', png });
	});

	test('a new user sees the eight operations', async () => {
		await editor.foundNode(NODE).click();
		await editor.page.getByText('Actions (8)').waitFor();
		const names = editor.byId('node-creator-item-name');
		const operations = [
			'Send text message',
			'Send text message to many numbers',
			'Send text message to contact group',
			'Send text message and wait for response',
			'Send image',
			'Send image to chat group',
			'Send document',
			'Send document to chat group',
		];
		await eventually(async () => expect(await names.allInnerTexts()).toEqual(operations));
		await pictureToLookAt('operations');
	});

	test('a new user adds the node, and sees a phone number and a message to fill in', async () => {
		await editor.foundNode('Send text message').click();
		await editor.byId('node-parameters').waitFor();
		await expectLabels(['Resource', 'Operation', 'Phone Number', 'Message', 'Options']);
		await editor.page.getByText('Success means that the gateway has').waitFor();
		expect(await editor.page.locator('iframe').count()).toBe(0);
	});

	test('a new user sets up the credential with a wrong token, and sees an error', async () => {
		await editor.page.getByRole('button', { name: 'Connect to Messaging Gateway' }).click();
		await editor.fill('baseUrl', gateway.baseUrl);
		await editor.fill('accessToken', 'a wrong one');
		await editor.fill('deviceId', gateway.deviceId);
		await editor.saveCredential();
		await editor.page.getByText('More details', { exact: true }).click();
		await editor.page.getByText('The gateway rejected this access token (status 401)').waitFor();
		await pictureToLookAt('credential-wrong-token');
	});

	test('a new user corrects the token, and the test succeeds without sending a message', async () => {
		await editor.fill('accessToken', gateway.token);
		await editor.saveCredential();
		await editor.byId('credential-save-button').waitFor({ state: 'hidden' });
		await editor.byId('credential-edit-button').click();
		await editor.page.getByText('Connection tested successfully').waitFor();
		await pictureForDocs('credential', 'dialog');
		const png = await editor.picture(undefined, 'credentialForm');
		firstMessage.push({ caption: 'enter the credential, which n8n tests', png });
		expect(gateway.messages).toEqual([]);
		await editor.closeDialog();
	});

	test('a new user sends a first text, and sees the gateway’s answer', async () => {
		await editor.fill('phoneNumber', '+62 812-3456-7890');
		await editor.fill('message', 'Your order 4711 is ready. See you soon!');
		await pictureToLookAt('text');
		await editor.execute();
		await editor.output().getByText('Message is sent in the background.').waitFor();
		const words = /1 item[^]*code[^]*message[^]*200/;
		await eventually(async () => expect(await editor.output().innerText()).toMatch(words));
		expect(gateway.messages).toMatchObject([
			{ recipients: ['6281234567890'], text: 'Your order 4711 is ready. See you soon!' },
		]);
		await pictureForDocs('output', 'parametersAndOutput');
		const png = await editor.picture(undefined, 'parametersAndOutput');
		firstMessage.push({ caption: 'send the message', png });
		firstMessage.push({
			caption: 'it is in the outbox of the practice gateway',
			png: await outbox(),
		});
		const path = documentationPicture('first-message', 'svg');
		writeFileSync(path, toSequence(firstMessage));
		expect(firstMessage).toHaveLength(5);
		expect(statSync(path).size).toBeLessThan(MAX_SEQUENCE_BYTES);
	});

	test('a new user enters an invalid number, and sees what to do about it', async () => {
		await editor.fill('phoneNumber', '12 34');
		await editor.execute();
		const message = editor.byId('node-error-message');
		await message.getByText('“12 34” is not a phone number').waitFor();
		const advice = await editor.byId('node-error-description').innerText();
		expect(advice).toContain('Enter a number with its country code');
		expect(gateway.messages).toEqual([]);
		await pictureForDocs('error', 'output');
	});

	test('a new user sees on the canvas what the node does', async () => {
		await editor.closeNode();
		await editor.byId('canvas-node').getByText('Send: Text').waitFor();
		await pictureToLookAt('canvas');
	});
});

describe('each operation', () => {
	async function chooseOperation(resource: string, operation: string): Promise<void> {
		if (resource !== 'Text') await editor.choose('resource', resource);
		if (operation !== 'Send') await editor.choose('operation', operation);
	}

	/** Executes the node and waits for its output. */
	async function executeToSuccess(): Promise<void> {
		await editor.execute();
		await editor.byId('node-run-status-success').waitFor();
	}

	/** Returns the labels of the options that an operation declares. */
	function optionsOf(resource: string, operation: string): string[] {
		const fieldFor = (name: string, shown: Record<string, unknown>) =>
			properties.find(
				({ displayOptions, ...field }) =>
					field.name === name &&
					Object.entries(shown).every(([key, value]) =>
						displayOptions?.show?.[key]?.includes(value as string),
					),
			)?.options;
		const operations = fieldFor('operation', { resource }) as INodePropertyOptions[];
		const { value } = operations.find(({ name }) => name === operation) ?? {};
		const options = fieldFor('options', { resource, operation: value }) as INodeProperties[];
		return options.map(({ displayName }) => displayName);
	}

	const PHONE = { phoneNumber: '081234567890' };
	const GROUP = { groupId: '120363025246125016' };
	const MESSAGE = { message: 'Hello from n8n' };
	const CAPTION = { caption: 'Our new opening hours' };
	const FILE = ['File From', 'Input Binary Field'];
	const GROUP_FILE = ['Chat Group ID', 'Phone Number', ...FILE];

	test.each([
		{
			resource: 'Text',
			operation: 'Send',
			fields: ['Phone Number', 'Message'],
			values: { ...PHONE, ...MESSAGE },
			queued: { endpoint: 'v1/send', recipients: ['081234567890'], text: 'Hello from n8n' },
		},
		{
			resource: 'Text',
			operation: 'Send Bulk',
			fields: ['Recipients From', 'Phone Numbers', 'Message'],
			values: { phoneNumbers: '081234567890, 6281234567891\n+62 812 3456 7892', ...MESSAGE },
			queued: {
				endpoint: 'v1/sendbulk',
				recipients: ['081234567890', '6281234567891', '6281234567892'],
			},
		},
		{
			resource: 'Text',
			operation: 'Send to Contact Group',
			fields: ['Contact Group ID', 'Message'],
			values: { ...GROUP, ...MESSAGE },
			queued: { endpoint: 'v1/sendgroup', ...GROUP, text: 'Hello from n8n' },
		},
		{
			resource: 'Image',
			operation: 'Send',
			file: 'photo.jpg',
			fields: ['Phone Number', ...FILE, 'Caption'],
			values: { ...PHONE, ...CAPTION },
			queued: { endpoint: 'v2/send-image', text: CAPTION.caption },
		},
		{
			resource: 'Image',
			operation: 'Send to Chat Group',
			file: 'photo.jpg',
			fields: [...GROUP_FILE, 'Caption'],
			values: { ...PHONE, ...GROUP, ...CAPTION },
			queued: { endpoint: 'v2/send-group-image', ...GROUP, text: CAPTION.caption },
		},
		{
			resource: 'Document',
			operation: 'Send',
			file: 'document.pdf',
			fields: ['Phone Number', ...FILE],
			values: PHONE,
			queued: { endpoint: 'v2/send-document', recipients: ['081234567890'] },
		},
		{
			resource: 'Document',
			operation: 'Send to Chat Group',
			file: 'document.pdf',
			fields: GROUP_FILE,
			values: { ...PHONE, ...GROUP },
			queued: { endpoint: 'v2/send-group-document', ...GROUP },
		},
	])('the form of $resource, $operation has its fields and options, and sends', async (each) => {
		const { resource, operation, file, fields, values, queued } = each;
		await openFreshNode(file);
		await chooseOperation(resource, operation);
		await expectLabels(['Resource', 'Operation', ...fields, 'Options']);
		const options = optionsOf(resource.toLowerCase(), operation);
		await eventually(async () =>
			expect(await editor.choicesOf(editor.addOptionButton())).toEqual(options),
		);

		for (const [name, value] of Object.entries(values)) await editor.fill(name, value);
		const slug = `${resource}-${operation}`.toLowerCase().replaceAll(' ', '-');
		await pictureToLookAt(`operation-${slug}`);
		if (operation === 'Send Bulk') await pictureForDocs('bulk', 'parameters');
		if (resource === 'Image' && operation === 'Send') await pictureForDocs('image', 'parameters');

		await executeToSuccess();
		expect(gateway.messages).toMatchObject([
			{ ...queued, ...(file ? { file: { name: file } } : {}) },
		]);
		await pictureToLookAt(`executed-${slug}`);
	});

	/** n8n adds this entry itself; it leads to the HTTP Request node with this credential. */
	const ADDED_BY_N8N = 'Custom API Call';

	test('each resource offers its own operations', async () => {
		await openFreshNode();
		const operations = async () => await editor.choicesOf(editor.field('operation'));
		expect((await operations()).sort()).toEqual(
			[
				'Send',
				'Send and Wait for Response',
				'Send Bulk',
				'Send to Contact Group',
				ADDED_BY_N8N,
			].sort(),
		);
		for (const resource of ['Image', 'Document']) {
			await editor.choose('resource', resource);
			const own = ['Send', 'Send to Chat Group', ADDED_BY_N8N];
			await eventually(async () => expect(await operations()).toEqual(own));
		}
	});

	test('a document can be sent with its options open', async () => {
		await openFreshNode();
		await chooseOperation('Document', 'Send');
		await editor.fill('phoneNumber', '081234567890');
		await editor.addOption('Default Country Code');
		await editor.fill('defaultCountryCode', '62');
		await editor.addOption('File Name');
		await editor.fill('fileName', 'Invoice 2026-11.pdf');
		await executeToSuccess();
		expect(gateway.messages).toMatchObject([
			{ recipients: ['6281234567890'], file: { name: 'Invoice 2026-11.pdf' } },
		]);
		await pictureForDocs('document', 'parameters');
	});

	test('a bulk message from the input items asks for the name of a field', async () => {
		await openFreshNode();
		await chooseOperation('Text', 'Send Bulk');
		await editor.choose('recipientSource', 'The Input Items');
		const fields = ['Recipients From', 'Phone Number Field', 'Message'];
		await expectLabels(['Resource', 'Operation', ...fields, 'Options']);
		await pictureToLookAt('bulk-from-items');
	});

	test.each([
		['text', 'send', ['code', 'message', 'to', 'status']],
		['text', 'sendAndWait', ['data', 'approved', 'text', 'respondedAt']],
		['image', 'send', ['data', 'queue_id', 'queueId']],
	])('the next node shows the fields of %s, %s before anything has run', async (...each) => {
		const [resource, operation, fields] = each;
		const ask = gatewayNode(NODE, { resource, operation }, await gatewayCredential());
		const nodes = [trigger(), ask, node('Edit Fields', 'n8n-nodes-base.set', 3.4, {})];
		nodes.forEach((one, column) => (one.position = [column * 260, 0]));
		const { id } = await n8n.api.createWorkflow(
			workflow('Fields', nodes, [
				['Start', NODE],
				[NODE, 'Edit Fields'],
			]),
		);
		await editor.openWorkflow(id);
		await editor.openNode('Edit Fields');
		await editor.page.getByText('Usually outputs the following fields').waitFor();
		await eventually(async () => {
			const shown = await editor.byId('run-data-schema-item').allInnerTexts();
			expect(shown.map((text) => text.trim())).toEqual(expect.arrayContaining(fields));
		});
		await pictureToLookAt(`fields-${resource}-${operation}`);
	});

	test('a file from a URL asks for its URL', async () => {
		await openFreshNode();
		await chooseOperation('Image', 'Send');
		await editor.choose('fileSource', 'URL');
		const fields = ['Phone Number', 'File From', 'File URL', 'Caption'];
		await expectLabels(['Resource', 'Operation', ...fields, 'Options']);
		await pictureToLookAt('file-from-url');
	});

	test('all options can be open at once', async () => {
		await openFreshNode();
		const names = await editor.choicesOf(editor.addOptionButton());
		for (const name of names) await editor.addOption(name);
		await expectLabels(expect.arrayContaining(names) as string[]);
		expect(await editor.cutLabels()).toEqual([]);
		await pictureToLookAt('every-option');
	});

	test('a bulk message with a duplicate number says what was removed', async () => {
		await openFreshNode();
		await chooseOperation('Text', 'Send Bulk');
		await editor.fill('phoneNumbers', '081234567890, 081234567890');
		await editor.fill('message', 'Hello');
		await executeToSuccess();
		await editor.output().getByText('1 duplicate phone number skipped').waitFor();
		await pictureToLookAt('hint-duplicates');
	});
});

describe("a stranger's words", () => {
	const HOSTILE =
		'<a href="https://evil.example/x">Sign in</a><img src="https://evil.example/p.png">&lt;b&gt; [x](https://evil.example/m) https://evil.example/u';
	const PHONE = { phoneNumber: '={{ $json.phone }}' };
	const LIST = { operation: 'sendBulk', phoneNumbers: '={{ [$json.phone, "0812345678"] }}' };

	test.each<[place: string, parameters: INodeParameters]>([
		['an error', PHONE],
		[
			'the description of an error',
			{ operation: 'sendBulk', recipientSource: 'items', phoneNumberField: 'nope' },
		],
		['a hint', { ...LIST, options: { invalidNumbers: 'skip' } }],
		['a row', { ...PHONE, options: { dryRun: true } }],
	])("a stranger's words are no link and no image in %s", async (place, parameters) => {
		const fetched: string[] = [];
		editor.page.on('request', (request) => fetched.push(request.url()));
		const form = node('Form', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ phone: HOSTILE, [HOSTILE]: 1 }),
			options: { dotNotation: false },
		});
		const text = { resource: 'text', operation: 'send', message: 'Hello', ...parameters };
		const send = gatewayNode(NODE, text, await gatewayCredential());
		const arrows: Array<[string, string]> = [
			['Start', 'Form'],
			['Form', NODE],
		];
		const nodes = [trigger(), form, send];
		const { id } = await n8n.api.createWorkflow(workflow(place, nodes, arrows));
		await editor.openWorkflow(id);
		await editor.openNode(NODE);
		await editor.execute();
		await editor.output().getByText('Sign in').first().waitFor();
		await pictureToLookAt(`strangers-words-${place.replaceAll(' ', '-')}`);

		const live = '[href*="evil.example"], [src*="evil.example"]';
		expect(await editor.page.locator(live).count()).toBe(0);
		expect(fetched.filter((url) => url.includes('evil.example'))).toEqual([]);
	});
});

describe.each<Theme>(['light', 'dark'])('the %s theme', (theme) => {
	beforeAll(async () => await editor.useTheme(theme));

	test('the node shows the icon for this theme', async () => {
		const { id } = await n8n.api.createWorkflow(workflow('Empty', [trigger()], []));
		await editor.openWorkflow(id);
		await editor.openNodePanel();
		expect(await editor.search('WhatsApp', NODE)).toContain(NODE);
		const icon = editor.byId('node-creator').locator('img[src*="messagingGateway"]').first();
		const file = theme === 'dark' ? 'messagingGateway.dark.svg' : 'messagingGateway.svg';
		expect((await icon.getAttribute('src'))?.split('/').pop()).toBe(file);
		await pictureToLookAt(`panel-${theme}`);
	});

	test('the form, the error and the canvas show the node', async () => {
		await openFreshNode();
		await editor.choose('operation', 'Send to Contact Group');
		await pictureToLookAt(`form-${theme}`);
		await editor.choose('operation', 'Send');
		await editor.fill('phoneNumber', '12 34');
		await editor.fill('message', 'Hello');
		await editor.execute();
		await editor.byId('node-error-message').getByText('is not a phone number').waitFor();
		await pictureToLookAt(`error-${theme}`);
		await editor.closeNode();
		await pictureToLookAt(`canvas-${theme}`);
	});
});

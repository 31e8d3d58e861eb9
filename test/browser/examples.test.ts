/** Tests the examples in n8n's editor, as a person sees them after the import. */
import type { Browser } from 'playwright-core';
import { EXAMPLES, exampleFiles, madeReady } from '../../tools/n8n/examples';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	removeUserFolder,
	startN8n,
	type N8nServer,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { launchBrowser, pictureFile } from '../support/browser';
import { eventually } from '../support/until';
import { Editor } from './editor';

const MAX_PICTURE_BYTES = 60 * 1024;

let browser: Browser;
let userFolder: string;
let n8n: N8nServer;
let credential: SavedCredential;
let editor: Editor;

beforeAll(async () => {
	userFolder = await createUserFolder();
	n8n = await startN8n({ userFolder, hasEditor: true });
	browser = await launchBrowser();
	const data = { baseUrl: 'https://gateway.example.com', accessToken: 'token', deviceId: 'device' };
	credential = await n8n.api.createCredential('Gateway', CREDENTIAL_TYPE, data);
	editor = await Editor.signIn(browser, n8n.url);
});

afterAll(async () => {
	await browser?.close();
	await n8n?.stop();
	if (userFolder) removeUserFolder(userFolder);
});

async function open(file: string): Promise<string[]> {
	const ready = madeReady(file, credential, { folder: '/files' });
	const { id } = await n8n.api.createWorkflow(ready);
	await editor.openWorkflow(id);
	const picture = pictureFile(file.replace('.json', ''));
	if (picture) await editor.picture(picture);
	return ready.nodes.filter(({ type }) => !type.endsWith('.stickyNote')).map(({ name }) => name);
}

test.each(exampleFiles())('%s shows all its nodes and notes, and n8n knows each', async (file) => {
	const names = await open(file);

	await eventually(async () => {
		const shown = await editor.byId('canvas-node').filter({ visible: true }).allInnerTexts();
		for (const name of names) expect(shown.join('\n')).toContain(name);
		expect(await editor.byId('sticky').count()).toBeGreaterThan(0);
		expect(shown.join('\n')).not.toMatch(/Install this node|not currently installed/i);
	});
});

test.each(exampleFiles())(
	'a small picture of %s is taken for the list of examples',
	async (file) => {
		const ready = madeReady(file, credential, { folder: '/files' });
		const nodes = ready.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
		const { id } = await n8n.api.createWorkflow({ ...ready, nodes });
		await editor.openWorkflow(id);
		const picture = await editor.pictureOfNodes(`${EXAMPLES}/images/${parseInt(file)}.png`);

		expect(picture.length).toBeLessThan(MAX_PICTURE_BYTES);
	},
);

test.each([
	'6-let-an-ai-agent-answer-and-send.json',
	'10-let-an-ai-agent-ask-before-it-sends.json',
])('in %s, the number and the text are defined by the model', async (file) => {
	await open(file);
	await editor.openNode('Send a text');

	const fields = editor.byId('node-parameters').getByText('Defined automatically by the model');
	await eventually(async () => expect(await fields.count()).toBe(2));
	const picture = pictureFile(file.replace('.json', '-tool'));
	if (picture) await editor.picture(picture);
});

test('as a tool, the node shows no fields for binary data and takes its file from a URL', async () => {
	await open('6-let-an-ai-agent-answer-and-send.json');
	await editor.openNode('Send a text');
	await editor.choose('resource', 'Document');

	await eventually(async () => {
		const labels = await editor.labels();
		expect(labels).toEqual(expect.arrayContaining(['Phone Number', 'File URL']));
		expect(labels.filter((label) => /Binary|File From/.test(label))).toEqual([]);
	});
	const picture = pictureFile('tool');
	if (picture) await editor.picture(picture);
});

/** A form of n8n's own Telegram node: copied there, pasted here, answered on a phone. */
import type { INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { openSite, type Site } from '../n8n/site';
import { launchBrowser, pictureFile } from '../support/browser';
import { gatewayNode, node, trigger, workflow } from '../../tools/n8n/server/index';
import { newestLink, outputOf, PHONE, TELLS_WHEN, untilWaiting } from '../support/questions';
import { eventually, until } from '../support/until';
import { Editor } from './editor';

let browser: Browser;
let site: Site;
let editor: Editor;

beforeAll(async () => {
	site = await openSite({ ...TELLS_WHEN, hasEditor: true });
	browser = await launchBrowser();
	editor = await Editor.signIn(browser, site.n8n.url);
	await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

afterAll(async () => {
	await browser?.close();
	await site?.close();
});

const choices = (...options: string[]) => ({ values: options.map((option) => ({ option })) });

/** As n8n saves them: without what is as n8n proposes it. */
const FIELDS = [
	{ fieldLabel: 'Nama', requiredField: true },
	{ fieldLabel: 'Catatan', fieldType: 'textarea', placeholder: 'Apa saja' },
	{ fieldLabel: 'Berapa orang?', fieldType: 'number', requiredField: true },
	{ fieldLabel: 'Tanggal', fieldType: 'date' },
	{ fieldLabel: 'Datang?', fieldType: 'dropdown', fieldOptions: choices('Ya', 'Tidak') },
	{ fieldLabel: 'Makan', fieldType: 'checkbox', fieldOptions: choices('Nasi', 'Mie', 'Roti') },
	{ fieldLabel: 'Bayar', fieldType: 'radio', fieldOptions: choices('Tunai', 'Kartu') },
	{ fieldLabel: 'Email', fieldType: 'email' },
];

/** Resolves to what is in the clipboard once a node on the canvas is copied. */
async function copied(name: string): Promise<{ nodes: Array<{ parameters: INodeParameters }> }> {
	await editor.page.evaluate("navigator.clipboard.writeText('')");
	await editor.byId('canvas-node').filter({ hasText: name }).click();
	await editor.page.keyboard.press('Control+c');
	// n8n copies a moment later.
	return await eventually(async () => {
		const text = await editor.page.evaluate('navigator.clipboard.readText()');
		return JSON.parse(String(text)) as { nodes: Array<{ parameters: INodeParameters }> };
	});
}

async function paste(text: string): Promise<void> {
	await editor.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await editor.field('jsonOutput').locator('.cm-content').click();
	for (const keys of ['Control+a', 'Control+v']) await editor.page.keyboard.press(keys);
}

async function answerOn(page: Page): Promise<void> {
	await page.goto(newestLink(site.gateway));
	const picture = pictureFile('form-on-a-phone');
	if (picture) await page.screenshot({ path: picture, fullPage: true });
	await page.getByLabel('Nama').fill('Ana Pratiwi');
	await page.getByLabel('Berapa orang?').fill('3');
	await page.getByLabel('Tanggal').fill('2026-12-24');
	for (const choice of ['Tidak', 'Nasi', 'Roti', 'Kartu']) {
		await page.getByText(choice, { exact: true }).click();
	}
	await page.getByRole('button', { name: 'Kirim jawaban' }).click();
	await page.getByText('Terima kasih').waitFor();
}

test('a form copied from the Telegram node is asked on a phone, and comes by its labels', async () => {
	const telegram = node('Telegram', 'n8n-nodes-base.telegram', 1.2, {
		operation: 'sendAndWait',
		message: 'Datang?',
		responseType: 'customForm',
		formFields: { values: FIELDS },
		options: {},
	});
	const { n8n, gateway, credential } = site;
	const parameters = { phoneNumber: PHONE, message: 'Datang besok?' };
	const ask = gatewayNode(
		'Ask',
		{ resource: 'text', operation: 'sendAndWait', ...parameters },
		credential,
	);
	const nodes = [trigger(), telegram, ask].map((each, place) => {
		return { ...each, position: [place * 260, 0] as [number, number] };
	});
	const saved = await n8n.api.createWorkflow(workflow('A form', nodes, [['Start', 'Ask']]));
	await editor.openWorkflow(saved.id);
	const [{ parameters: copy } = { parameters: {} }] = (await copied('Telegram')).nodes;
	expect(copy.formFields).toEqual({ values: FIELDS });

	await editor.openNode('Ask');
	await editor.choose('responseType', 'Custom Form');
	await editor.choose('defineForm', 'Using JSON');
	await paste(JSON.stringify((copy.formFields as INodeParameters).values, null, 2));
	const picture = pictureFile('form-pasted');
	if (picture) await editor.picture(picture);
	await editor.execute();
	await until(() => gateway.messages.length > 0, 'the question came', 60_000);
	const { id } = await n8n.api.newestExecution(saved.id);
	await untilWaiting(n8n, id);
	await answerOn(await browser.newPage({ viewport: { width: 390, height: 700 }, locale: 'id-ID' }));

	expect(outputOf(await n8n.api.waitForEnd(id))).toEqual([
		{
			data: {
				Nama: 'Ana Pratiwi',
				Catatan: null,
				'Berapa orang?': 3,
				Tanggal: '2026-12-24',
				'Datang?': 'Tidak',
				Makan: ['Nasi', 'Roti'],
				Bayar: 'Kartu',
				Email: null,
				respondedAt: expect.stringMatching(/^\d{4}-/) as string,
			},
		},
	]);
});

/** Every example in a real n8n, its own trigger fired: what the gateway got, and what was written to disk. */
import { createHash } from 'node:crypto';
import {
	copyFileSync,
	createReadStream,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { itemsOf, jsonOf } from '../e2e/items';
import { openSite, type Site } from '../e2e/site';
import type { Gateway } from '../../gateway/index';
import type { N8nServer, SavedCredential, SavedWorkflow } from '../support/n8n/index';
import { madeReady } from '../support/n8n/examples';

const FILES = join(__dirname, '../support/files');

let folder: string;
let site: Site;
let gateway: Gateway;
let n8n: N8nServer;
let credential: SavedCredential;
let shop: Server;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'example-files-'));
	shop = createServer((_request, response) => {
		createReadStream(join(FILES, 'document.pdf')).pipe(response);
	}).listen(0, '127.0.0.1');
	site = await openSite({ files: folder });
	({ gateway, n8n, credential } = site);
});

afterAll(async () => {
	await site?.close();
	shop?.close();
	rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
	gateway.clear();
	gateway.behave();
});

async function imported(
	file: string,
	changes: Record<string, INodeParameters> = {},
): Promise<SavedWorkflow> {
	return await n8n.api.createWorkflow(madeReady(file, credential, { folder, changes }));
}

/** A trigger answers 404 until n8n has taken it in. */
async function post(path: string, body: FormData | object, tries = 50): Promise<void> {
	const isForm = body instanceof FormData;
	const headers = isForm ? undefined : { 'Content-Type': 'application/json' };
	const content = isForm ? body : JSON.stringify(body);
	const response = await fetch(n8n.url + path, { method: 'POST', headers, body: content });
	if (response.ok) return;
	if (response.status !== 404 || tries === 0) throw new Error(`${path}: ${response.status}`);
	await sleep(200);
	await post(path, body, tries - 1);
}

/** Waits until so many executions of a workflow have ended well. */
async function ended({ id }: SavedWorkflow, count = 1): Promise<void> {
	for (;;) {
		const all = await n8n.api.listExecutions(id);
		const done = all.filter(({ stoppedAt }) => stoppedAt !== null);
		if (done.length >= count)
			return expect(new Set(done.map(({ status }) => status))).toEqual(new Set(['success']));
		await sleep(100);
	}
}

const webhookIdOf = ({ nodes }: SavedWorkflow) =>
	nodes.find(({ webhookId }) => webhookId)?.webhookId;
const sha256 = (file: string) =>
	createHash('sha256')
		.update(readFileSync(join(FILES, file)))
		.digest('hex');
const recipients = () => gateway.messages.flatMap((message) => message.recipients);

test('1: a form that is sent thanks the person', async () => {
	const workflow = await imported('1-form-thank-you.json');
	await n8n.api.activate(workflow);
	const form = new FormData();
	form.append('field-0', 'Ana');
	form.append('field-1', '0812 3456 7890');
	form.append('field-2', 'When do you open?');
	await post(`/form/${webhookIdOf(workflow)}`, form);
	await ended(workflow);

	expect(gateway.messages).toMatchObject([
		{
			endpoint: 'v1/send',
			recipients: ['6281234567890'],
			text: 'Dear Ana, thank you for your question. We will answer it within a day.',
		},
	]);
});

test('2: a CRM that calls twice sends the invoice once', async () => {
	const workflow = await imported('2-crm-invoice.json');
	await n8n.api.activate(workflow);
	const { port } = shop.address() as AddressInfo;
	const pdfUrl = `http://127.0.0.1:${port}/2026/0042`;
	const order = {
		customer: { phone: '+62 812-3456-7890' },
		invoice: { number: '2026-0042', pdfUrl },
	};
	await post('/webhook/order-paid', order);
	await ended(workflow);
	await post('/webhook/order-paid', order);
	await ended(workflow, 2);

	expect(gateway.messages).toMatchObject([
		{
			endpoint: 'v2/send-document',
			recipients: ['6281234567890'],
			file: { name: 'Invoice 2026-0042.pdf', sha256: sha256('document.pdf') },
		},
	]);
});

test('3: the schedule sends the promotion to all who agreed, each number once', async () => {
	writeFileSync(
		join(folder, 'customers.csv'),
		'name,phone,agreed\nAna,081234567890,yes\nBudi,081234567891,no\nCitra,6281234567892,YES\nAna again,+62 812 3456 7890,yes\n',
	);
	const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
	const workflow = await imported('3-bulk-promotion.json', { 'Every Friday at nine': everySecond });
	await n8n.api.activate(workflow);
	await ended(workflow);
	await n8n.api.deactivate(workflow.id);

	expect(gateway.messages[0]).toMatchObject({
		endpoint: 'v1/sendbulk',
		recipients: ['6281234567890', '6281234567892'],
		text: expect.stringMatching(/^This weekend/) as string,
	});
});

test('4: a picture from the disk goes to the group with its caption', async () => {
	copyFileSync(join(FILES, 'picture.png'), join(folder, 'timetable.png'));
	await n8n.api.runToEnd(await imported('4-image-to-group.json'));

	expect(gateway.messages).toMatchObject([
		{
			endpoint: 'v2/send-group-image',
			groupId: '120363025246125016',
			recipients: ['081234567890'],
			text: 'The timetable of next week',
			file: { name: 'timetable.png', sha256: sha256('picture.png') },
		},
	]);
});

test('5: what was not sent goes into a file, what is uncertain to a person', async () => {
	gateway.misbehave({
		recipient: '081234567890',
		respond: { status: 422, body: { message: 'Not on WhatsApp' } },
	});
	gateway.misbehave({ recipient: '081234567891', respond: { status: 500 } });
	const { status } = await n8n.api.runToEnd(await imported('5-failures.json'));

	expect(status).toBe('success');
	expect(gateway.messages).toMatchObject([
		{ recipients: ['6281234567892'], text: 'Dear Citra, we expect you tomorrow at 10:30.' },
		{
			recipients: ['081200000000'],
			text: expect.stringMatching(/reminder for Budi \(081234567891\) may or may not/) as string,
		},
	]);
	const table = readFileSync(join(folder, 'not-sent.csv'), 'utf8');
	expect(table.split('\n').slice(0, 2).join('\n')).toMatch(
		/name,phone,reason\n\W?Ana\W+0?81234567890\W.*Not on WhatsApp/,
	);
	expect(table).not.toMatch(/Budi|Citra/);
});

test('7: the campaign goes out in portions, and a second run sends nothing', async () => {
	const rows = Array.from(
		{ length: 25 },
		(_, index) => `C${index},Name ${index},08120000${1000 + index}`,
	);
	writeFileSync(join(folder, 'customers.csv'), ['customer,name,phone', ...rows].join('\n'));
	const workflow = await imported('7-campaign.json', {
		'500 at a time': { batchSize: 10, options: {} },
	});
	const first = await n8n.api.runToEnd(workflow);
	const went = recipients();
	const second = await n8n.api.runToEnd(workflow);

	const portions = first.data.resultData.runData.Send ?? [];
	expect(portions).toHaveLength(3);
	expect(went.sort()).toEqual(rows.map((_, index) => `628120000${1000 + index}`));
	expect(recipients()).toHaveLength(25);
	const outcomeOf = ({ data }: typeof first) =>
		jsonOf(itemsOf(data.resultData.runData, 'How it went'));
	expect(outcomeOf(first)).toEqual([{ sent: 25, skipped: 0, failed: 0 }]);
	expect(outcomeOf(second)).toEqual([{ sent: 0, skipped: 25, failed: 0 }]);
});

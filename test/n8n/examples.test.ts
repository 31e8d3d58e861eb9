/** Every example in a real n8n, its own trigger fired: what the gateway got, and what was written to disk. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { itemsOf, jsonOf } from './items';
import { openSite, type Site } from './site';
import type { Gateway } from '../../practice-gateway/index';
import { copyExampleData, EXAMPLE_DATA, madeReady } from '../support/n8n/examples';
import {
	freePort,
	type N8nServer,
	type SavedCredential,
	type SavedWorkflow,
} from '../support/n8n/index';
import { openShop, UNCERTAIN_NUMBER, type Shop } from '../support/n8n/practice';

let folder: string;
let site: Site;
let gateway: Gateway;
let n8n: N8nServer;
let credential: SavedCredential;
let shop: Shop;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'example-files-'));
	shop = await openShop(await freePort());
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
	rmSync(folder, { recursive: true });
	copyExampleData(folder);
});

async function imported(
	file: string,
	changes: Record<string, INodeParameters> = {},
): Promise<SavedWorkflow> {
	return await n8n.api.createWorkflow(
		madeReady(file, credential, { folder, shop: shop.url, changes }),
	);
}

/** A trigger answers 404 until n8n has taken it in. */
async function post(path: string, body: FormData | object, tries = 50): Promise<string> {
	const isForm = body instanceof FormData;
	const headers = isForm ? undefined : { 'Content-Type': 'application/json' };
	const content = isForm ? body : JSON.stringify(body);
	const response = await fetch(n8n.url + path, { method: 'POST', headers, body: content });
	if (response.ok) return await response.text();
	if (response.status !== 404 || tries === 0) throw new Error(`${path}: ${response.status}`);
	await sleep(200);
	return await post(path, body, tries - 1);
}

/** Waits until this many executions of a workflow have succeeded. */
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
		.update(readFileSync(join(EXAMPLE_DATA, file)))
		.digest('hex');
const recipients = () => gateway.messages.flatMap((message) => message.recipients);

/** Counts each word in a column of a CSV file that an example wrote. */
function counted(file: string, column: string): Record<string, number> {
	const [head = '', ...rows] = readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
	const cells = (line: string) =>
		line
			.replace(/^\uFEFF/, '')
			.replaceAll('"', '')
			.split(',');
	const index = cells(head).indexOf(column);
	const counts: Record<string, number> = {};
	for (const row of rows) {
		const value = cells(row)[index] ?? '';
		counts[value] = (counts[value] ?? 0) + 1;
	}
	return counts;
}

test('1: whoever submits the form is thanked', async () => {
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
	const pdfUrl = `${shop.url}/invoice-2026-0042.pdf`;
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
			file: { name: 'Invoice 2026-0042.pdf', sha256: sha256('invoice-2026-0042.pdf') },
		},
	]);
});

test('2: it can be tried without a CRM, as it is', async () => {
	const { status } = await n8n.api.runToEnd(await imported('2-crm-invoice.json'));

	expect(status).toBe('success');
	expect(gateway.messages).toMatchObject([
		{ recipients: ['6281234567890'], file: { name: 'Invoice 2026-0042.pdf' } },
	]);
});

test('3: all who agreed and have not opted out get the promotion, each number once', async () => {
	const { status } = await n8n.api.runToEnd(await imported('3-bulk-promotion.json'));

	expect(status).toBe('success');
	expect(gateway.messages).toMatchObject([
		{ endpoint: 'v1/sendbulk', text: expect.stringMatching(/^This weekend/) as string },
	]);
	expect(new Set(recipients()).size).toBe(20);
	expect(recipients()).toHaveLength(20);
	for (const optedOut of ['6281200001003', '6281200001016']) {
		expect(recipients()).not.toContain(optedOut);
	}
	expect(counted('promotion-result.csv', 'status')).toEqual({ queued: 20, skipped: 3 });
});

test.each([
	['3-bulk-promotion.json', 'customers.csv'],
	['3-bulk-promotion.json', 'opt-outs.csv'],
	['4-image-to-group.json', 'timetable.png'],
	['7-campaign.json', 'customers.csv'],
	['7-campaign.json', 'opt-outs.csv'],
])('%s fails loudly without %s, and sends nothing', async (example, file) => {
	rmSync(join(folder, file));
	const { status, data } = await n8n.api.runToEnd(await imported(example));

	expect(status).toBe('error');
	expect(data.resultData.error?.description).toContain(file);
	expect(gateway.messages).toEqual([]);
});

test('3: with an empty opt-out list it sends, with one that has no phone column it does not', async () => {
	const workflow = await imported('3-bulk-promotion.json');
	writeFileSync(join(folder, 'opt-outs.csv'), 'phone,since\n');
	expect((await n8n.api.runToEnd(workflow)).status).toBe('success');
	expect(recipients()).toHaveLength(22);

	gateway.clear();
	writeFileSync(join(folder, 'opt-outs.csv'), 'number,since\n081200001003,2026-09-14\n');
	expect((await n8n.api.runToEnd(workflow)).status).toBe('error');
	expect(gateway.messages).toEqual([]);
	expect(readFileSync(join(folder, 'promotion-result.csv'), 'utf8')).not.toMatch(/queued/);
});

test('3: it ends in an error that says how many, where a message was not sent', async () => {
	appendFileSync(join(folder, 'customers.csv'), 'C100,Xena,12,yes\n');
	const { status, data } = await n8n.api.runToEnd(await imported('3-bulk-promotion.json'));

	expect(status).toBe('error');
	expect(data.resultData.error?.message).toMatch(/^1 of 24 customers did not get the promotion/);
	expect(recipients()).toHaveLength(20);
});

test('4: a picture from the disk goes to the group with its caption', async () => {
	await n8n.api.runToEnd(await imported('4-image-to-group.json'));

	expect(gateway.messages).toMatchObject([
		{
			endpoint: 'v2/send-group-image',
			groupId: '120363025246125016',
			recipients: ['081234567890'],
			text: "Next week's timetable",
			file: { name: 'timetable.png', sha256: sha256('timetable.png') },
		},
	]);
});

test('5: what was not sent goes into a file, what is uncertain to a person', async () => {
	gateway.misbehave({ recipient: UNCERTAIN_NUMBER, respond: { status: 500 } });
	const { status } = await n8n.api.runToEnd(await imported('5-failures.json'));

	expect(status).toBe('success');
	expect(gateway.messages).toMatchObject([
		{ recipients: ['6281234567892'], text: 'Dear Citra, we expect you tomorrow at 10:30.' },
		{
			recipients: ['081200000000'],
			text: expect.stringMatching(/reminder for Budi \(089900000500\) may or may not/) as string,
		},
	]);
	const table = readFileSync(join(folder, 'not-sent.csv'), 'utf8');
	expect(table.split('\n').slice(0, 2).join('\n')).toMatch(
		/name,phone,reason\n\W?Ana\W+0?812\W.*is not a phone number/,
	);
	expect(table).not.toMatch(/Budi|Citra/);
});

test('7: the campaign goes out in portions, and a second run sends nothing', async () => {
	const workflow = await imported('7-campaign.json', {
		'500 at a time': { batchSize: 10, options: {} },
	});
	const first = await n8n.api.runToEnd(workflow);
	const went = [...recipients()];
	const written = counted('campaign-result.csv', 'status');
	const second = await n8n.api.runToEnd(workflow);

	expect(first.data.resultData.runData.Send).toHaveLength(3);
	expect(new Set(went).size).toBe(22);
	expect(recipients()).toHaveLength(22);
	const sumsOf = ({ data }: typeof first) =>
		jsonOf(itemsOf(data.resultData.runData, 'How it went'));
	const none = { notSent: 0, uncertain: 0 };
	expect(sumsOf(first)).toEqual([{ queued: 22, skipped: 3, ...none }]);
	expect(sumsOf(second)).toEqual([{ queued: 0, skipped: 25, ...none }]);
	expect(written).toEqual({ queued: 22, skipped: 3 });
	expect(counted('campaign-result.csv', 'status')).toEqual({ skipped: 25 });
});

/** Submits the first page of example 11, and gives the address of the page that asks to go on. */
async function askedToGoOn(workflow: SavedWorkflow): Promise<string> {
	await n8n.api.activate(workflow);
	const form = new FormData();
	form.append('field-0', 'We are closed on Monday.');
	const text = await post(`/form/${webhookIdOf(workflow)}`, form);
	// The next test starts the same form.
	await n8n.api.deactivate(workflow.id);
	const { formWaitingUrl } = JSON.parse(text) as { formWaitingUrl: string };
	return formWaitingUrl;
}

/** A page of a form, once the execution waits for it. */
async function pageAt(address: string, wanted: string, tries = 100): Promise<string> {
	// While the execution runs, n8n does not answer at all.
	const text = await fetch(address, { signal: AbortSignal.timeout(2_000) })
		.then(async (response) => await response.text())
		.catch(() => '');
	if (text.includes(wanted) || tries === 0) return text;
	await sleep(200);
	return await pageAt(address, wanted, tries - 1);
}

async function answer(address: string, choice: string): Promise<void> {
	const form = new FormData();
	// The first field of the page is the list of reasons.
	form.append('field-1', choice);
	await fetch(address, { method: 'POST', body: form });
}

test('11: a page shows the sums and reasons, and only a yes sends', async () => {
	const workflow = await imported('11-dry-run-first.json');
	const address = await askedToGoOn(workflow);
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('11 rows: 5 ready, 2 skipped, 4 refused');
	for (const name of ['Dewi (opted out)', 'Gita (no number)']) {
		expect(page).toContain(`${name}: `);
	}
	expect(page).toContain(
		'More than once in the list, but get it only once:</strong> Ana again</p>',
	);
	expect(page).toContain('</strong> Kiki (her 0 was dropped) (81200001011). A number that');
	expect(page).toContain('Gita (no number): The phone number is missing.');
	expect(page).toContain('We are closed on Monday.');
	expect(gateway.requests).toEqual([]);

	await answer(address, 'Send it');
	const last = await pageAt(address, 'The gateway has queued the mailing');
	expect(last).toContain('5 queued, 2 skipped, 4 not sent.');
	expect(last).toContain(join(folder, 'mailing-result.csv'));
	expect(recipients().sort()).toEqual([
		'6281200001000',
		'6281200001002',
		'6281200001004',
		'6281200001009',
		'81200001011',
	]);
	expect(counted('mailing-result.csv', 'status')).toEqual({ queued: 5, skipped: 2, notSent: 4 });
	expect(readFileSync(join(folder, 'mailing-result.csv'), 'utf8')).toMatch(
		/^"?Kiki.*Check this number: it starts with neither 0 nor 62\./m,
	);
});

test('11: numbers to check can be left out', async () => {
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	await pageAt(address, 'Nothing is sent yet');
	await answer(address, 'Send it, but not to those to check first');
	await pageAt(address, 'The gateway has queued the mailing');

	expect(recipients()).toHaveLength(4);
	expect(recipients()).not.toContain('81200001011');
	expect(counted('mailing-result.csv', 'status')).toEqual({ queued: 4, skipped: 3, notSent: 4 });
	expect(readFileSync(join(folder, 'mailing-result.csv'), 'utf8')).toMatch(
		/^"?Kiki.*Check this number: it starts with neither 0 nor 62\./m,
	);
});

test.each([
	['semicolons', ';'],
	['tabs', '\t'],
])('11: it reads lists that %s separate, as a spreadsheet saves them', async (_, separator) => {
	const optOuts = [['phone', 'since'].join(separator), ['081200001003', '1,5'].join(separator)];
	const rows = [
		['name', 'phone'],
		['Lim, Ana', '081200001000'],
		['Dewi', '081200001003'],
	].map((row) => row.join(separator));
	writeFileSync(join(folder, 'opt-outs.csv'), `\uFEFF${optOuts.join('\r\n')}`);
	writeFileSync(join(folder, 'mailing-list.csv'), `\uFEFF${rows.join('\r\n')}`);
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('2 rows: 1 ready, 1 skipped, 0 refused');
	expect(page).toContain('Dewi: The number is in opt-outs.csv.');
	expect(page).not.toContain('Check these first');
	expect(page).not.toContain('cannot be read');
	await answer(address, 'Send it');
	await pageAt(address, '1 queued, 1 skipped.');
	const result = readFileSync(join(folder, 'mailing-result.csv'), 'utf8').split(/\r?\n/);
	expect(result[0]).toBe(`\uFEFF${['name', 'to', 'status', 'reason'].join(separator)}`);
});

test('11: where nobody is ready, it gives each reason once, and offers nothing to send', async () => {
	const rows = Array.from({ length: 25 }, (_, row) => `<b>Ana</b> ${row},none`);
	writeFileSync(join(folder, 'mailing-list.csv'), ['name,phone', ...rows].join('\n'));
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing was sent');

	expect(page.match(/is not a phone number/g)).toHaveLength(1);
	expect(page).toContain('25 recipients (&lt;b&gt;Ana&lt;/b&gt; 0, ');
	expect(page).not.toContain('Send it');
	expect(gateway.requests).toEqual([]);
});

test('11: where the column has another name, it says only that', async () => {
	const rows = Array.from({ length: 25 }, (_, row) => `Ana ${row},08120000${1000 + row}`);
	writeFileSync(join(folder, 'mailing-list.csv'), ['name,Telefon', ...rows].join('\n'));
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing was sent');

	expect(page).toContain('mailing-list.csv has no column “phone”');
	expect(page).not.toContain('The item has no field');
	expect(page).not.toContain('Send it');
	expect(gateway.requests).toEqual([]);
});

test('11: an opt-out counts without its 0, too, and one without a number is passed over', async () => {
	writeFileSync(join(folder, 'opt-outs.csv'), 'phone,since\n81200001003,2026-09-14\n,2026-10-02');
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('Dewi (opted out): The number is in opt-outs.csv.');
	expect(page).toContain('5 ready, 2 skipped, 4 refused');
});

test('11: an opt-out counts where the 0 is missing in the list, too', async () => {
	writeFileSync(join(folder, 'opt-outs.csv'), 'phone\n+62 812-0000-1011');
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('Kiki (her 0 was dropped): The number is in opt-outs.csv.');
	expect(page).not.toContain('Check these first');
});

test('11: it says where letters cannot be read', async () => {
	const list = Buffer.from('name,phone\nAndré,081200001000', 'latin1');
	writeFileSync(join(folder, 'mailing-list.csv'), list);
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('Some letters in mailing-list.csv cannot be read.');
	expect(page).toContain('1 ready');
});

test('11: started again with a corrected list, it sends to nobody twice', async () => {
	const workflow = await imported('11-dry-run-first.json');
	const send = async (...phones: string[]) => {
		const rows = phones.map((phone, row) => `Parent ${row},${phone}`);
		writeFileSync(join(folder, 'mailing-list.csv'), ['name,phone', ...rows].join('\n'));
		const address = await askedToGoOn(workflow);
		const page = await pageAt(address, 'Nothing is sent yet');
		expect(page).toContain('Anyone who already got this text today does not get it again.');
		await answer(address, 'Send it');
		return await pageAt(address, 'The gateway has queued');
	};

	expect(await send('081200002000', 'none')).toContain('1 queued, 1 not sent');
	expect(await send('+62 812-0000-2000', '081200002001', '081200002001')).toContain(
		'1 queued, 2 skipped',
	);
	expect(recipients()).toEqual(['6281200002000', '6281200002001']);
	const result = readFileSync(join(folder, 'mailing-result.csv'), 'utf8');
	expect(result).toContain('This number already got this text today, or may have gotten it.');
	expect(result).toContain('This number already gets the same text in this run.');

	expect(await send('081200002000')).toContain('The gateway has queued nothing');
});

test.each([
	['column', 'Telefon\n081200001003', 'opt-outs.csv has no column “phone”.'],
	['entry', 'phone\nask <Ana>', 'opt-outs.csv: “ask &#60;Ana&#62;” is not a phone number.'],
])('11: where the opt-outs have a wrong %s, it names that file', async (_, list, expected) => {
	writeFileSync(join(folder, 'opt-outs.csv'), list);
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	const page = await pageAt(address, 'Nothing was sent');

	expect(page.replaceAll('&lt;', '&#60;').replaceAll('&gt;', '&#62;')).toContain(expected);
	expect(page).not.toContain('mailing-list.csv');
	expect(gateway.requests).toEqual([]);
});

test('11: a no sends nothing', async () => {
	const address = await askedToGoOn(await imported('11-dry-run-first.json'));
	await pageAt(address, 'Nothing is sent yet');
	await answer(address, 'Do not send it');
	await pageAt(address, 'Nothing was sent');

	expect(gateway.requests).toEqual([]);
});

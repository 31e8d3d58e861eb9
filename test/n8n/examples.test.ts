/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** Every example in a real n8n, its own trigger fired: what the gateway got, and what was written down. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { openSite, type Site } from './site';
import type { Gateway } from '../../practice-gateway/index';
import { copyExampleData, EXAMPLE_DATA, madeReady, SET_UP } from '../../tools/n8n/examples';
import {
	freePort,
	startN8n,
	type Execution,
	type ExecutionSummary,
	type N8nServer,
	type SavedCredential,
	type SavedWorkflow,
} from '../../tools/n8n/server/index';
import { openShop, UNCERTAIN_NUMBER, type Shop } from '../../tools/n8n/practice';

let folder: string;
let emptyFolder: string;
let mayReadFiles = false;
let site: Site;
let gateway: Gateway;
let n8n: N8nServer;
let credential: SavedCredential;
let shop: Shop;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'example-files-'));
	emptyFolder = mkdtempSync(join(tmpdir(), 'no-files-'));
	shop = await openShop(await freePort());
	// As on n8n Cloud, there are no files.
	site = await openSite({ files: emptyFolder });
	({ gateway, n8n, credential } = site);
});

afterAll(async () => {
	await site?.close();
	shop?.close();
	for (const each of [folder, emptyFolder]) rmSync(each, { recursive: true, force: true });
});

/** Starts n8n again, with files, as only two examples need them. */
async function allowFiles(): Promise<void> {
	if (mayReadFiles) return;
	mayReadFiles = true;
	await n8n.stop();
	n8n = site.n8n = await startN8n({ userFolder: site.userFolder, files: folder });
}

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
	const surroundings = { folder, shop: shop.url, n8n: n8n.url, changes };
	const settings = { executionOrder: 'v1', timezone: zoneWhereItIs(12) };
	return await n8n.api.createWorkflow({ ...madeReady(file, credential, surroundings), settings });
}

/** A time zone where the clock shows this hour. The signs of these names are the other way round. */
function zoneWhereItIs(hour: number): string {
	const east = ((hour - new Date().getUTCHours() + 35) % 24) - 11;
	return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

async function runToSuccess(workflow: SavedWorkflow, trigger?: string): Promise<void> {
	expectSuccess(await n8n.api.runToEnd(workflow, trigger));
}

function expectSuccess({ status, data }: Execution): void {
	expect([status, data.resultData.error?.message]).toEqual(['success', undefined]);
}

/** Resolves to some columns of a data table, a text for each row. */
async function rowsOf(table: string, ...columns: string[]): Promise<string[]> {
	const rows = await n8n.api.rowsOf(await n8n.api.dataTable(table));
	return rows.map((row) => columns.map((column) => row[column] ?? '-').join(' '));
}

/** A trigger answers 404 until n8n has taken it in. */
async function post(path: string, body: FormData | object, tries = 150): Promise<string> {
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
const textTo = (recipient: string) =>
	gateway.messages.find(({ recipients }) => recipients.includes(recipient))?.text;
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

test('example 1 thanks whoever submits the form', async () => {
	const workflow = await imported('1-thank-people-who-submit-a-form.json');
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

test('example 2 sends the invoice once for a CRM that calls twice', async () => {
	const workflow = await imported('2-send-the-invoice-when-an-order-is-paid.json');
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

test('example 2 can be tried without a CRM, as it is', async () => {
	const { status } = await n8n.api.runToEnd(
		await imported('2-send-the-invoice-when-an-order-is-paid.json'),
	);

	expect(status).toBe('success');
	expect(gateway.messages).toMatchObject([
		{ recipients: ['6281234567890'], file: { name: 'Invoice 2026-0042.pdf' } },
	]);
});

test("example 3 reminds each of tomorrow's patients once, whatever is corrected and started again", async () => {
	const workflow = await imported('3-remind-patients-of-tomorrows-appointments.json');
	await runToSuccess(workflow, SET_UP);
	await runToSuccess(workflow);
	const after = ['Ana queued', 'Budi queued', 'Citra skipped', 'Dewi notSent', 'Eko queued'];
	const others = ['Fitri queued', 'Gita -'];
	expect(await rowsOf('Clinic appointments', 'name', 'status')).toEqual([...after, ...others]);
	expect(textTo('6281200002001')).toMatch(
		/^Dear Ana, we expect you tomorrow, \w+, \w+ \d+, at 09:00\./,
	);

	gateway.clear();
	const table = await n8n.api.dataTable('Clinic appointments');
	await n8n.api.updateRows(table, ['name', 'Ana'], { phone: '+62 812 0000 2001' });
	await n8n.api.updateRows(table, ['name', 'Dewi'], { phone: '081200002004' });
	await n8n.api.updateRows(table, ['name', 'Eko'], { time: '12:00' });
	await n8n.api.updateRows(table, ['name', 'Fitri'], { name: ' ', phone: '081200002006' });
	await n8n.api.updateRows(table, ['name', 'Gita'], { day: '24/11/2026' });
	const [{ day } = {}] = await n8n.api.rowsOf(table);
	const children = [{ name: 'Hana' }, { name: 'Ika', appointment: ' ' }];
	const sameForBoth = { phone: '081200002008', day, time: '13:00' };
	const rows = children.map((child) => ({ ...child, ...sameForBoth }));
	await n8n.api.insertRows(table, rows);
	await runToSuccess(workflow);
	expect(recipients().sort()).toEqual(['6281200002004', '6281200002005']);
	after[3] = 'Dewi queued';
	others.splice(0, 2, '  notSent', 'Gita notSent', 'Hana notSent', 'Ika notSent');
	expect(await rowsOf('Clinic appointments', 'name', 'status')).toEqual([...after, ...others]);
	expect((await rowsOf('Clinic appointments', 'message')).slice(-4)).toEqual([
		'The name is missing',
		'The day is not written like 2026-11-24',
		'The appointment is missing',
		'The appointment is missing',
	]);
});

test('example 5 writes down what was not sent until it is, and tells a person what is uncertain', async () => {
	gateway.misbehave({ recipient: `62${UNCERTAIN_NUMBER.slice(1)}`, respond: { status: 500 } });
	const workflow = await imported('5-handle-what-was-not-sent.json');
	await runToSuccess(workflow);
	expect(gateway.messages).toMatchObject([
		{
			recipients: ['6281234567892'],
			text: expect.stringMatching(/^Dear Citra, our school/) as string,
		},
		{
			recipients: ['6281200000000'],
			text: expect.stringMatching(/text for Budi \(089900000500\) may or may not/) as string,
		},
	]);
	expect(await rowsOf('Messages not sent', 'name', 'phone', 'reason')).toEqual([
		expect.stringMatching(/^Ana 0812 “0812” is not a phone number/),
	]);

	gateway.clear();
	const nodes = JSON.parse(
		JSON.stringify(workflow.nodes).replace('\\"0812\\"', '\\"081200002001\\"'),
	) as SavedWorkflow['nodes'];
	await runToSuccess(await n8n.api.updateWorkflow(workflow.id, { nodes }));
	expect(recipients()).toEqual(['6281200002001']);
	expect(await rowsOf('Messages not sent', 'name')).toEqual([]);
});

/** Resolves to the page that follows, once n8n shows it. */
async function pressNoMoreMessages(phone: string, expected: string): Promise<string> {
	const form = new FormData();
	form.append('field-0', phone);
	const text = await post('/form/no-more-messages', form);
	return await pageAt((JSON.parse(text) as { formWaitingUrl: string }).formWaitingUrl, expected);
}

test('example 8 writes a number into the table after the button and STOP, and after nothing else', async () => {
	const workflow = await imported('8-let-people-opt-out-by-themselves.json');
	await runToSuccess(workflow, 'Try a reply');
	await n8n.api.activate(workflow);
	await pressNoMoreMessages('0812 0000 3001', '6281200003001 gets nothing from us any more.');
	await pressNoMoreMessages('ask Ana', 'We cannot read this number');
	const link = `${n8n.url}/form/no-more-messages?Phone=%2B62%20812-0000-3002`;
	expect(await (await fetch(link)).text()).toContain('value="+62 812-0000-3002"');
	gateway.clear();
	const replies = { '6281200003003@c.us': ' stop ', '6281200003004': 'Stop by!', nobody: 'STOP' };
	for (const [from, text] of Object.entries(replies)) {
		await post('/webhook/incoming-message', { from, text });
	}
	await post('/webhook/incoming-message', { from: '4915112345678', text: 'BERHENTI' });
	// Those that came by the page wait: only a browser tells n8n that it shows the last page.
	const isOver = ({ status }: ExecutionSummary) => ['success', 'waiting'].includes(status);
	while ((await n8n.api.listExecutions(workflow.id)).filter(isOver).length < 7) await sleep(100);
	await n8n.api.deactivate(workflow.id);

	const newest = (await rowsOf('Message opt-outs', 'phone', 'how')).slice(-4);
	expect(newest.sort()).toEqual([
		'4915112345678 reply',
		'6281200001005 reply',
		'6281200003001 page',
		'6281200003003 reply',
	]);
	expect(recipients().sort()).toEqual(['4915112345678', '6281200003003']);
});

test('example 7 reaches each person once, whoever opts out in between, and names what is wrong', async () => {
	const saved = await imported('7-run-a-campaign-over-several-days.json');
	const table = 'Campaign recipients';
	await runToSuccess(saved, SET_UP);
	const page = await imported('8-let-people-opt-out-by-themselves.json');
	await n8n.api.activate(page);
	await pressNoMoreMessages('081200001004', 'gets nothing from us any more');
	await n8n.api.deactivate(page.id);
	await runToSuccess(page, 'Try a reply');
	gateway.clear();
	await runToSuccess(saved);
	const abroad = ['34612345678', '819012345678', '5511961234567', '447400123456'];
	expect(recipients()).toEqual(['6281200001000', '6281200001002', ...abroad]);
	expect(textTo('6281200001000')).toMatch(
		/^Dear Ana, .* http:.*\/form\/no-more-messages\?Phone=081200001000$/,
	);
	const statuses = ['Ana queued', 'Budi -', 'Citra queued', 'Dewi skipped', 'Eka skipped'];
	statuses.push('Farid skipped');
	for (const each of ['Gloria in Spain', 'Haruto in Japan', 'Isabel in Brazil', 'Jack in the UK']) {
		statuses.push(`${each} queued`);
	}
	statuses.push('Kiki notSent', 'Lina skipped');
	expect(await rowsOf(table, 'name', 'status')).toEqual(statuses);
	expect((await rowsOf(table, 'why')).slice(-2)).toEqual([
		expect.stringMatching(/^“0812” is not a phone number/),
		'This number is in the table more than once.',
	]);

	gateway.clear();
	const customers = await n8n.api.dataTable(table);
	await n8n.api.updateRows(customers, ['name', 'Kiki'], { phone: '081200001010' });
	await runToSuccess(saved);
	expect(recipients()).toEqual(['6281200001010']);
});

test('example 4 fails loudly without the picture, and sends nothing', async () => {
	const file = 'timetable.png';
	await allowFiles();
	rmSync(join(folder, file));
	const { status, data } = await n8n.api.runToEnd(
		await imported('4-send-a-picture-to-a-group.json'),
	);

	expect(status).toBe('error');
	expect(data.resultData.error?.description).toContain(file);
	expect(gateway.messages).toEqual([]);
});

test('example 4 sends a picture from the disk to the group with its caption', async () => {
	await allowFiles();
	await n8n.api.runToEnd(await imported('4-send-a-picture-to-a-group.json'));

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

/** Submits the first page of example 11, and gives the address of the page that asks to go on. */
async function askedToGoOn(
	workflow: SavedWorkflow,
	words = 'We are closed on Monday.',
): Promise<string> {
	await allowFiles();
	await n8n.api.activate(workflow);
	const form = new FormData();
	form.append('field-0', words);
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

async function answer(address: string, choice: string, number = ''): Promise<void> {
	const form = new FormData();
	// The first field of the page is the list of reasons.
	form.append('field-1', choice);
	form.append('field-2', number);
	await fetch(address, { method: 'POST', body: form });
}

test('example 11 shows the sums and reasons on a page, and only a yes sends', async () => {
	const workflow = await imported('11-check-a-mailing-before-you-send-it.json');
	const address = await askedToGoOn(workflow);
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('12 rows: 6 ready, 2 skipped, 4 refused');
	for (const name of ['Dewi (opted out)', 'Gita (no number)']) {
		expect(page).toContain(`${name}: `);
	}
	expect(page).toContain(
		'More than once in the list, but get it only once:</strong> Ana again</p>',
	);
	expect(page).toContain(
		'Indah (two digits too many): “081200001008123456” is not a phone number of Indonesia (62): it has 17 digits instead of 9 to 12. Correct it, or enter it with + and its country code.',
	);
	expect(page).toContain('Gita (no number): The phone number is missing.');
	expect(page).toContain('We are closed on Monday.');
	expect(gateway.requests).toEqual([]);

	await answer(address, 'Send it');
	const last = await pageAt(address, 'The gateway has queued the mailing');
	expect(last).toContain('6 queued, 2 skipped, 4 not queued.');
	expect(last).toContain(join(folder, 'mailing-result.csv'));
	expect(recipients().sort()).toEqual([
		'60123456789',
		'6281200001000',
		'6281200001002',
		'6281200001009',
		'6281200001011',
		'6281200001012',
	]);
	expect(counted('mailing-result.csv', 'status')).toEqual({ queued: 6, skipped: 2, notSent: 4 });
});

test.each([
	['semicolons', ';'],
	['tabs', '\t'],
])('example 11 reads lists that %s separate, as a spreadsheet saves them', async (_, separator) => {
	const optOuts = [['phone', 'since'].join(separator), ['081200001003', '1,5'].join(separator)];
	const rows = [
		['name', 'phone'],
		['Lim, Ana', '081200001000'],
		['Dewi', '081200001003'],
	].map((row) => row.join(separator));
	writeFileSync(join(folder, 'opt-outs.csv'), `\uFEFF${optOuts.join('\r\n')}`);
	writeFileSync(join(folder, 'mailing-list.csv'), `\uFEFF${rows.join('\r\n')}`);
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('2 rows: 1 ready, 1 skipped, 0 refused');
	expect(page).toContain('Dewi: The number is among the opt-outs.');
	expect(page).not.toContain('cannot be read');
	await answer(address, 'Send it');
	await pageAt(address, '1 queued, 1 skipped.');
	const result = readFileSync(join(folder, 'mailing-result.csv'), 'utf8').split(/\r?\n/);
	expect(result[0]).toBe(`\uFEFF${['name', 'to', 'status', 'reason'].join(separator)}`);
});

test('example 11 skips the people who opted out by text in example 8', async () => {
	const optOut = await imported('8-let-people-opt-out-by-themselves.json');
	await n8n.api.activate(optOut);
	await post('/webhook/incoming-message', { from: '6281200001099', text: 'STOP' });
	while ((await n8n.api.listExecutions(optOut.id, ['success'])).length === 0) await sleep(100);
	await n8n.api.deactivate(optOut.id);
	writeFileSync(join(folder, 'mailing-list.csv'), 'name,phone\nAna,081200001000\nEko,081200001099');
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('1 ready, 1 skipped, 0 refused');
	expect(page).toContain('Eko: The number is among the opt-outs.');
});

test('example 11 gives each reason once if nobody is ready, and offers nothing to send', async () => {
	const rows = Array.from({ length: 25 }, (_, row) => `<b>Ana</b> ${row},none`);
	writeFileSync(join(folder, 'mailing-list.csv'), ['name,phone', ...rows].join('\n'));
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing was sent');

	expect(page.match(/is not a phone number/g)).toHaveLength(1);
	expect(page).toContain('25 recipients (&lt;b&gt;Ana&lt;/b&gt; 0, ');
	expect(page).not.toContain('Send it');
	expect(gateway.requests).toEqual([]);
});

test('example 11 says only that the column has another name, if it has', async () => {
	const rows = Array.from({ length: 25 }, (_, row) => `Ana ${row},08120000${1000 + row}`);
	writeFileSync(join(folder, 'mailing-list.csv'), ['name,Telefon', ...rows].join('\n'));
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing was sent');

	expect(page).toContain('mailing-list.csv has no column “phone”');
	expect(page).not.toContain('The item has no field');
	expect(page).not.toContain('Send it');
	expect(gateway.requests).toEqual([]);
});

test('example 11 counts an opt-out without its 0, too, and passes over one without a number', async () => {
	writeFileSync(join(folder, 'opt-outs.csv'), 'phone,since\n81200001003,2026-09-14\n,2026-10-02');
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('Dewi (opted out): The number is among the opt-outs.');
	expect(page).toContain('6 ready, 2 skipped, 4 refused');
});

test('example 11 says where letters cannot be read', async () => {
	const list = Buffer.from('name,phone\nAndré,081200001000', 'latin1');
	writeFileSync(join(folder, 'mailing-list.csv'), list);
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing is sent yet');

	expect(page).toContain('Some letters in mailing-list.csv cannot be read.');
	expect(page).toContain('1 ready');
});

test('example 11 sends to nobody twice if it is started again with a corrected list', async () => {
	const workflow = await imported('11-check-a-mailing-before-you-send-it.json');
	const send = async (...phones: string[]) => {
		const rows = phones.map((phone, row) => `Parent ${row},${phone}`);
		writeFileSync(join(folder, 'mailing-list.csv'), ['name,phone', ...rows].join('\n'));
		const address = await askedToGoOn(workflow);
		const page = await pageAt(address, 'Nothing is sent yet');
		expect(page).toContain('Anyone who already got this text today does not get it again.');
		await answer(address, 'Send it');
		return await pageAt(address, 'The gateway has queued');
	};

	expect(await send('081200002000', 'none')).toContain('1 queued, 1 not queued');
	expect(await send('+62 812-0000-2000', '081200002001', '081200002001')).toContain(
		'1 queued, 1 already got it today, 1 skipped',
	);
	expect(recipients()).toEqual(['6281200002000', '6281200002001']);
	const result = readFileSync(join(folder, 'mailing-result.csv'), 'utf8');
	expect(result).toContain('This number already got this text today, or may have gotten it.');
	expect(result).toContain('This number already gets the same text in this run.');

	expect(await send('081200002000')).toContain('The gateway has queued nothing');
});

test.each([
	['column', 'Telefon\n081200001003', 'opt-outs.csv has no column “phone”.'],
	['entry', 'phone\nask <Ana>', 'opt-outs.csv: “ask ‹Ana›” is not a phone number.'],
])('example 11 names the file of opt-outs with a wrong %s', async (_, list, expected) => {
	writeFileSync(join(folder, 'opt-outs.csv'), list);
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	const page = await pageAt(address, 'Nothing was sent');

	expect(page).toContain(expected);
	expect(page).not.toContain('mailing-list.csv');
	expect(gateway.requests).toEqual([]);
});

test('example 11 shows a text, names its holes, and sends it to oneself first', async () => {
	const workflow = await imported('11-check-a-mailing-before-you-send-it.json');
	const address = await askedToGoOn(workflow, 'Dear {name}, {nme} <we> are closed.');
	const page = await pageAt(address, 'Nothing is sent yet');
	expect(page).toContain('To Ana: Dear Ana,  &lt;we&gt; are closed.');
	expect(page).toContain('{name} is empty in 1 of 6 texts: Row 13');
	expect(page).toContain('The list has no column “nme”; it has: name, phone.');

	await answer(address, 'Send it to me first', '0812-9999-0000');
	const queued = await pageAt(address, 'Look at your phone');
	expect(queued).toContain('is queued for 6281299990000, and');
	expect(queued).not.toContain('waiting list');
	expect(recipients()).toEqual(['6281299990000']);
	expect(gateway.messages[0]?.text).toBe('Dear Ana,  <we> are closed.');
	await answer(address, 'Send it');
	await pageAt(address, '6 queued, 2 skipped, 4 not queued.');
	expect(recipients()).toHaveLength(7);
});

test('example 11 sends nothing without a number of its own, and asks for it again', async () => {
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	await pageAt(address, 'Nothing is sent yet');
	await answer(address, 'Send it to me first');
	const page = await pageAt(address, 'You entered no phone number');
	expect(page).toContain('Nothing is sent yet.');
	expect(gateway.requests).toEqual([]);
	await answer(address, 'Send it to me first', '0812-9999-0000');
	await pageAt(address, 'Look at your phone');
	expect(recipients()).toEqual(['6281299990000']);
});

test('example 11 sends nothing after a no', async () => {
	const address = await askedToGoOn(await imported('11-check-a-mailing-before-you-send-it.json'));
	await pageAt(address, 'Nothing is sent yet');
	await answer(address, 'Do not send it');
	await pageAt(address, 'Nothing was sent');

	expect(gateway.requests).toEqual([]);
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/**
 * Checks in a real n8n what people look at before and after a campaign: the dry run, opt-outs, the
 * numbers people have, rows that find their source, hints, and errors that name what is there.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Gateway } from '../../practice-gateway/index';
import {
	CREDENTIAL_TYPE,
	freePort,
	gatewayNode,
	givenItems,
	node,
	readFiles,
	trigger,
	workflow,
	type Arrow,
	type Execution,
	type GatewayNode,
	type N8nApi,
	type NewWorkflow,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { credentialData } from './credentialData';
import { itemsOf, jsonOf } from './items';
import { openSite, type Site } from './site';

const SAMPLES = join(__dirname, '..', 'support', 'files');
const folder = mkdtempSync(join(tmpdir(), 'campaigns-'));
let site: Site;
let gateway: Gateway;
let api: N8nApi;

beforeAll(async () => {
	cpSync(SAMPLES, folder, { recursive: true });
	site = await openSite({ files: folder });
	({ gateway } = site);
	({ api } = site.n8n);
});

beforeEach(() => {
	gateway.clear();
	gateway.behave();
});

afterAll(async () => {
	await site?.close();
	rmSync(folder, { recursive: true });
});

const credential = async (changes: IDataObject): Promise<SavedCredential> =>
	await api.createCredential('Other', CREDENTIAL_TYPE, { ...credentialData(gateway), ...changes });

const runToEnd = async (made: NewWorkflow) => await api.runToEnd(await api.createWorkflow(made));
const outputOf = ({ data }: Execution, name: string) =>
	jsonOf(itemsOf(data.resultData.runData, name));
const hintsOf = ({ data }: Execution, name: string) =>
	data.resultData.runData[name]?.[0]?.hints ?? [];
const received = () => gateway.messages.flatMap(({ recipients }) => recipients);

/** One node after the other. */
function inARow(nodes: INode[]): NewWorkflow {
	const arrows = nodes.slice(1).map(({ name }, before): Arrow => [nodes[before]?.name ?? '', name]);
	return workflow('Campaign', nodes, arrows);
}

const TO = '6281234567890';
const MESSAGE = 'Closed on Monday';
const text = { resource: 'text', message: MESSAGE };
const toGroup = { operation: 'sendToGroup', groupId: '120363' };
const OPERATIONS: Record<string, GatewayNode> = {
	Text: { ...text, operation: 'send', phoneNumber: TO },
	Bulk: { ...text, operation: 'sendBulk', phoneNumbers: TO },
	Items: { ...text, operation: 'sendBulk', recipientSource: 'items' },
	'Contact group': { ...text, ...toGroup },
	Image: { resource: 'image', operation: 'send', phoneNumber: TO },
	'Image to group': { resource: 'image', phoneNumber: TO, ...toGroup },
	Document: { resource: 'document', operation: 'send', phoneNumber: TO },
	'Document to group': { resource: 'document', phoneNumber: TO, ...toGroup },
};

test('a dry run of each operation needs no gateway, sends nothing, and keeps no key', async () => {
	const url = `http://127.0.0.1:${await freePort()}`;
	const away = await credential({ baseUrl: url });
	const [list, people] = givenItems('People', [{ phone: TO }]);
	const nodes = [
		trigger(),
		list,
		people,
		readFiles('Photo', join(folder, 'photo.jpg')),
		readFiles('PDF', join(folder, 'document.pdf')),
	];
	const arrows: Arrow[] = [
		['Start', list.name],
		[list.name, people.name],
		['Start', 'Photo'],
		['Start', 'PDF'],
	];
	for (const [name, parameters] of Object.entries(OPERATIONS)) {
		const options = { dryRun: true, sendOnceKey: 'monday' };
		nodes.push(gatewayNode(name, { ...parameters, options }, away));
		arrows.push([{ image: 'Photo', document: 'PDF' }[parameters.resource] ?? 'People', name]);
	}
	const saved = await api.createWorkflow(workflow('Dry run', nodes, arrows));
	const dry = await api.runToEnd(saved);

	expect(dry.status).toBe('success');
	for (const [name, { groupId }] of Object.entries(OPERATIONS)) {
		expect([name, outputOf(dry, name)]).toMatchObject([
			name,
			[{ to: groupId ?? TO, status: 'ready', message: expect.any(String) as string }],
		]);
		expect(hintsOf(dry, name)[0]?.message).toMatch(/nothing was queued. 1 recipient: 1 ready/);
	}

	const forReal = nodes.map((each) => {
		if (!OPERATIONS[each.name]) return each;
		const { id, name } = site.credential;
		const options = { sendOnceKey: 'monday' };
		const credentials = { [CREDENTIAL_TYPE]: { id, name } };
		return { ...each, credentials, parameters: { ...each.parameters, options } };
	});
	const sent = await api.runToEnd(await api.updateWorkflow(saved.id, { nodes: forReal }));
	expect(sent.status).toBe('success');
	expect(gateway.messages).toHaveLength(Object.keys(OPERATIONS).length);
});

test('each row of a bulk send finds the row of the data table that it came from', async () => {
	const phones = ['081200000001', '+62 812 0000 0002', '081200000003', 'x', '62812 0000 0001'];
	const table = await api.createDataTable('People', ['customer', 'phone', 'status']);
	await api.insertRows(
		table,
		phones.map((phone, n) => ({ customer: `C${n}`, phone, status: '' })),
	);
	const dataTable = (name: string, parameters: IDataObject) =>
		node(name, 'n8n-nodes-base.dataTable', 1.1, {
			resource: 'row',
			dataTableId: { __rl: true, mode: 'id', value: table.id },
			...parameters,
		});
	const same = "={{ $('People').item.json.customer }}";
	const nodes = [
		trigger(),
		dataTable('People', { operation: 'get', returnAll: true }),
		gatewayNode(
			'Send',
			{
				...OPERATIONS.Items,
				options: { output: 'perRecipient', skipNumbers: '6281200000003' },
			} as GatewayNode,
			await credential({ defaultCountryCode: '62' }),
			{ onError: 'continueRegularOutput' },
		),
		dataTable('Write back', {
			operation: 'update',
			filters: { conditions: [{ keyName: 'customer', condition: 'eq', keyValue: same }] },
			columns: {
				mappingMode: 'defineBelow',
				value: { status: '={{ $json.status }}' },
			},
		}),
	];
	const { status } = await runToEnd(inARow(nodes));

	expect(status).toBe('success');
	expect(received()).toEqual(['6281200000001', '6281200000002']);
	const rows = await api.rowsOf(table);
	expect(rows.map((row) => `${String(row.customer)} ${String(row.status)}`)).toEqual([
		'C0 queued',
		'C1 queued',
		'C2 skipped',
		'C3 notSent',
		'C4 skipped',
	]);
});

test('an opt-out list is compared as numbers, and a wrong entry stops the run by name', async () => {
	const [list, people] = givenItems('People', [
		{ phone: '081200000001' },
		{ phone: '+62 812-0000-0002' },
	]);
	const send = (out: Array<string | number>) => {
		const options = { defaultCountryCode: '62', skipNumbers: `={{ ${JSON.stringify(out)} }}` };
		const parameters = { ...OPERATIONS.Items, options } as GatewayNode;
		return inARow([trigger(), list, people, gatewayNode('Send', parameters, site.credential)]);
	};
	const refused = await runToEnd(send(['0812 0000 0001', 'Ana']));
	const sent = await runToEnd(send(['0812 0000 0001']));

	expect(refused.status).toBe('error');
	expect(refused.data.resultData.error?.message).toContain('“Ana”');
	expect(received()).toEqual(['6281200000002']);
	expect(outputOf(sent, 'Send')[0]).toEqual({
		skipped: true,
		reason: expect.stringContaining('Skip Numbers') as string,
		to: '6281200000001',
	});
});

test('numbers as people have them are sent to; wrong ones of a list are left out, which a warning names', async () => {
	const numbers = ['+62 (0)812 0000 0001', '6281200000002.0', '081200000003', '81200000004'];
	const wrong = ['2026-11-21', '-6281200000005', '192.168.12.34', 'x'];
	const parameters = {
		...OPERATIONS.Bulk,
		phoneNumbers: [...numbers, ...wrong].join('\n'),
		options: { invalidNumbers: 'skip' },
	} as GatewayNode;
	const withCode = await credential({ defaultCountryCode: '62' });
	const run = await runToEnd(inARow([trigger(), gatewayNode('Send', parameters, withCode)]));

	expect(received()).toEqual([1, 2, 3, 4].map((n) => `628120000000${n}`));
	const warnings = hintsOf(run, 'Send').filter(({ type }) => type === 'warning');
	expect(warnings.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^4 .*“2026-11-21”.*“-6281200000005”.*“192.168.12.34”.* 1 more/),
	]);
});

test('a sheet of twelve people from four countries: everybody but two and the opt-out gets the message', async () => {
	const people: Array<[name: string, written: string, sent: string]> = [
		['Budi', "'081200000001", '6281200000001'],
		['Siti', 'p:+6281200000002', '6281200000002'],
		['Agus', '81200000003', '6281200000003'],
		['Dewi', '\u001f0812-0000-0004', '6281200000004'],
		['Jan', '+49 (0)170/1234567', '491701234567'],
		['Ute', '"+49 1701 234568 "', '491701234568'],
		['Max', '="+43 664/1234567"', '436641234567'],
		['Eva', 'TEL;TYPE=CELL:+43 664 1234568', '436641234568'],
		['Aiko', '+81 90ー1234ー5678', '819012345678'],
		['Ken', 'https://wa.me/819012345679?text=Hi', '819012345679'],
		['Wrong', '6281234567', ''],
		['Desk', '+49 761 47810 x11', ''],
	];
	const file = [
		'name,phone',
		...people.map(([name, phone]) => `${name},"${phone.replace(/"/g, '""')}"`),
	];
	writeFileSync(join(folder, 'people.csv'), file.join('\n'));
	const parameters: GatewayNode = {
		...text,
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		options: { output: 'perRecipient', skipNumbers: '+49 170 1234567' },
	};
	const withCode = await credential({ defaultCountryCode: '62' });
	const more = { onError: 'continueRegularOutput' } as const;
	const run = await runToEnd(
		inARow([
			trigger(),
			readFiles('File', join(folder, 'people.csv')),
			node('Sheet', 'n8n-nodes-base.extractFromFile', 1, { operation: 'csv', options: {} }),
			gatewayNode('Send', parameters, withCode, more),
		]),
	);

	const rows = outputOf(run, 'Send').map(({ to, status, message }) => [to, status, message]);
	expect(rows).toEqual(
		people.map(([name, written, sent]) => [
			sent || written,
			name === 'Jan' ? 'skipped' : sent ? 'queued' : 'notSent',
			{
				Wrong: expect.stringContaining('it has 8 digits after the country code') as string,
				Desk: expect.stringContaining('has the extension 11') as string,
			}[name] ?? (expect.any(String) as string),
		]),
	);
	const expected = people.filter(([name, , sent]) => sent && name !== 'Jan');
	expect(received().sort()).toEqual(expected.map(([, , sent]) => sent).sort());
	expect(hintsOf(run, 'Send')[0]?.message).toBe(
		'12 recipients: 9 queued, 1 skipped, 2 not queued. By country: 4 Indonesia, 2 Austria, 2 Japan, 1 Germany.',
	);
});

test('a summary counts what was sent, skipped, not sent, and uncertain', async () => {
	const phones = [1, 2, 3, 4, 5].map((n) => ({ phone: `628120000000${n}` }));
	gateway.misbehave({ recipient: '6281200000003', respond: { status: 422 } });
	gateway.misbehave({ recipient: '6281200000004', fault: 'resetAfterBody' });
	const [list, people] = givenItems('People', phones);
	const parameters = {
		...text,
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		options: { skipNumbers: '6281200000002' },
	};
	const more = { onError: 'continueRegularOutput' } as const;
	const send = gatewayNode('Send', parameters, site.credential, more);
	const run = await runToEnd(inARow([trigger(), list, people, send]));

	const [summary] = hintsOf(run, 'Send').map(({ message }) => message);
	expect(summary).toMatch(/^5 recipients: 2 \w+, 1 skipped, 1 not queued, 1 uncertain/);
});

test('errors name what is there, and where to correct it', async () => {
	const wrongDevice = await credential({ deviceId: 'no-such-device' });
	const read = readFiles('PDF', join(folder, 'document.pdf'));
	const binary = { binaryPropertyName: 'photo' };
	const cases: Array<[string, GatewayNode, SavedCredential, RegExp]> = [
		[
			'field',
			{ ...OPERATIONS.Items, phoneNumberField: 'tel' } as GatewayNode,
			site.credential,
			/“tel”.*fileName/s,
		],
		[
			'file',
			{ ...OPERATIONS.Image, ...binary } as GatewayNode,
			site.credential,
			/“photo”.*“data”/s,
		],
		['image', OPERATIONS.Image as GatewayNode, site.credential, /“document.pdf”.*'Document'/s],
		[
			'device',
			OPERATIONS.Text as GatewayNode,
			wrongDevice,
			/deviceid.*Device ID in the credential/s,
		],
	];
	const more = { onError: 'continueRegularOutput' } as const;
	const nodes = cases.map(([name, parameters, use]) => gatewayNode(name, parameters, use, more));
	const arrows = cases.map(([name]): Arrow => ['PDF', name]);
	const run = await runToEnd(
		workflow('Errors', [trigger(), read, ...nodes], [['Start', 'PDF'], ...arrows]),
	);

	for (const [name, , , words] of cases) {
		const [{ error } = {}] = outputOf(run, name);
		const { message, description, outcome } = (error ?? {}) as IDataObject;
		expect([name, outcome]).toEqual([name, 'notSent']);
		expect(`${String(message)} ${String(description)}`).toMatch(words);
	}
	expect(received()).toEqual([]);
});

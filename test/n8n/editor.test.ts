/** Tests the packed node in n8n: the credential test, and what happens when a message fails. */
import type { INode } from 'n8n-workflow';
import type { Gateway } from '../../practice-gateway/index';
import {
	CREDENTIAL_TYPE,
	freePort,
	gatewayNode,
	givenItems,
	trigger,
	workflow,
	type Execution,
	type N8nServer,
	type NewWorkflow,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { answeringServer } from './answeringServer';
import { credentialData, type CredentialData } from './credentialData';
import { itemsOf, jsonOf, linksOf } from './items';
import { openSite, type Site } from './site';

const PEOPLE = [
	{ phone: '6281111111111', name: 'Ana' },
	{ phone: 'no number', name: 'Bo' },
	{ phone: '6283333333333', name: 'Cy' },
];

let site: Site;
let gateway: Gateway;
let n8n: N8nServer;
let credential: SavedCredential;

beforeAll(async () => {
	site = await openSite();
	({ gateway, n8n, credential } = site);
});

afterAll(async () => await site?.close());

beforeEach(() => gateway.clear());

describe('the Test button of the credential', () => {
	const check = async (changes: Partial<CredentialData>) =>
		await n8n.api.testCredential(credential, { ...credentialData(gateway), ...changes });

	async function expectRefusal(changes: Partial<CredentialData>, words: RegExp): Promise<void> {
		const { status, message } = await check(changes);
		expect({ status, message }).toEqual({
			status: 'Error',
			message: expect.stringMatching(words) as string,
		});
	}

	test('the Test button of the credential passes with the right settings, and sends nothing', async () => {
		expect(await check({})).toMatchObject({ status: 'OK' });
		expect(await check({ baseUrl: `${gateway.baseUrl}/` })).toMatchObject({
			status: 'OK',
		});
		expect(gateway.messages).toEqual([]);
	});

	test('the Test button of the credential names a wrong token', async () => {
		await expectRefusal({ accessToken: 'wrong' }, /Access Token/);
	});

	test('the Test button of the credential names a wrong path', async () => {
		await expectRefusal({ baseUrl: `${gateway.baseUrl}/nowhere` }, /Base URL/);
	});

	test('the Test button of the credential names an address that only redirects, and does not send the token on', async () => {
		const moved = await answeringServer(301, { location: gateway.baseUrl });
		await expectRefusal({ baseUrl: moved.url }, /redirects to another address/);
		expect(gateway.requests).toEqual([]);
		await moved.close();
	});

	const PAGE = '<!DOCTYPE html><title>Shop</title>';
	const json = (value: object | string | number | boolean | null) => JSON.stringify(value);

	test.each<[number, string, RegExp | undefined]>([
		[
			422,
			json({ message: 'The given data was invalid.', errors: { phone: ['required'] } }),
			undefined,
		],
		[400, json({ code: 400, message: 'phone is required' }), undefined],
		[400, json({ status: false, message: 'phone is required' }), undefined],
		[415, json({ message: 'Unsupported Media Type' }), undefined],
		[200, json({ code: 422, message: 'phone is required' }), undefined],
		[200, json({ code: '400', message: 'No number.' }), undefined],
		[200, json({ code: 200, message: 'Message is queued.' }), undefined],
		[200, PAGE, /web page/],
		[200, '', /web page/],
		[200, 'ok', /web page/],
		[200, json('queued'), /web page/],
		[200, json({ status: 'ok' }), /not like a gateway/],
		[200, json({ products: [] }), /not like a gateway/],
		[200, json([{ id: 1 }]), /not like a gateway/],
		[200, json(null), /not like a gateway/],
		[200, json({ code: 401, message: 'Unauthenticated.' }), /rejected this access token/],
		[200, json({ status: '401', message: 'Wrong token' }), /rejected this access token/],
		[200, json({ code: 402, message: 'Expired' }), /payment \(status 402\)/],
		[200, json({ code: 500, message: 'Server Error' }), /not working right now/],
		[201, json({ id: 1, message: 'Created' }), /not like a gateway \(status 201\)/],
		[204, '', /not like a gateway \(status 204\)/],
		[400, '<h1>400 Bad Request</h1>', /web page/],
		[401, json({ message: 'Unauthenticated.' }), /rejected this access token \(status 401\)/],
		[402, json({ message: 'Plan expired' }), /plan may have expired/],
		[403, PAGE, /in front of the gateway, such as Cloudflare/],
		[404, json({ message: 'Not Found' }), /no gateway at this Base URL \(status 404\)/],
		[409, json({ message: 'Conflict' }), /not like a gateway \(status 409\)/],
		[410, PAGE, /no gateway at this Base URL \(status 410\)/],
		[419, PAGE, /no gateway at this Base URL \(status 419\)/],
		[429, json({ message: 'Too many' }), /Try again in a minute/],
		[500, '', /not working right now \(status 500\)/],
		[501, '', /not working right now \(status 501\)/],
		[502, PAGE, /not working right now \(status 502\)/],
		[521, PAGE, /not working right now \(status 521\)/],
		[598, '', /./],
	])(
		'the Test button of the credential knows what answered: %s %s',
		async (status, body, words) => {
			const type = body.startsWith('<') ? 'text/html' : 'application/json';
			const server = await answeringServer(status, { 'Content-Type': type }, body);
			if (words) await expectRefusal({ baseUrl: server.url }, words);
			else expect(await check({ baseUrl: server.url })).toMatchObject({ status: 'OK' });
			await server.close();
		},
	);

	test.each([
		['where nobody listens', async () => `http://localhost:${await freePort()}`],
		['without http://', () => gateway.baseUrl.replace('http://', '')],
		['that is invalid', () => 'gateway'],
	])('the Test button fails for an address %s, in n8n’s own words', async (_, address) => {
		await expectRefusal({ baseUrl: await address() }, /^(ECONN|ENOTFOUND|EPROTO|ERR_)[A-Z_]*$/);
	});
});

describe('a message that cannot be sent, between two that can', () => {
	const received = () => gateway.messages.flatMap(({ recipients }) => recipients);

	/** The only node in its branch, so that the run's data is its own. */
	function sendTexts(more: Partial<INode> = {}, phoneNumber = '={{ $json.phone }}'): NewWorkflow {
		const [list, people] = givenItems('People', PEOPLE);
		const parameters = {
			resource: 'text',
			operation: 'send',
			phoneNumber,
			message: 'Hello',
			options: { maxConcurrency: 1 },
		};
		const text = gatewayNode('Text', parameters, credential, more);
		return workflow(
			'Texts',
			[trigger(), list, people, text],
			[
				['Start', list.name],
				[list.name, people.name],
				[people.name, 'Text'],
			],
		);
	}

	async function run(sends: NewWorkflow): Promise<Execution> {
		return await n8n.api.runToEnd(await n8n.api.createWorkflow(sends));
	}

	const refusal = {
		message: expect.stringMatching(/phone number/i) as string,
		outcome: 'notSent',
	};

	test('a message that cannot be sent stops the workflow, and the error names the item', async () => {
		const { status, data } = await run(sendTexts());
		expect(status).toBe('error');
		expect(data.resultData.error?.message).toMatch(/^Item 2: .*phone number/i);
		expect(received()).toEqual([PEOPLE[0]?.phone]);
	});

	test('a message that cannot be sent becomes an item in the same position with Continue On Fail', async () => {
		const { status, data } = await run(sendTexts({ onError: 'continueRegularOutput' }));
		expect(status).toBe('success');
		const output = itemsOf(data.resultData.runData, 'Text');
		expect(jsonOf(output)).toEqual([
			expect.objectContaining({ code: 200 }),
			{ error: expect.objectContaining(refusal) as object },
			expect.objectContaining({ code: 200 }),
		]);
		expect(linksOf(output)).toEqual([[0], [1], [2]]);
		expect(received()).toEqual([PEOPLE[0]?.phone, PEOPLE[2]?.phone]);
	});

	test('a message that cannot be sent goes to the error output with its input fields, if the node has one', async () => {
		const { status, data } = await run(sendTexts({ onError: 'continueErrorOutput' }));
		expect(status).toBe('success');
		const { runData } = data.resultData;
		expect(linksOf(itemsOf(runData, 'Text'))).toEqual([[0], [2]]);
		const failed = itemsOf(runData, 'Text', 1);
		expect(jsonOf(failed)).toEqual([
			{ ...PEOPLE[1], error: expect.objectContaining(refusal) as object },
		]);
		expect(linksOf(failed)).toEqual([[1]]);
	});

	test('a message that the gateway refuses becomes an item with its status', async () => {
		const wrong = await n8n.api.createCredential('Wrong token', CREDENTIAL_TYPE, {
			...credentialData(gateway),
			accessToken: 'wrong',
		});
		const sends = sendTexts({ onError: 'continueRegularOutput' }, PEOPLE[0]?.phone);
		const text = sends.nodes.find(({ name }) => name === 'Text');
		if (text) text.credentials = { [CREDENTIAL_TYPE]: { id: wrong.id, name: wrong.name } };
		const { data } = await run(sends);
		const output = jsonOf(itemsOf(data.resultData.runData, 'Text'));
		const error = expect.objectContaining({ outcome: 'notSent', httpCode: expect.anything() });
		expect(output).toEqual(PEOPLE.map(() => ({ error })));
		expect(received()).toEqual([]);
	});

	test('a message that was wrong is sent by a retry once it is corrected, and nothing is sent twice', async () => {
		const saved = await n8n.api.createWorkflow(sendTexts());
		const failed = await n8n.api.runToEnd(saved);
		const corrected = sendTexts({}, '={{ $json.phone.replace("no number", "6282222222222") }}');
		const ids = new Map(saved.nodes.map(({ name, id }) => [name, id]));
		const nodes = corrected.nodes.map((node) => ({ ...node, id: ids.get(node.name) ?? node.id }));
		await n8n.api.updateWorkflow(saved.id, { nodes });
		const retry = await n8n.api.retry(failed.id, { loadWorkflow: true });
		const { status, data } = await n8n.api.waitForEnd(retry);
		expect(status).toBe('success');
		expect(itemsOf(data.resultData.runData, 'Text')).toHaveLength(3);
		expect(received()).toEqual(['6281111111111', '6282222222222', '6283333333333']);
	});
});

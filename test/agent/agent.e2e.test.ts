/** The node as a tool of n8n's real AI Agent; only the model is a local one that says what it is told. */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { credentialData } from '../e2e/credentialData';
import { madeReady } from '../examples/examples';
import { startGateway, type Gateway } from '../gateway';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	removeUserFolder,
	startN8n,
	type N8nServer,
	type SavedCredential,
	type SavedWorkflow,
} from '../n8n';
import { startModelServer, type ModelServer } from './modelServer';

const FILES = join(__dirname, '../files');
const TOOL = 'Send_a_text';
const PHONE = '6281234567890';

let userFolder: string;
let gateway: Gateway;
let model: ModelServer;
let files: Server;
let n8n: N8nServer;
let credential: SavedCredential;
let openAi: SavedCredential;

beforeAll(async () => {
	userFolder = await createUserFolder();
	gateway = await startGateway();
	model = await startModelServer();
	files = createServer(({ url = '' }, response) => {
		createReadStream(join(FILES, basename(url))).pipe(response);
	}).listen(0, '127.0.0.1');
	n8n = await startN8n({ userFolder });
	const { api } = n8n;
	credential = await api.createCredential('Gateway', CREDENTIAL_TYPE, credentialData(gateway));
	openAi = await api.createCredential('Model', 'openAiApi', { apiKey: 'key', url: model.url });
});

afterAll(async () => {
	await n8n?.stop();
	await gateway?.close();
	await model?.close();
	files?.close();
	if (userFolder) removeUserFolder(userFolder);
});

beforeEach(() => {
	gateway.clear();
	gateway.behave();
});

/** An agent's older and newer ways of calling a tool; n8n keeps both. */
const AGENT_VERSIONS = [1.9, 3];

/** The example, its chat open to the test, its tool with other parameters where a test wants them. */
async function assistant(tool?: INodeParameters, version = 3): Promise<SavedWorkflow> {
	const changes = {
		'When someone writes': { public: true, options: { responseMode: 'lastNode' } },
		...(tool ? { 'Send a text': tool } : {}),
	};
	const ready = madeReady('6-ai-agent.json', credential, { folder: '', changes });
	const { id, name } = openAi;
	const nodes = ready.nodes.map((node) => {
		if (node.name === 'Assistant') return { ...node, typeVersion: version };
		return node.name === 'Model' ? { ...node, credentials: { openAiApi: { id, name } } } : node;
	});
	const saved = await n8n.api.createWorkflow({ ...ready, nodes });
	await n8n.api.activate(saved);
	return saved;
}

/** Writes into the chat, and gives what the assistant answers. */
async function chat({ id, nodes }: SavedWorkflow, tries = 50): Promise<string> {
	const path = nodes.find(({ webhookId }) => webhookId)?.webhookId;
	const response = await fetch(`${n8n.url}/webhook/${path}/chat`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ action: 'sendMessage', sessionId: id, chatInput: 'Tell Ana.' }),
	});
	if (response.ok) {
		const { output } = (await response.json()) as { output: string };
		await n8n.api.deactivate(id);
		return output;
	}
	if (response.status !== 404 || tries === 0) throw new Error(`The chat: ${response.status}`);
	await sleep(200);
	return await chat({ id, nodes } as SavedWorkflow, tries - 1);
}

/** What the model was told of its last tool call. */
const toolResult = () =>
	model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content ?? '';

function sha256(file: string): string {
	return createHash('sha256')
		.update(readFileSync(join(FILES, file)))
		.digest('hex');
}

describe.each(AGENT_VERSIONS)('the example, with an agent of version %s', (version) => {
	it('sends what the model decides on, and tells the model that it is queued', async () => {
		const call = { phone_number: PHONE, message: 'We open at nine tomorrow.' };
		model.script({ tool: TOOL, arguments: call }, 'I have told Ana.');

		expect(await chat(await assistant(undefined, version))).toBe('I have told Ana.');
		expect(gateway.messages).toMatchObject([
			{ endpoint: 'v1/send', recipients: [PHONE], text: 'We open at nine tomorrow.' },
		]);
		expect(JSON.parse(toolResult())).toMatchObject([{ code: 200 }]);
		expect(toolResult().length).toBeLessThan(300);
		expect(toolResult()).not.toContain(gateway.token);
	});

	it('shows the model its parameters, with what they mean', async () => {
		model.script('Nothing to do.');
		await chat(await assistant(undefined, version));

		const [tool] = model.requests[0]?.tools ?? [];
		expect(tool?.function).toMatchObject({
			name: TOOL,
			description: 'Sends one text message to one phone number',
			parameters: {
				properties: {
					phone_number: { description: expect.stringContaining('country code') as string },
					message: { description: 'The text to send' },
				},
				required: ['phone_number', 'message'],
			},
		});
	});

	it('answers in text, without a tool', async () => {
		model.script('We open at nine.');

		expect(await chat(await assistant(undefined, version))).toBe('We open at nine.');
		expect(gateway.requests).toEqual([]);
	});

	it('tells the model of a wrong number in words that it can act on, and sends nothing', async () => {
		const wrong = { tool: TOOL, arguments: { phone_number: 'Ana', message: 'Hello' } };
		model.script(wrong, 'Which number has Ana?');

		expect(await chat(await assistant(undefined, version))).toBe('Which number has Ana?');
		expect(toolResult()).toContain('“Ana” is not a phone number');
		expect(toolResult()).toContain('Nothing was sent. Enter 6 to 15 digits');
		expect(gateway.requests).toEqual([]);
	});

	it('lets the model not repeat what may have been queued', async () => {
		gateway.misbehave({ respond: { status: 500 }, queueAnyway: true });
		model.script({ tool: TOOL, arguments: { phone_number: PHONE, message: 'Hello' } }, 'Unsure.');

		await chat(await assistant(undefined, version));
		expect(toolResult()).toMatch(/uncertain whether the gateway queued the message/);
		expect(toolResult()).toContain('outbox');
		expect(gateway.messages).toHaveLength(1);
	});
});

describe('every operation, each of its fields filled in by the model', () => {
	const ai = (key: string, type = 'string') => `={{ $fromAI('${key}', 'The ${key}', '${type}') }}`;
	const fileUrl = (name: string) =>
		`http://127.0.0.1:${(files.address() as AddressInfo).port}/${name}`;
	const options = { defaultCountryCode: ai('country'), timeout: ai('timeout', 'number') };
	const OF_OPTIONS = { country: '62', timeout: 20_000 };
	const LOCAL_PHONE = '081234567890';
	const GROUP = '120363025246125016';

	test.each<[string, INodeParameters, () => object, () => object]>([
		[
			'a text',
			{ phoneNumber: ai('phone'), message: ai('text'), options },
			() => ({ phone: LOCAL_PHONE, text: 'Hi', ...OF_OPTIONS }),
			() => ({ endpoint: 'v1/send', recipients: [PHONE], text: 'Hi' }),
		],
		[
			'a text to many numbers',
			{ operation: 'sendBulk', phoneNumbers: ai('phones'), message: ai('text'), options },
			() => ({ phones: `${LOCAL_PHONE}, 6281234567891`, text: 'Hi', ...OF_OPTIONS }),
			() => ({ endpoint: 'v1/sendbulk', recipients: [PHONE, '6281234567891'], text: 'Hi' }),
		],
		[
			'a text to a group',
			{ operation: 'sendToGroup', groupId: ai('group'), message: ai('text') },
			() => ({ group: GROUP, text: 'Hi' }),
			() => ({ endpoint: 'v1/sendgroup', groupId: GROUP, text: 'Hi' }),
		],
		[
			'an image',
			{ resource: 'image', phoneNumber: ai('phone'), fileUrl: ai('url'), caption: ai('caption') },
			() => ({ phone: PHONE, url: fileUrl('photo.jpg'), caption: 'Look' }),
			() => ({ endpoint: 'v2/send-image', text: 'Look', file: { sha256: sha256('photo.jpg') } }),
		],
		[
			'an image to a group',
			{
				resource: 'image',
				operation: 'sendToGroup',
				groupId: ai('group'),
				phoneNumber: ai('phone'),
				fileUrl: ai('url'),
			},
			() => ({ group: GROUP, phone: PHONE, url: fileUrl('photo.jpg') }),
			() => ({ endpoint: 'v2/send-group-image', groupId: GROUP }),
		],
		[
			'a document',
			{
				resource: 'document',
				phoneNumber: ai('phone'),
				fileUrl: ai('url'),
				options: { fileName: ai('name'), defaultCountryCode: ai('country') },
			},
			() => ({
				phone: LOCAL_PHONE,
				url: fileUrl('document.pdf'),
				name: 'Bill.pdf',
				country: '62',
			}),
			() => ({
				endpoint: 'v2/send-document',
				recipients: [PHONE],
				file: { name: 'Bill.pdf', sha256: sha256('document.pdf') },
			}),
		],
		[
			'a document to a group',
			{
				resource: 'document',
				operation: 'sendToGroup',
				groupId: ai('group'),
				phoneNumber: ai('phone'),
				fileUrl: ai('url'),
			},
			() => ({ group: GROUP, phone: PHONE, url: fileUrl('document.pdf') }),
			() => ({ endpoint: 'v2/send-group-document', groupId: GROUP }),
		],
	])('%s', async (_, parameters, call, queued) => {
		model.script({ tool: TOOL, arguments: { ...call() } as never }, 'Done.');

		await chat(await assistant(parameters));
		expect(toolResult()).not.toContain('rror');
		expect(gateway.messages).toMatchObject([queued()]);
		expect(toolResult().length).toBeLessThan(1_000);
	});
});

/** The node as a tool of n8n's real MCP server, called by n8n's real MCP client, which gives up after 60 seconds. */
import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { startModelServer, type ModelServer } from './modelServer';
import { openSite, type Site } from './site';
import { eventually } from '../support/until';
import { madeReady } from '../../tools/n8n/examples';
import type { NewWorkflow, SavedWorkflow } from '../../tools/n8n/server/index';

const PHONE = '6281234567890';
const TOOL = 'Send a text';

let site: Site;
let model: ModelServer;

beforeAll(async () => {
	site = await openSite();
	model = await startModelServer();
});

afterAll(async () => {
	await site?.close();
	await model?.close();
});

function langchainNode(
	name: string,
	type: string,
	typeVersion: number,
	more: Partial<INode>,
): INode {
	const id = randomUUID();
	const position: INode['position'] = [0, 0];
	return {
		id,
		name,
		type: `@n8n/n8n-nodes-langchain.${type}`,
		typeVersion,
		position,
		parameters: {},
		...more,
	};
}

async function activated(workflow: NewWorkflow): Promise<SavedWorkflow> {
	const saved = await site.n8n.api.createWorkflow(workflow);
	await site.n8n.api.activate(saved);
	return saved;
}

const toolOf = (node: string) => ({
	ai_tool: [[{ node, type: 'ai_tool' as const, index: 0 }]],
});

/** Example 6, with an MCP server between its agent and its tool. Resolves to the agent's workflow. */
async function assistant(): Promise<SavedWorkflow> {
	const { credential, n8n } = site;
	const data = { apiKey: 'key', url: model.url };
	const openAiApi = await n8n.api.createCredential('Model', 'openAiApi', data);
	const example = madeReady('6-let-an-ai-agent-answer-and-send.json', credential, {
		folder: '',
		changes: { 'When someone writes': { public: true, options: { responseMode: 'lastNode' } } },
	});
	const connections: NewWorkflow['connections'] = {
		...example.connections,
		Client: toolOf('Assistant'),
	};
	delete connections[TOOL];
	const path = randomUUID();
	const server = langchainNode('Server', 'mcpTrigger', 2, {
		parameters: { path },
		webhookId: path,
	});
	const client = langchainNode('Client', 'mcpClientTool', 1.2, {
		parameters: { endpointUrl: `${n8n.url}/mcp/${path}`, serverTransport: 'httpStreamable' },
	});
	await activated({
		name: 'Tools',
		nodes: [server, ...example.nodes.filter(({ name }) => name === TOOL)],
		connections: { [TOOL]: toolOf('Server') },
	});
	const others = example.nodes
		.filter(({ name }) => name !== TOOL)
		.map((node) => (node.name === 'Model' ? { ...node, credentials: { openAiApi } } : node));
	return await activated({
		name: 'Agent',
		nodes: [client, ...others],
		connections,
	});
}

/** Writes into the chat. Resolves to the answer. */
async function chat({ id, nodes }: SavedWorkflow): Promise<unknown> {
	const path = nodes.find(({ name }) => name === 'When someone writes')?.webhookId;
	return await eventually(async () => {
		const response = await fetch(`${site.n8n.url}/webhook/${path}/chat`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ action: 'sendMessage', sessionId: id, chatInput: 'Tell Ana.' }),
		});
		if (!response.ok) throw new Error(`The chat: ${response.status}`);
		return await response.json();
	});
}

it('a gateway is busy: the model hears in time that nothing was sent, calls again, and one message goes out', async () => {
	const { gateway } = site;
	gateway.misbehave({ respond: { status: 429 }, times: 3 });
	const given = { Phone_Number: PHONE, Message: 'We open at nine.' };
	const call = { tool: 'Client_Send_a_text', arguments: given };
	model.script([call], [call], 'I have told Ana.');

	expect(await chat(await assistant())).toEqual({ output: 'I have told Ana.' });
	const results = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
	expect(results?.map(({ content }) => content)).toEqual([
		expect.stringMatching(/This message was not queued\. Call this tool again in \d+ seconds/),
		expect.stringContaining('Message is sent in the background.'),
	]);
	expect(gateway.requests).toHaveLength(4);
	expect(gateway.messages).toMatchObject([{ recipients: [PHONE], text: 'We open at nine.' }]);
});

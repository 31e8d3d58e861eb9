/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** A small server that speaks as OpenAI's chat completions do, and says what a test tells it to. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

export interface ToolCall {
	tool: string;
	arguments: IDataObject;
}

/** What the model says next: a final text, or which tools it wants to be called, all at once. */
export type Turn = string | ToolCall[];

interface Tool {
	function: {
		name: string;
		description: string;
		parameters: { properties: Record<string, { description?: string }>; required?: string[] };
	};
}

/** What the agent asked of the model. */
export interface ModelRequest {
	stream?: boolean;
	messages: Array<{ role: string; content: string }>;
	tools?: Tool[];
}

export interface ModelServer {
	/** For the credential of n8n's OpenAI node. */
	url: string;
	requests: ModelRequest[];
	/** The turns of the next conversation. */
	script(...turns: Turn[]): void;
	close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
	const requests: ModelRequest[] = [];
	let turns: Turn[] = [];
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			requests.push(body);
			answer(response, turns.shift() ?? 'I have nothing more to say.', body.stream === true);
		});
	});
	await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		script: (...next) => {
			turns = next;
			requests.length = 0;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<ModelRequest> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return JSON.parse(text) as ModelRequest;
}

function answer(response: ServerResponse, turn: Turn, isStream: boolean): void {
	const message = messageOf(turn);
	const finish_reason = typeof turn === 'string' ? 'stop' : 'tool_calls';
	const head = { id: `chatcmpl-${randomUUID()}`, created: 1, model: 'fake' };
	if (!isStream) {
		const choices = [{ index: 0, message, finish_reason }];
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		response.setHeader('Content-Type', 'application/json');
		response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }));
		return;
	}
	response.setHeader('Content-Type', 'text/event-stream');
	const choices = [
		{ index: 0, delta: message, finish_reason: null },
		{ index: 0, delta: {}, finish_reason },
	];
	for (const choice of choices) {
		const chunk = { ...head, object: 'chat.completion.chunk', choices: [choice] };
		response.write(`data: ${JSON.stringify(chunk)}\n\n`);
	}
	response.end('data: [DONE]\n\n');
}

function messageOf(turn: Turn): object {
	if (typeof turn === 'string') return { role: 'assistant', content: turn };
	const tool_calls = turn.map((call, index) => ({
		index,
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
	}));
	return { role: 'assistant', content: null, tool_calls };
}

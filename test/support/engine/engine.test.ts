/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { until } from '../until';
import { createEngine, type Engine, type EngineOptions, type RunOptions } from './engine';

type Behavior = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

const probe = (execute: Behavior): INodeType => ({
	description: {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1,
		description: 'Does what a test tells it to',
		defaults: { name: 'Probe' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Text', name: 'text', type: 'string', default: '' }],
	},
	execute,
});

let engine: Engine;
afterEach(async () => await engine.close());

/** Runs a node with the given behavior, in an engine without the package. */
async function runProbe(execute: Behavior, options: RunOptions = {}, engineOptions = {}) {
	await open(execute, engineOptions);
	return await engine.run(probing(options));
}

async function open(execute: Behavior, options: EngineOptions = {}) {
	engine = await createEngine({
		packageDir: null,
		nodeTypes: { probe: probe(execute) },
		...options,
	});
}

const probing = ({ node, ...options }: RunOptions): RunOptions => ({
	...options,
	node: { ...node, type: 'probe', credentials: undefined },
});

const echo: Behavior = async function () {
	return [this.getInputData()];
};

/** Runs `use` with a server that answers with the path and the authorization of the request. */
async function withServer(use: (url: string) => Promise<void>) {
	const server = createServer(({ url, headers }, response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ path: url, authorization: headers.authorization }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).finally(() => {
		server.close();
	});
}
it('a run of the engine passes the items to the node and returns its output', async () => {
	const run = await runProbe(echo, { items: [{ json: { a: 1 } }, { json: { a: 2 } }] });

	expect(run.status).toBe('success');
	expect(run.error).toBeUndefined();
	expect(run.output[0]?.map(({ json }) => json)).toEqual([{ a: 1 }, { a: 2 }]);
});

it('a run of the engine resolves expressions for each item', async () => {
	const run = await runProbe(
		async function () {
			const items = this.getInputData();
			return [items.map((_, i) => ({ json: { text: this.getNodeParameter('text', i) } }))];
		},
		{ parameters: { text: '=no. {{ $json.index + 1 }}' }, items: 2 },
	);

	expect(run.output[0]?.map(({ json }) => json.text)).toEqual(['no. 1', 'no. 2']);
});

it('a run of the engine handles 100,000 items', async () => {
	const run = await runProbe(echo, { items: 100_000 });

	expect(run.output[0]).toHaveLength(100_000);
});

it('a run of the engine returns the hints and the log', async () => {
	const run = await runProbe(async function () {
		this.addExecutionHints({ message: 'two were removed' });
		this.logger.info('from the node', { number: 7 });
		return [[]];
	});

	expect(run.hints).toMatchObject([{ message: 'two were removed' }]);
	expect(run.logs.join('\n')).toMatch(/info from the node .*7/);
	expect(run.logs.join('\n')).toContain('Workflow execution started');
});

it('a run of the engine talks to a real server through the request helper', async () => {
	await withServer(async (url) => {
		const run = await runProbe(async function () {
			return [[{ json: await this.helpers.httpRequest({ url: `${url}/here`, json: true }) }]];
		});

		expect(run.output[0]?.[0]?.json).toMatchObject({ path: '/here' });
	});
});
const failing: Behavior = async function () {
	throw new Error('broken');
};

it('a failing node ends the run with its error', async () => {
	const run = await runProbe(failing);

	expect(run.status).toBe('error');
	expect(run.error?.message).toBe('broken');
});

it('a failing node runs twice with Retry On Fail, and keeps its context', async () => {
	const run = await runProbe(
		async function () {
			const context = this.getContext('node');
			context.tries = Number(context.tries ?? 0) + 1;
			if (context.tries === 1) throw new Error('only once');
			return [[{ json: { tries: context.tries } }]];
		},
		{ node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	);

	expect(run.output[0]?.[0]?.json).toEqual({ tries: 2 });
});

it('a failing node sends its failed items, with the fields of the input, to the error output', async () => {
	const run = await runProbe(
		async function () {
			return [
				this.getInputData().map(({ json }, item) => ({
					json: json.index === 1 ? { error: { message: 'no' } } : { fine: true },
					pairedItem: { item },
				})),
			];
		},
		{ items: 3, node: { onError: 'continueErrorOutput' } },
	);

	expect(run.output[0]?.map(({ json }) => json)).toEqual([{ fine: true }, { fine: true }]);
	expect(run.output[1]?.map(({ json }) => json)).toEqual([{ index: 1, error: { message: 'no' } }]);
});
const failingFirst: Behavior = async function () {
	const context = this.getContext('node');
	const { input = [], set } = context as { input?: unknown[]; set?: object };
	context.input = [...input, ...this.getInputData().map(({ json }) => json.index)];
	context.set = new Set([1]);
	if (input.length === 0) throw new Error('first');
	const text = this.getNodeParameter('text', 0);
	return [[{ json: { text, set, input: context.input as number[] } }]];
};

it('retrying an execution keeps input, context and parameters, as n8n stored them', async () => {
	const failed = await runProbe(failingFirst, { items: 2, parameters: { text: 'old' } });
	const retried = await engine.retry(failed);

	expect(failed.status).toBe('error');
	expect(retried.status).toBe('success');
	expect(retried.executionId).not.toBe(failed.executionId);
	// A Set does not survive n8n's database.
	expect(retried.output[0]?.[0]?.json).toEqual({ text: 'old', set: {}, input: [0, 1, 0, 1] });
	expect(retried.runs).toHaveLength(1);
});

it('retrying an execution uses edited parameters', async () => {
	const failed = await runProbe(failingFirst, { parameters: { text: 'old' } });
	const retried = await engine.retry(failed, { parameters: { text: 'new' } });

	expect(retried.output[0]?.[0]?.json).toMatchObject({ text: 'new' });
});

/** Ends once the execution is canceled, which may be before the node runs. */
const waiting: Behavior = async function () {
	const signal = this.getExecutionCancelSignal();
	await new Promise<void>((resolve) => {
		if (signal?.aborted) resolve();
		signal?.addEventListener('abort', () => resolve());
	});
	return [[{ json: { stopped: true } }]];
};

it.each(['the engine', 'an abort signal'])(
	'%s cancels the execution and signals the node',
	async (by) => {
		const abort = new AbortController();
		let runs = false;
		await open(async function () {
			runs = true;
			return await waiting.call(this);
		});
		const running = engine.run(probing({ signal: abort.signal }));
		await until(() => runs, 'the node runs');
		if (by === 'the engine') engine.cancel();
		else abort.abort();

		await expect(running).resolves.toMatchObject({ status: 'canceled' });
	},
);

it('stopping the engine cancels after the timeout of the workflow', async () => {
	const run = await runProbe(waiting, { settings: { executionTimeout: 0.05 } });

	expect(run.status).toBe('canceled');
});

it('a loop in the engine runs the node once per batch, with links to the original items', async () => {
	await open(async function () {
		const items = this.getInputData();
		return [items.map((_, i) => ({ json: { text: this.getNodeParameter('text', i) } }))];
	});
	const run = await engine.runLoop({
		...probing({ items: 5, parameters: { text: "={{ $('Items').item.json.index }}" } }),
		batchSize: 2,
	});

	const texts = run.runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.text));
	expect(run.error).toBeUndefined();
	expect(texts).toEqual([[0, 1], [2, 3], [4]]);
});

describe.each(['default', 'filesystem'] as const)('files in %s mode', (binaryMode) => {
	const content = readFileSync(__filename);
	const measure: Behavior = async function () {
		const binary = this.helpers.assertBinaryData(0, 'data');
		const buffer = await this.helpers.getBinaryDataBuffer(0, 'data');
		return [[{ json: { stored: binary.id !== undefined, text: buffer.toString() } }]];
	};

	it.each([
		['bytes', content],
		['a path', __filename],
	])('a file can be given as %s', async (_, from) => {
		const file = { fileName: 'a.txt', mimeType: 'text/plain', content: from };
		const run = await runProbe(measure, { items: [{ binary: { data: file } }] }, { binaryMode });

		expect(run.error).toBeUndefined();
		expect(run.output[0]?.[0]?.json).toEqual({
			stored: binaryMode === 'filesystem',
			text: content.toString(),
		});
	});
});

it('the engine leaves no file behind when it is closed', async () => {
	const file = { mimeType: 'text/plain', content: Buffer.from('x') };
	const run = await runProbe(
		async function () {
			const { id = '' } = this.helpers.assertBinaryData(0, 'data');
			return [[{ json: { path: this.helpers.getBinaryPath(id) } }]];
		},
		{ items: [{ binary: { data: file } }] },
		{ binaryMode: 'filesystem' },
	);
	const path = String(run.output[0]?.[0]?.json.path);

	expect(existsSync(path)).toBe(true);
	await engine.close();
	expect(existsSync(path)).toBe(false);
});
const remembering: Behavior = async function () {
	const keys = this.getInputData().map(({ json }) => String(json.key));
	const options = { mode: 'entries' as const, maxEntries: 3 };
	const result = await this.helpers.checkProcessedAndRecord(keys, 'node', options);
	return [[{ json: { new: result.new as string[], known: result.processed as string[] } }]];
};
const keys = (...names: string[]) => probing({ items: names.map((key) => ({ json: { key } })) });
const check = async (...names: string[]) => (await engine.run(keys(...names))).output[0]?.[0]?.json;

it('the history across executions knows what an earlier execution recorded, up to the limit', async () => {
	await open(remembering);

	// n8n compares nothing while it has no record yet.
	expect(await check('a', 'a')).toEqual({ new: ['a', 'a'], known: [] });
	expect(await check('a', 'b', 'b')).toEqual({ new: ['b', 'b'], known: ['a'] });
	expect(await check('c', 'd')).toEqual({ new: ['c', 'd'], known: [] });
	expect(await check('a')).toEqual({ new: ['a'], known: [] });
});

describe('a package', () => {
	/** A package with one node that outputs the request as its credential authenticates it. */
	const files = {
		'package.json': JSON.stringify({
			name: 'n8n-nodes-messaging-gateway',
			version: '1.0.0',
			n8n: { nodes: ['MessagingGateway.node.js'], credentials: ['MessagingGatewayApi.js'] },
		}),
		'MessagingGateway.node.js': `exports.MessagingGateway = class {
			description = {
				displayName: 'Gateway', name: 'messagingGateway', group: [], version: 1, defaults: {},
				inputs: ['main'], outputs: ['main'], properties: [],
				credentials: [{ name: 'messagingGatewayApi', required: true }],
			};
			async execute() {
				const { baseUrl } = await this.getCredentials('messagingGatewayApi');
				return [[{ json: await this.helpers.httpRequestWithAuthentication.call(
					this, 'messagingGatewayApi', { url: baseUrl, json: true },
				) }]];
			}
		}`,
		'MessagingGatewayApi.js': `exports.MessagingGatewayApi = class {
			name = 'messagingGatewayApi';
			properties = ['baseUrl', 'accessToken'].map((name) => ({ name, type: 'string', default: '' }));
			authenticate = {
				type: 'generic',
				properties: { headers: { Authorization: '=Bearer {{ $credentials.accessToken }}' } },
			};
		}`,
	};
	let packageDir: string;
	beforeAll(() => {
		packageDir = mkdtempSync(join(tmpdir(), 'engine-package-'));
		for (const [name, text] of Object.entries(files)) writeFileSync(join(packageDir, name), text);
	});
	afterAll(() => rmSync(packageDir, { recursive: true }));

	it('a package is loaded and authenticates with its credential, and each read is counted', async () => {
		await withServer(async (baseUrl) => {
			engine = await createEngine({ packageDir });
			const run = await engine.run({ credential: { baseUrl, accessToken: 'secret' } });
			const other = await engine.run({ credential: { baseUrl, accessToken: '={{ 6 * 7 }}' } });

			expect(run.output[0]?.[0]?.json).toMatchObject({ authorization: 'Bearer secret' });
			expect(other.output[0]?.[0]?.json).toMatchObject({ authorization: 'Bearer 42' });
			expect(engine.credentialReads).toBe(4);
		});
	});
});

it('the engine names a missing node type', async () => {
	await open(echo);

	await expect(engine.run({ node: { type: 'nowhere' } })).rejects.toThrow(
		'There is no node type "nowhere"',
	);
});

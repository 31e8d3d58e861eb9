/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** Runs one unit of work in this process, with the Node.js and the engine of a real n8n. */
import type { INode, INodeType } from 'n8n-workflow';
import { Agent, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
	createEngine,
	NODE_NAME,
	type Engine,
	type ItemInput,
} from '../../test/support/engine/engine';
import { resetPeak, peakMb, residentMb } from './memory';
import { HTTP_REQUEST, peers, RETRY_ON_FAIL, SET, TELEGRAM } from './peers';
import type { Measured, Work } from './work';

const work = JSON.parse(process.argv[2] ?? '') as Work;

const evaluationNode: INodeType = {
	description: {
		displayName: 'Evaluation',
		name: 'evaluation',
		group: ['transform'],
		version: 1,
		description: 'Evaluates its message for every item, and does nothing else',
		defaults: { name: 'Evaluation' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Message', name: 'message', type: 'string', default: '' }],
	},
	async execute() {
		const items = this.getInputData();
		for (let index = 0; index < items.length; index++) this.getNodeParameter('message', index);
		return [[{ json: {}, pairedItem: { item: 0 } }]];
	},
};

async function engineFor(): Promise<Engine> {
	const { nodeTypes, credentialTypes } = peers();
	return await createEngine({
		binaryMode: 'filesystem',
		nodeTypes: { ...nodeTypes, 'bench.evaluation': evaluationNode },
		credentialTypes,
	});
}

const NODES: Record<string, Partial<INode>> = {
	ours: {},
	evaluation: { type: 'bench.evaluation' },
	httpRequest: HTTP_REQUEST,
	set: SET,
	telegram: TELEGRAM,
};

function itemsOf(count: number): ItemInput[] {
	const { file, optOuts = 0, numbers = Infinity } = work;
	const phoneOf = (index: number) => `62812${1_000_000 + (index % numbers)}`;
	const out = Array.from({ length: optOuts }, (_, index) => `+62 813 ${1_000_000 + index}`);
	return Array.from({ length: count }, (_, index) => ({
		json: { index, phone: phoneOf(index), ...(optOuts > 0 && index === 0 && { out }) },
		...(file
			? {
					binary: {
						data: { fileName: 'file.pdf', mimeType: 'application/pdf', content: file },
					},
				}
			: {}),
	}));
}

async function fill({ history, workflowId }: Engine, lock: Work['history']): Promise<void> {
	history.latency = 1;
	const context = { workflow: { id: workflowId }, node: { id: NODE_NAME } } as never;
	const options = { mode: 'entries' as const, maxEntries: 10_000 };
	const keys = Array.from({ length: 10_000 }, (_, index) => `known ${index}`);
	await history.checkProcessedAndRecord(keys, 'node', context, options);
	if (lock === 'unlocked') {
		await history.checkProcessedAndRecord(['x'], 'workflow', context, options);
	}
}

async function run(engine: Engine, items: number): Promise<Measured> {
	const { baseUrl, parameters, node } = work;
	const isRefused = baseUrl.endsWith('/refuse');
	const onError = 'continueErrorOutput' as const;
	const whenRefused =
		node === 'ours' ? { onError } : { onError, ...RETRY_ON_FAIL, waitBetweenTries: 0 };
	resetPeak(process.pid);
	const before = residentMb(process.pid);
	const given = itemsOf(items);
	const delays = monitorEventLoopDelay({ resolution: 1 });
	delays.enable();
	// It measures between two of its own timers, the first of which comes now, the last at the end.
	await new Promise((resolve) => setTimeout(resolve, 20));
	const { runs, status, error, output } = await engine.run({
		credential: { baseUrl, accessToken: 'bench-token', deviceId: 'device' },
		items: given,
		parameters,
		node: { ...NODES[node], ...(isRefused && whenRefused) },
	});
	await new Promise((resolve) => setTimeout(resolve, 20));
	delays.disable();
	if (status !== 'success') throw new Error(`${node} failed: ${error?.message}`);
	return {
		ms: runs[0]?.executionTime ?? NaN,
		peakMb: peakMb(process.pid) - before,
		blockedMs: delays.max / 1e6,
		outputs: output[0]?.length ?? 0,
		...(isRefused && { refused: Number(await (await fetch(baseUrl)).text()) }),
	};
}

/** The lower bound: five keep-alive connections, without n8n. */
async function keepAlive(): Promise<Measured> {
	const agent = new Agent({ keepAlive: true, maxSockets: 5 });
	const body = 'deviceid=device&number=6281234567890&message=Your+order+is+ready.';
	const post = async () =>
		await new Promise<void>((resolve, reject) => {
			const sent = request(`${work.baseUrl}/api/v1/message/send`, { method: 'POST', agent });
			sent.once('response', (response) => response.resume().once('end', resolve));
			sent.once('error', reject);
			sent.end(body);
		});
	const started = performance.now();
	await Promise.all(Array.from({ length: work.items }, post));
	agent.destroy();
	return {
		ms: performance.now() - started,
		peakMb: 0,
		blockedMs: 0,
		outputs: work.items,
	};
}

async function main(): Promise<void> {
	if (work.node === 'keepAlive') return console.log(JSON.stringify(await keepAlive()));
	const engine = await engineFor();
	if (work.history) await fill(engine, work.history);
	if (work.warmUp > 0) await run(engine, work.warmUp);
	const all: Measured[] = [];
	for (let times = 0; times < (work.runs ?? 1); times++) all.push(await run(engine, work.items));
	const last = all.at(-1) as Measured;
	const ms = all.reduce((sum, each) => sum + each.ms, 0);
	console.log(JSON.stringify({ ...last, ms }));
	await engine.close();
	process.exit(0);
}

void main();

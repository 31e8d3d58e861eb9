/**
 * n8n's queue mode for real: a main, two workers, Redis and PostgreSQL. 20 executions of 200 sends run
 * over both workers, and one worker dies in the middle.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { startGateway, type Gateway } from '../gateway';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	ensureN8n,
	freePort,
	gatewayNode,
	node,
	removeUserFolder,
	startN8n,
	workflow,
	type N8nServer,
} from '../n8n';
import { n8nEnvironment } from '../n8n/environment';
import { start } from '../n8n/processes';
import { startServices, type Services } from './services';

const EXECUTIONS = 20;
const SENDS = 200;
const CONCURRENCY = 5;
const FILES = join(__dirname, '../files');
/** Of the worker: how many executions it runs at once. */
const WORKER_CONCURRENCY = 2;

let services: Services;
let gateway: Gateway;
let userFolder: string;
let n8n: N8nServer;
let workers: ChildProcess[];
let env: Record<string, string>;

beforeAll(async () => {
	services = await startServices();
	gateway = await startGateway();
	userFolder = await createUserFolder();
	env = {
		...services.env,
		N8N_ENCRYPTION_KEY: randomUUID(),
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	};
	n8n = await startN8n({ userFolder, files: FILES, env });
	workers = [await startWorker(), await startWorker()];
});

afterAll(async () => {
	for (const worker of workers ?? []) await kill(worker);
	await n8n?.stop();
	await gateway?.close();
	await services?.stop();
	if (userFolder) removeUserFolder(userFolder);
});

async function startWorker(): Promise<ChildProcess> {
	const paths = await ensureN8n();
	const settings = { userFolder, files: FILES, env };
	const environment = n8nEnvironment(paths, settings, await freePort());
	const args = [paths.cli, 'worker', `--concurrency=${WORKER_CONCURRENCY}`];
	const worker = start(paths.node, args, { env: environment, cwd: userFolder });
	await new Promise<void>((ready, failed) => {
		let log = '';
		worker.stdout?.on('data', (chunk: Buffer) => {
			log += chunk.toString();
			if (log.includes('worker is now ready')) ready();
		});
		worker.once('exit', () => failed(new Error(`The worker did not start:\n${log}`)));
	});
	return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
	if (worker.exitCode !== null || worker.signalCode !== null) return;
	const ended = once(worker, 'exit');
	worker.kill('SIGKILL');
	await ended;
}

/** A webhook that sends so many messages, every tenth of them as a document with a real file. */
async function campaign(options: IDataObject): Promise<string> {
	const { api } = n8n;
	const credential = await api.createCredential('Gateway', CREDENTIAL_TYPE, {
		baseUrl: gateway.baseUrl,
		accessToken: gateway.token,
		deviceId: gateway.deviceId,
		allowUnauthorizedCerts: false,
	});
	const path = randomUUID();
	const list = `={{ Array.from({ length: ${SENDS} }, (_, i) => ({ id: $json.body.run + '-' + i, phone: String(6280000000000 + $json.body.run * 1000 + i), isFile: i % 10 === 0 })) }}`;
	const assignments = { assignments: [{ id: 'a', name: 'items', type: 'array', value: list }] };
	const text = {
		resource: 'text',
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.id }}',
		options: { maxConcurrency: CONCURRENCY, ...options },
	};
	const isFile = {
		conditions: {
			options: { version: 2, caseSensitive: true, typeValidation: 'loose' },
			combinator: 'and',
			conditions: [
				{
					id: 'c',
					leftValue: '={{ $json.isFile }}',
					rightValue: '',
					operator: { type: 'boolean', operation: 'true', singleValue: true },
				},
			],
		},
	};
	const saved = await api.createWorkflow(
		workflow(
			'Campaign',
			[
				node(
					'Webhook',
					'n8n-nodes-base.webhook',
					2,
					{ httpMethod: 'POST', path },
					{ webhookId: path },
				),
				node('List', 'n8n-nodes-base.set', 3.4, { assignments, options: {} }),
				node('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
				node('Is a file', 'n8n-nodes-base.if', 2.2, isFile),
				node('Read', 'n8n-nodes-base.readWriteFile', 1, {
					operation: 'read',
					fileSelector: join(FILES, 'document.pdf'),
					options: {},
				}),
				gatewayNode(
					'Documents',
					{
						...text,
						resource: 'document',
						phoneNumber: "={{ $('Is a file').item.json.phone }}",
						options: {
							...text.options,
							fileName: "={{ $('Is a file').item.json.id }}.pdf",
							...('sendOnceKey' in options
								? { sendOnceKey: "={{ $('Is a file').item.json.id }}" }
								: {}),
						},
					},
					credential,
				),
				gatewayNode('Texts', text, credential),
			],
			[
				['Webhook', 'List'],
				['List', 'Items'],
				['Items', 'Is a file'],
				['Is a file', 'Read', 0],
				['Read', 'Documents'],
				['Is a file', 'Texts', 1],
			],
		),
	);
	await api.activate(saved);
	return `${n8n.url}/webhook/${path}`;
}

/** n8n answers 404 until the main has taken the new webhook in. */
async function post(url: string, run: number, tries = 100): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ run }),
	});
	if (response.ok) return;
	if (response.status !== 404 || tries === 0) {
		throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
	}
	await sleep(200);
	await post(url, run, tries - 1);
}

/** How often each message stands in the ledger. */
function ledger(): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { text, file } of gateway.messages) {
		const id = text ?? file?.name.replace('.pdf', '') ?? '';
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	return counts;
}

async function untilQuiet(quietMs: number): Promise<void> {
	let seen = -1;
	while (seen !== gateway.messages.length) {
		seen = gateway.messages.length;
		await sleep(quietMs);
	}
}

test('20 executions of 200 sends run over two workers, each message once', async () => {
	const url = await campaign({});
	const started = Date.now();
	await Promise.all(Array.from({ length: EXECUTIONS }, async (_, run) => await post(url, run)));
	await untilQuiet(5_000);
	console.info(`4,000 sends over two workers: ${Date.now() - started - 5_000} ms`);

	expect(ledger().size).toBe(EXECUTIONS * SENDS);
	expect([...ledger().values()].every((count) => count === 1)).toBe(true);
});

test('when a worker is killed, a Send-Once Key keeps every message from going out twice', async () => {
	gateway.clear();
	const url = await campaign({ sendOnceKey: '={{ $json.id }}' });
	await Promise.all(
		Array.from({ length: EXECUTIONS }, async (_, run) => await post(url, 100 + run)),
	);
	while (gateway.messages.length < 600) await sleep(50);
	await kill(workers[0] as ChildProcess);
	// n8n's queue finds after at most a minute that an execution has stalled, and gives it to the other worker.
	await untilQuiet(75_000);

	const counts = ledger();
	const twice = [...counts.values()].filter((count) => count > 1).length;
	const missing = EXECUTIONS * SENDS - counts.size;
	console.info(`worker killed: ${counts.size} of 4,000 went out, ${twice} twice`);
	expect(missing).toBeLessThan(WORKER_CONCURRENCY * SENDS);
	expect(twice).toBe(0);
});

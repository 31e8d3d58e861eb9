/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** Starts and stops a real n8n server with its editor, for tests and for trying the node. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nApi } from './api';
import { n8nEnvironment, type N8nSettings } from './environment';
import { ensureN8n } from './host';
import { freePort } from './ports';
import { start } from './processes';
import { Progress } from './progress';

const READY_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 40_000;
const LOOK_AGAIN_MS = 200;
const LOG_LINES_SHOWN = 40;

export interface N8nServer {
	url: string;
	/** Logged in as the owner. */
	api: N8nApi;
	pid: number;
	/** What n8n has written so far. */
	logs(): string;
	/** Stops n8n after it has finished its work. */
	stop(): Promise<void>;
	/** Kills n8n at once, as a power cut would. */
	kill(): Promise<void>;
}

export interface StartOptions extends N8nSettings {
	version?: string;
	/** The port to listen on; any free one if left out. */
	port?: number;
}

export async function startN8n(options: StartOptions): Promise<N8nServer> {
	const n8n = await ensureN8n(options.version);
	const port = options.port ?? (await freePort());
	const url = `http://localhost:${port}`;
	const env = {
		...n8nEnvironment(n8n, options, await freePort()),
		N8N_PORT: String(port),
	};
	const child = start(n8n.node, [n8n.cli, 'start'], { env, cwd: options.userFolder });
	const server = controlOf(child);
	const progress = new Progress(`n8n ${n8n.version}`, 'Starting n8n');
	try {
		await waitUntilReady(url, server);
		const api = new N8nApi(url);
		await api.logIn();
		progress.end(`n8n answers at ${url}`);
		return { url, api, ...server };
	} catch (error) {
		progress.end('n8n did not start.');
		await server.kill();
		throw error;
	}
}

type Control = Pick<N8nServer, 'pid' | 'logs' | 'stop' | 'kill'> & { hasEnded: () => boolean };

function controlOf(child: ChildProcess): Control {
	let log = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
	}
	let ended = false;
	const end = new Promise<void>((resolve) => {
		child.on('error', (error) => (log += error.message));
		child.on('close', () => {
			ended = true;
			resolve();
		});
	});
	const kill = async () => {
		child.kill('SIGKILL');
		await end;
	};
	const stop = async () => {
		child.kill('SIGTERM');
		const inTime = sleep(STOP_WITHIN_MS, false, { ref: false });
		if (!(await Promise.race([end.then(() => true), inTime]))) await kill();
	};
	return { pid: child.pid ?? 0, logs: () => log, hasEnded: () => ended, stop, kill };
}

/** n8n answers 200 even while it starts up, so wait until it asks for a login in JSON. */
async function waitUntilReady(url: string, server: Control): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await asksForLogin(`${url}/rest/login`))) {
		const seconds = READY_WITHIN_MS / 1000;
		if (server.hasEnded()) throw notStarted('n8n ended while it was starting', server);
		if (Date.now() > deadline) throw notStarted(`n8n was not ready after ${seconds} s`, server);
		await sleep(LOOK_AGAIN_MS);
	}
}

async function asksForLogin(url: string): Promise<boolean> {
	try {
		const response = await fetch(url);
		await response.json();
		return response.status === 401;
	} catch {
		return false;
	}
}

function notStarted(what: string, server: Control): Error {
	const lines = server.logs().trim().split('\n').slice(-LOG_LINES_SHOWN);
	return new Error(`${what}. The end of its log:\n${lines.join('\n')}`);
}

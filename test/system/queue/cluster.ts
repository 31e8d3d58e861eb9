/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** n8n's queue mode on this machine: a main process and its workers, with Redis and PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import {
	createEmptyUserFolder,
	ensureN8n,
	freePort,
	removeUserFolder,
	startN8n,
} from '../../../tools/n8n/server/index';
import type { N8nServer } from '../../../tools/n8n/server/index';
import { n8nEnvironment } from '../../../tools/n8n/server/environment';
import { start } from '../../../tools/n8n/server/processes';
import { startServices } from './services';

export interface Cluster {
	main: N8nServer;
	startWorker(): Promise<Worker>;
	stop(): Promise<void>;
}

export interface Worker {
	/** What the worker has written so far. */
	logs(): string;
	/** Returns how many executions it has begun. */
	begun(): number;
	/** Kills it as a failing machine would, without any cleanup. */
	kill(): Promise<void>;
	/** Lets it do nothing for so many milliseconds, as a machine that swaps or sleeps. */
	stall(ms: number): Promise<void>;
}

export interface ClusterOptions {
	/** A folder that workflows may read. */
	files: string;
	/** How many executions a worker runs at once. */
	executionsPerWorker: number;
	/** The packed node; the built checkout if left out. */
	tarball?: string;
	/** Additional environment variables of all processes. */
	env?: Record<string, string>;
}

/** n8n detects a dead worker by its expired lock, which lasts a minute by default. */
const SHORT_LOCKS = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/**
 * Starts a cluster in which each process has its own user folder. n8n keeps a log of executions there,
 * and a starting process marks every unfinished one as crashed, even if another worker is running it.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const { files, executionsPerWorker, tarball } = options;
	const services = await startServices();
	const folders: string[] = [];
	const newFolder = async () => {
		const folder = await createEmptyUserFolder(tarball);
		folders.push(folder);
		return folder;
	};
	const env = {
		...services.env,
		...SHORT_LOCKS,
		N8N_ENCRYPTION_KEY: randomUUID(),
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		...options.env,
	};
	const workers: Worker[] = [];
	const main = await startN8n({ userFolder: await newFolder(), files, env });
	return {
		main,
		startWorker: async () => {
			const paths = await ensureN8n();
			const args = [paths.cli, 'worker', `--concurrency=${executionsPerWorker}`];
			const userFolder = await newFolder();
			// The links that a worker makes begin with it, and lead to the main process.
			const settings = { userFolder, files, env: { ...env, WEBHOOK_URL: main.url } };
			const environment = n8nEnvironment(paths, settings, await freePort());
			const child = start(paths.node, args, { env: environment, cwd: userFolder });
			const worker = workerOf(child);
			workers.push(worker);
			await worker.isReady;
			return worker;
		},
		stop: async () => {
			await Promise.all(workers.map(async (worker) => await worker.kill()));
			await main.stop();
			await services.stop();
			folders.forEach(removeUserFolder);
		},
	};
}

function workerOf(child: ChildProcess): Worker & { isReady: Promise<void> } {
	let log = '';
	// Unread, it would stop the worker once the pipe is full.
	child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
	const isReady = new Promise<void>((ready, failed) => {
		child.stdout?.on('data', (chunk: Buffer) => {
			log += chunk.toString();
			if (log.includes('worker is now ready')) ready();
		});
		child.once('exit', () => failed(new Error(`The worker did not start:\n${log}`)));
	});
	return {
		isReady,
		logs: () => log,
		begun: () => log.split('Worker started execution').length - 1,
		kill: async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, 'exit');
			child.kill('SIGKILL');
			await ended;
		},
		stall: async (ms) => {
			child.kill('SIGSTOP');
			await sleep(ms);
			child.kill('SIGCONT');
		},
	};
}

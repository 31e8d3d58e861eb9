/** Redis and PostgreSQL for n8n's queue mode, on free ports, in folders of their own. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../n8n';

const READY_WITHIN_MS = 30_000;
const POSTGRES = '/usr/lib/postgresql';

export interface Services {
	/** What n8n has to be told, to use them. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
	installWhatIsMissing();
	const folder = mkdtempSync(join(tmpdir(), 'queue-services-'));
	const [redisPort, postgresPort] = [await freePort(), await freePort()];
	const processes = [startRedis(folder, redisPort), startPostgres(folder, postgresPort)];
	const stop = async () => {
		await Promise.all(processes.map(end));
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await Promise.all([redisPort, postgresPort].map(answers));
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redisPort),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'postgres',
		},
		stop,
	};
}

/** Debian's packages; elsewhere, and for anyone but root, a sentence that says what to do. */
function installWhatIsMissing(): void {
	if (existsSync('/usr/bin/redis-server') && existsSync(POSTGRES)) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(
			'The queue test needs Redis and PostgreSQL. Install Debian\'s packages "redis-server" and "postgresql" and run it again.',
		);
	}
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'inherit' });
	const install = ['install', '-y', '-qq', '--no-install-recommends'];
	execFileSync('apt-get', [...install, 'redis-server', 'postgresql'], { env, stdio: 'inherit' });
}

function startRedis(folder: string, port: number): ChildProcess {
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	return spawn('redis-server', args, { stdio: 'ignore' });
}

/** PostgreSQL refuses to run as root, so root starts it as the user of Debian's package. */
function startPostgres(folder: string, port: number): ChildProcess {
	const [version] = readdirSync(POSTGRES).sort().reverse();
	const programs = join(POSTGRES, version ?? '', 'bin');
	const data = mkdtempSync(join(folder, 'postgres-'));
	const asRoot = process.getuid?.() === 0;
	const identity = asRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
	if (identity.uid !== undefined) {
		chownSync(folder, identity.uid, identity.gid);
		chownSync(data, identity.uid, identity.gid);
	}
	const options = { ...identity, cwd: data };
	const init = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'];
	execFileSync(join(programs, 'initdb'), init, { ...options, stdio: 'ignore' });
	const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-c', 'fsync=off'];
	return spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
}

function idOf(flag: '-u' | '-g'): number {
	return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}

async function answers(port: number): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await isOpen(port))) {
		if (Date.now() > deadline) throw new Error(`Nothing answers at port ${port}.`);
		await sleep(100);
	}
}

async function isOpen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGINT');
	await ended;
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/require-node-api-error -- runs outside of n8n */
/** Redis and PostgreSQL for n8n's queue mode, on free ports and in temporary folders. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	identityOf,
	installMissingPackages,
	PACKAGES,
	stopProcess,
	waitForPort,
} from '../../support/debian/index';
import { freePort } from '../../../tools/n8n/server/index';

export interface Services {
	/** The environment variables that make n8n use them. */
	env: Record<string, string>;
	stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
	installMissingPackages('The queue test', 'redis-server', 'postgresql');
	const folder = mkdtempSync(join(tmpdir(), 'queue-services-'));
	const [redisPort, postgresPort] = [await freePort(), await freePort()];
	const processes = [startRedis(folder, redisPort), startPostgres(folder, postgresPort)];
	const stop = async () => {
		await Promise.all(processes.map(stopProcess));
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		await Promise.all([redisPort, postgresPort].map(waitForPort));
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

function startRedis(folder: string, port: number): ChildProcess {
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	return spawn('redis-server', args, { stdio: 'ignore' });
}

/** PostgreSQL refuses to run as root, so root starts it as the user of the Debian package. */
function startPostgres(folder: string, port: number): ChildProcess {
	const [version] = readdirSync(PACKAGES.postgresql).sort().reverse();
	const programs = join(PACKAGES.postgresql, version ?? '', 'bin');
	const data = mkdtempSync(join(folder, 'postgres-'));
	const identity = identityOf('postgres');
	const { uid, gid } = identity;
	if (uid !== undefined && gid !== undefined) {
		for (const each of [folder, data]) chownSync(each, uid, gid);
	}
	const options = { ...identity, cwd: data };
	const init = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'];
	execFileSync(join(programs, 'initdb'), init, { ...options, stdio: 'ignore' });
	const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', data, '-c', 'fsync=off'];
	return spawn(join(programs, 'postgres'), args, { ...options, stdio: 'ignore' });
}

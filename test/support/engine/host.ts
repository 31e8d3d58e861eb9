/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { mainRealm, requireFor } from '../mainRealm';
import { HistoryRegistry } from './history';

type Core = typeof import('n8n-core');
type Constructor<T> = new (...args: never[]) => T;

interface Container {
	get<T>(type: Constructor<T>): T;
	set(type: unknown, instance: unknown): void;
}

/** The two packages that make up n8n's engine, loaded once per process, as in n8n itself. */
export interface Host {
	core: Core;
	n8n: typeof import('n8n-workflow');
	container: Container;
	histories: HistoryRegistry;
	/** The node_modules folder of n8n-core; set only if it is not the checkout's own. */
	foreignModules?: string;
	/** Runs `work` and adds every line that n8n logs during it, at any level, to `lines`. */
	logging<T>(lines: string[], work: () => Promise<T>): Promise<T>;
}

const inProcess = mainRealm as { n8nHost?: Promise<Host> };

export const loadHost = (): Promise<Host> => (inProcess.n8nHost ??= load());

async function load(): Promise<Host> {
	const coreDir = process.env.N8N_CORE_DIR;
	const requireFromCore = requireFor(
		coreDir ? join(coreDir, 'package.json') : require.resolve('n8n-core/package.json'),
	);
	return await inTemporaryUserFolder(async () => {
		const n8n = requireFromCore('n8n-workflow') as Host['n8n'];
		const { Container } = requireFromCore('@n8n/di') as { Container: Container };
		const { Logger } = requireFromCore('@n8n/backend-common') as { Logger: unknown };
		const lines = new AsyncLocalStorage<string[]>();
		const logger = loggerInto(lines);
		n8n.LoggerProxy.init(logger);
		Container.set(Logger, logger);

		const core = requireFromCore(requireFromCore.resolve('./')) as Core;
		Container.get(core.InstanceSettings);
		if (coreDir) stopTimers(requireFromCore, Container);
		const histories = new HistoryRegistry();
		await core.DataDeduplicationService.init(histories);
		return {
			core,
			n8n,
			container: Container,
			histories,
			foreignModules: coreDir && dirname(coreDir),
			logging: (into, work) => lines.run(into, work),
		};
	});
}

/** Stops a timer of n8n 1.x, for SSH connections, that would keep the process alive forever. */
function stopTimers(requireFromCore: NodeJS.Require, container: Container) {
	const { SSHClientsManager } = requireFromCore(
		'./dist/execution-engine/ssh-clients-manager.js',
	) as { SSHClientsManager: Constructor<{ onShutdown(): void }> };
	container.get(SSHClientsManager).onShutdown();
}

/**
 * Gives n8n a temporary user folder while it starts and writes its key file, which is never read
 * again.
 */
async function inTemporaryUserFolder<T>(work: () => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-user-'));
	const { env } = mainRealm.process;
	const before = env.N8N_USER_FOLDER;
	env.N8N_USER_FOLDER = folder;
	try {
		return await work();
	} finally {
		if (before === undefined) delete env.N8N_USER_FOLDER;
		else env.N8N_USER_FOLDER = before;
		rmSync(folder, { recursive: true, force: true });
	}
}

function loggerInto(store: AsyncLocalStorage<string[]>) {
	const write =
		(level: string) =>
		(message: string, metadata: object = {}) => {
			store.getStore()?.push(`${level} ${message} ${inspect(metadata, { depth: 8 })}`);
		};
	const logger = {
		error: write('error'),
		warn: write('warn'),
		info: write('info'),
		debug: write('debug'),
		scoped: () => logger,
	};
	return logger;
}

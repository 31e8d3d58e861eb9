/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

/** The environment variables that n8n and npm inherit from us. */
const INHERITED = [
	'PATH',
	'HOME',
	'USER',
	'LANG',
	'LC_ALL',
	'TZ',
	'TMPDIR',
	'TEMP',
	'TMP',
	'SystemRoot',
	'ComSpec',
	'PATHEXT',
	'APPDATA',
	'LOCALAPPDATA',
	'USERPROFILE',
	'http_proxy',
	'https_proxy',
	'no_proxy',
	'HTTP_PROXY',
	'HTTPS_PROXY',
	'NO_PROXY',
	'NODE_EXTRA_CA_CERTS',
	'SSL_CERT_FILE',
];

type Environment = Record<string, string>;

/**
 * Only allowed variables: a stray NODE_OPTIONS, N8N_… or DB_… of the caller would change what is
 * tested.
 */
export function cleanEnvironment(own: Environment = {}): Environment {
	return { ...pick((name) => INHERITED.includes(name)), ...own };
}

/**
 * Tells npm how to reach its registry. The other npm_config_… variables come from the npm script
 * that runs us.
 */
const NPM_SETTING =
	/^npm_config_(registry|userconfig|globalconfig|cache|.*proxy|ca.*|strict_ssl)$/i;

export function npmEnvironment(own: Environment = {}): Environment {
	return { ...cleanEnvironment(), ...pick((name) => NPM_SETTING.test(name)), ...own };
}

function pick(wanted: (name: string) => boolean): Environment {
	const entries = Object.entries(process.env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && wanted(entry[0]),
	);
	return Object.fromEntries(entries);
}

export interface Finished {
	code: number | null;
	stdout: string;
	stderr: string;
}

export interface RunOptions {
	cwd?: string;
	env: Environment;
	/** Called with every line that the program writes to its standard error. */
	onLine?: (line: string) => void;
}

/** Runs a program to its end. Resolves to its exit code and output, even if it fails. */
export async function run(command: string, args: string[], options: RunOptions): Promise<Finished> {
	const child = start(command, args, { cwd: options.cwd, env: options.env });
	const stdout = collect(child.stdout);
	const stderr = collect(child.stderr, options.onLine);
	return await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
	});
}

export async function runNpm(args: string[], options: RunOptions): Promise<Finished> {
	return await run('npm', args, options);
}

const running = new Set<ChildProcess>();

/** Starts a program that ends with this process, even if this process fails or gets a signal. */
export function start(command: string, args: string[], options: SpawnOptions): ChildProcess {
	const child = spawn(command, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		shell: process.platform === 'win32',
		...options,
	});
	if (running.size === 0) {
		process.on('exit', killAll);
		process.on('SIGTERM', endOnSignal);
	}
	running.add(child);
	child.on('close', () => {
		running.delete(child);
		if (running.size > 0) return;
		process.off('exit', killAll);
		process.off('SIGTERM', endOnSignal);
	});
	return child;
}

function killAll(): void {
	for (const child of running) child.kill('SIGKILL');
}

/** Without this, Node would end on the signal without running its exit handlers. */
function endOnSignal(): void {
	const hasOtherListeners = process.listenerCount('SIGTERM') > 1;
	if (!hasOtherListeners) process.exit(143);
}

function collect(
	stream: NodeJS.ReadableStream | null,
	onLine?: (line: string) => void,
): () => string {
	let text = '';
	let unfinished = '';
	stream?.setEncoding('utf8');
	stream?.on('data', (chunk: string) => {
		text += chunk;
		if (!onLine) return;
		const lines = (unfinished + chunk).split('\n');
		unfinished = lines.pop() ?? '';
		lines.forEach(onLine);
	});
	return () => text;
}

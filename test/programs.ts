/** Programs that some tests need beside Node: installed from Debian when missing, waited for, and ended. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 30_000;

/**
 * @param programs paths that exist where the packages are installed
 * @throws a sentence that says what to install, where this user or system cannot
 */
export function ensurePrograms(programs: string[], packages: string[]): void {
	if (programs.every((path) => existsSync(path))) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new Error(
			`This test needs ${programs.join(' and ')}. Install Debian's packages ${packages.join(' and ')}, and run it again.`,
		);
	}
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const options = { env, stdio: 'inherit' } as const;
	execFileSync('apt-get', ['update', '-qq'], options);
	execFileSync(
		'apt-get',
		['install', '-y', '-qq', '--no-install-recommends', ...packages],
		options,
	);
}

/** Resolves when something listens at a port of this machine. */
export async function answers(port: number): Promise<void> {
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

export async function end(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill(signal);
	await ended;
}

/** Programs of Debian's packages, for tests that need the real ones: installed, awaited and ended. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 30_000;

/** A package, and the file that shows that it is there. */
export type Needed = Record<string, string>;

/** Debian's packages; elsewhere, and for anyone but root, a sentence that says what to do. */
export function installWhatIsMissing(test: string, needed: Needed): void {
	if (Object.values(needed).every((file) => existsSync(file))) return;
	const packages = Object.keys(needed);
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		const names = packages.map((name) => `"${name}"`).join(' and ');
		throw new Error(`${test} needs Debian's packages ${names}. Install them and run it again.`);
	}
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'inherit' });
	const install = ['install', '-y', '-qq', '--no-install-recommends'];
	execFileSync('apt-get', [...install, ...packages], { env, stdio: 'inherit' });
}

export interface Identity {
	uid?: number;
	gid?: number;
}

/** For root, the user that Debian's package runs its program as; for anyone else, themselves. */
export function identityOf(user: string): Identity {
	if (process.getuid?.() !== 0) return {};
	const idOf = (flag: '-u' | '-g') =>
		Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Resolves when something listens at the port. */
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

export async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGINT');
	await ended;
}

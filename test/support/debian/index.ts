/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
/** Installs, waits for and stops programs from Debian packages, for tests that need the real ones. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_TIMEOUT_MS = 30_000;

/** What each package brings: a file that exists once it is installed. */
export const PACKAGES = {
	'chromium-headless-shell': process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
	'redis-server': '/usr/bin/redis-server',
	postgresql: '/usr/lib/postgresql',
	'php-cli': '/usr/bin/php',
	'nginx-light': '/usr/sbin/nginx',
};

/**
 * Installs the packages that are missing. Without apt-get, or for anyone but root, throws an error
 * that says what to do.
 */
export function installMissingPackages(
	test: string,
	...packages: Array<keyof typeof PACKAGES>
): void {
	if (packages.every((name) => existsSync(PACKAGES[name]))) return;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		const names = packages.map((name) => `"${name}"`).join(' and ');
		throw new Error(`${test} needs the Debian packages ${names}. Install them and run it again.`);
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

/**
 * Returns the user and group to run a program as: for root, those of its Debian package. Other
 * users stay themselves.
 */
export function identityOf(user: string): Identity {
	if (process.getuid?.() !== 0) return {};
	const idOf = (flag: '-u' | '-g') =>
		Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
	return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Resolves when something listens on the port. */
export async function waitForPort(port: number): Promise<void> {
	const deadline = Date.now() + READY_TIMEOUT_MS;
	while (!(await isOpen(port))) {
		if (Date.now() > deadline) throw new Error(`Nothing listens on port ${port}.`);
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

export async function stopProcess(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGINT');
	await ended;
}

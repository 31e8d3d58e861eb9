/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import {
	accessSync,
	constants,
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const checkout = join(__dirname, '..', '..', '..');

const OWN_NAME = 'n8n-nodes-messaging-gateway';

/** Where big downloads are kept between runs: the user's cache, or the checkout if that is closed. */
export function cacheFolder(): string {
	const { MESSAGING_GATEWAY_CACHE, XDG_CACHE_HOME } = process.env;
	const candidates = [
		MESSAGING_GATEWAY_CACHE,
		join(XDG_CACHE_HOME || join(homedir(), '.cache'), OWN_NAME),
		join(checkout, '.cache'),
	];
	const folder = candidates.find((candidate) => candidate && canWriteIn(candidate));
	if (!folder)
		throw new Error(`None of these folders can be written to: ${candidates.join(', ')}.`);
	return folder;
}

function canWriteIn(folder: string): boolean {
	try {
		mkdirSync(folder, { recursive: true });
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/**
 * Gives `folder`, made by `make` if it is not there yet. It is made beside and moved into place
 * when whole, so that a folder that exists is always complete; the lock only keeps two processes
 * from doing the same work.
 */
export async function ensureFolder(
	folder: string,
	make: (unfinished: string) => Promise<void>,
): Promise<string> {
	if (existsSync(folder)) return folder;
	mkdirSync(dirname(folder), { recursive: true });
	const release = await lock(`${folder}.lock`);
	const unfinished = `${folder}.unfinished`;
	try {
		if (existsSync(folder)) return folder;
		rmSync(unfinished, { recursive: true, force: true });
		mkdirSync(unfinished);
		await make(unfinished);
		renameSync(unfinished, folder);
		return folder;
	} finally {
		release();
	}
}

const STALE_AFTER_MS = 60_000;
const LOOK_AGAIN_MS = 1000;

/** Waits until this process alone holds `path`; gives the function that lets go of it. */
async function lock(path: string): Promise<() => void> {
	let told = false;
	for (;;) {
		const release = tryToLock(path);
		if (release) return release;
		if (!told) {
			process.stderr.write(
				`Another process is installing the same thing; waiting for it. ` +
					`(If none is, delete ${path}.)\n`,
			);
			told = true;
		}
		await sleep(LOOK_AGAIN_MS);
	}
}

/** Gives the function that lets go of the lock, or nothing if another process holds it. */
export function tryToLock(path: string): (() => void) | undefined {
	if (isStale(path)) rmSync(path, { force: true });
	if (!createLock(path)) return undefined;
	const stillHere = setInterval(() => touch(path), STALE_AFTER_MS / 6);
	stillHere.unref();
	return () => {
		clearInterval(stillHere);
		rmSync(path, { force: true });
	};
}

/** A link appears at once and whole, so that nobody reads a lock without its owner's name. */
function createLock(path: string): boolean {
	const mine = `${path}.${process.pid}`;
	writeFileSync(mine, JSON.stringify({ pid: process.pid, host: hostname() }));
	try {
		linkSync(mine, path);
		return true;
	} catch {
		return false;
	} finally {
		rmSync(mine, { force: true });
	}
}

/** A holder renews its lock; one that stopped doing so, or whose process is gone, has let go. */
function isStale(path: string): boolean {
	try {
		const { pid, host } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; host: string };
		if (Date.now() - statSync(path).mtimeMs > STALE_AFTER_MS) return true;
		return host === hostname() && !isAlive(pid);
	} catch {
		return false;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function touch(path: string): void {
	try {
		utimesSync(path, new Date(), new Date());
	} catch {
		// Taken away by someone: the folder is still moved into place whole.
	}
}

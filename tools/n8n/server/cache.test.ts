/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, ensureFolder, tryToLock } from './cache';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-cache-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the cache folder', () => {
	const { env } = process;

	afterEach(() => {
		process.env = env;
	});

	test('the cache folder is the one that MESSAGING_GATEWAY_CACHE names', () => {
		process.env = { ...env, MESSAGING_GATEWAY_CACHE: join(folder, 'here') };
		expect(cacheFolder()).toBe(join(folder, 'here'));
	});

	test('the cache folder follows the XDG convention otherwise', () => {
		process.env = { ...env, MESSAGING_GATEWAY_CACHE: '', XDG_CACHE_HOME: folder };
		expect(cacheFolder()).toBe(join(folder, 'n8n-nodes-messaging-gateway'));
	});

	test('the cache folder falls back to the next one if that cannot be created', () => {
		const file = join(folder, 'file');
		writeFileSync(file, '');
		process.env = { ...env, MESSAGING_GATEWAY_CACHE: join(file, 'x'), XDG_CACHE_HOME: folder };
		expect(cacheFolder()).toBe(join(folder, 'n8n-nodes-messaging-gateway'));
	});
});
const made = () => join(folder, 'made');

const write = async (unfinished: string) => {
	await sleep(50);
	writeFileSync(join(unfinished, 'file'), 'whole');
};

test('a folder that is created once is created by the first caller and shared with the others', async () => {
	const make = jest.fn(write);
	await Promise.all([ensureFolder(made(), make), ensureFolder(made(), make)]);
	expect(make).toHaveBeenCalledTimes(1);
	expect(readdirSync(folder)).toEqual(['made']);
	expect(readdirSync(made())).toEqual(['file']);
});

test('a folder that is created once does not exist after a failure, and is created by the next try', async () => {
	const failing = async (unfinished: string) => {
		await write(unfinished);
		throw new Error('the network is down');
	};
	await expect(ensureFolder(made(), failing)).rejects.toThrow('the network is down');
	expect(existsSync(made())).toBe(false);
	await ensureFolder(made(), write);
	expect(readdirSync(folder)).toEqual(['made']);
});
const path = () => join(folder, 'lock');

function heldBy(pid: number, host = hostname()): void {
	writeFileSync(path(), JSON.stringify({ pid, host }));
}

test('a lock can be held only once at a time', () => {
	const release = tryToLock(path());
	expect(tryToLock(path())).toBeUndefined();
	release?.();
	tryToLock(path())?.();
	expect(readdirSync(folder)).toEqual([]);
});

test('a lock of a process that has ended is ignored', () => {
	const noProcess = 4_999_999;
	heldBy(noProcess);
	expect(tryToLock(path())).toBeDefined();
});

test('a lock of another machine is respected until it is no longer renewed', () => {
	heldBy(1, 'another-machine');
	expect(tryToLock(path())).toBeUndefined();
	const longAgo = new Date(Date.now() - 120_000);
	utimesSync(path(), longAgo, longAgo);
	expect(tryToLock(path())).toBeDefined();
});

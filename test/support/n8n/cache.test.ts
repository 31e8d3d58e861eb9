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

	test('is the one that MESSAGING_GATEWAY_CACHE names', () => {
		process.env = { ...env, MESSAGING_GATEWAY_CACHE: join(folder, 'here') };
		expect(cacheFolder()).toBe(join(folder, 'here'));
	});

	test('follows the XDG convention otherwise', () => {
		process.env = { ...env, MESSAGING_GATEWAY_CACHE: '', XDG_CACHE_HOME: folder };
		expect(cacheFolder()).toBe(join(folder, 'n8n-nodes-messaging-gateway'));
	});

	test('falls back to the next one if that cannot be created', () => {
		const file = join(folder, 'file');
		writeFileSync(file, '');
		process.env = { ...env, MESSAGING_GATEWAY_CACHE: join(file, 'x'), XDG_CACHE_HOME: folder };
		expect(cacheFolder()).toBe(join(folder, 'n8n-nodes-messaging-gateway'));
	});
});

describe('a folder that is created once', () => {
	const made = () => join(folder, 'made');

	const write = async (unfinished: string) => {
		await sleep(50);
		writeFileSync(join(unfinished, 'file'), 'whole');
	};

	test('is created by the first caller and shared with the others', async () => {
		const make = jest.fn(write);
		await Promise.all([ensureFolder(made(), make), ensureFolder(made(), make)]);
		expect(make).toHaveBeenCalledTimes(1);
		expect(readdirSync(folder)).toEqual(['made']);
		expect(readdirSync(made())).toEqual(['file']);
	});

	test('does not exist after a failure, and is created by the next try', async () => {
		const failing = async (unfinished: string) => {
			await write(unfinished);
			throw new Error('the network is down');
		};
		await expect(ensureFolder(made(), failing)).rejects.toThrow('the network is down');
		expect(existsSync(made())).toBe(false);
		await ensureFolder(made(), write);
		expect(readdirSync(folder)).toEqual(['made']);
	});
});

describe('a lock', () => {
	const path = () => join(folder, 'lock');

	function heldBy(pid: number, host = hostname()): void {
		writeFileSync(path(), JSON.stringify({ pid, host }));
	}

	test('can be held only once at a time', () => {
		const release = tryToLock(path());
		expect(tryToLock(path())).toBeUndefined();
		release?.();
		tryToLock(path())?.();
		expect(readdirSync(folder)).toEqual([]);
	});

	test('of a process that has ended is ignored', () => {
		const noProcess = 4_999_999;
		heldBy(noProcess);
		expect(tryToLock(path())).toBeDefined();
	});

	test('of another machine is respected until it is no longer renewed', () => {
		heldBy(1, 'another-machine');
		expect(tryToLock(path())).toBeUndefined();
		const longAgo = new Date(Date.now() - 120_000);
		utimesSync(path(), longAgo, longAgo);
		expect(tryToLock(path())).toBeDefined();
	});
});

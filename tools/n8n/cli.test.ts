/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** `npm run n8n` where it ends before n8n is started. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout, tryToLock } from './server/cache';
import { cleanEnvironment, run } from './server/processes';
import { DEFAULT_N8N_VERSION } from './server/releases';

let cache: string;

beforeEach(() => {
	cache = mkdtempSync(join(tmpdir(), 'messaging-gateway-cache-'));
});

afterEach(() => rmSync(cache, { recursive: true }));

async function cli(...args: string[]) {
	const tsx = join(checkout, 'node_modules', 'tsx', 'dist', 'cli.mjs');
	const env = cleanEnvironment({ MESSAGING_GATEWAY_CACHE: cache });
	return await run(process.execPath, [tsx, join(__dirname, 'cli.ts'), ...args], { env });
}

/** The editor's folder, as a first start that is still running holds it. */
function heldByAFirstStart(): { folder: string; release: () => void } {
	const folder = join(cache, `editor-${DEFAULT_N8N_VERSION}`);
	mkdirSync(folder);
	const release = tryToLock(join(folder, 'in-use'));
	if (!release) throw new Error('The lock is held by somebody else.');
	return { folder, release };
}

test('the option --help says what the command does, how much it downloads, and does nothing', async () => {
	const { code, stdout } = await cli('--help');
	expect(code).toBe(0);
	expect(stdout).toContain('npm run n8n');
	expect(stdout).toMatch(/2\.5 GB, in about five minutes/);
});

test('a wrong port is reported before anything is downloaded', async () => {
	const { code, stdout, stderr } = await cli('--port', 'abc');
	expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
	expect(stderr).toContain('“abc” is not a port.');
});

test('a second start repeats where the first is', async () => {
	const { folder, release } = heldByAFirstStart();
	writeFileSync(join(folder, 'instructions.txt'), 'Open http://localhost:5678/workflow/abc');
	const { code, stdout } = await cli();
	release();
	expect(code).toBe(0);
	expect(stdout).toContain('It is running already, in another terminal');
	expect(stdout).toContain('Open http://localhost:5678/workflow/abc');
});

test('a second start while the first is still starting says so', async () => {
	const { release } = heldByAFirstStart();
	const { stdout } = await cli();
	release();
	expect(stdout).toContain('It is still starting');
});

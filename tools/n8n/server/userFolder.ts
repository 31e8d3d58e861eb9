/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/**
 * Creates n8n's user folder (database, keys, files, community packages) and installs the packed node
 * in it as n8n's own installer does.
 */
import { createHash } from 'node:crypto';
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkout, ensureFolder } from './cache';
import { ensureN8n } from './host';
import { cleanEnvironment, npmEnvironment, run, runNpm, type RunOptions } from './processes';
import { startN8n } from './server';

interface PackageJson {
	name: string;
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
}

/** Packs the built checkout into `folder` as `npm publish` would. Resolves to the tarball's path. */
export async function packNode(folder: string): Promise<string> {
	assertBuilt();
	const packed = await runNpm(['pack', '--silent', '--pack-destination', folder], {
		cwd: checkout,
		env: npmEnvironment(),
	});
	const name = packed.stdout.trim().split('\n').pop() ?? '';
	if (packed.code !== 0 || !name) throw new Error(`npm could not pack the node: ${packed.stderr}`);
	return join(folder, name);
}

function assertBuilt(): void {
	const { nodes, credentials } = readJson(join(checkout, 'package.json')).n8n;
	const missing = [...nodes, ...credentials].filter((file) => !existsSync(join(checkout, file)));
	if (missing.length === 0) return;
	throw new Error(`The node is not built: run "npm run build" first (no ${missing.join(', ')}).`);
}

/**
 * Creates a user folder with the node from `tarball`, or the built checkout, and with the database of an n8n that has an owner and nothing else:
 * a first start takes three times as long as a later one.
 */
export async function createUserFolder(tarball?: string): Promise<string> {
	const folder = await createEmptyUserFolder(tarball);
	const used = await usedUserFolder();
	for (const name of readdirSync(used).filter((each) => /^(config|database\.sqlite)/.test(each))) {
		copyFileSync(join(used, name), join(folder, '.n8n', name));
	}
	return folder;
}

/** Creates a user folder with the node from `tarball`, or from the built checkout, in which no n8n has started yet. */
export async function createEmptyUserFolder(tarball?: string): Promise<string> {
	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-n8n-'));
	if (tarball) await installNode(folder, tarball);
	else cpSync(await installedNode(), folder, { recursive: true });
	return folder;
}

/** Starts n8n once, so that its database has its tables and an owner. Resolves to its folder. */
async function usedUserFolder(): Promise<string> {
	const n8n = await ensureN8n();
	const folder = await ensureFolder(`${n8n.folder}-used`, async (userFolder) => {
		const server = await startN8n({ userFolder });
		await server.stop();
	});
	return join(folder, '.n8n');
}

/** Installs each build of the node once. Resolves to a user folder that holds nothing else. */
async function installedNode(): Promise<string> {
	const builds = join(checkout, 'node_modules', '.cache', 'installed-node');
	const files = readdirSync(join(checkout, 'dist'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
	const hash = createHash('sha256');
	for (const file of [...files.sort(), join(checkout, 'package.json')]) {
		hash.update(file).update(readFileSync(file));
	}
	const build = hash.digest('hex');
	// Another test may be installing this build right now.
	const outdated = existsSync(builds)
		? readdirSync(builds).filter((name) => !name.startsWith(build))
		: [];
	for (const name of outdated) rmSync(join(builds, name), { recursive: true, force: true });
	return await ensureFolder(join(builds, build), async (folder) => await installNode(folder));
}

export function removeUserFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

const DROPPED_FIELDS = ['devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Follows n8n's installer: unpack, drop development fields, install dependencies, list the package. */
export async function installNode(userFolder: string, tarball?: string): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const { name, version } = await unpack(tarball ?? (await packNode(userFolder)), nodes);
	const flags = ['--bin-links=false', '--install-strategy=shallow', '--package-lock=false'];
	await expectSuccess('npm', ['install', '--ignore-scripts', '--no-audit', ...flags], {
		cwd: join(nodes, 'node_modules', name),
		env: npmEnvironment(),
	});
	const list = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
	writeJson(join(nodes, 'package.json'), list);
}

async function unpack(tarball: string, nodes: string): Promise<PackageJson> {
	const unpacked = join(nodes, '.unpacked');
	rmSync(unpacked, { recursive: true, force: true });
	mkdirSync(unpacked, { recursive: true });
	await expectSuccess('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);

	const path = join(unpacked, 'package.json');
	const manifest = readJson(path);
	const kept = Object.entries(manifest).filter(([key]) => !DROPPED_FIELDS.includes(key));
	writeJson(path, Object.fromEntries(kept));

	const home = join(nodes, 'node_modules', manifest.name);
	rmSync(home, { recursive: true, force: true });
	mkdirSync(dirname(home), { recursive: true });
	renameSync(unpacked, home);
	return manifest;
}

function readJson(path: string): PackageJson {
	return JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
}

function writeJson(path: string, value: unknown): void {
	writeFileSync(path, JSON.stringify(value, null, 2));
}

async function expectSuccess(command: string, args: string[], options?: RunOptions): Promise<void> {
	const { code, stderr } = await run(command, args, options ?? { env: cleanEnvironment() });
	if (code !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr}`);
}

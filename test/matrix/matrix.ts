/**
 * `npm run test:matrix`: the behaviour of the node in other versions of n8n's engine. Each engine is
 * installed once into the cache; the newest one is what `npm test` runs with.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, checkout, ensureFolder } from '../n8n/cache';
import { npmEnvironment, runNpm } from '../n8n/processes';
import { releaseOf } from '../n8n/releases';

/** The last of 1.x, the first of 2.x, one from between, and the newest that this project knows. */
const ENGINES = ['1.122.48', '2.0.0', '2.20.0', '2.41.1'];

async function ensureEngine(version: string): Promise<string> {
	const folder = await ensureFolder(join(cacheFolder(), `core-${version}`), async (unfinished) => {
		console.log(`Installing n8n-core ${version} (half a minute, once) …`);
		const manifest = {
			private: true,
			dependencies: { 'n8n-core': version },
			...(version.startsWith('1.') ? {} : { overrides: releaseOf(version).overrides }),
		};
		writeFileSync(join(unfinished, 'package.json'), JSON.stringify(manifest));
		const args = ['install', '--legacy-peer-deps', '--ignore-scripts', '--fetch-retries', '6'];
		const { code, stderr } = await runNpm(args, { cwd: unfinished, env: npmEnvironment() });
		if (code !== 0) throw new Error(`n8n-core ${version} could not be installed.\n${stderr}`);
	});
	return join(folder, 'node_modules', 'n8n-core');
}

function passes(directory: string): boolean {
	const jest = require.resolve('jest/bin/jest');
	const suites = ['test/engine', 'test/behaviour'];
	const { status } = spawnSync(process.execPath, [jest, ...suites], {
		cwd: checkout,
		env: { ...process.env, N8N_CORE_DIR: directory },
		stdio: 'inherit',
	});
	return status === 0;
}

async function main(): Promise<void> {
	const failed: string[] = [];
	for (const version of ENGINES) {
		const directory = await ensureEngine(version);
		console.log(`\nn8n-core ${version} on Node ${process.version}`);
		if (!passes(directory)) failed.push(version);
	}
	console.log(
		failed.length === 0
			? `\nThe node behaves the same in all of them: ${ENGINES.join(', ')}.`
			: `\nThe node behaves differently in ${failed.join(', ')}; see above.`,
	);
	process.exitCode = failed.length === 0 ? 0 : 1;
}

void main();

/* eslint-disable @n8n/community-nodes/no-restricted-imports, no-console -- runs outside of n8n */
/** Engines of other n8n releases, each installed once into the cache. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, ensureFolder } from '../../../tools/n8n/server/cache';
import { npmEnvironment, runNpm } from '../../../tools/n8n/server/processes';
import { releaseOf } from '../../../tools/n8n/server/releases';

/** Pins for packages whose newest version is an ES module, which jest cannot load. */
const PINS: Record<string, Record<string, string>> = { '2.0.0': { 'p-retry': '4.6.2' } };

/** Installs n8n-core if needed. Resolves to its folder. */
export async function ensureEngine(version: string): Promise<string> {
	const folder = await ensureFolder(join(cacheFolder(), `core-${version}`), async (unfinished) => {
		console.log(`Installing n8n-core ${version} (half a minute, once) …`);
		const manifest = {
			private: true,
			dependencies: { 'n8n-core': version },
			...(version.startsWith('1.')
				? {}
				: { overrides: { ...releaseOf(version).overrides, ...PINS[version] } }),
		};
		writeFileSync(join(unfinished, 'package.json'), JSON.stringify(manifest));
		const args = ['install', '--legacy-peer-deps', '--ignore-scripts', '--fetch-retries', '6'];
		const { code, stderr } = await runNpm(args, { cwd: unfinished, env: npmEnvironment() });
		if (code !== 0) throw new Error(`n8n-core ${version} could not be installed.\n${stderr}`);
	});
	return join(folder, 'node_modules', 'n8n-core');
}

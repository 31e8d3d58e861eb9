/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions, no-console -- runs outside of n8n */
/**
 * `npm run test:matrix`: tests the node in other releases of n8n and with other versions of Node.js.
 * Installs what is missing once in the cache. `--quick` runs only the part for each change.
 */
import { spawnSync } from 'node:child_process';
import { checkout } from '../../../tools/n8n/server/cache';
import { ensureNode } from '../../../tools/n8n/server/host';
import { ensureEngine } from './engine';

const OLDEST = '1.122.48';
const NEWEST_NODE = '24.21.0';
/** The last of 1.x, the first of 2.x, one in between, and the newest, which `npm test` uses. */
const ENGINES = [OLDEST, '2.0.0', '2.20.0', '2.41.1'];
const NODES = ['22.23.3', NEWEST_NODE];
/** Real n8n releases in addition to the newest, which `npm run test:n8n` uses. */
const RELEASES = ['2.37.11'];

const BEHAVIOR = ['test/support/engine', 'test/node'];
/** Older releases send through proxies in other ways; docs/compatibility.md says since when it is tried. */
const ONLY_NEWEST = ['test/node/proxy'];
/** The node's own limits and lanes, for which it needs no more of an engine than the time. */
const OF_NO_ENGINE = ['test/node/pace', 'test/node/lanes'];
const EVERYTHING = [...BEHAVIOR, 'test/unit', 'practice-gateway'];
/** What asks Node.js for connections, streams and addresses. The real n8n runs on this Node.js, and proves the rest there. */
const OF_NODE_JS = [...ONLY_NEWEST, 'test/unit/(files|gateway|input)', 'practice-gateway'];
/** `npm test` lives through more random histories, in the newest engine. */
const FEW_HISTORIES = { HISTORIES: '50' };

interface Cell {
	what: string;
	run(): Promise<boolean>;
}

const engine = (version: string, node?: string, left: string[] = []): Cell => ({
	what: `n8n's engine ${version} on Node ${node ?? process.versions.node}`,
	run: async () => {
		const without = version === ENGINES.at(-1) ? left : [...left, ...ONLY_NEWEST];
		return jest([...BEHAVIOR, ...without.map((path) => `--testPathIgnorePatterns=${path}`)], {
			node: node && (await ensureNode(node)),
			env: { N8N_CORE_DIR: await ensureEngine(version), ...FEW_HISTORIES },
		});
	},
});

const nodeJs = (version: string, tests: string[]): Cell => ({
	what: `n8n's engine ${ENGINES.at(-1)} on Node ${version}`,
	run: async () => jest(tests, { node: await ensureNode(version), env: FEW_HISTORIES }),
});

const release = (version: string): Cell => ({
	what: `n8n ${version}, end to end`,
	run: async () => {
		const env = { N8N_VERSION: version };
		return jest(['-c', 'test/n8n/jest.config.js'], {
			env,
		});
	},
});

const CELLS = [
	...ENGINES.map((version) => engine(version)),
	...NODES.map((version) => nodeJs(version, EVERYTHING)),
	...RELEASES.map(release),
];
/** The farthest from what `npm test` uses. GitHub tries all of them for each pull request. */
const QUICK_CELLS = [engine(OLDEST, NEWEST_NODE, OF_NO_ENGINE), nodeJs(NEWEST_NODE, OF_NODE_JS)];

function jest(args: string[], { node = process.execPath, env = {} } = {}): boolean {
	const { status } = spawnSync(node, [require.resolve('jest/bin/jest'), '--forceExit', ...args], {
		cwd: checkout,
		env: { ...process.env, ...env },
		stdio: 'inherit',
	});
	return status === 0;
}

async function main(isQuick: boolean): Promise<void> {
	const lines: string[] = [];
	for (const { what, run } of isQuick ? QUICK_CELLS : CELLS) {
		console.log(`\n── ${what}`);
		const started = Date.now();
		const passed = await run();
		const seconds = Math.round((Date.now() - started) / 1000);
		lines.push(`| ${what} | ${passed ? 'yes' : '**no**'} | ${seconds} s |`);
		if (!passed) process.exitCode = 1;
	}
	console.log(['', '| what | passes | time |', '| --- | --- | --- |', ...lines].join('\n'));
}

void main(process.argv.includes('--quick'));

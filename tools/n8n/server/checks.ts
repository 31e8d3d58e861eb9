/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What `npm run n8n` looks at before it downloads or starts anything. */
import { existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from './ports';

/** About what the installation takes while it is unpacked and npm's own cache fills. */
export const ROOM_NEEDED_GB = 4;

const OLDEST_NODE = [20, 19] as const;

export interface Computer {
	/** Such as `20.19.4`. */
	nodeVersion: string;
	/** Where n8n is kept. */
	cache: string;
	freeGb: number;
	/** Whether n8n is in the cache already. */
	isInstalled: boolean;
	/** What a driver could not be compiled without. */
	missingTools: string[];
}

/** Each tool under the names that its program may have. */
const TOOLS: Record<string, string[]> = {
	'a C++ compiler': ['c++', 'g++', 'clang++'],
	make: ['make'],
	'Python 3': ['python3'],
};

/** Looks for the programs in the folders of PATH. On Windows, node-gyp finds its own. */
export function missingTools(path = process.env.PATH ?? '', platform = process.platform): string[] {
	if (platform === 'win32') return [];
	const isThere = (program: string) =>
		path.split(delimiter).some((folder) => existsSync(join(folder, program)));
	return Object.keys(TOOLS).filter((tool) => !TOOLS[tool]?.some(isThere));
}

export function freeGbOf(folder: string): number {
	const { bavail, bsize } = statfsSync(folder);
	return (bavail * bsize) / 1e9;
}

/** Throws with a sentence that says what to change, before anything is downloaded. */
export function assertFit({ nodeVersion, cache, freeGb, isInstalled }: Computer): void {
	const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
	const [oldest, oldestMinor] = OLDEST_NODE;
	if (major < oldest || (major === oldest && minor < oldestMinor)) {
		throw new Error(
			`This needs Node.js ${OLDEST_NODE.join('.')} or newer, and you have ${nodeVersion}. Install a newer one from https://nodejs.org.`,
		);
	}
	if (isInstalled || freeGb >= ROOM_NEEDED_GB) return;
	throw new Error(
		`n8n needs about ${ROOM_NEEDED_GB} GB of disk while it is installed, and ${cache} has ` +
			`${freeGb.toFixed(1)} GB left. Free some, or name another folder in MESSAGING_GATEWAY_CACHE.`,
	);
}

/** What is about to happen, and how long it takes. */
export function announcement(computer: Computer): string {
	const { nodeVersion, cache, freeGb, isInstalled } = computer;
	if (isInstalled) return 'Starting n8n, which takes about half a minute.';
	return [
		'n8n is not on this computer yet. It is downloaded once: about 2.5 GB, in about five minutes.',
		`It goes to ${cache}; delete that folder to remove it again.`,
		`Checked: Node.js ${nodeVersion}, ${Math.floor(freeGb)} GB of disk free.`,
		...toolAdvice(computer.missingTools),
	].join('\n');
}

function toolAdvice(missing: string[]): string[] {
	if (missing.length === 0) return [];
	return [
		`Not found: ${missing.join(', ')}. n8n's database driver is compiled here if it cannot be downloaded;`,
		'if the installation stops there, install them and run the same command again.',
	];
}

/** The number that a person typed after `--port`. */
export function portFrom(text: string): number {
	const port = Number(text);
	if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
	throw new Error(`“${text}” is not a port. Enter a number from 1 to 65535, e.g. --port 5678.`);
}

/** The port, or the next free one, and then it says so. */
export async function portFor(
	what: string,
	wished: number,
	say: (line: string) => void,
): Promise<number> {
	const port = await freePort(wished);
	if (port !== wished) say(`Port ${wished} is in use, so ${what} uses ${port}.`);
	return port;
}

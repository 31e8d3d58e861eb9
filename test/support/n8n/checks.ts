/** What `npm run n8n` looks at before it downloads or starts anything. */
import { statfsSync } from 'node:fs';
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
export function announcement({ nodeVersion, cache, freeGb, isInstalled }: Computer): string {
	if (isInstalled) return 'Starting n8n, which takes about half a minute.';
	return [
		'n8n is not on this computer yet. It is downloaded once: about 2.5 GB, in about five minutes.',
		`It goes to ${cache}; delete that folder to remove it again.`,
		`Checked: Node.js ${nodeVersion}, ${Math.floor(freeGb)} GB of disk free.`,
	].join('\n');
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

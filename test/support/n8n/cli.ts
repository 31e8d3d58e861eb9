/** `npm run n8n`: n8n's editor with the node in it, and a gateway to send to. */
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startGateway, type Gateway } from '../../../gateway/index';
import { OWNER } from './api';
import { cacheFolder, checkout, tryToLock } from './cache';
import { freePort } from './ports';
import { DEFAULT_N8N_VERSION } from './releases';
import { startN8n, type N8nServer } from './server';
import { demoCredential, demoWorkflow } from './tryout';
import type { SavedWorkflow } from './types';
import { installNode, removeUserFolder } from './userFolder';

const HELP = `
npm run n8n [-- options]

Opens n8n's own editor with this node in it, and a gateway on this machine for it to send to.
n8n itself is installed the first time (about three minutes and 2.5 GB, in the user's cache).
What you change in the editor is there again the next time.

  --port <number>  the editor's port (5678, or the next free one)
  --once           start, send one of every message, and end; nothing is kept
  --help           this text
`;

const EDITOR_PORT = 5678;
const GATEWAY_PORT = 8025;

/** Kept in the user folder for whoever starts it a second time. */
const INSTRUCTIONS = 'instructions.txt';

interface Options {
	port: number;
	once: boolean;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: String(EDITOR_PORT) },
			once: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(HELP);
		return;
	}
	const options = { port: Number(values.port), once: values.once };
	const gateway = await startGateway({ port: await freePort(GATEWAY_PORT), keepFiles: 'bytes' });
	try {
		await withUserFolder(options, async (userFolder) => await tryOut(userFolder, options, gateway));
	} finally {
		await gateway.close();
	}
}

/** The editor keeps its folder from one time to the next; a proof leaves nothing behind. */
async function withUserFolder(
	{ once }: Options,
	use: (folder: string) => Promise<void>,
): Promise<void> {
	if (once) {
		const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-n8n-'));
		return await use(folder).finally(() => removeUserFolder(folder));
	}
	const folder = join(cacheFolder(), `editor-${DEFAULT_N8N_VERSION}`);
	mkdirSync(folder, { recursive: true });
	const release = tryToLock(join(folder, 'in-use'));
	const file = join(folder, INSTRUCTIONS);
	if (release) {
		rmSync(file, { force: true });
		return await use(folder).finally(release);
	}
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	console.log(`It is running already, in another terminal (Ctrl-C ends it there).\n${text}`);
}

async function tryOut(folder: string, options: Options, gateway: Gateway): Promise<void> {
	await installNode(folder);
	const files = copySampleFiles(folder);
	const port = await freePort(options.port);
	const n8n = await startN8n({ userFolder: folder, port, files });
	try {
		const credential = await demoCredential(n8n.api, {
			baseUrl: gateway.baseUrl,
			accessToken: gateway.token,
			deviceId: gateway.deviceId,
		});
		const workflow = await demoWorkflow(n8n.api, credential, files);
		if (options.once) return await prove(n8n, workflow);
		const text = instructions(n8n, workflow, gateway, files);
		writeFileSync(join(folder, INSTRUCTIONS), text);
		console.log(text);
		await interrupted();
		console.log('\nEnding …');
	} finally {
		await n8n.stop();
	}
}

async function prove(n8n: N8nServer, workflow: SavedWorkflow): Promise<void> {
	const { status, data } = await n8n.api.runToEnd(workflow);
	if (status !== 'success') {
		const reason = data.resultData.error?.message ?? 'see the log of n8n';
		throw new Error(`The example workflow ended as "${status}": ${reason}.`);
	}
	console.log(`n8n answers at ${n8n.url}, and the example workflow sent its seven messages.`);
}

/** Beside n8n's data, so that the saved workflow finds them whichever checkout it is opened from. */
function copySampleFiles(userFolder: string): string {
	const files = join(userFolder, 'files');
	cpSync(join(checkout, 'test', 'files'), files, { recursive: true });
	return files;
}

function instructions(
	n8n: N8nServer,
	workflow: SavedWorkflow,
	gateway: Gateway,
	files: string,
): string {
	return `
  1. Open the editor:        ${n8n.url}/workflow/${workflow.id}
     Log in as               ${OWNER.email}
     with the password       ${OWNER.password}
  2. Click "Execute workflow" below the canvas.
  3. See what arrived:       ${gateway.baseUrl}/

  The credential "Demo gateway" is filled in, and in each new node already chosen.
  Workflows may read files from ${files}.
  Ctrl-C ends n8n and the gateway.
`;
}

async function interrupted(): Promise<void> {
	await new Promise<void>((resolve) => {
		process.once('SIGINT', () => resolve());
		process.once('SIGTERM', () => resolve());
	});
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

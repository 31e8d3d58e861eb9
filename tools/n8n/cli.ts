/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
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
import { cacheFolder, checkout, tryToLock } from './server/cache';
import { announcement, assertFit, portFor, portFrom } from './server/checks';
import { copyExampleData, SET_UP } from './examples';
import { ensureN8n, thisComputer } from './server/host';
import { instructions } from './instructions';
import { freePort } from './server/ports';
import { openShop, practiceGateway, type Shop } from './practice';
import { DEFAULT_N8N_VERSION } from './server/releases';
import { startN8n, type N8nServer } from './server/server';
import { Shelf } from './shelf';
import { demoCredential, demoWorkflow, importExamples } from './tryout';
import type { SavedWorkflow } from './server/types';
import { installNode, removeUserFolder } from './server/userFolder';

type Gateway = Awaited<ReturnType<typeof practiceGateway>>;

const HELP = `
npm run n8n [-- options]

Starts n8n's own editor with this node and all its examples in it, and a practice gateway on this
computer for it to send to. It prints the address to open, the sign-in, and what to enter in a credential.
The first time it downloads n8n: about 2.5 GB, in about five minutes, into your cache folder.
What you change in the editor is there again the next time.

It starts n8n ${DEFAULT_N8N_VERSION}. From 3.0 on, npm has no n8n that runs: newer ones come as a Docker image only.

  --port <number>  the editor's port (5678, or the next free one)
  --once           start, send one of every message, run the examples, and end; nothing is kept
  --help           this text
`;

const EDITOR_PORT = 5678;
const GATEWAY_PORT = 8025;
const SHOP_PORT = 8036;

/** The examples that need neither a person, nor another service, nor the daytime. */
const RUN_BY_THEMSELVES = [2, 3, 4, 5];

/** Kept in the user folder for whoever starts it a second time. */
const INSTRUCTIONS = 'instructions.txt';

const STILL_STARTING = 'It is still starting: that terminal shows how far it is.';

const say = (line: string) => console.log(line);

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
	const options = { port: portFrom(values.port), once: values.once };
	await withUserFolder(options, async (userFolder) => {
		const computer = thisComputer();
		assertFit(computer);
		console.log(announcement(computer));
		await ensureN8n();
		await withServices(userFolder, async (services) => {
			await tryOut(userFolder, options, services);
		});
	});
}

interface Services {
	gateway: Gateway;
	shop: Shop;
}

async function withServices(
	folder: string,
	use: (services: Services) => Promise<void>,
): Promise<void> {
	const gatewayPort = await portFor('the practice gateway', GATEWAY_PORT, say);
	const gateway = await practiceGateway(folder, gatewayPort);
	const shop = await openShop(await freePort(SHOP_PORT));
	try {
		await use({ gateway, shop });
	} finally {
		shop.close();
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
	const text = existsSync(file) ? readFileSync(file, 'utf8') : STILL_STARTING;
	say('It is running already, in another terminal; press Ctrl-C there to stop it.');
	say(text);
}

async function tryOut(
	folder: string,
	options: Options,
	{ gateway, shop }: Services,
): Promise<void> {
	await installNode(folder);
	const files = copyFiles(folder);
	const port = await portFor("n8n's editor", options.port, say);
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const env = { GENERIC_TIMEZONE: timeZone };
	const n8n = await startN8n({ userFolder: folder, port, files, env, hasEditor: true });
	try {
		const { baseUrl, token, deviceId } = gateway;
		const settings = { baseUrl, accessToken: token, deviceId };
		const credential = await demoCredential(n8n.api, settings);
		const shelf = new Shelf(n8n.api, join(folder, 'shipped.json'));
		const examples = await importExamples(shelf, credential, {
			folder: files,
			shop: shop.url,
			n8n: n8n.url,
		});
		// Last, because n8n lists first what is newest.
		const outbox = `${baseUrl}/`;
		const workflow = await demoWorkflow(shelf, credential, { files, outbox });
		if (options.once) return await prove(n8n, workflow, examples);
		const { outdated } = shelf;
		const running = { editorUrl: n8n.url, workflowId: workflow.id, gateway, files, outdated };
		const text = instructions(running);
		writeFileSync(join(folder, INSTRUCTIONS), text);
		say(text);
		await interrupted();
		say('\nStopping …');
	} finally {
		await n8n.stop();
	}
}

async function prove(
	n8n: N8nServer,
	workflow: SavedWorkflow,
	examples: Map<number, SavedWorkflow>,
): Promise<void> {
	await runToSuccess(n8n, workflow);
	say(`n8n answers at ${n8n.url}, and the first workflow sent its seven messages.`);
	for (const number of RUN_BY_THEMSELVES) {
		const example = examples.get(number);
		if (!example) throw new Error(`There is no example ${number}.`);
		if (example.nodes.some(({ name }) => name === SET_UP)) await runToSuccess(n8n, example, SET_UP);
		await runToSuccess(n8n, example);
		say(`Example ${number} ran to its end.`);
	}
}

async function runToSuccess(
	n8n: N8nServer,
	workflow: SavedWorkflow,
	trigger?: string,
): Promise<void> {
	const { status, data } = await n8n.api.runToEnd(workflow, trigger);
	if (status === 'success') return;
	const reason = data.resultData.error?.message ?? 'see the log of n8n';
	throw new Error(`“${workflow.name}” ended as "${status}": ${reason}.`);
}

/** Beside n8n's data, so that the saved workflows find them whichever checkout they are opened from. */
function copyFiles(userFolder: string): string {
	const files = join(userFolder, 'files');
	cpSync(join(checkout, 'test', 'support', 'files'), files, {
		recursive: true,
		filter: (source) => !/\.(md|sh)$/.test(source),
	});
	copyExampleData(files);
	return files;
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

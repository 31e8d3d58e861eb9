/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions, no-console -- runs outside of n8n */
/**
 * `npm run record -- <commit> <version>` builds a release of the node, lets it live through the scenes in a real n8n, and
 * keeps what n8n has stored then.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import { checkout } from '../n8n/cache';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	ensureN8n,
	headlessN8n,
	removeUserFolder,
	startN8n,
	type N8nServer,
} from '../n8n/index';
import { newestLink, TELLS_WHEN, untilWaiting } from '../questions';
import { inDatabase } from './database';
import { TABLES, type RecordedScene, type Release } from './records';
import { CREDENTIAL, ENV, SCENES, type Scene } from './scenes';

const [commit, version] = process.argv.slice(2);
if (!commit || !version) throw new Error('Give a commit and its version, such as v1.1.0 1.1.0.');

/** Resolves to the tarball of the node as it was at the commit. */
function pack(folder: string): string {
	const source = join(folder, 'source');
	const shell = (command: string, cwd: string) =>
		execFileSync('sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'inherit'] }).toString();
	shell(`mkdir ${source} && git archive ${commit} | tar -x -C ${source}`, checkout);
	symlinkSync(join(checkout, 'node_modules'), join(source, 'node_modules'));
	shell('npx gulp build --silent', source);
	return join(source, shell('npm pack --silent', source).trim().split('\n').pop() as string);
}

async function play(scene: Scene, { api, ...n8n }: N8nServer, gateway: Gateway) {
	gateway.behave();
	gateway.clear();
	if (scene.misbehave) gateway.misbehave(scene.misbehave);
	const executionId = await api.run(await api.createWorkflow(scene.workflow));
	if (scene.waits) await untilWaiting({ api, ...n8n }, executionId);
	else await api.waitForEnd(executionId);
	// What was under way when it ended arrives meanwhile.
	await sleep((scene.misbehave?.latency ?? 0) + 1_000);
	const queued = gateway.messages.flatMap(({ recipients }) => recipients);
	const recorded: RecordedScene = { executionId, queued };
	if (scene.waits) recorded.link = newestLink(gateway);
	return recorded;
}

async function main(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'records-'));
	const gateway = await startGateway();
	const n8n = await ensureN8n();
	const userFolder = await createUserFolder(pack(folder));
	try {
		const { baseUrl, token, deviceId } = gateway;
		const data = { baseUrl, accessToken: token, deviceId };
		const headless = await headlessN8n({ userFolder });
		await headless.importCredentials([{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]);
		const server = await startN8n({ userFolder, env: { ...ENV, ...TELLS_WHEN.env } });
		const scenes: Release['scenes'] = {};
		for (const [name, scene] of Object.entries(SCENES)) {
			try {
				scenes[name] = await play(scene, server, gateway);
			} catch (error) {
				console.log(`${name} is not recorded: ${(error as Error).message}`);
			}
		}
		await server.stop();
		const ids = Object.values(scenes).map(({ executionId }) => executionId);
		const kept = `SELECT "workflowId" FROM execution_entity WHERE id IN (${ids.join()})`;
		const where = {
			workflow_entity: `id IN (${kept})`,
			execution_entity: `id IN (${ids.join()})`,
			execution_data: `"executionId" IN (${ids.join()})`,
			processed_data: `"workflowId" IN (${kept})`,
		};
		const selects = TABLES.map((table) => ({
			sql: `SELECT * FROM ${table} WHERE ${where[table]}`,
		}));
		const rows = inDatabase(n8n, userFolder, selects);
		const tables = Object.fromEntries(TABLES.map((table, at) => [table, rows[at]]));
		let text = JSON.stringify({ node: version, n8n: n8n.version, scenes, tables }, null, '\t');
		// n8n encrypts what started an execution, with a key that only this n8n has.
		text = text.replaceAll(/,\\"runtimeData\\":\\"\d+\\"/g, '');
		// Stacks of errors tell the folders of this machine.
		for (const path of [userFolder, n8n.folder, checkout]) text = text.replaceAll(path, '');
		writeFileSync(join(__dirname, `${version}.json`), `${text}\n`);
	} finally {
		await gateway.close();
		removeUserFolder(userFolder);
		rmSync(folder, { recursive: true, force: true });
	}
}

void main();

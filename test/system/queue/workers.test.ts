/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/**
 * Tests n8n's real queue mode: two workers run many executions of 200 sends each, and one worker dies in
 * the middle. Checks what docs/scaling.md promises for that case.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import { CREDENTIAL_TYPE } from '../../../tools/n8n/server/index';
import type { SavedCredential, SavedWorkflow } from '../../../tools/n8n/server/types';
import { createCampaign, FILES, idsOf, MAX_CONCURRENCY, SENDS } from './campaign';
import { startCluster, type Cluster, type Worker } from './cluster';

/** `PARTS=20 npm run test:queue` has as many executions as docs/scaling.md tells of. */
const PARTS = Number(process.env.PARTS ?? 8);
const EXECUTIONS_PER_WORKER = 2;

let gateway: Gateway;
let cluster: Cluster;
let credential: SavedCredential;
let workers: Worker[];

beforeAll(async () => {
	gateway = await startGateway();
	cluster = await startCluster({ files: FILES, executionsPerWorker: EXECUTIONS_PER_WORKER });
	const { baseUrl, token: accessToken, deviceId } = gateway;
	credential = await cluster.main.api.createCredential('Gateway', CREDENTIAL_TYPE, {
		baseUrl,
		accessToken,
		deviceId,
		allowUnauthorizedCerts: false,
	});
	workers = [await cluster.startWorker(), await cluster.startWorker()];
});

afterAll(async () => {
	await cluster?.stop();
	await gateway?.close();
});

/** Returns the parts of a campaign; each one is a separate execution. */
const partsFrom = (first: number) => Array.from({ length: PARTS }, (_, index) => first + index);

/** Returns how often the gateway accepted each message, by its text or file name. */
function acceptedCounts(): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { text, file } of gateway.messages) {
		const id = text ?? file?.name.replace('.pdf', '') ?? '';
		counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	return counts;
}

const sentTwice = () => [...acceptedCounts().values()].filter((count) => count > 1).length;

function missingOf(part: number): string[] {
	const known = acceptedCounts();
	return idsOf(part).filter((id) => !known.has(id));
}

/** Resolves to the status of each execution of a workflow once `count` of them have ended. */
async function statusesOf({ id }: SavedWorkflow, count: number): Promise<string[]> {
	for (;;) {
		const listed = await cluster.main.api.listExecutions(id);
		const ended = listed.filter(({ stoppedAt }) => stoppedAt !== null);
		if (ended.length === count) return ended.map(({ status }) => status);
		await sleep(500);
	}
}

/** Kills a worker in the middle of its work, and starts a new one. */
async function replaceWorker(): Promise<void> {
	while (gateway.messages.length < (PARTS * SENDS) / 4) await sleep(20);
	const [worker] = workers.splice(0, 1);
	await worker?.kill();
	workers.push(await cluster.startWorker());
}

const failures = (statuses: string[]) => statuses.filter((status) => status !== 'success').length;

beforeEach(() => gateway.clear());

test('two workers run many executions of 200 sends, and send each message once', async () => {
	const campaign = await createCampaign(cluster.main, credential, { withKey: false });
	const started = Date.now();
	await Promise.all(partsFrom(100).map(async (part) => await campaign.post(part)));
	const statuses = await statusesOf(campaign.saved, PARTS);
	console.info(`${PARTS * SENDS} sends over two workers took ${Date.now() - started} ms`);

	expect(failures(statuses)).toBe(0);
	expect(acceptedCounts().size).toBe(PARTS * SENDS);
	expect(sentTwice()).toBe(0);
	const hashes = gateway.messages.flatMap(({ file }) => (file ? [file.sha256] : []));
	expect(hashes).toHaveLength((PARTS * SENDS) / 10);
	expect(new Set(hashes)).toEqual(new Set([sha256(join(FILES, 'document.pdf'))]));
});

test('a worker that dies leaves n8n to end its executions with an error, and nothing is sent twice', async () => {
	const campaign = await createCampaign(cluster.main, credential, { withKey: false });
	await Promise.all(partsFrom(200).map(async (part) => await campaign.post(part)));
	await replaceWorker();
	const statuses = await statusesOf(campaign.saved, PARTS);

	const incomplete = partsFrom(200).filter((part) => missingOf(part).length > 0);
	expect(incomplete.length).toBeGreaterThan(0);
	expect(incomplete.length).toBeLessThanOrEqual(failures(statuses));
	expect(failures(statuses)).toBeLessThanOrEqual(EXECUTIONS_PER_WORKER);
	expect(sentTwice()).toBe(0);
});

test('the lost part can be sent again with a Send-Once Key, with at most the messages in progress missing', async () => {
	const parts = await Promise.all(
		partsFrom(300).map(async (part) => {
			const campaign = await createCampaign(cluster.main, credential, { withKey: true });
			return { part, campaign };
		}),
	);
	await Promise.all(parts.map(async ({ part, campaign }) => await campaign.post(part)));
	await replaceWorker();
	const lost = [];
	for (const each of parts) {
		if (failures(await statusesOf(each.campaign.saved, 1)) > 0) lost.push(each);
	}
	expect(lost.length).toBeGreaterThan(0);

	for (const { part, campaign } of lost) {
		const before = missingOf(part).length;
		await campaign.post(part);
		expect(failures(await statusesOf(campaign.saved, 2))).toBe(1);
		expect(missingOf(part).length).toBeLessThanOrEqual(MAX_CONCURRENCY);
		console.info(`A lost part: ${before} of ${SENDS} were missing, then ${missingOf(part).length}`);
	}
	expect(parts.flatMap(({ part }) => missingOf(part)).length).toBeLessThanOrEqual(
		lost.length * MAX_CONCURRENCY,
	);
	expect(sentTwice()).toBe(0);
});

test('four executions with the same keys, at both workers at the same moment, send each message once', async () => {
	const campaign = await createCampaign(cluster.main, credential, { withKey: true });
	const before = workers.map((worker) => worker.begun());
	await Promise.all([400, 400, 400, 400].map(async (part) => await campaign.post(part)));
	const statuses = await statusesOf(campaign.saved, 4);

	expect(failures(statuses)).toBe(0);
	expect(sentTwice()).toBe(0);
	expect(missingOf(400)).toEqual([]);
	const begun = workers.map((worker, index) => worker.begun() - (before[index] ?? 0));
	expect(Math.min(...begun)).toBeGreaterThanOrEqual(1);
});

test('one of two Retries at two workers sends, the other does not', async () => {
	const { api } = cluster.main;
	const campaign = await createCampaign(cluster.main, credential, { withKey: false });
	gateway.misbehave({ times: 1, respond: { status: 422 } });
	await campaign.post(500);
	expect(await statusesOf(campaign.saved, 1)).toEqual(['error']);
	const [failed] = await api.listExecutions(campaign.saved.id);
	const retry = async () => await api.retry(failed?.id ?? '');
	await Promise.all([retry(), retry()]);

	expect((await statusesOf(campaign.saved, 3)).sort()).toEqual(['error', 'error', 'success']);
	expect(sentTwice()).toBe(0);
	expect(missingOf(500)).toEqual([]);
});

function sha256(path: string): string {
	return createHash('sha256').update(readFileSync(path)).digest('hex');
}

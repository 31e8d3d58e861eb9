/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** Hundreds of webhook calls in bursts to a real n8n, against a plan: what went out, and what is left behind. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import { credentialData } from '../../n8n/credentialData';
import { openSite, type Site } from '../../n8n/site';
import { CREDENTIAL_TYPE } from '../../../tools/n8n/server/index';
import { numberOf } from '../../support/numbers';
import { openWebhook } from '../../support/webhook';

const CALLS = 250;
/** `.ci/run` has fewer. */
const BURSTS = Number(process.env.SOAK_CALLS ?? 1_000) / CALLS;

/** What the process of n8n holds; see probe.cjs. */
interface Held {
	limiters: number;
	keyQueues: number;
	timers: number;
	sockets: number;
	heapMb: number;
}

const folder = mkdtempSync(join(tmpdir(), 'soak-'));
const probeFile = join(folder, 'held.json');
let site: Site;
let gateway: Gateway;

beforeAll(async () => {
	const env = {
		NODE_OPTIONS: `--require ${join(__dirname, 'probe.cjs')}`,
		PROBE_FILE: probeFile,
	};
	site = await openSite({ env });
	gateway = await startGateway({ plan: { requests: 100, seconds: 2 } });
});

afterAll(async () => {
	await site?.close();
	await gateway?.close();
	rmSync(folder, { recursive: true });
});

async function held(): Promise<Held> {
	rmSync(probeFile, { force: true });
	process.kill(site.n8n.pid, 'SIGUSR2');
	while (!existsSync(probeFile)) await sleep(50);
	return JSON.parse(readFileSync(probeFile, 'utf8')) as Held;
}

/** Looks again for a while, as connections and timers of n8n itself need a moment to end. */
async function heldAfterwards({ timers, sockets }: Held): Promise<Held> {
	let now = await held();
	for (let tries = 0; tries < 30; tries++) {
		if (now.timers <= timers && now.sockets <= sockets) break;
		await sleep(500);
		now = await held();
	}
	return now;
}

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

it(`the node sends each of ${BURSTS * CALLS} webhook calls once, and leaves one pace behind`, async () => {
	const { api } = site.n8n;
	const credential = await api.createCredential('Plan', CREDENTIAL_TYPE, credentialData(gateway));
	// On a busy machine, n8n's own delays let requests come in bursts, of which the plan refuses some more often.
	const options = { sendOnceKey: '={{ $json.body.key }}', maxRetries: 10 };
	const { call, saved } = await openWebhook(site.n8n, credential, options);
	expect(await call(upTo(20))).toEqual([]);
	await sleep(2_000);
	const before = await held();
	const started = Date.now();
	const failed: number[] = [];
	for (let burst = 0; burst < BURSTS; burst++) {
		failed.push(...(await call(upTo(CALLS, 100 + burst * CALLS))));
	}
	const after = await heldAfterwards(before);
	console.info(
		`${BURSTS * CALLS} executions took ${Math.round((Date.now() - started) / 1000)} s, ${gateway.refusedByPlan} requests refused; before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`,
	);

	const notDone = await api.listExecutions(saved.id, ['error', 'crashed', 'canceled', 'running']);
	const errors = notDone.map(async ({ id }) => (await api.getExecution(id)).data.resultData.error);
	expect([failed, await Promise.all(errors)]).toEqual([[], []]);
	const sent = gateway.messages.flatMap(({ recipients }) => recipients);
	const wanted = [...upTo(20), ...upTo(BURSTS * CALLS, 100)].map(numberOf);
	expect(sent.sort()).toEqual(wanted.sort());
	expect(gateway.refusedByPlan).toBeGreaterThan(0);

	expect(after).toMatchObject({ limiters: 1, keyQueues: 0 });
	// One for each execution would be hundreds.
	expect(after.timers).toBeLessThanOrEqual(before.timers + 20);
	expect(after.sockets).toBeLessThanOrEqual(before.sockets + 20);
	expect(after.heapMb).toBeLessThanOrEqual(before.heapMb + 30);
	// n8n itself takes 0.03 s an execution, and several times as long on a busy machine.
}, 900_000);

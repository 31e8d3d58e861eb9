/**
 * Measures what two workers of n8n's queue mode do to Send-Once Keys where executions overlap:
 * `npx tsx test/system/queue/overlap.ts`, after a build; with the path of a tarball, that release of the node.
 *
 * - twice: two executions send the same 200 keys at the same moment. How many keys went out twice?
 * - lost: two executions send 200 keys each, at the same moment; then each runs again, one after the
 *   other. How many keys went out again?
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import { CREDENTIAL_TYPE } from '../../support/n8n/index';
import { createCampaign, FILES, SENDS } from './campaign';
import { startCluster, type Cluster } from './cluster';

const ROUNDS = 3;

const idsIn = ({ messages }: Gateway) => messages.map(({ text, file }) => text ?? file?.name ?? '');

/** Returns how many messages the gateway got more than once. */
function sentTwice(gateway: Gateway): number {
	const ids = idsIn(gateway);
	return ids.length - new Set(ids).size;
}

async function measure({ main }: Cluster, gateway: Gateway, parts: [number, number]) {
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const data = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: false };
	const credential = await main.api.createCredential('Overlap', CREDENTIAL_TYPE, data);
	const { saved, post } = await createCampaign(main, credential, { withKey: true });
	const run = async (...these: number[]) => {
		const known = (await main.api.listExecutions(saved.id)).length;
		await Promise.all(these.map(post));
		for (;;) {
			const all = await main.api.listExecutions(saved.id);
			const ended = all.filter(({ stoppedAt }) => stoppedAt !== null);
			if (ended.length === known + these.length) break;
			await sleep(200);
		}
	};
	// The row of the node exists.
	await run(999);
	gateway.clear();
	await run(...parts);
	const missing = SENDS * new Set(parts).size - new Set(idsIn(gateway)).size;
	const twice = sentTwice(gateway);
	const [first, second] = parts;
	await run(first);
	await run(second);
	const again = sentTwice(gateway) - twice;
	const all = await main.api.listExecutions(saved.id);
	const failed = all.filter(({ status }) => status !== 'success').length;
	await main.api.deactivate(saved.id);
	gateway.clear();
	return { twice, missing, again, failed };
}

async function main(tarball?: string): Promise<void> {
	const gateway = await startGateway();
	const cluster = await startCluster({ files: FILES, executionsPerWorker: 1, tarball });
	try {
		const workers = [await cluster.startWorker(), await cluster.startWorker()];
		for (let round = 0; round < ROUNDS; round++) {
			const same = await measure(cluster, gateway, [100, 100]);
			console.log(`the same ${SENDS} keys at once: ${JSON.stringify(same)}`);
			const others = await measure(cluster, gateway, [100, 101]);
			console.log(`${SENDS} keys each at once: ${JSON.stringify(others)}`);
		}
		console.log(`executions by worker: ${workers.map((worker) => worker.begun()).join(' and ')}`);
	} finally {
		await cluster.stop();
		await gateway.close();
	}
}

void main(process.argv[2]);

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/**
 * Measures what becomes of Send-Once Keys if executions overlap, and expects nothing to go out twice:
 *
 *     npx tsx test/system/queue/overlap.ts [--workers=2] [--rounds=3] [--kill | --stall] [--beside] [tarball]
 *
 * after a build; with the path of a tarball, that release of the node. `--workers=0` is n8n's regular mode, one
 * process with SQLite. `--kill` kills a worker while both send the same keys, and runs the part again. `--stall`
 * stops one for longer than its turn at the keys may last, and lets it go on. `--beside` puts "Remove Duplicates" with the scope of the workflow behind the webhook.
 *
 * - same: each worker sends the same 200 keys at the same moment. How many keys went out twice, or not at all?
 * - other: each worker sends 200 keys of its own, at the same moment; then each runs again, one after the
 *   other. How many keys went out again?
 * - retries: an execution fails; as many retries of it as there are workers. How many messages went out twice?
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import {
	createEmptyUserFolder,
	CREDENTIAL_TYPE,
	removeUserFolder,
	startN8n,
} from '../../../tools/n8n/server/index';
import type { SavedCredential } from '../../../tools/n8n/server/types';
import { createCampaign, FILES, idsOf, SENDS, type CampaignOptions } from './campaign';
import { startCluster, type Cluster, type Worker } from './cluster';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		workers: { type: 'string', default: '2' },
		rounds: { type: 'string', default: '3' },
		kill: { type: 'boolean', default: false },
		stall: { type: 'boolean', default: false },
		beside: { type: 'boolean', default: false },
	},
});

/** Milliseconds: a turn at the keys lasts 15 s, and is taken over after less than twice that. */
const STALLED_FOR = 40_000;

/** What went wrong, in messages and in executions; all of it should be 0. */
type Measured = Record<'twice' | 'missing' | 'again' | 'failed', number>;

class Overlap {
	constructor(
		private readonly n8n: Pick<Cluster, 'main' | 'startWorker'>,
		private readonly gateway: Gateway,
		private readonly credential: SavedCredential,
		private readonly workers: Worker[],
	) {}

	/** Sends these parts of a campaign at once, then each again. */
	async keys(parts: number[], options: CampaignOptions = { withKey: true }): Promise<Measured> {
		const { saved, post } = await createCampaign(this.n8n.main, this.credential, options);
		const run = async (...these: number[]) => {
			await Promise.all(these.map(post));
			if (these.length < 2 || !(values.kill || values.stall)) return;
			// Keys are looked up before the first messages leave, and beside the others.
			const begun = Math.floor((Math.random() * SENDS) / 4);
			while (this.gateway.messages.length < begun) await sleep(1);
			if (values.kill) await this.replaceWorker();
			else await this.workers[0]?.stall(STALLED_FOR);
		};
		let expected = 0;
		const runToEnd = async (...these: number[]) => {
			expected += these.length;
			await run(...these);
			await this.ended(saved.id, expected);
		};
		// The row of the node exists.
		await runToEnd(999);
		this.gateway.clear();
		const ids = new Set(parts.flatMap(idsOf));
		await runToEnd(...parts);
		const twice = this.sentTwice();
		if (values.kill) await runToEnd(parts[0] as number);
		const missing = ids.size - new Set(this.ids()).size;
		for (const part of new Set(parts)) await runToEnd(part);
		const again = this.sentTwice() - twice;
		const all = await this.n8n.main.api.listExecutions(saved.id);
		const failed = all.filter(({ status }) => status !== 'success').length;
		await this.n8n.main.api.deactivate(saved.id);
		this.gateway.clear();
		return { twice, missing, again, failed };
	}

	/** Retries a failed execution several times at once. */
	async retries(count: number): Promise<Pick<Measured, 'twice' | 'missing'>> {
		const { api } = this.n8n.main;
		const { saved, post } = await createCampaign(this.n8n.main, this.credential, {
			withKey: false,
		});
		this.gateway.misbehave({ times: 1, respond: { status: 422 } });
		await post(500);
		await this.ended(saved.id, 1);
		const [failed] = await api.listExecutions(saved.id);
		const id = failed?.id ?? '';
		await Promise.all(Array.from({ length: count }, async () => await api.retry(id)));
		await this.ended(saved.id, 1 + count);
		const measured = {
			twice: this.sentTwice(),
			missing: SENDS - new Set(this.ids()).size,
		};
		await api.deactivate(saved.id);
		this.gateway.clear();
		return measured;
	}

	private async replaceWorker(): Promise<void> {
		await this.workers.shift()?.kill();
		this.workers.push(await this.n8n.startWorker());
	}

	private async ended(workflow: string, count: number): Promise<void> {
		for (;;) {
			const all = await this.n8n.main.api.listExecutions(workflow);
			if (all.filter(({ stoppedAt }) => stoppedAt !== null).length === count) return;
			await sleep(200);
		}
	}

	private ids(): string[] {
		return this.gateway.messages.map(({ text, file }) => text ?? file?.name ?? '');
	}

	private sentTwice(): number {
		const ids = this.ids();
		return ids.length - new Set(ids).size;
	}
}

/** n8n's regular mode: the main process runs all executions. */
async function startSingle(tarball?: string): Promise<Cluster> {
	const userFolder = await createEmptyUserFolder(tarball);
	const main = await startN8n({ userFolder, files: FILES });
	return {
		main,
		startWorker: async () => await Promise.reject(new Error('There are no workers')),
		stop: async () => {
			await main.stop();
			removeUserFolder(userFolder);
		},
	};
}

async function main(): Promise<void> {
	const [tarball] = positionals;
	const count = Number(values.workers);
	const gateway = await startGateway();
	const cluster =
		count === 0
			? await startSingle(tarball)
			: await startCluster({ files: FILES, executionsPerWorker: 1, tarball });
	let worst = 0;
	try {
		const { baseUrl, token: accessToken, deviceId } = gateway;
		const data = { baseUrl, accessToken, deviceId, allowUnauthorizedCerts: false };
		const credential = await cluster.main.api.createCredential('Overlap', CREDENTIAL_TYPE, data);
		const workers: Worker[] = [];
		for (let n = 0; n < count; n++) workers.push(await cluster.startWorker());
		const overlap = new Overlap(cluster, gateway, credential, workers);
		const parts = Array.from({ length: Math.max(2, count) }, (_, n) => n);
		const options = { withKey: true, removesDuplicates: values.beside };
		for (let round = 0; round < Number(values.rounds); round++) {
			const timed = async (name: string, work: () => Promise<Partial<Measured>>) => {
				const started = Date.now();
				const measured = await work();
				const seconds = ((Date.now() - started) / 1000).toFixed(1);
				console.log(`${name}: ${JSON.stringify(measured)} in ${seconds} s`);
				worst = Math.max(worst, measured.twice ?? 0, measured.again ?? 0);
			};
			await timed(
				'same',
				async () =>
					await overlap.keys(
						parts.map(() => 100),
						options,
					),
			);
			if (values.kill) continue;
			await timed(
				'other',
				async () =>
					await overlap.keys(
						parts.map((n) => 100 + n),
						options,
					),
			);
			await timed('retries', async () => await overlap.retries(parts.length));
		}
		console.log(`executions by worker: ${workers.map((worker) => worker.begun()).join(', ')}`);
	} finally {
		await cluster.stop();
		await gateway.close();
	}
	if (worst > 0) process.exitCode = 1;
}

void main();

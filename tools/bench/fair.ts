/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** Sends single texts beside campaigns that use up the plan, all in this process. */
import { startGateway } from '../../practice-gateway/index';
import { createEngine } from '../../test/support/engine/engine';

export interface Fair {
	/** Executions of 400 texts, 20 under way at once. */
	campaigns: number;
	requestsPerMinute: number;
	/** Seconds after which a single text of another execution is sent. */
	singlesAfter: number[];
	/** Seconds after which everything is stopped. */
	end: number;
}

export interface FairMeasured {
	/** Milliseconds that the slowest single text took. */
	slowestMs: number;
	/** Requests that arrived before the end. */
	requests: number;
}

const passed = async (seconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

async function main({ campaigns, requestsPerMinute, singlesAfter, end }: Fair): Promise<void> {
	const gateway = await startGateway();
	const engine = await createEngine();
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const credential = { baseUrl, accessToken, deviceId, requestsPerMinute };
	const send = async (count: number) => {
		const items = Array.from({ length: count }, (_, index) => ({ json: { index } }));
		const parameters = {
			phoneNumber: '=62812{{ 1000000 + $json.index }}',
			message: 'Your order is ready.',
			options: { maxConcurrency: 20 },
		};
		return await engine.run({ credential, items, parameters, mode: 'webhook' });
	};
	const all = Array.from({ length: campaigns }, async () => await send(400));
	const waits = singlesAfter.map(async (seconds) => {
		await passed(seconds);
		const started = performance.now();
		const { status } = await send(1);
		return status === 'success' ? performance.now() - started : Infinity;
	});
	await passed(end);
	const { length: requests } = gateway.requests;
	const slowestMs = Math.max(...(await Promise.all(waits)));
	engine.cancel();
	await Promise.all(all);
	const measured: FairMeasured = { slowestMs, requests };
	console.log(JSON.stringify(measured));
	await engine.close();
	await gateway.close();
	process.exit(0);
}

void main(JSON.parse(process.argv[2] ?? '') as Fair);

/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/** Runs many executions at once in this process, against the embedded gateway with a plan. */
import { startGateway, type Plan } from '../../practice-gateway/index';
import { createEngine } from '../../test/support/engine/engine';
import { HTTP_REQUEST, peers, RETRY_ON_FAIL } from './peers';
import { text, textByHttp } from './work';

export interface Burst {
	executions: number;
	plan?: Plan;
	/** How many Send-Once Keys the executions share; 0 is none. */
	keys?: number;
	/** Whether the HTTP Request node sends, with Retry On Fail as n8n sets it: three tries, a second between them. */
	byHttp?: boolean;
}

export interface BurstMeasured {
	ms: number;
	/** Messages that the gateway has queued. */
	sent: number;
	/** Requests beyond the plan. */
	refused: number;
	/** Executions that ended in an error. */
	failed: number;
}

async function main({ executions, plan, keys = 0, byHttp = false }: Burst): Promise<void> {
	const gateway = await startGateway(plan ? { plan } : {});
	const engine = await createEngine(byHttp ? peers() : {});
	engine.history.latency = 2;
	const { baseUrl, token: accessToken, deviceId } = gateway;
	const started = performance.now();
	const runs = await Promise.all(
		Array.from({ length: executions }, async (_, index) => {
			return await engine.run({
				credential: { baseUrl, accessToken, deviceId },
				...(byHttp
					? {
							node: { ...HTTP_REQUEST, ...RETRY_ON_FAIL, waitBetweenTries: 1_000 },
							parameters: textByHttp(baseUrl, deviceId),
						}
					: { parameters: text(keys > 0 ? { sendOnceKey: `order ${index % keys}` } : {}) }),
				mode: 'webhook',
			});
		}),
	);
	const measured: BurstMeasured = {
		ms: performance.now() - started,
		sent: gateway.messages.length,
		refused: gateway.refusedByPlan,
		failed: runs.filter(({ status }) => status !== 'success').length,
	};
	console.log(JSON.stringify(measured));
	await engine.close();
	await gateway.close();
	process.exit(0);
}

void main(JSON.parse(process.argv[2] ?? '') as Burst);

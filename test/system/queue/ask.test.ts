/** A question in n8n's queue mode: a worker asks, the main process takes the answer, a worker goes on. */
import { randomUUID } from 'node:crypto';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import {
	decline,
	newestLink,
	outputOf,
	PHONE,
	TELLS_WHEN,
	untilWaiting,
} from '../../support/questions';
import { until } from '../../support/until';
import { credentialData } from '../../n8n/credentialData';
import { CREDENTIAL_TYPE, gatewayNode, node, workflow } from '../../../tools/n8n/server/index';
import { post, FILES } from './campaign';
import { startCluster, type Cluster } from './cluster';

let gateway: Gateway;
let cluster: Cluster;

beforeAll(async () => {
	gateway = await startGateway();
	cluster = await startCluster({ files: FILES, executionsPerWorker: 2, ...TELLS_WHEN });
});

afterAll(async () => {
	await cluster?.stop();
	await gateway?.close();
});

/** Starts a workflow as a customer's request does; resolves to the ID of its execution. */
async function requested(): Promise<string> {
	const { api, url } = cluster.main;
	const credential = await api.createCredential(
		'Gateway',
		CREDENTIAL_TYPE,
		credentialData(gateway),
	);
	const path = randomUUID();
	const webhook = { httpMethod: 'POST', path };
	const question = {
		resource: 'text',
		operation: 'sendAndWait',
		phoneNumber: PHONE,
		message: '=Refund order {{ $json.body.part }}?',
		approvalOptions: { values: { approvalType: 'double' } },
	};
	const saved = await api.createWorkflow(
		workflow(
			'Refund',
			[
				node('Webhook', 'n8n-nodes-base.webhook', 2, webhook, { webhookId: path }),
				gatewayNode('Ask', question, credential),
				node('After', 'n8n-nodes-base.noOp', 1, {}),
			],
			[
				['Webhook', 'Ask'],
				['Ask', 'After'],
			],
		),
	);
	await api.activate(saved);
	await post(`${url}/webhook/${path}`, { part: 7 });
	return (await api.newestExecution(saved.id)).id;
}

test('a worker asks, the main process takes the reply, and another worker goes on with it', async () => {
	const { api, url } = cluster.main;
	const first = await cluster.startWorker();
	const executionId = await requested();
	await untilWaiting(cluster.main, executionId);
	await until(() => first.logs().includes(`Worker finished execution ${executionId} `));
	expect(cluster.main.logs()).not.toContain('Start executing node');
	await first.kill();

	const link = newestLink(gateway);
	expect(link.startsWith(`${url}/webhook-waiting/`)).toBe(true);
	expect(await (await fetch(link)).text()).toContain('Refund order 7?');
	const page = await decline(link);
	expect(page.status).toBe(200);
	expect(await page.text()).toContain('Thank you, your answer was recorded');

	const second = await cluster.startWorker();
	const ended = await api.waitForEnd(executionId);
	expect(ended.status).toBe('success');
	expect(outputOf(ended, 'After')).toMatchObject([{ data: { approved: false } }]);
	await until(() => second.logs().includes(`Worker started execution ${executionId} `));
	expect(gateway.messages).toHaveLength(1);
	expect(await (await fetch(link)).text()).toContain('No action required');
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/**
 * What n8n 3.0 makes the default, set in the n8n of today: manual executions run on workers, and unverified packages cannot be
 * installed from the editor, which does not concern a node that is in its folder already. Files are in the database.
 */
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import {
	approve,
	newestLink,
	outputOf,
	PHONE,
	TELLS_WHEN,
	untilWaiting,
} from '../../support/questions';
import { until } from '../../support/until';
import { credentialData } from '../../n8n/credentialData';
import {
	CREDENTIAL_TYPE,
	gatewayNode,
	node,
	trigger,
	workflow,
} from '../../../tools/n8n/server/index';
import { FILES } from './campaign';
import { startCluster, type Cluster, type Worker } from './cluster';

let gateway: Gateway;
let cluster: Cluster;
let worker: Worker;

beforeAll(async () => {
	gateway = await startGateway();
	const env = {
		...TELLS_WHEN.env,
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	};
	cluster = await startCluster({ files: FILES, executionsPerWorker: 2, env });
	worker = await cluster.startWorker();
});

afterAll(async () => {
	await cluster?.stop();
	await gateway?.close();
});

test('a worker sends what "Execute workflow" starts: a text, a file, and a question with its answer', async () => {
	const { api } = cluster.main;
	const credential = await api.createCredential(
		'Gateway',
		CREDENTIAL_TYPE,
		credentialData(gateway),
	);
	const to = { phoneNumber: PHONE };
	const read = { operation: 'read', fileSelector: join(FILES, 'photo.jpg') };
	const saved = await api.createWorkflow(
		workflow(
			'By hand',
			[
				trigger(),
				gatewayNode(
					'Text',
					{ ...to, resource: 'text', operation: 'send', message: 'Hi' },
					credential,
				),
				node('Read', 'n8n-nodes-base.readWriteFile', 1, read),
				gatewayNode('Image', { ...to, resource: 'image', operation: 'send' }, credential),
				gatewayNode(
					'Ask',
					{ ...to, resource: 'text', operation: 'sendAndWait', message: 'Go on?' },
					credential,
				),
				node('After', 'n8n-nodes-base.noOp', 1, {}),
			],
			[
				[trigger().name, 'Text'],
				['Text', 'Read'],
				['Read', 'Image'],
				['Image', 'Ask'],
				['Ask', 'After'],
			],
		),
	);
	const executionId = await api.run(saved);
	await untilWaiting(cluster.main, executionId);
	expect(worker.begun()).toBe(1);
	expect(cluster.main.logs()).not.toContain('Start executing node');

	expect(gateway.messages.map(({ endpoint }) => endpoint)).toEqual([
		'v1/send',
		'v2/send-image',
		'v1/send',
	]);
	expect((await approve(newestLink(gateway))).status).toBe(200);
	const ended = await api.waitForEnd(executionId);
	expect(ended.status).toBe('success');
	expect(outputOf(ended, 'After')).toMatchObject([{ data: { approved: true } }]);
	await until(() => worker.begun() === 2);
	expect(gateway.messages).toHaveLength(3);
});

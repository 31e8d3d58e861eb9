/** The executions that are recorded of each release: what runs, and what the gateway does meanwhile. */
import type { IDataObject } from 'n8n-workflow';
import type { Misbehavior } from '../../../practice-gateway/index';
import { NODE_NAME } from '../engine/execution';
import { gatewayNode, givenItems, node, trigger, workflow, type NewWorkflow } from '../n8n/index';

export const [A, B, C, D] = [
	'6281111111111',
	'6282222222222',
	'6283333333333',
	'6284444444444',
] as const;

/** By this ID, the nodes of the records find the gateway of the test. */
export const CREDENTIAL = { id: 'credential', name: 'Gateway account' };
/** n8n signs links with it, so that those of the records stay valid. */
export const ENV = { N8N_HMAC_SIGNATURE_SECRET: 'records', EXECUTIONS_DATA_PRUNE: 'false' };

export interface Scene {
	workflow: NewWorkflow;
	/** Once. */
	misbehave?: Misbehavior;
	/** It waits for an answer. */
	waits?: boolean;
}

const REFUSE: Misbehavior = { recipient: B, times: 1, respond: { status: 422, body: {} } };

const single = { resource: 'text', operation: 'send', phoneNumber: '={{ $json.phone }}' };

function sends(options: IDataObject = {}, settings: IDataObject = {}): NewWorkflow {
	const [list, people] = givenItems(
		'People',
		[A, B, C].map((phone) => ({ phone })),
	);
	const parameters = { ...single, message: 'Hello', options: { maxConcurrency: 1, ...options } };
	const { nodes, connections, ...rest } = workflow(
		'Records',
		[trigger(), list, people, gatewayNode(NODE_NAME, parameters, CREDENTIAL)],
		[
			['Start', list.name],
			[list.name, people.name],
			[people.name, NODE_NAME],
		],
	);
	return { ...rest, nodes, connections, settings: { ...rest.settings, ...settings } };
}

function loops(): NewWorkflow {
	const { nodes, ...rest } = sends();
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const [start, list, people] = nodes.map(({ name }) => name) as [string, string, string];
	const { connections } = workflow('', nodes, [
		[start, list],
		[list, people],
		[people, 'Loop'],
		['Loop', NODE_NAME, 1],
		[NODE_NAME, 'Loop'],
	]);
	return { ...rest, nodes: [...nodes, loop], connections };
}

function alone(parameters: IDataObject): NewWorkflow {
	const send = gatewayNode(
		NODE_NAME,
		{ resource: 'text', operation: '', ...parameters },
		CREDENTIAL,
	);
	return workflow('Records', [trigger(), send], [['Start', NODE_NAME]]);
}

export const SCENES: Record<string, Scene> = {
	failed: { workflow: sends(), misbehave: REFUSE },
	uncertain: {
		workflow: sends(),
		misbehave: { recipient: B, times: 1, fault: 'resetAfterBody', queueAnyway: true },
	},
	stopped: {
		workflow: sends({}, { executionTimeout: 3 }),
		misbehave: { recipient: B, times: 1, latency: 8_000 },
	},
	loop: { workflow: loops(), misbehave: REFUSE },
	list: {
		workflow: alone({
			operation: 'sendBulk',
			phoneNumbers: [A, B, C, D].join(),
			message: 'Hello',
			options: { numbersPerRequest: 2 },
		}),
		misbehave: { ...REFUSE, recipient: C },
	},
	keys: {
		workflow: sends({ sendOnceKey: '={{ $json.phone }}' }),
		misbehave: REFUSE,
	},
	question: {
		workflow: alone({ operation: 'sendAndWait', phoneNumber: A, message: 'Refund?' }),
		waits: true,
	},
};

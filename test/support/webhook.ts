/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** A workflow that sends one text for each call of its webhook. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { numberOf } from './numbers';
import type { N8nServer } from '../../tools/n8n/server/server';
import type { SavedCredential, SavedWorkflow } from '../../tools/n8n/server/types';
import { gatewayNode, node, workflow, type GatewayNode } from '../../tools/n8n/server/workflows';

export interface TextWebhook {
	saved: SavedWorkflow;
	/** Calls it once for each number n, all at once: the text `k` and n to `numberOf(n)`. Resolves to the statuses other than 200. */
	call(calls: number[]): Promise<number[]>;
}

/** Activates the workflow. The webhook answers when its execution has ended. */
export async function openWebhook(
	{ api, url }: Pick<N8nServer, 'api' | 'url'>,
	credential: SavedCredential,
	options: IDataObject = {},
): Promise<TextWebhook> {
	const path = randomUUID();
	const parameters: GatewayNode = {
		resource: 'text',
		operation: 'send',
		phoneNumber: '={{ $json.body.phone }}',
		message: '={{ $json.body.key }}',
		options,
	};
	const webhook = { httpMethod: 'POST', path, responseMode: 'lastNode' };
	const saved = await api.createWorkflow(
		workflow(
			'Text',
			[
				node('Webhook', 'n8n-nodes-base.webhook', 2, webhook, { webhookId: path }),
				gatewayNode('Send', parameters, credential),
			],
			[['Webhook', 'Send']],
		),
	);
	await api.activate(saved);
	// n8n registers the webhook a moment later. Asked in the wrong way, it says whether it has.
	const isKnown = async () =>
		(await (await fetch(`${url}/webhook/${path}`)).text()).includes('POST request');
	while (!(await isKnown())) await sleep(50);
	const post = async (n: number): Promise<number> => {
		const response = await fetch(`${url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ phone: numberOf(n), key: `k${n}` }),
		});
		await response.text();
		return response.status;
	};
	const call = async (calls: number[]) => {
		const statuses = await Promise.all(calls.map(async (n) => await post(n)));
		return statuses.filter((status) => status !== 200);
	};
	return { saved, call };
}

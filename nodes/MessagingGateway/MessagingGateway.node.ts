import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { serveLink, WAITING_TOOLTIP, webhooks } from './ask/webhook';
import { KeyQueue } from './delivery/memory/keyHistory';
import { RateLimiter } from './delivery/pace/rateLimiter';
import { run } from './run';
import { properties, subtitle } from './operations';

export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: {
			light: 'file:messagingGateway.svg',
			dark: 'file:messagingGateway.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle,
		description: 'Send WhatsApp-style messages: texts, images and documents to numbers and groups',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Sends one message for each input item. It needs no loop and no Wait node, because it keeps to the pace set in the credential. Success means queued, not delivered. It does not receive messages. If the workflow may run twice, set options.sendOnceKey; for people who opted out, set options.skipNumbers.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.dataTable',
					relationHint: 'Holds recipients and opt-outs, and the status of each message',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		waitingNodeTooltip: WAITING_TOOLTIP,
		webhooks,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await run(this)];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await serveLink(this);
	}
}

/** Counts the limiters and the queues of keys that this process holds. A limiter is held for a minute after its last request. */
export const inUse = () => ({ limiters: RateLimiter.count, keyQueues: KeyQueue.count });

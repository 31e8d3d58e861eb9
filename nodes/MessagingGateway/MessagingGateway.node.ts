import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { answerLink, WAITING_TOOLTIP, webhooks } from './ask/webhook';
import { execute } from './execute';
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
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		waitingNodeTooltip: WAITING_TOOLTIP,
		webhooks,
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this)];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answerLink(this);
	}
}

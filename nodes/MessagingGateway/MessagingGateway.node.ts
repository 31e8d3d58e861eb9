import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { execute } from './execute';
import { properties } from './operations';

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
		subtitle:
			'={{ { send: "Send", sendBulk: "Send bulk", sendToGroup: "Send to group" }[$parameter["operation"]] + ": " + $parameter["resource"] }}',
		description: 'Send WhatsApp-style messages: texts, images and documents to numbers and groups',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this)];
	}
}

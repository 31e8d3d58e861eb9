import type { INodeParameters } from 'n8n-workflow';
import { outdatedPage } from '../../nodes/MessagingGateway/ask/page';
import { readerOf } from '../../nodes/MessagingGateway/ask/texts';
import { WAITING_TOOLTIP, webhooks } from '../../nodes/MessagingGateway/ask/webhook';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { properties } from '../../nodes/MessagingGateway/operations/index';
import { inNode } from '../support/rooms';
import { visit } from './ask/webhookContext';

it('the node is described as n8n shows it, and as saved workflows know it', () => {
	expect(new MessagingGateway().description).toEqual({
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: { light: 'file:messagingGateway.svg', dark: 'file:messagingGateway.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: expect.any(String) as string,
		description: 'Send WhatsApp-style messages: texts, images and documents to numbers and groups',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		builderHint: {
			searchHint: expect.stringContaining('options.sendOnceKey') as string,
			relatedNodes: [expect.objectContaining({ nodeType: 'n8n-nodes-base.dataTable' })],
		},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		waitingNodeTooltip: WAITING_TOOLTIP,
		webhooks,
		properties,
	});
});

it.each<[INodeParameters, string]>([
	[{}, 'Send: Text'],
	[{ operation: 'sendAndWait' }, 'Send and Wait: Text'],
	[{ operation: 'sendBulk' }, 'Send Bulk: Text'],
	[{ operation: 'sendToGroup' }, 'Send to Contact Group: Text'],
	[{ resource: 'image' }, 'Send: Image'],
	[{ resource: 'image', operation: 'sendToGroup' }, 'Send to Chat Group: Image'],
	[{ resource: 'document' }, 'Send: Document'],
	[{ resource: 'document', operation: 'sendToGroup' }, 'Send to Chat Group: Document'],
])('the node says on the canvas what it does: %j', async (parameters, subtitle) => {
	const expression = String(new MessagingGateway().description.subtitle).slice(1);
	const shown = await inNode(async (context) => context.evaluateExpression(expression, 0), {
		parameters,
		properties: properties.filter(({ name }) => ['resource', 'operation'].includes(name)),
	});
	expect(shown).toBe(subtitle);
});

it('the node answers whoever opens the link of a question', async () => {
	const { context, response } = visit();
	expect(await new MessagingGateway().webhook.call(context)).toEqual({ noWebhookResponse: true });
	expect(response).toMatchObject({ status: 410, body: outdatedPage(readerOf('en')) });
});

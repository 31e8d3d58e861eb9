import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { sendDocument } from './document/send.operation';
import { sendDocumentToGroup } from './document/sendToGroup.operation';
import { sendImage } from './image/send.operation';
import { sendImageToGroup } from './image/sendToGroup.operation';
import type { Operation } from './operation';
import { optionsField } from './options';
import { sendText } from './text/send.operation';
import { sendTextAndWait } from './text/sendAndWait.operation';
import { sendBulkText } from './text/sendBulk.operation';
import { sendTextToGroup } from './text/sendToGroup.operation';

/** A new operation is one file and one row here. */
const operations: Operation[] = [
	sendText,
	sendBulkText,
	sendTextToGroup,
	sendTextAndWait,
	sendImage,
	sendImageToGroup,
	sendDocument,
	sendDocumentToGroup,
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return operations.find((each) => each.resource === resource && each.operation === operation);
}

const subtitles = operations.map(({ resource, operation, name }) => [
	`${resource} ${operation}`,
	`${name.replace(' for Response', '')}: ${resource.charAt(0).toUpperCase()}${resource.slice(1)}`,
]);

/** The line under the node's name: “Send: Text”. */
export const subtitle = `={{ ${JSON.stringify(Object.fromEntries(subtitles))}[$parameter.resource + ' ' + $parameter.operation] }}`;

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'text',
	options: [
		{ name: 'Text', value: 'text', description: 'A text message' },
		{ name: 'Image', value: 'image', description: 'A picture, with or without a caption' },
		{
			name: 'Document',
			value: 'document',
			description: 'A PDF, an Office file, or a picture sent as a file',
		},
	],
};

const queuedNotice: INodeProperties = {
	displayName:
		'Success means that the gateway has put the message into its queue, not that it has arrived. The first message to a new contact takes 15 minutes or more.',
	name: 'queuedNotice',
	type: 'notice',
	default: '',
	// A question has its own notice. Two would push its options out of sight.
	displayOptions: { hide: { operation: ['sendAndWait'] } },
};

export const properties: INodeProperties[] = [
	resourceField,
	...['text', 'image', 'document'].map(operationField),
	...operations.flatMap((each) => each.fields.map((field) => shownFor(each, field))),
	queuedNotice,
	...operations.map((each) => shownFor(each, optionsField(each.options, each.unusedOptions))),
];

function operationField(resource: string): INodeProperties {
	const options = operations
		.filter((each) => each.resource === resource)
		.map(({ name, operation: value, action, description }): INodePropertyOptions => {
			return { name, value, action, description };
		});
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		default: 'send',
		options,
		displayOptions: { show: { resource: [resource] } },
	};
}

function shownFor({ resource, operation }: Operation, field: INodeProperties): INodeProperties {
	const { displayOptions } = field;
	const show = { resource: [resource], operation: [operation], ...displayOptions?.show };
	return { ...field, displayOptions: { ...displayOptions, show } };
}

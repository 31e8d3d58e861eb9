import type { INodeProperties } from 'n8n-workflow';

import { messageField } from '../fields';
import type { Operation } from '../operation';

/** As a tool, the node takes its numbers from its own field, because the model writes the input items. */
const recipientFields: INodeProperties[] = [
	{
		displayName: 'Recipients From',
		name: 'recipientSource',
		type: 'options',
		noDataExpression: true,
		default: 'list',
		description: 'Where the phone numbers come from',
		builderHint: { propertyHint: 'Use "items" if a previous node gives one item per recipient' },
		options: [
			{
				name: 'A List in This Node',
				value: 'list',
				description: 'Send to the numbers you enter below, once for each input item',
			},
			{
				name: 'The Input Items',
				value: 'items',
				description:
					'Take one number from each input item. Items with the same message are sent in one request.',
			},
		],
		displayOptions: { hide: { '@tool': [true] } },
	},
	{
		displayName: 'Recipients From',
		name: 'recipientSource',
		type: 'hidden',
		default: 'list',
		displayOptions: { show: { '@tool': [true] } },
	},
	{
		displayName: 'Phone Numbers',
		name: 'phoneNumbers',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. 081234567890, 6281234567891',
		description:
			'One number per line, or separated by commas or semicolons. You can also use an expression that returns an array.',
		displayOptions: { show: { recipientSource: ['list'] } },
	},
	{
		displayName: 'Phone Number Field',
		name: 'phoneNumberField',
		type: 'string',
		required: true,
		requiresDataPath: 'single',
		default: 'phone',
		placeholder: 'e.g. phone or customer.phone',
		description: 'The name of the field that holds the phone number in each input item',
		hint: 'Enter the field name as text, or drag the field here',
		displayOptions: { show: { recipientSource: ['items'] } },
	},
];

export const sendBulkText: Operation = {
	resource: 'text',
	operation: 'sendBulk',
	name: 'Send Bulk',
	action: 'Send text message to many numbers',
	description: 'Send the same text to many phone numbers',
	recipient: 'phoneNumbers',
	fields: [...recipientFields, messageField],
	options: [
		'allowedNumbers',
		'bodyFormat',
		'defaultCountryCode',
		'deviceId',
		'doubtfulNumbers',
		'invalidNumbers',
		'numbersPerRequest',
		'skipNumbers',
		'testNumber',
	],
	// Bulk requests go one after another.
	unusedOptions: ['maxConcurrency'],
	async toMessage(item) {
		const isByItem = item.takesNumberFromField;
		const deviceid = item.readDeviceId();
		const message = item.readMessage();
		const format = item.readBodyFormat();
		const { recipients, refusals } = isByItem
			? { recipients: [item.readPhoneNumberInField()], refusals: [] }
			: await item.readPhoneNumbers();
		return {
			travels: isByItem ? 'grouped' : 'list',
			identity: JSON.stringify([deviceid, message]),
			recipients,
			refusals,
			requestTo: (number) => ({
				path: ['api', 'v1', 'message', 'sendbulk'],
				format,
				fields: { deviceid, number, message },
				answer: 'envelope',
			}),
		};
	},
};

import type { INodeProperties } from 'n8n-workflow';

import { messageField } from '../fields';
import type { Operation } from '../operation';

/** A tool's input item is what the model wrote, asked for or not, so a tool takes its list from its field. */
const recipientFields: INodeProperties[] = [
	{
		displayName: 'Recipients From',
		name: 'recipientSource',
		type: 'options',
		noDataExpression: true,
		default: 'list',
		description: 'Where the phone numbers come from',
		options: [
			{
				name: 'A List in This Node',
				value: 'list',
				description: 'Each input item sends its message to all numbers of a list',
			},
			{
				name: 'The Input Items',
				value: 'items',
				description:
					'Each input item gives one number; items with the same message travel together',
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
			'One number a line, or separated by commas or semicolons. An expression may give an array.',
		displayOptions: { show: { recipientSource: ['list'] } },
	},
	{
		displayName: 'Phone Number Field',
		name: 'phoneNumberField',
		type: 'string',
		required: true,
		noDataExpression: true,
		requiresDataPath: 'single',
		default: 'phone',
		placeholder: 'e.g. phone or customer.phone',
		description: 'The name of the field that holds the phone number in every input item',
		hint: 'The name of the field as text, not an expression',
		displayOptions: { show: { recipientSource: ['items'] } },
	},
];

export const sendBulkText: Operation = {
	resource: 'text',
	operation: 'sendBulk',
	name: 'Send Bulk',
	action: 'Send a text message to many numbers',
	description: 'Send one text to many phone numbers with few requests',
	fields: [...recipientFields, messageField],
	options: ['bodyFormat', 'defaultCountryCode', 'deviceId', 'numbersPerRequest'],
	async toMessage(item) {
		const acrossItems = item.recipientSource === 'items';
		const deviceid = item.readDeviceId();
		const message = item.readMessage();
		const format = item.readBodyFormat();
		const numbers = acrossItems
			? [item.readPhoneNumberInField()]
			: (await item.readPhoneNumbers()).numbers;
		return {
			kind: 'bulk',
			identity: JSON.stringify([deviceid, message]),
			recipients: numbers.map(({ digits }) => digits),
			acrossItems,
			requestTo: (number) => ({
				path: ['api', 'v1', 'message', 'sendbulk'],
				format,
				fields: { deviceid, number, message },
				answer: 'envelope',
			}),
		};
	},
};

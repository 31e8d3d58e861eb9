import type { INodeProperties } from 'n8n-workflow';

import { messageField, phoneNumberField } from '../fields';
import { formFields } from '../formFields';
import { type Operation, single } from '../operation';

/** Names and values are those of n8n's own nodes, so that n8n can turn the node into a human review step. */
const replyFields: INodeProperties[] = [
	{
		displayName: 'Response Type',
		name: 'responseType',
		type: 'options',
		default: 'approval',
		description: 'How the person answers on the page that the link opens',
		options: [
			{ name: 'Approval', value: 'approval', description: 'By tapping a button' },
			{ name: 'Custom Form', value: 'customForm', description: 'By filling in fields' },
			{ name: 'Free Text', value: 'freeText', description: 'By typing an answer' },
		],
	},
	{
		displayName: 'Approval Options',
		name: 'approvalOptions',
		type: 'fixedCollection',
		placeholder: 'Add a Decline button, or other labels',
		default: {},
		options: [
			{
				displayName: 'Values',
				name: 'values',
				values: [
					{
						displayName: 'Type of Approval',
						name: 'approvalType',
						type: 'options',
						// Adding the option adds the second button.
						default: 'double',
						description: 'Whether the page has one button, or two',
						hint: 'The workflow continues after a no, too. Add an If node that checks {{ $json.data.approved }}.',
						options: [
							{ name: 'Approve Only', value: 'single' },
							{ name: 'Approve or Decline', value: 'double' },
						],
					},
					{
						displayName: 'Approve Button Label',
						name: 'approveLabel',
						type: 'string',
						default: 'Approve',
					},
					{
						displayName: 'Decline Button Label',
						name: 'disapproveLabel',
						type: 'string',
						default: 'Decline',
						displayOptions: { show: { approvalType: ['double'] } },
					},
				],
			},
		],
		displayOptions: { show: { responseType: ['approval'] } },
	},
	...formFields,
];

const linkNotice: INodeProperties = {
	displayName:
		'The person answers on the page that the link opens, not in the chat. The phone must be able to open it: set <a href="https://docs.n8n.io/hosting/configuration/environment-variables/endpoints/" target="_blank">WEBHOOK_URL</a> to the address of your n8n on the internet. A new contact gets the message after 15 minutes or more.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
};

export const sendTextAndWait: Operation = {
	resource: 'text',
	operation: 'sendAndWait',
	name: 'Send and Wait for Response',
	action: 'Send text message and wait for response',
	description:
		'Ask a person, and continue with the answer. The question goes out once, with the first input item.',
	recipient: 'phoneNumber',
	fields: [
		phoneNumberField,
		{
			...messageField,
			typeOptions: { rows: 3 },
			placeholder: 'e.g. May we refund order 1042?',
			description:
				'The question to ask. The node adds a link for the answer at the end, so you can end with words such as “Please decide:”.',
		},
		...replyFields,
		linkNotice,
	],
	options: [
		'allowedNumbers',
		'defaultCountryCode',
		'deviceId',
		'doubtfulNumbers',
		'limitWaitTime',
		'responseFormButtonLabel',
		'responseFormDescription',
		'responseFormTitle',
	],
	// One request goes out at once, and the reply comes out.
	unusedOptions: ['batching', 'maxConcurrency', 'output', 'sendBefore'],
	toMessage(item) {
		const recipient = item.readAllowedPhoneNumber();
		const deviceid = item.readDeviceId();
		const text = item.readMessage();
		const message = `${text}\n\n${item.openPage(item.readQuestion(text))}`;
		return single({
			recipient,
			expectsReply: true,
			requestTo: (to) => ({
				path: ['api', 'v1', 'message', 'send'],
				format: 'form',
				fields: { deviceid, number: to, message },
				answer: 'envelope',
			}),
		});
	},
};

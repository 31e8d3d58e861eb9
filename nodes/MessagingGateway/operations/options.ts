import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { guards } from './guards';
import { limitWaitTime } from './limitWaitTime';
import { defaultCountryCode, doubtfulNumbers, invalidNumbers } from './numberOptions';

/** Options that only some operations have. */
export type OptionName =
	| 'allowedNumbers'
	| 'bodyFormat'
	| 'defaultCountryCode'
	| 'deviceId'
	| 'doubtfulNumbers'
	| 'fileName'
	| 'invalidNumbers'
	| 'limitWaitTime'
	| 'numbersPerRequest'
	| 'skipNumbers'
	| 'testNumber';

const commonOptions = [
	'batching',
	'dryRun',
	'maxConcurrency',
	'maxRetries',
	'onUncertain',
	'output',
	'randomDelay',
	'sendOnceKey',
	'timeout',
] as const;

/** Options that every operation has, unless it says that it does not use them. */
export type CommonOptionName = (typeof commonOptions)[number];

const batching: INodePropertyCollection = {
	name: 'batch',
	displayName: 'Batching',
	values: [
		{
			displayName: 'Requests per Batch',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: -1 },
			default: 50,
			description: 'How many requests to send before pausing. Use -1 for no pauses.',
		},
		{
			displayName: 'Pause (Milliseconds)',
			name: 'batchInterval',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1000,
			description: 'How long to pause after each batch. Use 0 for no pauses.',
		},
	],
};

const all: INodeProperties[] = [
	...guards,
	{
		displayName: 'Batching',
		name: 'batching',
		type: 'fixedCollection',
		placeholder: 'Add Batching',
		noDataExpression: true,
		default: { batch: {} },
		description: 'Pause after a certain number of requests, for gateways with a rate limit',
		options: [batching],
	},
	{
		displayName: 'Body Format',
		name: 'bodyFormat',
		type: 'options',
		default: 'json',
		description: 'How the request is formatted. Change this only if your gateway rejects JSON.',
		options: [
			{ name: 'Form URL-Encoded', value: 'form' },
			{ name: 'JSON', value: 'json' },
		],
	},
	defaultCountryCode,
	{
		displayName: 'Device ID',
		name: 'deviceId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3f1c2b7e-9a4d-4f6e-8b1a-5c2d7e9f0a1b',
		description: 'Send through this device instead of the one in the credential',
	},
	doubtfulNumbers,
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Invoice 2026-11.pdf',
		description: 'The file name that the recipient sees, if it should differ from the original',
	},
	invalidNumbers,
	limitWaitTime,
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		noDataExpression: true,
		default: 5,
		description:
			'How many messages to send at the same time. Messages to the same recipient always keep their order.',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		noDataExpression: true,
		default: 3,
		description:
			'How many times to retry when the gateway cannot be reached, and how many pauses in a row to wait while it is busy and accepts no message at all. As long as it accepts any, a message keeps waiting. A message that may have been queued is never retried.',
	},
	{
		displayName: 'Numbers per Request',
		name: 'numbersPerRequest',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		noDataExpression: true,
		default: 500,
		description:
			'How many numbers to put into one request. Longer lists are split. Use 0 for no limit.',
	},
	{
		displayName: 'Output (Who Got It)',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		// As for a dry run: whoever adds the option wants something else than without it.
		default: 'perRecipient',
		description: 'What the node outputs for messages that the gateway accepted',
		builderHint: {
			propertyHint: 'Use "perRecipient" if a later node needs to know who got the message',
		},
		options: [
			{
				name: 'Gateway Answers',
				value: 'envelope',
				description:
					'The answer to each request. In a bulk send one answer covers many recipients.',
			},
			{
				name: 'One Item per Recipient',
				value: 'perRecipient',
				description:
					'The recipient and the status of each message, to write back to a sheet or CRM',
			},
		],
	},
	{
		displayName: 'Random Delay (Milliseconds)',
		name: 'randomDelay',
		type: 'number',
		typeOptions: { minValue: 0 },
		noDataExpression: true,
		default: 0,
		description: 'The longest random wait before each request, in milliseconds',
	},
	{
		displayName: 'Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300000,
		description:
			'How long one request may take, including the upload. Increase it for large files. Use 0 for no limit.',
	},
	{
		displayName: 'Uncertain Messages on Retry',
		name: 'onUncertain',
		type: 'options',
		noDataExpression: true,
		default: 'doNotResend',
		description:
			'What to do, when an execution is retried, with a message that may have been queued the first time',
		options: [
			{
				name: 'Do Not Send Again',
				value: 'doNotResend',
				description: 'Nobody gets it twice, but somebody may not get it',
			},
			{
				name: 'Send Again',
				value: 'resend',
				description: 'Everybody gets it, but somebody may get it twice',
			},
		],
	},
];

/** Returns the options of an operation: its own and those of every send but the unused, sorted by label. */
export function optionsField(
	own: OptionName[],
	unused: readonly CommonOptionName[] = [],
): INodeProperties {
	const names: string[] = [...own, ...commonOptions.filter((name) => !unused.includes(name))];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: all
			.filter(({ name }) => names.includes(name))
			.sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

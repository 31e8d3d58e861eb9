import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { limitWaitTime } from './limitWaitTime';

/** Those that some operations have; the others belong to every send. */
export type OptionName =
	| 'bodyFormat'
	| 'defaultCountryCode'
	| 'deviceId'
	| 'fileName'
	| 'limitWaitTime'
	| 'numbersPerRequest';

const forEverySend = new Set([
	'batching',
	'maxConcurrency',
	'maxRetries',
	'onUncertain',
	'randomDelay',
	'sendOnceKey',
	'timeout',
]);

const batching: INodePropertyCollection = {
	name: 'batch',
	displayName: 'Batching',
	values: [
		{
			displayName: 'Messages per Batch',
			name: 'batchSize',
			type: 'number',
			typeOptions: { minValue: -1 },
			default: 50,
			description:
				'How many requests to send before a pause. Choose -1 for no pauses; 0 counts as 1.',
		},
		{
			displayName: 'Batch Interval (Ms)',
			name: 'batchInterval',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 1000,
			description: 'How long to pause after each batch, in milliseconds',
		},
	],
};

const all: INodeProperties[] = [
	{
		displayName: 'Batching',
		name: 'batching',
		type: 'fixedCollection',
		placeholder: 'Add Batching',
		noDataExpression: true,
		default: { batch: {} },
		description:
			'For a gateway that limits how many messages it takes: pause after a number of requests',
		options: [batching],
	},
	{
		displayName: 'Body Format',
		name: 'bodyFormat',
		type: 'options',
		default: 'json',
		description: 'For a gateway that does not understand the default: how the request is written',
		options: [
			{ name: 'Form', value: 'form' },
			{ name: 'JSON', value: 'json' },
		],
	},
	{
		displayName: 'Default Country Code',
		name: 'defaultCountryCode',
		type: 'string',
		default: '',
		placeholder: 'e.g. 62',
		description:
			'For numbers written with a leading 0: the digits that take its place. With 62, 0812… becomes 62812…; without this option it goes out as it is.',
	},
	{
		displayName: 'Device ID',
		name: 'deviceId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3f1c2b7e-9a4d-4f6e-8b1a-5c2d7e9f0a1b',
		description:
			'For more than one device: send through this one instead of the one of the credential',
	},
	{
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Invoice 2026-11.pdf',
		description: 'For files with technical names: the name that the recipient sees instead',
	},
	limitWaitTime,
	{
		displayName: 'Max Concurrency',
		name: 'maxConcurrency',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		noDataExpression: true,
		default: 5,
		description:
			'For many items: how many requests may be under way at once. Messages for one recipient always go in the order of their items.',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		noDataExpression: true,
		default: 3,
		description:
			'For a gateway that is often busy: how many times to try again. This happens only where it is certain that nothing was queued.',
	},
	{
		displayName: 'Numbers per Request',
		name: 'numbersPerRequest',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		noDataExpression: true,
		default: 500,
		description:
			'For a gateway that takes shorter or longer lists: a list with more numbers travels in several requests. Choose 0 for no limit.',
	},
	{
		displayName: 'Random Delay (Ms)',
		name: 'randomDelay',
		type: 'number',
		typeOptions: { minValue: 0 },
		noDataExpression: true,
		default: 0,
		description:
			'For messages that should not leave in lockstep: wait up to this many milliseconds, at random, before each request',
	},
	{
		displayName: 'Send-Once Key',
		name: 'sendOnceKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}',
		description:
			'For orders, invoices and events that must not be announced twice: a message whose key is among the last 10,000 that this node sent, in this or an earlier execution, is not sent again',
	},
	{
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300000,
		description:
			'For large files over a slow line: how long one request may take, upload included, in milliseconds. Choose 0 for no limit.',
	},
	{
		displayName: 'Uncertain Messages on Retry',
		name: 'onUncertain',
		type: 'options',
		noDataExpression: true,
		default: 'doNotResend',
		description:
			'For executions that are retried: what to do with a message that the gateway may have queued before the connection broke',
		options: [
			{
				name: 'Do Not Send Again',
				value: 'doNotResend',
				description: 'Nobody gets it twice; somebody may not get it',
			},
			{
				name: 'Send Again',
				value: 'resend',
				description: 'Everybody gets it; somebody may get it twice',
			},
		],
	},
];

/** The options of an operation: its own and those of every send, sorted by what people read. */
export function optionsField(own: OptionName[], isBulk: boolean): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: all.filter(
			({ name }) =>
				(own as string[]).includes(name) ||
				(forEverySend.has(name) && !(isBulk && name === 'maxConcurrency')),
		),
	};
}

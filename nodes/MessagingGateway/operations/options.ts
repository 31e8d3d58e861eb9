import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

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
	| 'responseFormButtonLabel'
	| 'responseFormDescription'
	| 'responseFormTitle'
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
	'sendBefore',
	'sendOnceKey',
	'timeout',
] as const;

/** Options that every operation has, unless it says that it does not use them. */
export type CommonOptionName = (typeof commonOptions)[number];

/** Options that protect somebody. If one cannot be read, nothing that it protects is sent. */
const guards: INodeProperties[] = [
	{
		displayName: 'Allowed Numbers',
		name: 'allowedNumbers',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 081234567890, +34 612 34 56 78',
		description:
			'The only phone numbers that may get messages: one per line, or an expression that returns an array. If the list is empty, nobody gets a message.',
		hint: 'Keeps an AI agent from messaging anybody else. Enter the numbers yourself; do not let the agent do it.',
		builderHint: {
			propertyHint:
				'For an AI agent that reads messages from strangers. Never let the AI fill this in',
		},
	},
	{
		displayName: 'Dry Run (Send Nothing)',
		name: 'dryRun',
		type: 'boolean',
		// The value that n8n sets when somebody adds the option. Without the option, the node sends.
		default: true,
		description:
			'Whether to check everything and send nothing. The output shows for each recipient whether the message is ready, skipped or refused, and why.',
		builderHint: { propertyHint: 'To send, leave this option out' },
	},
	{
		displayName: 'Send-Once Key',
		name: 'sendOnceKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}',
		description:
			'A value that identifies this message, such as an order number, or a phone number and a date. If this node has already queued a message with this key, the item is skipped.',
		builderHint: {
			propertyHint:
				'An expression that differs for each message and is the same if the workflow runs again, such as the number with an order number; never a fixed text',
		},
	},
	{
		displayName: 'Skip Numbers (Opt-Outs)',
		name: 'skipNumbers',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 081234567890, 6281234567891',
		description:
			'Phone numbers that get no message, such as those of people who opted out. One number per line, or an expression that returns an array.',
		hint: "All rows of a node: {{ $('Opt-outs').all().map((row) => row.json.phone) }}. A dragged field gives only one number.",
		builderHint: {
			propertyHint:
				"An array of all rows: $('Opt-outs').all().map((row) => row.json.phone); a field of $json is one number only",
		},
	},
	{
		displayName: 'Test Number (Only You)',
		name: 'testNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. 081234567890',
		description:
			'Your own phone number: it gets the first message, and nobody gets anything else. To send to everybody, remove the option.',
		builderHint: { propertyHint: 'To send to everybody, leave this option out' },
	},
];

/** Options that say how phone numbers are read. */

const defaultCountryCode: INodeProperties = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 34 or ES',
	description:
		"The country of numbers without a country code: a code such as 34, or a country such as ES. If this option is not set, the credential's is used.",
};

const doubtfulNumbers: INodeProperties = {
	displayName: 'Doubtful Numbers',
	name: 'doubtfulNumbers',
	type: 'options',
	default: 'refuse',
	description:
		'What to do with a number that does not fit its country (such as one with a missing digit), or that could be one of two numbers. The message could reach nobody, or the wrong person.',
	options: [
		{
			name: 'Refuse',
			value: 'refuse',
			description: 'Treat it as a wrong number, and give the reason',
		},
		{
			name: 'Send',
			value: 'send',
			description: 'Send to the digits as they are',
		},
	],
};

const invalidNumbers: INodeProperties = {
	displayName: 'Invalid Numbers',
	name: 'invalidNumbers',
	type: 'options',
	default: 'refuse',
	description: 'What to do if a list contains an entry that is not a phone number',
	options: [
		{
			name: 'Refuse the List',
			value: 'refuse',
			description: 'Nobody in the list gets the message until the entry is corrected',
		},
		{
			name: 'Skip',
			value: 'skip',
			description: 'The other numbers get the message, and a warning names the skipped entries',
		},
	],
	displayOptions: { show: { '/recipientSource': ['list'] } },
};

const waitLimit: INodePropertyCollection = {
	name: 'values',
	displayName: 'Values',
	values: [
		{
			displayName: 'Limit Type',
			name: 'limitType',
			type: 'options',
			default: 'afterTimeInterval',
			options: [
				{
					name: 'After Time Interval',
					value: 'afterTimeInterval',
					description: 'Waits for a certain amount of time',
				},
				{
					name: 'At Specified Time',
					value: 'atSpecifiedTime',
					description: 'Waits until a date and time',
				},
			],
		},
		{
			displayName: 'Amount',
			name: 'resumeAmount',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 1,
			description: 'How long to wait. A new contact gets the question after 15 minutes or more.',
			displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		},
		{
			displayName: 'Unit',
			name: 'resumeUnit',
			type: 'options',
			default: 'hours',
			options: [
				{ name: 'Minutes', value: 'minutes' },
				{ name: 'Hours', value: 'hours' },
				{ name: 'Days', value: 'days' },
			],
			displayOptions: { show: { limitType: ['afterTimeInterval'] } },
		},
		{
			displayName: 'Max Date and Time',
			name: 'maxDateAndTime',
			type: 'dateTime',
			default: '',
			description: 'When to stop waiting, in the time zone of the workflow',
			displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
		},
	],
};

/** Names, values and defaults are those of n8n's own nodes. */
const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait for an answer. After that, the page accepts no answer, and the workflow continues with the input item, without its field "data".',
	options: [waitLimit],
};

const ofPagesWithFields = { show: { '/responseType': ['freeText', 'customForm'] } };

/** Names, labels and defaults are those of n8n's own nodes. */
const pageWords: INodeProperties[] = [
	{
		displayName: 'Response Form Button Label',
		name: 'responseFormButtonLabel',
		type: 'string',
		default: 'Submit',
		description:
			"The button that sends the answer. If not set, it is in the language of the person's browser.",
		displayOptions: ofPagesWithFields,
	},
	{
		displayName: 'Response Form Description',
		name: 'responseFormDescription',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		description: 'The text of the page. If not set, the page shows the message.',
		displayOptions: ofPagesWithFields,
	},
	{
		displayName: 'Response Form Title',
		name: 'responseFormTitle',
		type: 'string',
		default: '',
		placeholder: 'e.g. How was your visit?',
		description: 'The heading of the page. Previews of the link may show it.',
		displayOptions: ofPagesWithFields,
	},
];

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
	...pageWords,
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
			'How often to try again if the gateway cannot be reached, and how many pauses in a row to wait if it is busy. A message that may be queued is never retried.',
	},
	{
		displayName: 'Numbers per Request',
		name: 'numbersPerRequest',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		noDataExpression: true,
		default: 500,
		description:
			'How many numbers to put into one request; longer lists are split. Use 0 for no limit.',
	},
	{
		displayName: 'Output (Who Got It)',
		name: 'output',
		type: 'options',
		noDataExpression: true,
		// As for a dry run, adding the option changes the behavior.
		default: 'perRecipient',
		description: 'What the node outputs',
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
		displayName: 'Send Before',
		name: 'sendBefore',
		type: 'dateTime',
		default: '',
		description:
			'When a message is no longer worth sending, such as a login code or a reminder. A message that is still waiting at that time is skipped, also in a Retry.',
		builderHint: {
			propertyHint:
				'A date and time, such as {{ $now.plus(10, "minutes") }} or the field of the appointment; without a zone it is in the time zone of the workflow',
		},
	},
	{
		displayName: 'Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300000,
		description:
			'How long one request may take, including the upload, in milliseconds. Use 0 for no limit.',
	},
	{
		displayName: 'Uncertain Messages on Retry',
		name: 'onUncertain',
		type: 'options',
		noDataExpression: true,
		default: 'doNotResend',
		description: 'What a retried execution does with a message that may already have been queued',
		options: [
			{
				name: 'Do Not Send Again',
				value: 'doNotResend',
				description: 'Nobody gets it twice, but some people may not get it',
			},
			{
				name: 'Send Again',
				value: 'resend',
				description: 'Everybody gets it, but some people may get it twice',
			},
		],
	},
];

/** Returns the options of an operation: its own and the common ones except the unused, sorted by label. */
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

import type { INodeProperties } from 'n8n-workflow';

/** Options that protect somebody. If one cannot be read, nothing is sent. */
export const guards: INodeProperties[] = [
	{
		displayName: 'Allowed Numbers',
		name: 'allowedNumbers',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 081234567890, +34 612 34 56 78',
		description:
			'The only phone numbers that may get anything; everybody else is skipped. One number per line, or separated by commas or semicolons, or an expression that returns an array. The list is read once, with the first item. An empty list reaches nobody.',
		hint: 'With an AI agent: nothing that it is told can make it write to anybody else. Enter the numbers yourself, not from the agent.',
		builderHint: {
			propertyHint: 'For an AI agent that reads words of strangers. Never from the AI itself',
		},
	},
	{
		displayName: 'Dry Run (Send Nothing)',
		name: 'dryRun',
		type: 'boolean',
		// What n8n sets when somebody adds the option. Without the option the node sends.
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
			'A value that identifies this message, such as an order number, or a phone number with a day. If this node has already queued a message with this key (it remembers the last 10,000), the item is skipped. To send it again, change the key.',
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
			'Phone numbers that get no message, such as those of people who opted out. One number per line, or separated by commas or semicolons, or an expression that returns an array. The list is read once, with the first item.',
		hint: "To skip all rows of a node: {{ $('Opt-outs').all().map((row) => row.json.phone) }}. A field that you drag here is one number only.",
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
			'Your own phone number. It gets the first message, and nobody gets anything else: the output shows the other messages as a dry run does. To send to everybody, remove the option.',
		builderHint: { propertyHint: 'To send to everybody, leave this option out' },
	},
];

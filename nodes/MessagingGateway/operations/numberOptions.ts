import type { INodeProperties } from 'n8n-workflow';

/** Options that say how phone numbers are read. */

export const defaultCountryCode: INodeProperties = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 62',
	description:
		'Replaces the leading 0 of local numbers: with 62, 0812… becomes 62812…. If not set, the code in the credential is used; with neither, numbers are sent as written.',
};

export const doubtfulNumbers: INodeProperties = {
	displayName: 'Doubtful Numbers (No 0)',
	name: 'doubtfulNumbers',
	type: 'options',
	default: 'refuse',
	description:
		'What to do with a number that begins neither with 0 or + nor with the Default Country Code, where one is set: a spreadsheet may have dropped the 0, and the message would go to somebody else',
	options: [
		{
			name: 'Refuse',
			value: 'refuse',
			description: 'Treat it like a wrong number, and say why',
		},
		{
			name: 'Send',
			value: 'send',
			description: 'Take it for a number with another country code',
		},
	],
};

export const invalidNumbers: INodeProperties = {
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
			description: 'The other numbers get the message, and a warning names what was left out',
		},
	],
	displayOptions: { show: { '/recipientSource': ['list'] } },
};

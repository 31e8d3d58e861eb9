import type { INodeProperties } from 'n8n-workflow';

/** Options that say how phone numbers are read. */

export const defaultCountryCode: INodeProperties = {
	displayName: 'Default Country Code',
	name: 'defaultCountryCode',
	type: 'string',
	default: '',
	placeholder: 'e.g. 34 or ES',
	description:
		"The country of numbers without a country code: a code such as 34, or a country such as ES. With 34, 612 34 56 78 becomes 34612345678; with ID, 0812… becomes 62812…. If not set, the credential's is used; with neither, numbers need their country code.",
};

export const doubtfulNumbers: INodeProperties = {
	displayName: 'Doubtful Numbers',
	name: 'doubtfulNumbers',
	type: 'options',
	default: 'refuse',
	description:
		'What to do with a number that is not one of its country (such as one with a digit too few), or that may be one of two: the message could go to nobody, or to somebody else',
	options: [
		{
			name: 'Refuse',
			value: 'refuse',
			description: 'Treat it like a wrong number, and say why',
		},
		{
			name: 'Send',
			value: 'send',
			description: 'Send to its digits as they are',
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

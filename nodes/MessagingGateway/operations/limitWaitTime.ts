import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

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
export const limitWaitTime: INodeProperties = {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: { limitType: 'afterTimeInterval', resumeAmount: 45, resumeUnit: 'minutes' } },
	description:
		'How long to wait for an answer. After that, the page takes none, and the workflow continues with the input item, without its field data.',
	options: [waitLimit],
};

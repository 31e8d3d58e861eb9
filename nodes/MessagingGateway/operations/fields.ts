import type { INodeProperties } from 'n8n-workflow';

/** Fields that several operations share. */

export const phoneNumberField: INodeProperties = {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 081234567890',
	description:
		'The number that gets the message, with the country code (6281234567890) or with a leading 0. Spaces, dashes and a plus sign do no harm.',
};

export const groupIdField: INodeProperties = {
	displayName: 'Group ID',
	name: 'groupId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 120363025246125016',
	description: 'The group that gets the message: its identifier, not its name',
	hint: 'Your gateway shows the ID beside the group, in its list of groups',
};

/** The API asks for both and does not say what `phone` does besides the group. */
export const groupFieldsOfFiles: INodeProperties[] = [
	groupIdField,
	{ ...phoneNumberField, hint: 'The gateway asks for a number besides the group' },
];

export const messageField: INodeProperties = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. Your order is ready. See you soon!',
	description: 'The text to send',
};

export const captionField: INodeProperties = {
	displayName: 'Caption',
	name: 'caption',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Our new opening hours',
	description: 'A text that goes with the image',
};

/** An AI agent hands no files on, so a tool takes its file from an address. */
const fileFields = (example: string): INodeProperties[] => [
	{
		displayName: 'File From',
		name: 'fileSource',
		type: 'options',
		default: 'binary',
		description: 'Where the file comes from',
		options: [
			{
				name: 'Binary Field',
				value: 'binary',
				description: 'A file that an earlier node has put into the item',
			},
			{ name: 'URL', value: 'url', description: 'A file on the web' },
		],
		displayOptions: { hide: { '@tool': [true] } },
	},
	{
		displayName: 'File From',
		name: 'fileSource',
		type: 'hidden',
		default: 'url',
		displayOptions: { show: { '@tool': [true] } },
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name that the Binary tab of the input shows, often data',
		description: 'The binary field of the input item that holds the file',
		displayOptions: { show: { fileSource: ['binary'] }, hide: { '@tool': [true] } },
	},
	{
		displayName: 'File URL',
		name: 'fileUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: `e.g. https://example.com/${example}`,
		description:
			'The address of the file. It is downloaded without the access token of the gateway.',
		displayOptions: { show: { fileSource: ['url'] } },
	},
];

export const imageFields = fileFields('photo.jpg');
export const documentFields = fileFields('invoice.pdf');

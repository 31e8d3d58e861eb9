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
		"The recipient's number, with its country code, or as people in your country write it if 'Default Country Code' is set. Spaces, dashes and a plus sign are fine.",
	builderHint: { propertyHint: 'One number for each item, as text, so that no leading 0 is lost' },
};

const groupIdField: INodeProperties = {
	displayName: 'Chat Group ID',
	name: 'groupId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 120363025246125016',
	description:
		'The ID of the chat group to send to, not its name. A chat group is a group in the messenger; contact groups have other IDs.',
	hint: 'Your gateway shows the ID in its list of chat groups',
};

/** The API keeps contact groups, which are lists of numbers, apart from the groups of a chat. */
export const contactGroupIdField: INodeProperties = {
	...groupIdField,
	displayName: 'Contact Group ID',
	placeholder: 'e.g. 1042',
	description:
		'The ID of the contact group to send to, not its name. A contact group is a list of contacts that your gateway keeps, not a chat group.',
	hint: 'Your gateway shows the ID in its list of contact groups',
};

/** The API requires both and does not say what it uses the phone number for. */
export const groupFieldsOfFiles: INodeProperties[] = [
	groupIdField,
	{
		...phoneNumberField,
		description:
			"With its country code, or as people in your country write it if 'Default Country Code' is set. Spaces, dashes and a plus sign are fine.",
		hint: 'The gateway requires a number here too. The file goes to the group: if you are not sure, enter your own number.',
	},
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
	description: 'The text to send with the image',
};

/** AI agents cannot pass files to tools, so a tool takes its file from a URL. */
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
				description: 'A file from a previous node',
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
		hint: 'The name of the field that holds the file, usually data',
		description: 'The input panel shows the name on its Binary tab',
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
			"The web address of the file. It is downloaded without the gateway's access token.",
		displayOptions: { show: { fileSource: ['url'] } },
	},
];

export const imageFields = fileFields('photo.jpg');
export const documentFields = fileFields('invoice.pdf');

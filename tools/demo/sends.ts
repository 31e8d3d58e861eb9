/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';
import { basename, join } from 'node:path';
import type { ItemInput } from '../../test/support/engine/engine';

/** One use of the node: its settings, and a description for a person. */
export interface Send {
	title: string;
	to: string;
	/** The content of each input item. */
	contents: string[];
	parameters: INodeParameters;
	items: ItemInput[];
	/** The expected messages at the gateway: the text, or the SHA-256 of the file. */
	expected: string[];
	/** How many numbers or groups each of them goes to. */
	recipients: number;
}

const FILES = join(__dirname, '../../test/support/files');
const ANNA = '+62 812-3456-7890';
const FRIENDS = ['0812 1111 2222', '+34 612 34 56 78', '91 98765 43210'];
/** A text goes to a contact group, a file to a chat group: the API gives each an ID of its own. */
const CONTACT_GROUP = 'customers';
const GROUP = 'class-5b';

const TYPES: Record<string, string> = {
	'.jpg': 'image/jpeg',
	'.png': 'image/png',
	'.pdf': 'application/pdf',
	'.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	'.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	'.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	'.csv': 'text/csv',
};

export const SENDS: Send[] = [
	text(
		'send',
		'Text to one number',
		ANNA,
		{ phoneNumber: ANNA },
		'Your table is booked for 19:00.',
	),
	{
		...text(
			'sendBulk',
			'Text to many numbers',
			`${FRIENDS.length} numbers`,
			{ phoneNumbers: FRIENDS.join('\n'), options: { defaultCountryCode: '62' } },
			'We open again on Monday.',
		),
		recipients: FRIENDS.length,
	},
	text(
		'sendToGroup',
		'Text to a contact group',
		CONTACT_GROUP,
		{ groupId: CONTACT_GROUP },
		'Meeting at ten.',
	),
	files('image', 'send', 'Image to one number', ['photo.jpg'], 'Your parcel'),
	files('image', 'sendToGroup', 'Image to a chat group', ['picture.png'], 'The new logo'),
	files('document', 'send', 'Documents to one number', [
		'document.pdf',
		'letter.docx',
		'sheet.xlsx',
		'slides.pptx',
	]),
	files('document', 'sendToGroup', 'Document to a chat group', ['table.csv']),
];

function text(
	operation: string,
	title: string,
	to: string,
	where: INodeParameters,
	message: string,
): Send {
	return {
		title,
		to,
		contents: [`“${message}”`],
		parameters: { resource: 'text', operation, message, ...where },
		items: [{}],
		expected: [message],
		recipients: 1,
	};
}

function files(
	resource: string,
	operation: 'send' | 'sendToGroup',
	title: string,
	names: string[],
	caption?: string,
): Send {
	const group = operation === 'sendToGroup' && { groupId: GROUP };
	return {
		title,
		to: group ? GROUP : ANNA,
		contents: names.map((name) => describe(join(FILES, name), caption)),
		parameters: { resource, operation, phoneNumber: ANNA, ...group, ...(caption && { caption }) },
		items: names.map((name) => ({ binary: { data: file(join(FILES, name)) } })),
		expected: names.map((name) => sha256(join(FILES, name))),
		recipients: 1,
	};
}

function file(path: string) {
	const fileName = basename(path);
	const mimeType = TYPES[fileName.slice(fileName.lastIndexOf('.'))] as string;
	return { fileName, mimeType, content: path };
}

function sha256(path: string): string {
	return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function describe(path: string, caption?: string): string {
	const size = `${basename(path)}, ${(statSync(path).size / 1024).toFixed(1)} KB`;
	return caption ? `${size}, “${caption}”` : size;
}

/** Every operation of the node with difficult content, and what a server has to receive. */
import { randomBytes } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import {
	bulk,
	file,
	groupText,
	NUMBER,
	numberOf,
	sample,
	sha256,
	text,
	withFile,
	withJson,
} from './harness';
import type { ItemInput } from './engine/engine';

export const TOKEN = 'token/of+the=test~1';
export const DEVICE = '3f1c2b7e-9a4d-4f6e-8b1a-5c2d7e9f0a1b';

export interface ArrivedFile {
	name: string;
	type: string;
	size: number;
	sha256: string;
}

export interface Send {
	parameters: INodeParameters;
	items?: ItemInput[];
	/** Relative to the Base URL, not encoded. */
	path: string[];
	format: 'form' | 'json' | 'multipart';
	fields: Record<string, string | string[]>;
	/** By the name of its field. */
	files?: Record<string, ArrivedFile>;
}

const TRICKY = `Grüße & 100 % = “ok”?; 'a' "b" \\ \\n <b>\r\n+1\t😀 日本 é\u0301 #tag %41 %2B &amp; {"x":[]}\n\n  `;
const LONG = `${TRICKY}\n`.repeat(200);
/** Lines end in one character. */
const asSent = (entered: string) => entered.replaceAll('\r\n', '\n');
const v1 = (...path: string[]) => ['api', 'v1', 'message', ...path];
const v2 = (path: string) => ['api', 'v2', 'message', path];

/** Has no slash, because an nginx that removes a prefix would decode it into a path separator. */
const GROUP = 'été ?#%41 &=+日本@g.us';

const numbers = Array.from({ length: 500 }, (_, n) => numberOf(n));

export const texts: Record<string, Send> = {
	'a text': {
		parameters: text({ message: TRICKY }),
		path: v1('send'),
		format: 'form',
		fields: { deviceid: DEVICE, number: NUMBER, message: asSent(TRICKY) },
	},
	'a long text': {
		parameters: text({ message: LONG }),
		path: v1('send'),
		format: 'form',
		fields: { deviceid: DEVICE, number: NUMBER, message: asSent(LONG) },
	},
	...bodyFormats('500 numbers as', (format) => ({
		parameters: bulk({ phoneNumbers: numbers, message: TRICKY, options: { bodyFormat: format } }),
		path: v1('sendbulk'),
		format,
		fields: { deviceid: DEVICE, number: numbers, message: asSent(TRICKY) },
	})),
	...bodyFormats('one number of a list as', (format) => ({
		parameters: bulk({ phoneNumbers: NUMBER, message: '0', options: { bodyFormat: format } }),
		path: v1('sendbulk'),
		format,
		fields: { deviceid: DEVICE, number: [NUMBER], message: '0' },
	})),
	...bodyFormats('numbers of items as', (format) => ({
		parameters: bulk({
			recipientSource: 'items',
			phoneNumberField: 'phone',
			message: TRICKY,
			options: { bodyFormat: format },
		}),
		items: withJson({ phone: numberOf(1) }, { phone: numberOf(2) }),
		path: v1('sendbulk'),
		format,
		fields: { deviceid: DEVICE, number: [numberOf(1), numberOf(2)], message: asSent(TRICKY) },
	})),
	...bodyFormats('a text to a group as', (format) => ({
		parameters: groupText({ groupId: GROUP, message: TRICKY, options: { bodyFormat: format } }),
		path: v1('sendgroup', GROUP),
		format,
		fields: { deviceid: DEVICE, message: asSent(TRICKY) },
	})),
};

function bodyFormats(name: string, send: (format: 'form' | 'json') => Send): Record<string, Send> {
	return { [`${name} JSON`]: send('json'), [`${name} a form`]: send('form') };
}

const GROUP_FIELDS = { phone: NUMBER, groupid: 'team' };

function image(caption: string): Send {
	return {
		parameters: file('image', 'send', { caption }),
		items: [withFile('photo.jpg')],
		path: v2('send-image'),
		format: 'multipart',
		fields: { phone: NUMBER, ...(caption ? { caption: asSent(caption) } : {}) },
		files: { image: arrived('photo.jpg', 'image/jpeg') },
	};
}

function named(given: string, name = given): Send {
	return {
		parameters: file('document', 'send'),
		items: [withFile('document.pdf', given)],
		path: v2('send-document'),
		format: 'multipart',
		fields: { phone: NUMBER },
		files: { document: arrived('document.pdf', 'application/pdf', name) },
	};
}

function arrived(from: string, type: string, name = from): ArrivedFile {
	const bytes = sample(from);
	return { name, type, size: bytes.length, sha256: sha256(bytes) };
}

/** Contains what looks like the end of its own body, and every possible byte. */
const HOSTILE = Buffer.concat([
	Buffer.from('%PDF-1.7\r\n----\r\nContent-Disposition: form-data; name="phone"\r\n\r\n1\r\n'),
	Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
	Buffer.from('\r\n--\r\n--'),
]);

export function documentOf(content: Buffer, name = 'a.csv', type = 'text/csv'): Send {
	return {
		parameters: file('document', 'sendToGroup'),
		items: [{ binary: { data: { fileName: name, mimeType: type, content } } }],
		path: v2('send-group-document'),
		format: 'multipart',
		fields: GROUP_FIELDS,
		files: {
			document: { name, type, size: content.length, sha256: sha256(content) },
		},
	};
}

export const files: Record<string, Send> = {
	'an image without a caption': image(''),
	'an image with a caption': image(TRICKY),
	'an image with a long caption': image(LONG),
	'an image to a group': {
		parameters: file('image', 'sendToGroup', { caption: TRICKY }),
		items: [withFile('picture.png')],
		path: v2('send-group-image'),
		format: 'multipart',
		fields: { ...GROUP_FIELDS, caption: asSent(TRICKY) },
		files: { image: arrived('picture.png', 'image/png') },
	},
	'a document to a group': {
		parameters: file('document', 'sendToGroup'),
		items: [withFile('table.csv')],
		path: v2('send-group-document'),
		format: 'multipart',
		fields: GROUP_FIELDS,
		files: { document: arrived('table.csv', 'text/csv') },
	},
	'a document of every byte': documentOf(HOSTILE, 'a.pdf', 'application/pdf'),
	'a document of one byte': documentOf(Buffer.from('1')),
	'a name with spaces': named('My report (final) v1.2.pdf'),
	'a name in other scripts': named('Übersicht é – 日本語 и 😀.pdf'),
	'a name with quotes': named(`say "hello" it's “so”.pdf`, "say 'hello' it's 'so'.pdf"),
	'a name with folders': named('..\\a/b.pdf', 'b.pdf'),
	'a name of signs': named('a;b=c,d&e+f #1 50% {x} [y] <z>@~!$^.pdf'),
	'a name in codes': named('100%2541%C3%BC.pdf', '100%41ü.pdf'),
};

export const largeDocument = (): Send =>
	documentOf(
		Buffer.concat([Buffer.from('%PDF-1.7'), randomBytes(30 * 1024 * 1024)]),
		'a.pdf',
		'application/pdf',
	);

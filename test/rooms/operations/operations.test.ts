import {
	NodeHelpers,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { Notices } from '../../../nodes/MessagingGateway/delivery/notices';
import type {
	BulkMessage,
	Message,
	SingleMessage,
} from '../../../nodes/MessagingGateway/delivery/message';
import { findOperation, properties } from '../../../nodes/MessagingGateway/operations';
import { Item } from '../../../nodes/MessagingGateway/operations/item';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import type { ItemInput } from '../../support/engine/engine';
import { inNode, inputErrorIn } from '../../support/rooms';

const NUMBER = '6281234567890';
const PHOTO = {
	fileName: 'a.png',
	mimeType: 'image/png',
	content: Buffer.from('picture'),
};
const PDF = { fileName: 'a.pdf', mimeType: 'application/pdf', content: Buffer.from('pdf') };

interface Given {
	parameters: INodeParameters;
	item?: ItemInput;
	device?: string;
}

interface Read {
	message: Message;
	hints: string[];
}

/** What an operation makes of the parameters of one item, resolved by n8n itself. */
async function read<T = Read>(
	{ parameters, item = {}, device = 'device-1' }: Given,
	use: (read: Read) => Promise<T> | T = (each) => each as T,
): Promise<T> {
	return await inNode(
		async (context) => {
			const once = (name: string, fallback: string) =>
				String(context.getNodeParameter(name, 0, fallback));
			const operation = findOperation(once('resource', 'text'), once('operation', 'send'));
			if (!operation) throw new Error('There is no such operation');
			const notices = new Notices();
			const message = operation.toMessage(
				new Item(context, 0, {
					credentialDeviceId: device,
					recipientSource: once('recipientSource', 'list') === 'items' ? 'items' : 'list',
					phoneNumberField: once('phoneNumberField', 'phone'),
					notices,
					linkTo: (question) => `https://n8n.example/${question.kind}`,
				}),
			);
			return await use({ message, hints: notices.toHints().map((hint) => hint.message) });
		},
		{ parameters, properties, items: [item] },
	);
}

const requestOf = async (given: Given): Promise<GatewayRequest> =>
	await read(given, async ({ message }) => await (message as SingleMessage).prepare());

const refusal = async (given: Given) => await inputErrorIn(read(given));

describe('text: send', () => {
	const parameters = { phoneNumber: '+62 812-3456-7890', message: 'Halo' };

	it('is what a new node does', async () => {
		expect(await requestOf({ parameters })).toEqual({
			path: ['api', 'v1', 'message', 'send'],
			format: 'form',
			fields: { deviceid: 'device-1', number: NUMBER, message: 'Halo' },
			answer: 'envelope',
		});
	});

	it('goes to one recipient, in order', async () => {
		const { message } = await read({ parameters });
		expect(message).toMatchObject({ kind: 'single', recipient: NUMBER });
	});

	it('goes through another device, where its item says so', async () => {
		const options = { deviceId: ' device-2 ' };
		const request = await requestOf({ parameters: { ...parameters, options } });
		expect(request.fields.deviceid).toBe('device-2');
	});

	it('is refused without any device', async () => {
		const error = await refusal({ parameters, device: '' });
		expect(error.what).toBe('There is no device to send through');
	});

	it('is refused without a message, or without a number', async () => {
		expect((await refusal({ parameters: { ...parameters, message: '={{ " " }}' } })).what).toBe(
			'The message is empty',
		);
		expect((await refusal({ parameters: { ...parameters, phoneNumber: '={{ "" }}' } })).what).toBe(
			'The phone number is missing',
		);
	});

	it('takes expressions', async () => {
		const request = await requestOf({
			parameters: { phoneNumber: '={{ $json.tel }}', message: '=Halo {{ $json.name }}' },
			item: { json: { tel: 81234567890, name: 'Budi' } },
		});
		expect(request.fields).toMatchObject({ number: '81234567890', message: 'Halo Budi' });
	});

	it('counts what happened to its number', async () => {
		const options = { defaultCountryCode: '62' };
		const hintsFor = async (phoneNumber: string) =>
			(await read({ parameters: { ...parameters, phoneNumber, options } })).hints;
		expect(await hintsFor('081234567890')).toEqual([expect.stringContaining('Country Code')]);
		expect(await hintsFor('81234567890')).toEqual([expect.stringContaining('dropped the 0')]);
		expect(await hintsFor(NUMBER)).toEqual([]);
	});

	it('is another message where its text, number or device is another', async () => {
		const identityOf = async (more: IDataObject) =>
			(await read({ parameters: { ...parameters, ...more } as INodeParameters })).message.identity;
		const identities = await Promise.all(
			[{}, { message: 'b' }, { phoneNumber: '111111' }, { options: { deviceId: 'd' } }].map(
				identityOf,
			),
		);
		expect(new Set(identities).size).toBe(4);
		expect(await identityOf({})).toBe(identities[0]);
	});
});

describe('text: send and wait', () => {
	const ask = { operation: 'sendAndWait', phoneNumber: '+62 812-3456-7890', message: 'Refund?' };
	const both = (more = {}) => ({ values: { approvalType: 'double', ...more } });
	const identityOf = async (more: IDataObject = {}) =>
		(await read({ parameters: { ...ask, ...more } as INodeParameters })).message.identity;

	it('is the question, and the link below it', async () => {
		expect(await requestOf({ parameters: ask })).toEqual({
			path: ['api', 'v1', 'message', 'send'],
			format: 'form',
			fields: {
				deviceid: 'device-1',
				number: NUMBER,
				message: 'Refund?\n\nhttps://n8n.example/approval',
			},
			answer: 'envelope',
		});
	});

	it('is remembered without the link, which is another one in each execution', async () => {
		expect(await identityOf()).not.toContain('https://n8n.example');
	});

	it('is another question where its words, its answers or its recipient are others', async () => {
		const identities = await Promise.all(
			[
				{},
				{ message: 'Really?' },
				{ phoneNumber: '111111' },
				{ responseType: 'freeText' },
				{ approvalOptions: both() },
				{ approvalOptions: both({ disapproveLabel: 'No' }) },
			].map(identityOf),
		);
		expect(new Set(identities).size).toBe(6);
		expect(await identityOf()).toBe(identities[0]);
	});

	it.each<[string, IDataObject, object]>([
		['approving', {}, { kind: 'approval', approveLabel: 'Approve' }],
		['both', { approvalOptions: both() }, { approveLabel: 'Approve', declineLabel: 'Decline' }],
		[
			'own labels',
			{ approvalOptions: both({ approveLabel: ' Ya ', disapproveLabel: '' }) },
			{ approveLabel: 'Ya', declineLabel: 'Decline' },
		],
		['a text', { responseType: 'freeText' }, { kind: 'freeText' }],
	])('offers %s', async (_, more, question) => {
		const identity = JSON.parse(await identityOf(more)) as unknown[];
		expect(identity.at(-1)).toMatchObject({ text: 'Refund?', ...question });
	});

	it('is refused where its time is over before it is asked', async () => {
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' };
		const error = await refusal({ parameters: { ...ask, options: { limitWaitTime: { values } } } });
		expect(error.what).toContain('is over');
	});
});

describe('text: send bulk', () => {
	const bulk = { operation: 'sendBulk', message: 'Halo' };
	const bulkOf = async (given: Given) => (await read(given)).message as BulkMessage;

	it('goes to a list', async () => {
		const message = await bulkOf({
			parameters: { ...bulk, phoneNumbers: `${NUMBER}\n081234567891` },
		});
		expect(message).toMatchObject({
			kind: 'bulk',
			acrossItems: false,
			recipients: [NUMBER, '081234567891'],
		});
		expect(message.requestTo(['1', '2'])).toEqual({
			path: ['api', 'v1', 'message', 'sendbulk'],
			format: 'json',
			fields: { deviceid: 'device-1', number: ['1', '2'], message: 'Halo' },
			answer: 'envelope',
		});
	});

	it('goes to an array that an expression gives', async () => {
		const parameters = { ...bulk, phoneNumbers: '={{ $json.all }}' };
		const item = { json: { all: [NUMBER, 81234567891] } };
		expect((await bulkOf({ parameters, item })).recipients).toEqual([NUMBER, '81234567891']);
	});

	it('is form-encoded where that is wished', async () => {
		const options = { bodyFormat: 'form' };
		const message = await bulkOf({ parameters: { ...bulk, phoneNumbers: NUMBER, options } });
		expect(message.requestTo(['1']).format).toBe('form');
	});

	describe('from items', () => {
		const items = { ...bulk, recipientSource: 'items' };

		it.each<[string | undefined, IDataObject]>([
			[undefined, { phone: NUMBER }],
			['tel', { tel: NUMBER }],
			['a.b[1].c', { a: { b: [{}, { c: NUMBER }] } }],
			['a.b', { 'a.b': NUMBER, a: { b: 'wrong' } }],
			['phone', { phone: 6281234567890 }],
		])('takes the number from the field %s', async (field, json) => {
			const parameters = { ...items, ...(field ? { phoneNumberField: field } : {}) };
			const message = await bulkOf({ parameters, item: { json } });
			expect(message).toMatchObject({ acrossItems: true, recipients: [NUMBER] });
		});

		it('is refused without the field, or without a number in it', async () => {
			expect((await refusal({ parameters: items, item: { json: {} } })).what).toBe(
				'The item has no field “phone” to take the phone number from',
			);
			expect((await refusal({ parameters: items, item: { json: { phone: null } } })).what).toBe(
				'The phone number is missing',
			);
			expect((await refusal({ parameters: items, item: { json: { phone: [] } } })).what).toContain(
				'is not a phone number',
			);
		});

		it('does not find a number in what every object has', async () => {
			const parameters = { ...items, phoneNumberField: 'constructor' };
			await refusal({ parameters, item: { json: {} } });
		});

		it('travels together where text and device are equal, whatever the number', async () => {
			const identityOf = async (phone: string, message: string) =>
				(await bulkOf({ parameters: { ...items, message }, item: { json: { phone } } })).identity;
			expect(await identityOf('111111', 'a')).toBe(await identityOf('222222', 'a'));
			expect(await identityOf('111111', 'a')).not.toBe(await identityOf('111111', 'b'));
		});
	});
});

describe('text: send to group', () => {
	const parameters = { operation: 'sendToGroup', groupId: ' a/b ', message: 'Halo' };

	it('has the group in its path', async () => {
		expect(await requestOf({ parameters })).toEqual({
			path: ['api', 'v1', 'message', 'sendgroup', 'a/b'],
			format: 'json',
			fields: { deviceid: 'device-1', message: 'Halo' },
			answer: 'envelope',
			pathAdvice: expect.stringContaining('Group ID'),
		});
	});

	it('keeps the order of its group', async () => {
		expect((await read({ parameters })).message).toMatchObject({ recipient: 'a/b' });
	});

	it('is form-encoded where that is wished', async () => {
		const options = { bodyFormat: 'form' };
		expect((await requestOf({ parameters: { ...parameters, options } })).format).toBe('form');
	});

	it('is refused without a group', async () => {
		expect((await refusal({ parameters: { ...parameters, groupId: '={{ "" }}' } })).what).toBe(
			'The group ID is empty',
		);
	});

	it('is refused where the group came as a number that stands for another group by now', async () => {
		const groupId = '={{ $json.group }}';
		const item = { json: { group: 120363025246125016 } };
		expect(await refusal({ parameters: { ...parameters, groupId }, item })).toMatchObject({
			what: 'The group ID came as the number 120363025246125020, whose last digits are lost',
			advice: expect.stringContaining('as a text'),
		});
	});
});

describe.each([
	['image', PHOTO, 'send-image', 'send-group-image'],
	['document', PDF, 'send-document', 'send-group-document'],
])('%s', (resource, file, path, groupPath) => {
	const item = { binary: { data: file } };
	const parameters = { resource, operation: 'send', phoneNumber: NUMBER };
	const group = { ...parameters, operation: 'sendToGroup', groupId: 'g1' };

	it('goes to a number, with its file', async () => {
		const request = await requestOf({ parameters, item });
		expect(request).toMatchObject({
			path: ['api', 'v2', 'message', path],
			answer: 'envelope',
			file: {
				field: resource,
				content: { name: file.fileName, contentType: file.mimeType, size: file.content.length },
			},
		});
		expect(request.fields).toEqual({ phone: NUMBER });
	});

	it('goes to a group, with both names that the gateway asks for', async () => {
		const request = await requestOf({ parameters: group, item });
		expect(request).toMatchObject({
			path: ['api', 'v2', 'message', groupPath],
			answer: 'anyJson',
			file: { field: resource },
		});
		expect(request.fields).toEqual({ phone: NUMBER, groupid: 'g1' });
		expect((await read({ parameters: group, item })).message).toMatchObject({ recipient: 'g1' });
	});

	it('needs no device', async () => {
		await requestOf({ parameters, item, device: '' });
	});

	it('is refused without its file, before anything is sent', async () => {
		expect((await refusal({ parameters })).what).toContain('no file in the binary field “data”');
	});

	it('comes from another field, under another name', async () => {
		const extension = file.fileName.slice(-4);
		const options = { fileName: `Other${extension}` };
		const request = await requestOf({
			parameters: { ...parameters, binaryPropertyName: 'other', options },
			item: { binary: { other: file } },
		});
		expect(request.file?.content.name).toBe(`Other${extension}`);
	});

	it('may be an address, which is not asked for before its turn', async () => {
		const url = { ...parameters, fileSource: 'url', fileUrl: 'http://127.0.0.1:1/a.png' };
		const { message } = await read({ parameters: url });
		expect(message.identity).toContain('http://127.0.0.1:1/a.png');
		expect((await refusal({ parameters: { ...url, fileUrl: '={{ " " }}' } })).what).toBe(
			'The File URL is empty',
		);
	});

	it('is another message where its file, or the name of it, is another', async () => {
		const identityOf = async (content: string, fileName?: string) =>
			(
				await read({
					parameters: { ...parameters, options: fileName ? { fileName } : {} },
					item: { binary: { data: { ...file, content: Buffer.from(content) } } },
				})
			).message.identity;
		const identities = [await identityOf('a'), await identityOf('b'), await identityOf('a', 'c')];
		expect(new Set(identities).size).toBe(3);
		expect(await identityOf('a')).toBe(identities[0]);
	});
});

describe('image: caption', () => {
	const item = { binary: { data: PHOTO } };
	const parameters = { resource: 'image', operation: 'send', phoneNumber: NUMBER };

	it('goes along only where there is one', async () => {
		const fieldsOf = async (caption: string) =>
			(await requestOf({ parameters: { ...parameters, caption }, item })).fields;
		expect(await fieldsOf('Halo')).toEqual({ phone: NUMBER, caption: 'Halo' });
		expect(await fieldsOf('')).toEqual({ phone: NUMBER });
	});

	it('goes to a group too', async () => {
		const group = { ...parameters, operation: 'sendToGroup', groupId: 'g', caption: 'Halo' };
		expect((await requestOf({ parameters: group, item })).fields).toMatchObject({
			caption: 'Halo',
		});
	});
});

describe('the options of an item', () => {
	const optionsOf = async (options: INodeParameters) =>
		await inNode(
			async (context) => {
				const item = new Item(context, 0, {
					credentialDeviceId: '',
					recipientSource: 'list',
					phoneNumberField: 'phone',
					notices: new Notices(),
					linkTo: () => '',
				});
				return { timeout: item.timeout, sendOnceKey: item.sendOnceKey };
			},
			{ parameters: { phoneNumber: '1', message: 'a', options }, properties },
		);

	it.each<[INodeParameters, number, string]>([
		[{}, 300_000, ''],
		[{ timeout: 0 }, 0, ''],
		[{ timeout: 5 }, 5, ''],
		[{ timeout: -5 }, 300_000, ''],
		[{ timeout: '={{ "x" }}' }, 300_000, ''],
		[{ timeout: '={{ "" }}' }, 300_000, ''],
		[{ timeout: '={{ true }}' }, 300_000, ''],
		[{ timeout: '={{ 10_000 / 7 }}' }, 1_428, ''],
		[{ timeout: 9_999_999_999 }, 2_147_483_647, ''],
		[{ timeout: '={{ Infinity }}' }, 2_147_483_647, ''],
		[{ sendOnceKey: ' order-7\u200B ' }, 300_000, 'order-7'],
		[{ sendOnceKey: '={{ 7 }}' }, 300_000, '7'],
		[{ sendOnceKey: '={{ null }}' }, 300_000, ''],
	])('%j', async (options, timeout, sendOnceKey) => {
		expect(await optionsOf(options)).toEqual({ timeout, sendOnceKey });
	});

	it('refuse a number for a key that has lost its last digits', async () => {
		const error = await inputErrorIn(optionsOf({ sendOnceKey: '={{ 120363025246125016 }}' }));
		expect(error.what).toContain('Send-Once Key came as the number 120363025246125020');
	});

	it('refuse an object for a key', async () => {
		const error = await inputErrorIn(optionsOf({ sendOnceKey: '={{ ({ a: 1 }) }}' }));
		expect(error.what).toContain('Send-Once Key');
	});
});

describe('the description of the node', () => {
	const shownFor = (resource: string, operation: string) =>
		properties
			.filter(({ displayOptions }) => {
				const show = displayOptions?.show ?? {};
				const fits = (name: string, value: string) =>
					!show[name] || (show[name] as unknown[]).includes(value);
				return fits('resource', resource) && fits('operation', operation);
			})
			.map(({ name }) => name);
	const optionsFor = (resource: string, operation: string) =>
		properties
			.filter(
				({ name, displayOptions }) =>
					name === 'options' &&
					(displayOptions?.show?.resource as string[]).includes(resource) &&
					(displayOptions?.show?.operation as string[]).includes(operation),
			)
			.flatMap(({ options }) => (options as INodeProperties[]).map(({ name }) => name));

	const FILE = ['fileSource', 'fileSource', 'binaryPropertyName', 'fileUrl'];
	const EVERY = ['batching', 'onUncertain', 'maxRetries', 'randomDelay', 'sendOnceKey', 'timeout'];

	it.each([
		['text', 'send', ['phoneNumber', 'message'], ['deviceId', 'defaultCountryCode']],
		[
			'text',
			'sendBulk',
			['recipientSource', 'recipientSource', 'phoneNumbers', 'phoneNumberField', 'message'],
			['deviceId', 'defaultCountryCode', 'bodyFormat', 'numbersPerRequest'],
		],
		['text', 'sendToGroup', ['groupId', 'message'], ['deviceId', 'bodyFormat']],
		['image', 'send', ['phoneNumber', ...FILE, 'caption'], ['defaultCountryCode', 'fileName']],
		[
			'image',
			'sendToGroup',
			['groupId', 'phoneNumber', ...FILE, 'caption'],
			['defaultCountryCode', 'fileName'],
		],
		['document', 'send', ['phoneNumber', ...FILE], ['defaultCountryCode', 'fileName']],
		[
			'document',
			'sendToGroup',
			['groupId', 'phoneNumber', ...FILE],
			['defaultCountryCode', 'fileName'],
		],
	])('shows for %s: %s its own fields and options only', (resource, operation, fields, options) => {
		expect(findOperation(resource, operation)).toBeDefined();
		expect(shownFor(resource, operation)).toEqual([
			'resource',
			'operation',
			...fields,
			'queuedNotice',
			'options',
		]);
		const concurrency = operation === 'sendBulk' ? [] : ['maxConcurrency'];
		expect(optionsFor(resource, operation).sort()).toEqual(
			[...EVERY, ...concurrency, ...options].sort(),
		);
	});

	/** The fields that n8n itself shows, and what is in them before anyone has changed them. */
	const inEditor = (name: string, resource: string, operation: string) => {
		const description = { name, properties } as INodeTypeDescription;
		const node = { typeVersion: 1 } as INode;
		const chosen = { resource, operation };
		const { getNodeParameters, displayParameter } = NodeHelpers;
		const values = getNodeParameters(properties, chosen, true, false, node, description) ?? {};
		const shown = properties
			.filter((field) => displayParameter(values, field, node, description))
			.filter(({ type }) => type !== 'hidden');
		return { values, shown: shown.map(({ name: field }) => field) };
	};

	it.each([
		['image', 'send'],
		['image', 'sendToGroup'],
		['document', 'send'],
		['document', 'sendToGroup'],
	])(
		'takes the file of %s: %s from a URL in a tool, which gets no files',
		(resource, operation) => {
			const node = inEditor('messagingGateway', resource, operation);
			expect(node.values).toMatchObject({ fileSource: 'binary', binaryPropertyName: 'data' });
			expect(node.shown).toEqual(expect.arrayContaining(['fileSource', 'binaryPropertyName']));
			expect(node.shown).not.toContain('fileUrl');

			const tool = inEditor('messagingGatewayTool', resource, operation);
			expect(tool.values).toMatchObject({ fileSource: 'url', fileUrl: '' });
			expect(tool.shown).toContain('fileUrl');
			expect(tool.shown).not.toContain('fileSource');
			expect(tool.shown).not.toContain('binaryPropertyName');
		},
	);

	it('takes the numbers of a bulk send from the list in a tool, whose item the model writes', () => {
		const node = inEditor('messagingGateway', 'text', 'sendBulk');
		expect(node.values).toMatchObject({ recipientSource: 'list' });
		expect(node.shown).toContain('recipientSource');

		const tool = inEditor('messagingGatewayTool', 'text', 'sendBulk');
		expect(tool.values).toMatchObject({ recipientSource: 'list', phoneNumbers: '' });
		expect(tool.shown).toContain('phoneNumbers');
		expect(tool.shown).not.toContain('recipientSource');
		expect(tool.shown).not.toContain('phoneNumberField');
	});

	it('knows no other operation', () => {
		expect(findOperation('image', 'sendBulk')).toBeUndefined();
		expect(findOperation('video', 'send')).toBeUndefined();
	});
});

import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import type { Message } from '../../../nodes/MessagingGateway/delivery/message';
import { findOperation, properties } from '../../../nodes/MessagingGateway/operations/index';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';
import { Item, type RunParameters } from '../../../nodes/MessagingGateway/operations/item';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import type { ItemInput } from '../../support/engine/engine';
import { inNode, inputErrorFrom } from '../../support/rooms';

const NUMBER = '6281234567890';
const PHOTO = {
	fileName: 'a.png',
	mimeType: 'image/png',
	content: Buffer.from('picture'),
};
const PDF = { fileName: 'a.pdf', mimeType: 'application/pdf', content: Buffer.from('pdf') };

const runOf = (context: IExecuteFunctions): RunParameters => ({
	given: new GivenOptions(context),
	credentialDeviceId: 'device-1',
	credentialCountryCode: '',
	recipientSource: 'list',
	phoneNumberField: 'phone',
	linkTo: () => '',
});

interface Given {
	parameters: INodeParameters;
	item?: ItemInput;
	device?: string;
}

interface Read {
	message: Message;
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
			const message = await operation.toMessage(
				new Item(context, 0, {
					...runOf(context),
					credentialDeviceId: device,
					recipientSource: once('recipientSource', 'list') === 'items' ? 'items' : 'list',
					phoneNumberField: once('phoneNumberField', 'phone'),
					linkTo: (question) => `https://n8n.example/${question.kind}`,
				}),
			);
			return await use({ message });
		},
		{ parameters, properties, items: [item] },
	);
}

const requestOf = async (given: Given): Promise<GatewayRequest> =>
	await read(given, async ({ message }) => await message.requestTo(toOf(message)));

const toOf = ({ recipients }: Message) => recipients.map(({ to }) => to);

/** What `use` reads of an item. */
const readItem = async <T>(
	use: (item: Item) => Promise<T> | T,
	{ parameters, item = {} }: Given,
	run: Partial<RunParameters> = {},
): Promise<T> =>
	await inNode(async (context) => await use(new Item(context, 0, { ...runOf(context), ...run })), {
		parameters,
		properties,
		items: [item],
	});

const refusal = async (given: Given) => await inputErrorFrom(read(given));

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
		expect(message).toMatchObject({ travels: 'single', recipients: [{ to: NUMBER }] });
	});

	it('goes through another device, where its item says so', async () => {
		const options = { deviceId: ' device-2 ' };
		const request = await requestOf({ parameters: { ...parameters, options } });
		expect(request.fields.deviceid).toBe('device-2');
	});

	it('is refused without any device', async () => {
		const error = await refusal({ parameters, device: '' });
		expect(error).toMatchObject({
			what: 'The Device ID is missing',
			advice: "Enter it in the credential, or set the option 'Device ID'.",
		});
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

	it.each([
		['', {}, '081234567890'],
		['62', {}, '6281234567890'],
		['62', { defaultCountryCode: '60' }, '6081234567890'],
		['', { defaultCountryCode: '+60' }, '6081234567890'],
		['+62', { defaultCountryCode: '={{ " " }}' }, '6281234567890'],
	])('replaces a leading 0: credential “%s”, options %j', async (code, options, digits) => {
		const number = await readItem(
			(item) => item.readPhoneNumber(),
			{ parameters: { phoneNumber: '0812 3456 7890', message: 'Halo', options } },
			{ credentialCountryCode: code },
		);
		expect(number).toEqual({ digits, asEntered: '081234567890' });
	});

	it.each([
		['ID', {}, 'in the credential'],
		['62', { defaultCountryCode: 'ID' }, 'in the options'],
	])(
		'says where a wrong country code is: credential “%s”, options %j',
		async (code, options, place) => {
			const number = readItem(
				(item) => item.readPhoneNumber(),
				{ parameters: { ...parameters, options } },
				{ credentialCountryCode: code },
			);
			expect(await inputErrorFrom(number)).toMatchObject({
				what: '“ID” is not a country code',
				advice: `Enter only its digits in 'Default Country Code' ${place}, e.g. 62.`,
			});
		},
	);

	it('is another message with another text or number, but not with other settings', async () => {
		const identityOf = async (more: IDataObject) =>
			(await read({ parameters: { ...parameters, ...more } as INodeParameters })).message.identity;
		const [own, ...others] = await Promise.all(
			[{}, { message: 'b' }, { phoneNumber: '111111' }].map(identityOf),
		);
		expect(new Set([own, ...others]).size).toBe(3);
		expect(await identityOf({ options: { deviceId: 'd', defaultCountryCode: '62' } })).toBe(own);
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
		[
			'both',
			{ approvalOptions: both() },
			{ kind: 'approval', approveLabel: 'Approve', declineLabel: 'Decline' },
		],
		[
			'own labels',
			{ approvalOptions: both({ approveLabel: ' Ya ', disapproveLabel: '' }) },
			{ kind: 'approval', approveLabel: 'Ya', declineLabel: 'Decline' },
		],
		['a text', { responseType: 'freeText' }, { kind: 'freeText' }],
	])('offers %s', async (_, more, question) => {
		const identity = JSON.parse(await identityOf(more)) as string[];
		expect(JSON.parse(identity[2] as string)).toEqual({ text: 'Refund?', ...question });
	});

	it.each([
		['approveLabel', 'approve button label'],
		['disapproveLabel', 'decline button label'],
	])('is refused where %s is no text', async (label, name) => {
		const values = { approvalType: 'double', [label]: '={{ ({ a: 1 }) }}' };
		const error = await refusal({ parameters: { ...ask, approvalOptions: { values } } });
		expect(error.what).toBe(`The ${name} is an object, not text`);
	});

	it('is refused if its time is over before it is sent', async () => {
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00' };
		const error = await refusal({ parameters: { ...ask, options: { limitWaitTime: { values } } } });
		expect(error.what).toContain('is in the past');
	});
});

describe('text: send bulk', () => {
	const bulk = { operation: 'sendBulk', message: 'Halo' };
	const bulkOf = async (given: Given) => (await read(given)).message;

	it('goes to a list', async () => {
		const message = await bulkOf({
			parameters: { ...bulk, phoneNumbers: `${NUMBER}\n081234567891` },
		});
		expect(message).toMatchObject({
			travels: 'list',
			recipients: [{ to: NUMBER }, { to: '081234567891' }],
		});
		expect(await message.requestTo(['1', '2'])).toEqual({
			path: ['api', 'v1', 'message', 'sendbulk'],
			format: 'json',
			fields: { deviceid: 'device-1', number: ['1', '2'], message: 'Halo' },
			answer: 'envelope',
		});
	});

	it('goes to an array that an expression gives', async () => {
		const parameters = { ...bulk, phoneNumbers: '={{ $json.all }}' };
		const item = { json: { all: [NUMBER, 81234567891] } };
		expect(toOf(await bulkOf({ parameters, item }))).toEqual([NUMBER, '81234567891']);
	});

	it('refuses a list with a wrong number, unless wrong numbers are skipped', async () => {
		const phoneNumbers = `abc, ${NUMBER}`;
		const skip = { invalidNumbers: 'skip' };

		expect((await refusal({ parameters: { ...bulk, phoneNumbers } })).what).toBe(
			'“abc” is not a phone number',
		);
		const given = { parameters: { ...bulk, phoneNumbers, options: skip } };
		expect(toOf(await bulkOf(given))).toEqual([NUMBER]);
		expect(await readItem(async (item) => await item.readPhoneNumbers(), given)).toEqual({
			numbers: [{ digits: NUMBER, asEntered: NUMBER }],
			refusals: ['“abc” is not a phone number'],
		});
		expect(
			(await refusal({ parameters: { ...bulk, phoneNumbers: 'abc', options: skip } })).what,
		).toBe('“abc” is not a phone number');
	});

	it('skips wrong numbers for the items that say so', async () => {
		const parameters = {
			...bulk,
			phoneNumbers: 'abc, 081234567890',
			options: { invalidNumbers: '={{ $json.strict ? "refuse" : "skip" }}' },
		};
		expect(toOf(await bulkOf({ parameters, item: { json: { strict: false } } }))).toHaveLength(1);
		await refusal({ parameters, item: { json: { strict: true } } });
	});

	it('is form-encoded on request', async () => {
		const options = { bodyFormat: 'form' };
		const message = await bulkOf({ parameters: { ...bulk, phoneNumbers: NUMBER, options } });
		expect((await message.requestTo(['1'])).format).toBe('form');
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
			expect(message).toMatchObject({ travels: 'grouped', recipients: [{ to: NUMBER }] });
		});

		it('is refused without the field, or without a number in it', async () => {
			expect(await refusal({ parameters: items, item: { json: {} } })).toMatchObject({
				what: 'The item has no field “phone”',
				advice: 'The item has no fields at all. Check the previous node.',
			});
			expect((await refusal({ parameters: items, item: { json: { phone: [] } } })).what).toContain(
				'is not a phone number',
			);
		});

		it.each<[string, IDataObject]>([
			['phone', { phone: null }],
			['phone', { phone: '' }],
			['phone', { phone: ' \u200B' }],
			['phone', { phone: undefined }],
			['customer.phone', { customer: { phone: '' } }],
			['customer.phone', { customer: { phone: undefined } }],
			['customer.phone', { 'customer.phone': '' }],
		])('is refused where the field %s is there, but empty: %j', async (phoneNumberField, json) => {
			const parameters = { ...items, phoneNumberField };
			expect(await refusal({ parameters, item: { json } })).toMatchObject({
				what: `The field “${phoneNumberField}” of this item is empty`,
				advice: 'Enter a phone number there, or remove the item before this node.',
			});
		});

		it('names the fields that the item has, if the one to read is missing', async () => {
			const json = { name: 'Ana', handphone: NUMBER, customer: {} };
			const names =
				"Its fields are: name, handphone, customer. Enter one of them in 'Phone Number Field'.";
			const adviceFor = (name: string) =>
				`${names} If other items have “${name}”, its cell may be empty here: enter a number there, or remove the item before this node.`;
			expect(await refusal({ parameters: items, item: { json } })).toMatchObject({
				advice: adviceFor('phone'),
			});
			const nested = { ...items, phoneNumberField: 'customer.phone' };
			expect(await refusal({ parameters: nested, item: { json } })).toMatchObject({
				what: 'The item has no field “customer.phone”',
				advice: adviceFor('customer.phone'),
			});
			const blank = { ...items, phoneNumberField: '={{ " " }}' };
			expect(await refusal({ parameters: blank, item: { json } })).toMatchObject({
				what: "'Phone Number Field' is empty",
				advice: names,
			});
		});

		it('does not find a number in what every object has', async () => {
			const parameters = { ...items, phoneNumberField: 'constructor' };
			await refusal({ parameters, item: { json: {} } });
		});

		it('travels together if text and device are equal', async () => {
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
		expect((await read({ parameters })).message).toMatchObject({ recipients: [{ to: 'a/b' }] });
	});

	it('is form-encoded on request', async () => {
		const options = { bodyFormat: 'form' };
		expect((await requestOf({ parameters: { ...parameters, options } })).format).toBe('form');
	});

	it('may have a name for an ID, which its caller can warn of', async () => {
		const given = { parameters: { ...parameters, groupId: ' Class 5B ' } };
		expect(await readItem((item) => item.readGroupId('chat group ID'), given)).toEqual({
			id: 'Class 5B',
			looksLikeName: true,
		});
	});

	it('is refused without a group', async () => {
		expect((await refusal({ parameters: { ...parameters, groupId: '={{ "" }}' } })).what).toBe(
			'The contact group ID is empty',
		);
	});

	it('is refused if the group came as a number that has lost its last digits', async () => {
		const groupId = '={{ $json.group }}';
		const item = { json: { group: 120363025246125016 } };
		expect(await refusal({ parameters: { ...parameters, groupId }, item })).toMatchObject({
			what: 'The contact group ID arrived as the number 120363025246125020, and its last digits were lost',
			advice: expect.stringContaining('Pass it as text'),
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
		expect((await read({ parameters: group, item })).message).toMatchObject({
			recipients: [{ to: 'g1' }],
		});
	});

	it('needs no device', async () => {
		await requestOf({ parameters, item, device: '' });
	});

	it('is refused without its file, before anything is sent', async () => {
		expect(await refusal({ parameters })).toMatchObject({
			what: 'The item has no file in “data”',
			advice: expect.stringContaining('The item has no files at all.'),
		});
		const other = { binary: { photo: file, scan: file } };
		expect((await refusal({ parameters, item: other })).advice).toBe(
			"It has files in: photo, scan. Enter one of these names in 'Input Binary Field'.",
		);
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

	it('may be an address, which is not requested before its turn', async () => {
		const url = { ...parameters, fileSource: 'url', fileUrl: 'http://127.0.0.1:1/a.png' };
		const { message } = await read({ parameters: url });
		expect(message.identity).toContain('http://127.0.0.1:1/a.png');
		expect((await refusal({ parameters: { ...url, fileUrl: '={{ " " }}' } })).what).toBe(
			'The file URL is empty',
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

describe('what a retry knows a message by', () => {
	const fileUrl = 'http://127.0.0.1:1/a.png';
	const file = { fileSource: 'url', fileUrl };
	const FILE = JSON.stringify([fileUrl, '']);
	const toGroup = { operation: 'sendToGroup', groupId: 'g1' };

	// Stored executions hold a hash of it, which a newer version of the node has to find again.
	it.each<[INodeParameters, string[]]>([
		[{ message: 'a' }, ['api/v1/message/send', '628123', 'a', '']],
		[{ ...toGroup, message: 'a' }, ['api/v1/message/sendgroup/g1', 'g1', 'a', '']],
		[
			{ resource: 'image', ...file, caption: 'a' },
			['api/v2/message/send-image', '628123', 'a', FILE],
		],
		[
			{ resource: 'image', ...toGroup, ...file, caption: 'a' },
			['api/v2/message/send-group-image', 'g1', '628123', 'a', FILE],
		],
		[{ resource: 'document', ...file }, ['api/v2/message/send-document', '628123', FILE]],
		[
			{ resource: 'document', ...toGroup, ...file },
			['api/v2/message/send-group-document', 'g1', '628123', FILE],
		],
	])('is its recipients, its words and its file: %j', async (more, identity) => {
		const { message } = await read({ parameters: { phoneNumber: '+628123', ...more } });
		expect(JSON.parse(message.identity)).toEqual(identity);
	});
});

describe.each(['image', 'document'])('%s: send to group', (resource) => {
	it('is refused without a group, in the words of its field', async () => {
		const parameters = { resource, operation: 'sendToGroup', phoneNumber: NUMBER };
		expect(await refusal({ parameters: { ...parameters, groupId: '={{ "" }}' } })).toMatchObject({
			what: 'The chat group ID is empty',
			advice: "Enter it in 'Chat Group ID', or check the expression there.",
		});
	});
});

describe('a parameter that is no text', () => {
	const image = { resource: 'image', operation: 'send', phoneNumber: NUMBER };
	const item = { binary: { data: PHOTO } };
	const object = '={{ ({ a: 1 }) }}';

	it.each<[string, INodeParameters]>([
		['caption', { ...image, caption: object }],
		['device ID', { phoneNumber: NUMBER, message: 'Halo', options: { deviceId: object } }],
		['file name', { ...image, options: { fileName: object } }],
		['file URL', { ...image, fileSource: 'url', fileUrl: object }],
	])('is refused by its name: %s', async (name, parameters) => {
		expect((await refusal({ parameters, item })).what).toBe(`The ${name} is an object, not text`);
	});
});

describe('a file', () => {
	const parameters = { resource: 'image', operation: 'send', phoneNumber: NUMBER };
	const identityFor = async (fileName: string, options: INodeParameters = {}) => {
		const item = { binary: { data: { ...PHOTO, fileName } } };
		const given = { parameters: { ...parameters, options }, item };
		return await readItem((each) => each.readFile('image').identity, given);
	};

	it('is another file under the name that it has itself, unless the option names it', async () => {
		expect(await identityFor('a.png')).not.toBe(await identityFor('b.png'));
		const options = { fileName: 'c.png' };
		expect(await identityFor('a.png', options)).toBe(await identityFor('b.png', options));
		expect(await identityFor('a.png')).toBe(await identityFor('b.png', { fileName: 'a.png' }));
	});

	it('can be read from a URL in releases of n8n that have no signal for a stop', async () => {
		const fileUrl = 'http://127.0.0.1:1/a.png';
		const file = await inNode(
			async (context) => {
				const older = Object.create(context, {
					getExecutionCancelSignal: { value: undefined },
				}) as IExecuteFunctions;
				return await Promise.resolve(new Item(older, 0, runOf(context)).readFile('image'));
			},
			{ parameters: { ...parameters, fileSource: 'url', fileUrl }, properties },
		);
		expect(file.identity).toBe(JSON.stringify([fileUrl, '']));
	});
});

describe('the options of an item', () => {
	const optionsOf = async (options: INodeParameters) =>
		await inNode(
			async (context) => {
				const item = new Item(context, 0, runOf(context));
				return { timeout: item.readTimeout(), sendOnceKey: item.readSendOnceKey() };
			},
			{ parameters: { phoneNumber: '1', message: 'a', options }, properties },
		);

	it('are read one by one, as one of them may be a list of 100,000 numbers', async () => {
		const skipNumbers = "={{ $('Nope').all() }}";
		expect(await optionsOf({ skipNumbers, timeout: 5 })).toMatchObject({ timeout: 5 });
	});

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

	it('are not looked up where the node has none, as that takes n8n long for many items', async () => {
		const looksUp = await inNode(
			async (context) => {
				const lookUp = jest.spyOn(context, 'getNodeParameter');
				const timeoutOf = (given: GivenOptions) =>
					new Item(context, 0, { ...runOf(context), given }).readTimeout();
				const none = new GivenOptions({
					getNode: () => ({ ...context.getNode(), parameters: {} }),
				});
				expect(timeoutOf(none)).toBe(300_000);
				const before = lookUp.mock.calls.length;
				expect(timeoutOf(new GivenOptions(context))).toBe(5);
				return await Promise.resolve([before, lookUp.mock.calls.length]);
			},
			{ parameters: { phoneNumber: '1', message: 'a', options: { timeout: 5 } }, properties },
		);
		expect(looksUp).toEqual([0, 1]);
	});

	it('refuse a number for a key that has lost its last digits', async () => {
		const error = await inputErrorFrom(optionsOf({ sendOnceKey: '={{ 120363025246125016 }}' }));
		expect(error.what).toContain('Send-Once Key arrived as the number 120363025246125020');
	});

	it('refuse an object for a key', async () => {
		const error = await inputErrorFrom(optionsOf({ sendOnceKey: '={{ ({ a: 1 }) }}' }));
		expect(error).toMatchObject({
			what: 'The Send-Once Key is an object, not text',
			advice: expect.stringContaining("'Send-Once Key'"),
		});
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
	const EVERY = [
		'batching',
		'dryRun',
		'onUncertain',
		'output',
		'maxRetries',
		'randomDelay',
		'sendOnceKey',
		'timeout',
	];

	it.each([
		['text', 'send', ['phoneNumber', 'message'], ['deviceId', 'defaultCountryCode', 'skipNumbers']],
		[
			'text',
			'sendBulk',
			['recipientSource', 'recipientSource', 'phoneNumbers', 'phoneNumberField', 'message'],
			[
				'deviceId',
				'defaultCountryCode',
				'bodyFormat',
				'invalidNumbers',
				'numbersPerRequest',
				'skipNumbers',
			],
		],
		['text', 'sendToGroup', ['groupId', 'message'], ['deviceId', 'bodyFormat']],
		[
			'image',
			'send',
			['phoneNumber', ...FILE, 'caption'],
			['defaultCountryCode', 'fileName', 'skipNumbers'],
		],
		[
			'image',
			'sendToGroup',
			['groupId', 'phoneNumber', ...FILE, 'caption'],
			['defaultCountryCode', 'fileName'],
		],
		[
			'document',
			'send',
			['phoneNumber', ...FILE],
			['defaultCountryCode', 'fileName', 'skipNumbers'],
		],
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

	it('shows for a question only the options that change something', () => {
		expect(optionsFor('text', 'sendAndWait')).toEqual([
			'defaultCountryCode',
			'deviceId',
			'dryRun',
			'limitWaitTime',
			'maxRetries',
			'randomDelay',
			'sendOnceKey',
			'timeout',
			'onUncertain',
		]);
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

	it('has different names for a contact group and a chat group', () => {
		const labelFor = (resource: string) =>
			properties.find(
				({ name, displayOptions }) =>
					name === 'groupId' && displayOptions?.show?.resource?.includes(resource),
			)?.displayName;
		expect(['text', 'image', 'document'].map(labelFor)).toEqual([
			'Contact Group ID',
			'Chat Group ID',
			'Chat Group ID',
		]);
	});

	it('has actions without articles', () => {
		const actions = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => (options as INodePropertyOptions[]).map(({ action }) => action));
		expect(actions).toHaveLength(8);
		expect(actions.filter((action) => !/^Send (?!an? )(?!.* an? )/.test(action ?? ''))).toEqual([]);
	});

	it('lets a field be dragged to where its name belongs', () => {
		const field = properties.find(({ name }) => name === 'phoneNumberField');
		expect(field).toMatchObject({ requiresDataPath: 'single' });
		expect(field?.noDataExpression).toBeUndefined();
	});

	it('knows no other operation', () => {
		expect(findOperation('image', 'sendBulk')).toBeUndefined();
		expect(findOperation('video', 'send')).toBeUndefined();
	});
});

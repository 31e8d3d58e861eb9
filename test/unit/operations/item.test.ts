import type { INodeParameters } from 'n8n-workflow';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';
import { Item, type RecipientParameter } from '../../../nodes/MessagingGateway/operations/item';
import { SameList } from '../../../nodes/MessagingGateway/operations/numberLists';
import { checkSendOnceKey } from '../../../nodes/MessagingGateway/operations/sendOnceKey';
import { inputErrorFrom, inputErrorOf, serve } from '../../support/rooms';
import { messageOf, NUMBER, PHOTO, readItem, refusal, requestOf, runOf } from './read';

const TEXT = { phoneNumber: '0812 3456 7890', message: 'Halo' };

it.each([
	['', {}, '081234567890'],
	['62', {}, '6281234567890'],
	['62', { defaultCountryCode: '86' }, '8681234567890'],
	['', { defaultCountryCode: '+86' }, '8681234567890'],
	['62', { defaultCountryCode: '' }, '6281234567890'],
	['62', { defaultCountryCode: '=' }, '6281234567890'],
])(
	'the node replaces a leading 0 by the code of the credential “%s” or of the options %j',
	async (code, options, digits) => {
		const number = await readItem(
			(item) => item.readPhoneNumber(),
			{ parameters: { ...TEXT, options } },
			{ credentialCountryCode: code },
		);
		expect(number).toMatchObject({ to: digits, asEntered: '081234567890' });
	},
);

it.each([
	['081234567890', 'hasNoCountryCode'],
	['081234567800', 'hasNoCountryCode'],
	['6281234567890', 'isAbroad'],
	['+6281234567890', undefined],
])('the node doubts a number without a country code: %s', async (phoneNumber, doubt) => {
	const number = await readItem((item) => item.readPhoneNumber(), {
		parameters: { ...TEXT, phoneNumber },
	});
	expect(number.doubt).toBe(doubt);
});

it.each([
	['XX', '“XX” is not a country code'],
	['={{ NaN }}', '“NaN” is not a country code'],
	['={{ [] }}', '“[]” is not a country code'],
	['={{ ({}) }}', '“{}” is not a country code'],
	...['undefined', 'null', '""', '" "'].map((nothing) => [
		`={{ ${nothing} }}`,
		"The expression in the option 'Default Country Code' returns nothing",
	]),
])('the node refuses an item with a wrong country code: %s', async (defaultCountryCode, what) => {
	const given = { parameters: { ...TEXT, options: { defaultCountryCode } } };
	const number = readItem((item) => item.readPhoneNumber(), given, { credentialCountryCode: '62' });
	expect((await inputErrorFrom(number)).what).toBe(what);
});

it('the node refuses a number that may be one of two, unless the item says otherwise', async () => {
	const sending = async (more: INodeParameters) => {
		const options = { defaultCountryCode: '62', ...more };
		return await requestOf({ parameters: { ...TEXT, phoneNumber: '819012345678', options } });
	};
	const whatOf = async (more: INodeParameters) => (await inputErrorFrom(sending(more))).what;
	expect((await sending({ doubtfulNumbers: '={{ "send" }}' })).fields.number).toBe('819012345678');
	const doubt = '“819012345678” may be +62819012345678 (Indonesia) or +819012345678 (Japan)';
	expect(await whatOf({})).toBe(doubt);
	expect(await whatOf({ doubtfulNumbers: 'refuse' })).toBe(doubt);
	for (const odd of ['={{ undefined }}', '={{ true }}', 'Send', '', '={{ ["send"] }}']) {
		expect(await whatOf({ doubtfulNumbers: odd })).toContain("option 'Doubtful Numbers'");
	}
});

it('the node reads the same list again for another country or other rules', async () => {
	const lists = new SameList();
	const toOf = async (options: INodeParameters) => {
		const parameters = {
			operation: 'sendBulk',
			message: 'Halo',
			phoneNumbers: '0812345678',
			options,
		};
		const read = await readItem((item) => item.readPhoneNumbers(), { parameters }, { lists });
		return read.recipients.map(({ to }) => to);
	};
	expect(await toOf({ defaultCountryCode: '62' })).toEqual(['62812345678']);
	expect(await toOf({ defaultCountryCode: '60' })).toEqual(['60812345678']);
});

const IMAGE = { resource: 'image', operation: 'send', phoneNumber: NUMBER };
const OBJECT = '={{ ({ a: 1 }) }}';

const BULK = { operation: 'sendBulk', message: 'Halo' };
const ITEMS = { ...BULK, recipientSource: 'items' };
const LINK = { ...IMAGE, fileSource: 'url' };
const given = (parameters: INodeParameters) => ({
	parameters,
	item: {
		json: { phone: 'x' },
		binary: { data: PHOTO, a: { ...PHOTO, content: Buffer.alloc(0) } },
	},
});
const code = (defaultCountryCode: string) => ({ ...TEXT, options: { defaultCountryCode } });
const NO_NUMBER = [
	'“x” is not a phone number',
	'Enter a number with its country code, or as it is written in its country, e.g. +34 612 34 56 78 or 081234567890.',
] as const;
const choose = (...values: string[]) =>
	`Choose one in the list, or use an expression that returns “${values.join('” or “')}”.`;
const check = (label: string) => `Check the expression in '${label}': choose a single field.`;

it.each<[string, INodeParameters, string, string]>([
	[
		'message',
		{ ...TEXT, message: '={{ "" }}' },
		'The message is empty',
		"Enter it in 'Message', or check the expression there.",
	],
	[
		'caption',
		{ ...IMAGE, caption: OBJECT },
		'The caption is an object, not text',
		check('Caption'),
	],
	[
		'groupId',
		{ operation: 'sendToGroup', message: 'Halo', groupId: '={{ "" }}' },
		'The contact group ID is empty',
		"Enter it in 'Contact Group ID', or check the expression there.",
	],
	[
		'groupId',
		{ ...IMAGE, operation: 'sendToGroup', groupId: '={{ "" }}' },
		'The chat group ID is empty',
		"Enter it in 'Chat Group ID', or check the expression there.",
	],
	[
		'groupId',
		{ operation: 'sendToGroup', message: 'Halo', groupId: '={{ 120363025246125016 }}' },
		'The contact group ID arrived as the number 120363025246125020, and its last digits were lost',
		expect.stringContaining('Pass it as text') as string,
	],
	['phoneNumber', { ...TEXT, phoneNumber: 'x' }, ...NO_NUMBER],
	['phoneNumbers', { ...BULK, phoneNumbers: 'x' }, ...NO_NUMBER],
	['phoneNumberField', ITEMS, ...NO_NUMBER],
	[
		'options.defaultCountryCode',
		code('XX'),
		'“XX” is not a country code',
		"Enter the digits of a country code, e.g. 62, or a country, e.g. ID, in 'Default Country Code' in the options.",
	],
	[
		'options.defaultCountryCode',
		code('={{ "" }}'),
		"The expression in the option 'Default Country Code' returns nothing",
		'Correct it, or remove the option to use the code in the credential.',
	],
	...['undefined', 'null'].map((nothing): [string, INodeParameters, string, string] => [
		'options.deviceId',
		{ ...TEXT, options: { deviceId: `={{ ${nothing} }}` } },
		"The expression in the option 'Device ID' returns nothing",
		'Correct it, or remove the option to use the device in the credential.',
	]),
	[
		'options.deviceId',
		{ ...TEXT, options: { deviceId: OBJECT } },
		'The device ID is an object, not text',
		check('Device ID'),
	],
	[
		'fileUrl',
		{ ...LINK, fileUrl: OBJECT },
		'The file URL is an object, not text',
		check('File URL'),
	],
	[
		'fileUrl',
		{ ...LINK, fileUrl: 'ftp://a.b/c' },
		'“ftp://a.b/c” is not the address of a file',
		'Enter an address that starts with https://.',
	],
	[
		'binaryPropertyName',
		{ ...IMAGE, binaryPropertyName: 'b' },
		'The item has no file in “b”',
		expect.stringContaining(
			"It has files in: data, a. Enter one of these names in 'Input Binary Field'.",
		),
	],
	[
		'binaryPropertyName',
		{ ...IMAGE, binaryPropertyName: 'a' },
		'The file “a.png” is empty',
		'Check where it comes from.',
	],
	[
		'options.fileName',
		{ ...IMAGE, options: { fileName: OBJECT } },
		'The file name is an object, not text',
		check('File Name'),
	],
	[
		'options.doubtfulNumbers',
		{ ...TEXT, options: { doubtfulNumbers: 'Send' } },
		"“Send” is not a valid choice for the option 'Doubtful Numbers'",
		choose('refuse', 'send'),
	],
	[
		'options.invalidNumbers',
		{ ...BULK, phoneNumbers: 'x', options: { invalidNumbers: 'Skip' } },
		"“Skip” is not a valid choice for the option 'Invalid Numbers'",
		choose('refuse', 'skip'),
	],
])(
	'the node refuses a wrong %s by the name of its field: %j',
	async (_, parameters, what, advice) => {
		const error = await inputErrorFrom(requestOf(given(parameters)));
		expect(error).toMatchObject({ what, advice });
	},
);

it('the node refuses a text with code in it whose field is set to Fixed', async () => {
	const text = readItem(
		(item) => item.readMessage(),
		{ parameters: TEXT },
		{ unfilled: '{{ a }}' },
	);
	expect(await inputErrorFrom(text)).toMatchObject({
		what: 'The message would go out with “{{ a }}” in it, because its field is set to Fixed',
		advice: 'Set it to Expression: the choice appears above the field when you point at it.',
	});
});

const GROUP = {
	...IMAGE,
	operation: 'sendToGroup',
	phoneNumber: TEXT.phoneNumber,
	groupId: 'team 1',
};

it.each<[RecipientParameter, INodeParameters, string, string]>([
	['phoneNumber', GROUP, '', '081234567890'],
	['phoneNumber', { ...TEXT, phoneNumber: 'me' }, '', 'me'],
	['phoneNumber', { ...TEXT, phoneNumber: '={{ " " }}' }, '', ''],
	['phoneNumber', { ...TEXT, phoneNumber: "={{ $('None').first().json.to }}" }, '', ''],
	['groupId', GROUP, '62812345678', 'team 1'],
	['phoneNumbers', { ...BULK, phoneNumbers: 'me' }, '62812345678', 'me'],
	['phoneNumbers', ITEMS, '0812 3456 7890', '081234567890'],
	['phoneNumbers', ITEMS, 'me', 'me'],
])(
	'the node shows the %s of %j and the field “%s” as “%s”',
	async (parameter, parameters, phone, shown) => {
		const recipientSource = parameters === ITEMS ? 'items' : 'list';
		const recipient = readItem(
			(item) => item.showRecipient(parameter),
			{ parameters, item: { json: { phone } } },
			{ recipientSource },
		);
		expect(await recipient).toBe(shown);
	},
);

it('the node sends through the device of the credential unless an expression for another returns nothing', async () => {
	const device = (deviceId: string) => ({ parameters: { ...TEXT, options: { deviceId } } });
	for (const blank of ['', '=']) {
		expect((await requestOf(device(blank))).fields.deviceid).toBe('device-1');
	}
	for (const nothing of ['={{ $json.shop.device }}', '={{ "" }}']) {
		expect(await refusal(device(nothing))).toMatchObject({
			what: "The expression in the option 'Device ID' returns nothing",
		});
	}
});

const FILE_URL = 'http://127.0.0.1:1/a.png';

it('the node refuses an item without any file', async () => {
	expect(await refusal({ parameters: IMAGE })).toMatchObject({
		what: 'The item has no file in “data”',
		advice: expect.stringContaining('The item has no files at all.'),
	});
});

it('the node takes a file from another field, under another name', async () => {
	const request = await requestOf({
		parameters: { ...IMAGE, binaryPropertyName: 'other', options: { fileName: 'Other.png' } },
		item: { binary: { other: PHOTO } },
	});
	expect(request.file?.content.name).toBe('Other.png');
});

it('the node takes a file from an address, under the name of the option', async () => {
	const server = await serve((_, response) => response.end(PHOTO.content));
	const parameters = { ...LINK, fileUrl: `${server.url}/a.png`, options: { fileName: 'b.png' } };
	const request = await requestOf({ parameters });
	await server.close();
	expect(request.file?.content.name).toBe('b.png');
});

it('the node takes a file from an address, which is not requested before its turn', async () => {
	const url = { ...IMAGE, fileSource: 'url', fileUrl: FILE_URL };
	expect((await messageOf({ parameters: url })).openFile).toEqual(expect.any(Function));
	expect((await refusal({ parameters: { ...url, fileUrl: '={{ " " }}' } })).what).toBe(
		'The file URL is empty',
	);
});

const optionsOf = async (options: INodeParameters) =>
	await readItem((item) => ({ timeout: item.readTimeout(), sendOnceKey: item.readSendOnceKey() }), {
		parameters: { ...TEXT, options },
	});

it('the node reads the options one by one, as one of them may be a list of 100,000 numbers', async () => {
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
	[{ sendOnceKey: '=order-{{ 7 }} {{ "nullable" }}' }, 300_000, 'order-7 nullable'],
	[{ sendOnceKey: '={{ "annulled-Nan-finance" }}' }, 300_000, 'annulled-Nan-finance'],
	[{ sendOnceKey: 'undefined' }, 300_000, 'undefined'],
	[{ sendOnceKey: '' }, 300_000, ''],
])(
	'the node reads %j as a timeout of %i ms and the Send-Once Key “%s”',
	async (options, timeout, sendOnceKey) => {
		expect(await optionsOf(options)).toEqual({ timeout, sendOnceKey });
	},
);

it('the node looks up no options if the node has none, as that takes n8n long for many items', async () => {
	const looksUp = await readItem(
		(_, context) => {
			const lookUp = jest.spyOn(context, 'getNodeParameter');
			const timeoutOf = (given: GivenOptions) =>
				new Item(context, 0, { ...runOf(context), given }).readTimeout();
			const none = new GivenOptions({
				getNode: () => ({ ...context.getNode(), parameters: {} }),
			});
			expect(timeoutOf(none)).toBe(300_000);
			const before = lookUp.mock.calls.length;
			expect(timeoutOf(new GivenOptions(context))).toBe(5);
			return [before, lookUp.mock.calls.length];
		},
		{ parameters: { ...TEXT, options: { timeout: 5 } } },
	);
	expect(looksUp).toEqual([0, 1]);
});

it.each(['null', 'undefined', '" "', 'NaN'])(
	'the node refuses an item whose Send-Once Key is {{ %s }}',
	async (nothing) => {
		const error = await inputErrorFrom(optionsOf({ sendOnceKey: `={{ ${nothing} }}` }));
		expect(error).toMatchObject({
			what: "The expression in the option 'Send-Once Key' returns nothing for this item",
			advice: `Check its expression “={{ ${nothing} }}”: without a key, the message could go out twice.`,
		});
	},
);

it.each([
	'order-{{ $json.nobody }}',
	'order-{{ "" }}-{{ 1 }}',
	'order-{{ null }}',
	'order-{{ $json.nobody.at.all }}',
	'k-{{ ({ a: 1 }) }}',
	'k-{{ [1] }}',
	'k-{{ NaN }}',
	'{{ "order-" + $json.nobody }}',
	'{{ `k-${$json}` }}',
	'{{ "k-" + Number("x") }}',
	'{{ "k-" + null }}',
	'{{ "k" + null }}',
	'{{ "k" + NaN }}',
	'k-{{ "NULL" }}',
	'k-{{ "Null" }}',
	'k-{{ "Undefined" }}',
])('a Send-Once Key of which a part is missing refuses the item: %s', async (expression) => {
	const error = await inputErrorFrom(optionsOf({ sendOnceKey: `=${expression}` }));
	expect(error.what).toMatch(
		/^A part of the 'Send-Once Key' is missing for this item: it would be “/,
	);
});

it('a Send-Once Key with a part that n8n cannot evaluate refuses the item', () => {
	const evaluateExpression = () => {
		throw new Error('no path back');
	};
	const check = () => checkSendOnceKey({ evaluateExpression }, 0, '=k-{{ $json.id }}', 'k-');
	expect(inputErrorOf(check).advice).toContain('Check “{{ $json.id }}” in it');
});

it('the node refuses a number for a Send-Once Key that has lost its last digits', async () => {
	const error = await inputErrorFrom(optionsOf({ sendOnceKey: '={{ 120363025246125016 }}' }));
	expect(error.what).toContain('Send-Once Key arrived as the number 120363025246125020');
});

it('the node refuses an object for a Send-Once Key', async () => {
	const error = await inputErrorFrom(optionsOf({ sendOnceKey: '={{ ({ a: 1 }) }}' }));
	expect(error).toMatchObject({
		what: 'The Send-Once Key is an object, not text',
		advice: expect.stringContaining("'Send-Once Key'"),
	});
});

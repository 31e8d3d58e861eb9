import {
	NodeHelpers,
	type INode,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { findOperation, properties } from '../../../nodes/MessagingGateway/operations/index';

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
	'sendBefore',
	'sendOnceKey',
	'timeout',
];

it.each([
	[
		'text',
		'send',
		['phoneNumber', 'message'],
		[
			'deviceId',
			'allowedNumbers',
			'defaultCountryCode',
			'doubtfulNumbers',
			'skipNumbers',
			'testNumber',
		],
	],
	[
		'text',
		'sendBulk',
		['recipientSource', 'recipientSource', 'phoneNumbers', 'phoneNumberField', 'message'],
		[
			'deviceId',
			'allowedNumbers',
			'defaultCountryCode',
			'doubtfulNumbers',
			'bodyFormat',
			'invalidNumbers',
			'numbersPerRequest',
			'skipNumbers',
			'testNumber',
		],
	],
	['text', 'sendToGroup', ['groupId', 'message'], ['deviceId', 'bodyFormat']],
	[
		'image',
		'send',
		['phoneNumber', ...FILE, 'caption'],
		[
			'allowedNumbers',
			'defaultCountryCode',
			'doubtfulNumbers',
			'fileName',
			'skipNumbers',
			'testNumber',
		],
	],
	[
		'image',
		'sendToGroup',
		['groupId', 'phoneNumber', ...FILE, 'caption'],
		['allowedNumbers', 'defaultCountryCode', 'doubtfulNumbers', 'fileName'],
	],
	[
		'document',
		'send',
		['phoneNumber', ...FILE],
		[
			'allowedNumbers',
			'defaultCountryCode',
			'doubtfulNumbers',
			'fileName',
			'skipNumbers',
			'testNumber',
		],
	],
	[
		'document',
		'sendToGroup',
		['groupId', 'phoneNumber', ...FILE],
		['allowedNumbers', 'defaultCountryCode', 'doubtfulNumbers', 'fileName'],
	],
])('the fields and options of %s: %s are its own only', (resource, operation, fields, options) => {
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

it('the editor shows for a question only the options that change something', () => {
	expect(optionsFor('text', 'sendAndWait')).toEqual([
		'allowedNumbers',
		'defaultCountryCode',
		'deviceId',
		'doubtfulNumbers',
		'dryRun',
		'limitWaitTime',
		'maxRetries',
		'randomDelay',
		'responseFormButtonLabel',
		'responseFormDescription',
		'responseFormTitle',
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
])('a tool, which gets no files, takes that of %s: %s from a URL', (resource, operation) => {
	const node = inEditor('messagingGateway', resource, operation);
	expect(node.values).toMatchObject({ fileSource: 'binary', binaryPropertyName: 'data' });
	expect(node.shown).toEqual(expect.arrayContaining(['fileSource', 'binaryPropertyName']));
	expect(node.shown).not.toContain('fileUrl');

	const tool = inEditor('messagingGatewayTool', resource, operation);
	expect(tool.values).toMatchObject({ fileSource: 'url', fileUrl: '' });
	expect(tool.shown).toContain('fileUrl');
	expect(tool.shown).not.toContain('fileSource');
	expect(tool.shown).not.toContain('binaryPropertyName');
});

it('a tool takes the numbers of a bulk send from the list, as the model writes its item', () => {
	const node = inEditor('messagingGateway', 'text', 'sendBulk');
	expect(node.values).toMatchObject({ recipientSource: 'list' });
	expect(node.shown).toContain('recipientSource');

	const tool = inEditor('messagingGatewayTool', 'text', 'sendBulk');
	expect(tool.values).toMatchObject({ recipientSource: 'list', phoneNumbers: '' });
	expect(tool.shown).toContain('phoneNumbers');
	expect(tool.shown).not.toContain('recipientSource');
	expect(tool.shown).not.toContain('phoneNumberField');
});

it('the operations have different names for a contact group and a chat group', () => {
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

it('the operations have actions without articles', () => {
	const actions = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => (options as INodePropertyOptions[]).map(({ action }) => action));
	expect(actions).toHaveLength(8);
	expect(actions.filter((action) => !/^Send (?!an? )(?!.* an? )/.test(action ?? ''))).toEqual([]);
});

it('a field can be dragged to where its name belongs', () => {
	const field = properties.find(({ name }) => name === 'phoneNumberField');
	expect(field).toMatchObject({ requiresDataPath: 'single' });
	expect(field?.noDataExpression).toBeUndefined();
});

it('the node knows no other operation', () => {
	expect(findOperation('image', 'sendBulk')).toBeUndefined();
	expect(findOperation('video', 'send')).toBeUndefined();
});

/** Every text of the fields, at all depths. */
function textsOf(field: object): Array<['description' | 'hint', string]> {
	const {
		description,
		hint,
		options = [],
		values = [],
	} = field as Partial<INodeProperties> & {
		values?: object[];
	};
	return [
		...(description === undefined ? [] : [['description', description] as const]),
		...(hint === undefined ? [] : [['hint', hint] as const]),
		...[...options, ...values].flatMap(textsOf),
	] as Array<['description' | 'hint', string]>;
}

it('the editor shows descriptions of at most two sentences, and hints of at most 120 characters', () => {
	const texts = [...properties, ...new MessagingGatewayApi().properties].flatMap(textsOf);
	expect(texts.length).toBeGreaterThan(50);
	const long = texts.filter(([kind, text]) =>
		kind === 'hint'
			? text.length > 120
			: (text.replace(/\{\{.*?\}\}/g, '').match(/[.!?](?=\s|$)/g) ?? []).length > 2,
	);
	expect(long).toEqual([]);
});

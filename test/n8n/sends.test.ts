/**
 * Tests the packed node in a real n8n: every operation, with real files, from the parameters of the
 * workflow to the bytes at the gateway and back to n8n's items.
 */
import type { IRunData } from 'n8n-workflow';
import { startGateway, type Gateway, type QueuedMessage } from '../../practice-gateway/index';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	gatewayNode,
	givenItems,
	headlessN8n,
	readFiles,
	removeUserFolder,
	trigger,
	workflow,
	type Arrow,
	type GatewayNode,
} from '../../tools/n8n/server/index';
import { credentialData } from './credentialData';
import { itemsOf, jsonOf, linksOf, oneToOne } from './items';
import { DOCUMENTS, IMAGES, sampleFiles, type SampleFiles } from './sampleFiles';

type Endpoint = QueuedMessage['endpoint'];

const CREDENTIAL = { id: 'gatewayCredential', name: 'Gateway' };
const PHONE = '6281234567890';
const GROUP = '120363041234567890';

const PEOPLE = [
	{ phone: '+62 812-3456-7890', name: 'Ana' },
	{ phone: '0062 (813) 1111.2222', name: 'Bo & Zoë 👋' },
	{ phone: '081355556666', name: 'two\nlines, “quoted”, = and + and %' },
];
const EXACT_PHONES = ['6281234567890', '6281311112222', '081355556666'];
const MESSAGES = PEOPLE.map(({ name }) => `Hello ${name}`);

const ENVELOPE = { code: 200, message: expect.stringMatching(/./) as string };
const LIST = ['6281111111111', '34612345678', '447400123456'];
const SAME_FOR_ALL = 'The same for all';

const text = { resource: 'text', message: '=Hello {{ $json.name }}' };
const image = { resource: 'image', caption: '={{ $binary.data.fileName }}: ünïcode & 👋' };
const captionOf = (name: string) => `${name}: ünïcode & 👋`;
const toPerson = { operation: 'send', phoneNumber: PHONE };
const toGroup = { operation: 'sendToGroup', phoneNumber: PHONE, groupId: GROUP };

const FROM_PEOPLE: Record<string, GatewayNode> = {
	Text: { ...text, operation: 'send', phoneNumber: '={{ $json.phone }}' },
	'Text to group': { ...text, operation: 'sendToGroup', groupId: GROUP },
	Bulk: {
		...text,
		operation: 'sendBulk',
		phoneNumbers: '6281111111111; 34612 345 678\n+44-7400.123456',
	},
	'Bulk from items': {
		...text,
		operation: 'sendBulk',
		recipientSource: 'items',
		message: SAME_FOR_ALL,
	},
};

const FROM_IMAGES: Record<string, GatewayNode> = {
	Image: { ...image, ...toPerson },
	'Image to group': { ...image, ...toGroup },
};

const FROM_DOCUMENTS: Record<string, GatewayNode> = {
	Document: { resource: 'document', ...toPerson },
	'Document to group': { resource: 'document', ...toGroup },
};

function allOperations(files: SampleFiles) {
	const [list, people] = givenItems('People', PEOPLE);
	const sources = { People: FROM_PEOPLE, Images: FROM_IMAGES, Documents: FROM_DOCUMENTS };
	const nodes = [
		trigger(),
		list,
		people,
		readFiles('Images', files.images),
		readFiles('Documents', files.documents),
	];
	const arrows: Arrow[] = [
		['Start', list.name],
		[list.name, people.name],
		['Start', 'Images'],
		['Start', 'Documents'],
	];
	for (const [source, operations] of Object.entries(sources)) {
		for (const [name, parameters] of Object.entries(operations)) {
			nodes.push(gatewayNode(name, parameters, CREDENTIAL));
			arrows.push([source, name]);
		}
	}
	return workflow('All seven operations', nodes, arrows);
}

describe('all seven operations, each on several items', () => {
	let files: SampleFiles;
	let gateway: Gateway;
	let userFolder: string;
	let runData: IRunData;

	beforeAll(async () => {
		files = sampleFiles();
		gateway = await startGateway();
		userFolder = await createUserFolder();
		const n8n = await headlessN8n({ userFolder, files: files.folder });
		const data = credentialData(gateway);
		await n8n.importCredentials([{ ...CREDENTIAL, type: CREDENTIAL_TYPE, data }]);
		await n8n.importWorkflow({ id: 'allSeven', ...allOperations(files) });
		runData = (await n8n.execute('allSeven')).data.resultData.runData;
	});

	afterAll(async () => {
		await gateway?.close();
		if (userFolder) removeUserFolder(userFolder);
		files?.remove();
	});

	const queued = (endpoint: Endpoint) =>
		gateway.messages.filter((message) => message.endpoint === endpoint);

	/** Expects exactly these messages, in any order, because requests run in parallel. */
	function expectQueued(messages: QueuedMessage[], wanted: object[]): void {
		const added = { queueId: expect.any(String) as string, at: expect.any(String) as string };
		const whole = wanted.map((message) => ({ ...added, ...message }));
		expect(messages).toHaveLength(wanted.length);
		expect(messages).toEqual(expect.arrayContaining(whole));
	}

	function expectOutput(node: string, envelopes: object[], links: number[][]): void {
		const output = itemsOf(runData, node);
		expect(jsonOf(output)).toEqual(envelopes);
		expect(linksOf(output)).toEqual(links);
	}

	const plainEnvelopes = (count: number) => Array<object>(count).fill(ENVELOPE);

	const texts = () => ({ deviceId: gateway.deviceId, bodyFormat: expect.any(String) as string });

	test('a text to one number has exactly the number and text of its item', () => {
		expectQueued(
			queued('v1/send'),
			MESSAGES.map((text, index) => {
				return { endpoint: 'v1/send', ...texts(), recipients: [EXACT_PHONES[index]], text };
			}),
		);
		expectOutput('Text', plainEnvelopes(PEOPLE.length), oneToOne(PEOPLE.length));
	});

	test('a text to a group has the group in the path, and the texts come in the order of the items', () => {
		const messages = queued('v1/sendgroup');
		expectQueued(
			messages,
			MESSAGES.map((text) => {
				return { endpoint: 'v1/sendgroup', ...texts(), recipients: [], groupId: GROUP, text };
			}),
		);
		expect(messages.map(({ text }) => text)).toEqual(MESSAGES);
		expectOutput('Text to group', plainEnvelopes(PEOPLE.length), oneToOne(PEOPLE.length));
	});

	test('a bulk text is a request for each item with its list, and one for all items as a list', () => {
		const lists = MESSAGES.map((text) => ({ recipients: LIST, text }));
		const items = { recipients: EXACT_PHONES, text: SAME_FOR_ALL };
		expectQueued(
			queued('v1/sendbulk'),
			[...lists, items].map((each) => ({ endpoint: 'v1/sendbulk', ...texts(), ...each })),
		);
		expectOutput('Bulk', plainEnvelopes(PEOPLE.length), oneToOne(PEOPLE.length));
		expectOutput('Bulk from items', plainEnvelopes(1), [[0, 1, 2]]);
	});

	/** Returns the input files of a node, in order, as the gateway should have received them. */
	function filesOf(source: string, field: string) {
		return itemsOf(runData, source).map(({ binary }) => {
			const { fileName = '', mimeType: contentType } = binary?.data ?? {};
			const { sha256, size } = files.digest(fileName);
			return { field, name: fileName, contentType, size, sha256 };
		});
	}

	function recordsOf(source: string, type: string, endpoint: Endpoint) {
		return filesOf(source, '').map(({ name }) => {
			const message = queued(endpoint).find(({ file }) => file?.name === name);
			const record = {
				queue_id: message?.queueId,
				phone: PHONE,
				message: type === 'Image' ? captionOf(name) : name,
				type,
				category: 'Outbox',
				status: 'Pending',
			};
			return { ...ENVELOPE, data: expect.objectContaining(record) as object };
		});
	}

	test('an image to one number is a complete file, with its name and caption', () => {
		const endpoint = 'v2/send-image';
		expectQueued(
			queued(endpoint),
			filesOf('Images', 'image').map((file) => {
				const text = captionOf(file.name);
				return { endpoint, recipients: [PHONE], text, file, bodyFormat: 'multipart' };
			}),
		);
		expectOutput('Image', recordsOf('Images', 'Image', endpoint), oneToOne(IMAGES.length));
	});

	test('an image to a group is a complete file, with its name and caption', () => {
		const endpoint = 'v2/send-group-image';
		expectQueued(
			queued(endpoint),
			filesOf('Images', 'image').map((file) => {
				const text = captionOf(file.name);
				const to = { recipients: [PHONE], groupId: GROUP };
				return { endpoint, ...to, text, file, bodyFormat: 'multipart' };
			}),
		);
		expectOutput('Image to group', plainEnvelopes(IMAGES.length), oneToOne(IMAGES.length));
	});

	test('a document to one number is a complete file of any kind, with its own name', () => {
		const endpoint = 'v2/send-document';
		expectQueued(
			queued(endpoint),
			filesOf('Documents', 'document').map((file) => {
				return { endpoint, recipients: [PHONE], file, bodyFormat: 'multipart' };
			}),
		);
		const records = recordsOf('Documents', 'Document', endpoint);
		expectOutput('Document', records, oneToOne(DOCUMENTS.length));
	});

	test('a document to a group is a complete file of any kind, with its own name', () => {
		const endpoint = 'v2/send-group-document';
		expectQueued(
			queued(endpoint),
			filesOf('Documents', 'document').map((file) => {
				return { endpoint, recipients: [PHONE], groupId: GROUP, file, bodyFormat: 'multipart' };
			}),
		);
		const count = DOCUMENTS.length;
		expectOutput('Document to group', plainEnvelopes(count), oneToOne(count));
	});

	test('n8n read every sample file, and nothing but these messages reached the gateway', () => {
		expect(filesOf('Images', '').map(({ name }) => name)).toEqual(IMAGES);
		expect(new Set(filesOf('Documents', '').map(({ name }) => name))).toEqual(new Set(DOCUMENTS));
		const count = PEOPLE.length * 3 + 1 + (IMAGES.length + DOCUMENTS.length) * 2;
		expect(gateway.messages).toHaveLength(count);
		expect(gateway.requests).toHaveLength(count);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** What `npm run n8n` puts into n8n: a credential, a first workflow, and the examples. */
import { join } from 'node:path';
import type { N8nApi } from './server/api';
import { exampleFiles, madeReady, type Surroundings } from './examples';
import { COUNTRY_CODE } from './practice';
import type { Shelf } from './shelf';
import type { NewWorkflow, SavedCredential, SavedWorkflow } from './server/types';
import {
	at,
	CREDENTIAL_TYPE,
	gatewayNode,
	node,
	readFiles,
	trigger,
	workflow,
} from './server/workflows';

const CREDENTIAL_NAME = 'Practice gateway';
const WORKFLOW_NAME = 'Start here: seven ways to send';
const about = (outbox: string) => `## Seven ways to send

Click *Execute workflow*. Every node sends to the practice gateway, and its messages appear in [its outbox](${outbox}).

**Your own first message:** create a new workflow, press *+*, and look for "WhatsApp".`;
const PHONE = '+62 812-3456-7890';
const CONTACT_GROUP = '1042';
const GROUP = '120363041234567890';

export interface GatewaySettings {
	baseUrl: string;
	accessToken: string;
	deviceId: string;
}

/** The credential follows the gateway, whose port may be another one at each start. */
export async function demoCredential(
	api: N8nApi,
	gateway: GatewaySettings,
): Promise<SavedCredential> {
	const data = { ...gateway, defaultCountryCode: COUNTRY_CODE, allowUnauthorizedCerts: false };
	const existing = (await api.listCredentials()).find(({ name }) => name === CREDENTIAL_NAME);
	if (existing) return await api.updateCredential(existing, data);
	return await api.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
}

/** The workflow to begin with. */
export async function demoWorkflow(
	shelf: Shelf,
	credential: SavedCredential,
	{ files, outbox }: { files: string; outbox: string },
): Promise<SavedWorkflow> {
	const workflow = allSevenOperations(credential, files, about(outbox));
	return await shelf.put(workflow);
}

/** All examples, with their credential and files, by the number in their file name. */
export async function importExamples(
	shelf: Shelf,
	credential: SavedCredential,
	surroundings: Surroundings,
): Promise<Map<number, SavedWorkflow>> {
	const imported = new Map<number, SavedWorkflow>();
	// The first example last: n8n lists first what is newest.
	for (const file of exampleFiles().reverse()) {
		const number = parseInt(file);
		const ready = madeReady(file, credential, surroundings);
		imported.set(number, await shelf.put(ready));
	}
	return imported;
}

function allSevenOperations(credential: SavedCredential, files: string, note: string): NewWorkflow {
	const image = {
		resource: 'image',
		phoneNumber: PHONE,
		caption: "=From n8n, {{ $now.toFormat('LLLL d, HH:mm') }}",
	};
	const document = { resource: 'document', phoneNumber: PHONE };
	const text = { resource: 'text', message: 'Hello from n8n' };
	const send = { operation: 'send' };
	const toContactGroup = { operation: 'sendToGroup', groupId: CONTACT_GROUP };
	const toGroup = { operation: 'sendToGroup', groupId: GROUP };
	const bulk = { operation: 'sendBulk', phoneNumbers: `${PHONE}\n+62 812-9876-5432` };

	const sticky = { content: note, width: 460, height: 190 };
	const nodes = [
		at(-2, 0, node('About this workflow', 'n8n-nodes-base.stickyNote', 1, sticky)),
		at(0, 3, trigger()),
		at(2, 0, gatewayNode('Text', { ...text, ...send, phoneNumber: PHONE }, credential)),
		at(2, 1, gatewayNode('Bulk text', { ...text, ...bulk }, credential)),
		at(2, 2, gatewayNode('Text to contact group', { ...text, ...toContactGroup }, credential)),
		at(1, 3.5, readFiles('Read a photo', join(files, 'photo.jpg'))),
		at(2, 3, gatewayNode('Image', { ...image, ...send }, credential)),
		at(2, 4, gatewayNode('Image to chat group', { ...image, ...toGroup }, credential)),
		at(1, 5.5, readFiles('Read a PDF', join(files, 'document.pdf'))),
		at(2, 5, gatewayNode('Document', { ...document, ...send }, credential)),
		at(2, 6, gatewayNode('Document to chat group', { ...document, ...toGroup }, credential)),
	];
	return workflow(WORKFLOW_NAME, nodes, [
		['Start', 'Text'],
		['Start', 'Bulk text'],
		['Start', 'Text to contact group'],
		['Start', 'Read a photo'],
		['Read a photo', 'Image'],
		['Read a photo', 'Image to chat group'],
		['Start', 'Read a PDF'],
		['Read a PDF', 'Document'],
		['Read a PDF', 'Document to chat group'],
	]);
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** The example workflows as they are shipped, and made ready for one n8n. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { checkout } from './server/cache';
import type { NewWorkflow, SavedCredential } from './server/types';
import { CREDENTIAL_TYPE, NODE_TYPE } from './server/workflows';

export const EXAMPLES = join(checkout, 'examples');

/** The files that the examples read, as they are shipped. */
export const EXAMPLE_DATA = join(EXAMPLES, 'data');

/** The trigger of the examples that make tables with sample rows. */
export const SET_UP = 'Set up once';

/** Where the examples look for files: n8n's own folder for them in its Docker image. */
const FILES_FOLDER = '/home/node/.n8n-files';

/** Where the invoice of example 2 would be. */
const SHOP = 'https://shop.example.com';

/** Where the page of example 8 would be. */
const N8N = 'https://n8n.example.com';

export type Example = NewWorkflow & { active: boolean; pinData: object };

/** What the examples find on one computer. */
export interface Surroundings {
	/** The folder that n8n may read and write. */
	folder: string;
	/** The web address of the shop of example 2. */
	shop?: string;
	/** The web address of this n8n. */
	n8n?: string;
	/** Parameters to change, by the name of their node. */
	changes?: Record<string, INodeParameters>;
}

/** In the order of their numbers. */
export function exampleFiles(): string[] {
	const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
	return files.sort((a, b) => parseInt(a) - parseInt(b));
}

export function readExample(file: string): Example {
	return JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as Example;
}

export const isGatewayNode = ({ type }: INode) => type.startsWith(NODE_TYPE);

/** Puts the files that the examples read into `folder`, and keeps those that are there already. */
export function copyExampleData(folder: string): void {
	const filter = (source: string) => !source.endsWith('.md');
	cpSync(EXAMPLE_DATA, folder, { recursive: true, force: false, filter });
}

/** What a person does before the first run: the credential, the folder, and changes to single nodes. */
export function madeReady(
	file: string,
	credential: SavedCredential,
	{ folder, shop = SHOP, n8n = N8N, changes = {} }: Surroundings,
): NewWorkflow {
	const inText = (value: string) => JSON.stringify(value).slice(1, -1);
	const text = JSON.stringify(readExample(file))
		.replaceAll(FILES_FOLDER, inText(folder.replaceAll('\\', '/')))
		.replaceAll(SHOP, inText(shop))
		.replaceAll(N8N, inText(n8n));
	const { name, nodes, connections } = JSON.parse(text) as Example;
	const unknown = Object.keys(changes).filter((each) => !nodes.some((node) => node.name === each));
	if (unknown.length > 0) throw new Error(`${file} has no node ${unknown.join(', ')}.`);
	const { id, name: credentialName } = credential;
	const credentials = { [CREDENTIAL_TYPE]: { id, name: credentialName } };
	return {
		name,
		connections,
		nodes: nodes.map((node) => ({
			...node,
			...(isGatewayNode(node) ? { credentials } : {}),
			parameters: { ...node.parameters, ...changes[node.name] },
		})),
	};
}

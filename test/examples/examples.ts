/** The example workflows as they are shipped, and made ready for one n8n. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import {
	CREDENTIAL_TYPE,
	NODE_TYPE,
	type NewWorkflow,
	type SavedCredential,
} from '../support/n8n/index';

export const EXAMPLES = resolve(__dirname, '../../examples');

/** Where the examples look for files: n8n's own folder for them in its Docker image. */
const FILES_FOLDER = '/home/node/.n8n-files';

export type Example = NewWorkflow & { active: boolean; pinData: object };

export function exampleFiles(): string[] {
	return readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
}

export function readExample(file: string): Example {
	return JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as Example;
}

export const isGatewayNode = ({ type }: INode) => type.startsWith(NODE_TYPE);

/** What a person does before the first run: the credential, the folder, and changes to single nodes. */
export function madeReady(
	file: string,
	credential: SavedCredential,
	{ folder, changes = {} }: { folder: string; changes?: Record<string, INodeParameters> },
): NewWorkflow {
	const text = JSON.stringify(readExample(file)).replaceAll(FILES_FOLDER, folder);
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

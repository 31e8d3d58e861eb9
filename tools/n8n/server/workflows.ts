/** Builds workflows from nodes and the connections between them. */
import { randomUUID } from 'node:crypto';
import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { NewWorkflow, SavedCredential } from './types';

export const NODE_TYPE = 'n8n-nodes-messaging-gateway.messagingGateway';
export const CREDENTIAL_TYPE = 'messagingGatewayApi';

/** A connection: from a node, to a node, and from which output (the first one if left out). */
export type Arrow = [from: string, to: string, output?: number];

const COLUMN = 260;
const ROW = 180;

export function workflow(name: string, nodes: INode[], arrows: Arrow[]): NewWorkflow {
	const connections: IConnections = {};
	for (const [from, to, output = 0] of arrows) {
		const outputs = ((connections[from] ??= {}).main ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}

export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: IDataObject,
	more: Partial<INode> = {},
): INode {
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: parameters as INodeParameters,
		...more,
	};
}

export function trigger(name = 'Start'): INode {
	return node(name, 'n8n-nodes-base.manualTrigger', 1, {});
}

/** Reads files from disk, one item for each matching file. */
export function readFiles(name: string, fileSelector: string): INode {
	const parameters = { operation: 'read', fileSelector, options: {} };
	return node(name, 'n8n-nodes-base.readWriteFile', 1, parameters);
}

/**
 * Two nodes that output `items`: Edit Fields sets them as a list, Split Out makes items of the
 * list.
 */
export function givenItems(name: string, items: IDataObject[]): [INode, INode] {
	const jsonOutput = JSON.stringify({ items });
	return [
		node(`${name} (list)`, 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		node(name, 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
	];
}

export interface GatewayNode {
	resource: string;
	operation: string;
	[parameter: string]: IDataObject[string];
}

export function gatewayNode(
	name: string,
	parameters: GatewayNode,
	credential: Pick<SavedCredential, 'id' | 'name'>,
	more: Partial<INode> = {},
): INode {
	const { id, name: credentialName } = credential;
	const credentials = { [CREDENTIAL_TYPE]: { id, name: credentialName } };
	return node(name, NODE_TYPE, 1, parameters, { credentials, ...more });
}

export function at(column: number, row: number, placed: INode): INode {
	return { ...placed, position: [column * COLUMN, row * ROW] };
}

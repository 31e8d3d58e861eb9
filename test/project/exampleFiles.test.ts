/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** The example workflows as files: what holds without running them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INode, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import {
	EXAMPLE_DATA,
	EXAMPLES,
	exampleFiles,
	isGatewayNode,
	readExample,
	SET_UP,
} from '../../tools/n8n/examples';

const { properties } = new MessagingGateway().description;
/** n8n adds these to every node that is used as a tool. */
const OF_TOOLS = ['descriptionType', 'toolDescription'];

function propertiesOf({ parameters: { resource = 'text', operation = 'send' } }: INode) {
	const isFor = (wanted: unknown[] | undefined, value: unknown) =>
		!wanted || wanted.includes(value);
	return properties.filter(({ displayOptions: { show } = {} }) => {
		return isFor(show?.resource, resource) && isFor(show?.operation, operation);
	});
}

function optionsOf(all: INodeProperties[]): string[] {
	const options = all.find(({ name }) => name === 'options')?.options ?? [];
	return (options as INodePropertyCollection[]).map(({ name }) => name);
}

/** The names that a README links to, in the order of its table. */
function linkedIn(folder: string): string[] {
	const readme = readFileSync(join(folder, 'README.md'), 'utf8');
	return [...readme.matchAll(/^\| \[([^\]]+)\]\(\1\) \|/gm)].map(([, name = '']) => name);
}

test('the table names each example, in order', () => {
	expect(linkedIn(EXAMPLES)).toEqual(exampleFiles());
});

test('a table names each file of their data', () => {
	const data = readdirSync(EXAMPLE_DATA).filter((name) => name !== 'README.md');
	expect(linkedIn(EXAMPLE_DATA).sort()).toEqual(data.sort());
});

/** Names of n8n's nodes that touch the disk of its computer; n8n Cloud has none. */
const NEED_A_DISK =
	/\.(readWriteFile|localFileTrigger|executeCommand|readBinaryFiles?|writeBinaryFile)$/;

test('at most two examples need files on a disk', () => {
	const needy = exampleFiles().filter((file) =>
		readExample(file).nodes.some(({ type }) => NEED_A_DISK.test(type)),
	);
	expect(needy).toEqual([expect.stringMatching(/^4-/), expect.stringMatching(/^11-/)]);
});

interface TableNode {
	name: string;
	parameters: {
		resource?: string;
		tableName?: string;
		dataTableId?: { mode: string; value: string };
		columns?: { column?: Array<{ name: string; type: string }>; value?: object | null };
		filters?: { conditions: Array<{ keyName: string }> };
	};
}

const tableNodesOf = (nodes: INode[]) =>
	nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable') as unknown as TableNode[];

/** The data tables that an example makes, with their columns and types. */
function tablesMadeBy(nodes: INode[]): Record<string, Record<string, string>> {
	const made = tableNodesOf(nodes).filter(({ parameters }) => parameters.resource === 'table');
	return Object.fromEntries(
		made.map(({ parameters: { tableName = '', columns } }) => [
			tableName,
			Object.fromEntries((columns?.column ?? []).map(({ name, type }) => [name, type])),
		]),
	);
}

test('examples that share a data table agree on its columns, and no name is part of another', () => {
	const all: Record<string, object> = {};
	for (const made of exampleFiles().map((file) => tablesMadeBy(readExample(file).nodes))) {
		for (const [name, columns] of Object.entries(made)) {
			expect(all[name] ?? columns).toEqual(columns);
			all[name] = columns;
		}
	}
	// n8n's node takes the first table whose name contains the one that it is given.
	const names = Object.keys(all).map((name) => name.toLowerCase());
	const within = names.filter((name) =>
		names.some((other) => other !== name && other.includes(name)),
	);
	expect([names.length > 3, within]).toEqual([true, []]);
});

/** What nodes of one kind read from, or write to, the disk. */
function filesOf(nodes: INode[], operation: 'read' | 'write'): string[] {
	return nodes
		.filter(({ type }) => type === 'n8n-nodes-base.readWriteFile')
		.filter(({ parameters }) => parameters.operation === operation)
		.map(({ parameters }) => basename(String(parameters.fileSelector ?? parameters.fileName)));
}

/** What a note writes in italics: names of nodes, and n8n's own words. */
const emphasized = (text: string) =>
	[...text.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, name = '']) => name);

describe.each(exampleFiles())('%s', (file) => {
	const { nodes, connections, active, pinData } = readExample(file);

	it('an example is switched off, and holds neither data nor credentials', () => {
		expect(active).toBe(false);
		expect(pinData).toEqual({});
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
	});

	it('an example says in a note what it does and what to change', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const [first] = notes.map(({ parameters }) => String(parameters.content));
		expect(first).toMatch(/^## .+\*\*Before the first run:\*\*.+\*\*Change:\*\*/s);
	});

	it('an example names, to be opened before the first run, its own nodes, and each that sends', () => {
		const [about] = nodes;
		const [, before = ''] =
			/\*\*Before the first run:\*\*(.*)/.exec(String(about?.parameters.content)) ?? [];
		const [toOpen = ''] = before.split('(blue icon)');
		const senders = nodes.filter(isGatewayNode).map(({ name }) => name);
		expect(emphasized(toOpen)).toEqual(senders);
	});

	it('an example finds its files among the data, and stops if one is missing', () => {
		for (const name of filesOf(nodes, 'read')) {
			expect([name, existsSync(join(EXAMPLE_DATA, name))]).toEqual([name, true]);
		}
		// Before version 1.1, n8n's node for files succeeds without output if there is no file.
		const readers = nodes.filter(({ type }) => type === 'n8n-nodes-base.readWriteFile');
		expect(readers.filter(({ typeVersion }) => typeVersion < 1.1)).toEqual([]);
	});

	it('an example says what an empty run means, if a list may be empty', () => {
		const [about] = nodes;
		const files = filesOf(nodes, 'read').filter((name) => name.endsWith('.csv'));
		const sets = nodes.filter(({ name }) => name === SET_UP);
		if (files.length + sets.length === 0) return;
		expect(about?.parameters.content).toMatch(/\*\*An empty run\*\*.+nothing was sent/);
	});

	it('an example says how to try it if the button below the canvas waits for a call', () => {
		const nodeOf = (type: string) => nodes.find((node) => node.type === `n8n-nodes-base.${type}`);
		const manual = nodeOf('manualTrigger');
		// n8n's editor prefers a webhook to a manual trigger, whatever their order.
		if (!manual || !nodeOf('webhook')) return;
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const [about = '', ...others] = notes.map(({ parameters }) => String(parameters.content));
		expect(about).toContain(`point at *${manual.name}*, and click *Execute workflow* to its left`);
		expect(others.join('\n')).toContain(
			`Point at *${manual.name}*, and click *Execute workflow* to its left.`,
		);
	});

	it('an example makes the data tables that it reads and writes, with the columns that it names', () => {
		const made = tablesMadeBy(nodes);
		for (const { name, parameters } of tableNodesOf(nodes)) {
			const { resource, dataTableId, columns, filters } = parameters;
			if (resource === 'table') continue;
			const known = made[dataTableId?.value ?? ''] ?? {};
			const used = (filters?.conditions ?? []).map(({ keyName }) => keyName);
			used.push(...Object.keys(columns?.value ?? {}));
			const unknown = used.filter((column) => column !== 'id' && !(column in known));
			expect([name, dataTableId?.mode, unknown]).toEqual([name, 'name', []]);
		}
	});

	it('a note says how to set up an example, and where the tables are', () => {
		if (!nodes.some(({ name }) => name === SET_UP)) return;
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const text = notes.map(({ parameters }) => String(parameters.content)).join('\n');
		expect(text).toContain(`point at *${SET_UP}*, and click *Execute workflow* to its left`);
		for (const table of Object.keys(tablesMadeBy(nodes))) expect(text).toContain(`*${table}*`);
		expect(text).toMatch(/Google Sheets/);
		expect(text).toMatch(/CSV/);
	});

	it('an example uses only parameters and options that the node has', () => {
		const senders = nodes.filter(isGatewayNode);
		expect(senders.length).toBeGreaterThan(0);
		for (const sender of senders) {
			const { options, ...parameters } = sender.parameters;
			const known = propertiesOf(sender);
			const names = [...known.map(({ name }) => name), ...OF_TOOLS];
			expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
			expect(optionsOf(known)).toEqual(expect.arrayContaining(Object.keys(options ?? {})));
		}
	});

	it('an example connects nodes that exist, none on top of another', () => {
		const names = nodes.map(({ name }) => name);
		const targets = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) => outputs.flatMap((each) => each ?? [])),
		);
		expect(names).toEqual(expect.arrayContaining(Object.keys(connections)));
		expect(names).toEqual(expect.arrayContaining(targets.map(({ node }) => node)));
		expect(new Set(nodes.map(({ position }) => position.join())).size).toBe(nodes.length);
	});
});

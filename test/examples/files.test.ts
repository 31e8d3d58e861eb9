/** The example workflows as files: what holds without running them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { EXAMPLES, exampleFiles, isGatewayNode, readExample } from './examples';

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

test('there are nine, and the table names each', () => {
	expect(exampleFiles()).toHaveLength(9);
	const table = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
	expect(exampleFiles().filter((file) => !table.includes(`(${file})`))).toEqual([]);
});

describe.each(exampleFiles())('%s', (file) => {
	const { nodes, connections, active, pinData } = readExample(file);

	it('is switched off, and holds neither data nor credentials', () => {
		expect(active).toBe(false);
		expect(pinData).toEqual({});
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
	});

	it('says in a note what it does and what to change', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const [first] = notes.map(({ parameters }) => String(parameters.content));
		expect(first).toMatch(/^## .+\*\*Before the first run:\*\*.+\*\*Change:\*\*/s);
	});

	it('uses only parameters and options that the node has', () => {
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

	it('connects nodes that exist, none on top of another', () => {
		const names = nodes.map(({ name }) => name);
		const targets = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) => outputs.flatMap((each) => each ?? [])),
		);
		expect(names).toEqual(expect.arrayContaining(Object.keys(connections)));
		expect(names).toEqual(expect.arrayContaining(targets.map(({ node }) => node)));
		expect(new Set(nodes.map(({ position }) => position.join())).size).toBe(nodes.length);
	});
});

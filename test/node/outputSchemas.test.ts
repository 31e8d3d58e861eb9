/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** The fields that n8n's editor shows before anything has run are those that come out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { serveLink } from '../../nodes/MessagingGateway/ask/webhook';
import { properties } from '../../nodes/MessagingGateway/operations';
import { bulk, file, groupText, jsonOf, text, useHarness, withFile } from '../support/harness';
import { visit } from '../unit/ask/webhookContext';

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

const harness = useHarness();
const SCHEMAS = join(__dirname, '../../dist/nodes/MessagingGateway/__schema__/v1.0.0');

function schemaOf({ resource, operation }: INodeParameters): Schema {
	const path = join(SCHEMAS, String(resource), `${String(operation)}.json`);
	return JSON.parse(existsSync(path) ? readFileSync(path, 'utf8') : '{}') as Schema;
}

/** Returns each field of a schema, as `data.queue_id: string`. */
function fieldsOf({ type, properties }: Schema, path = ''): string[] {
	if (!properties) return [`${path}: ${type}`];
	return Object.entries(properties).flatMap(([name, inner]) =>
		fieldsOf(inner, path === '' ? name : `${path}.${name}`),
	);
}

function schemaFrom(value: unknown): Schema {
	if (typeof value !== 'object' || value === null) {
		return { type: Number.isInteger(value) ? 'integer' : typeof value };
	}
	const entries = Object.entries(value).map(([name, inner]) => [name, schemaFrom(inner)]);
	return { type: 'object', properties: Object.fromEntries(entries) as Record<string, Schema> };
}

const comeOut = (...outputs: IDataObject[]) =>
	[...new Set(outputs.flatMap((json) => fieldsOf(schemaFrom(json))))].sort();

it('every operation has an output schema, and nothing else has one', () => {
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(
				({ value }) => `${String(displayOptions?.show?.resource?.[0])}/${String(value)}.json`,
			),
		);
	const files = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' });
	expect(files.filter((file) => file.endsWith('.json')).sort()).toEqual(operations.sort());
});

it.each<{ parameters: INodeParameters; input?: string }>([
	{ parameters: text() },
	{ parameters: bulk({ phoneNumbers: '081234567890' }) },
	{ parameters: groupText() },
	{ parameters: file('image', 'send', { caption: 'Hello' }), input: 'photo.jpg' },
	{ parameters: file('image', 'sendToGroup'), input: 'photo.jpg' },
	{ parameters: file('document', 'send'), input: 'document.pdf' },
	{ parameters: file('document', 'sendToGroup'), input: 'document.pdf' },
])(
	'the output schema holds what both outputs put out: $parameters.resource, $parameters.operation',
	async (each) => {
		const { parameters, input } = each;
		const items = [input === undefined ? {} : withFile(input)];
		const [answer] = jsonOf(await harness.run(parameters, { items }));
		const rows = { ...parameters, options: { output: 'perRecipient' } };
		const [row] = jsonOf(await harness.run(rows, { items }));
		expect(fieldsOf(schemaOf(parameters)).sort()).toEqual(comeOut(answer ?? {}, row ?? {}));
	},
);

it('the output schema of a question holds what both kinds of answer put out', async () => {
	const reply = async (question: object, body: object) => {
		const kept = JSON.stringify({ id: 'q', question: { text: 'Why?', ...question } });
		const { context } = visit({ query: { question: 'q' }, method: 'POST', body, kept });
		return (await serveLink(context)).workflowData?.[0]?.[0]?.json ?? {};
	};
	const outputs = [
		await reply({ kind: 'approval', approveLabel: 'Yes' }, { answer: 'approve' }),
		await reply({ kind: 'freeText' }, { text: 'Because' }),
	];
	const schema = schemaOf({ resource: 'text', operation: 'sendAndWait' });
	expect(fieldsOf(schema).sort()).toEqual(comeOut(...outputs));
});

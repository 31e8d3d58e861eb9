/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What people type into the node panel of n8n's editor finds the node, by the editor's own function. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';

const { sublimeSearch } = jest.requireActual<{
	sublimeSearch: (typed: string, nodes: object[]) => unknown[];
}>('@n8n/utils/search/sublime-search');

const file = join(__dirname, '../../nodes/MessagingGateway/MessagingGateway.node.json');
const codex = JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] };
const { displayName } = new MessagingGateway().description;

/** A node as the panel searches it: by its name and its aliases. */
const found = (typed: string) =>
	sublimeSearch(typed, [{ properties: { displayName, codex: { alias: codex.alias } } }]).length > 0;

it.each([
	...['send whatsapp', 'whatsapp message', 'whats app', 'messaging gateway', 'send text message'],
	...[
		'send pdf',
		'send photo',
		'send picture',
		'send file',
		'send invoice',
		'send sms',
		'bulk sms',
	],
	...['notify customer', 'notify customers', 'appointment reminder', 'group message', 'newsletter'],
	...['ask for approval', 'approval', 'approve', 'human in the loop', 'human review'],
])('the node panel finds the node by "%s"', (typed) => {
	expect(found(typed)).toBe(true);
});

it('and not by the name of something else', () => {
	expect(['google sheets', 'postgres', 'schedule trigger'].filter(found)).toEqual([]);
});

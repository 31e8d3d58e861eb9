/** An n8n whose own address is no web address cannot read the parameters of its nodes: nothing may come out as if it had been sent. */
import type { INode } from 'n8n-workflow';
import { gatewayNode, trigger, workflow } from '../../tools/n8n/server/index';
import { itemsOf } from './items';
import { openSite, type Site } from './site';

let site: Site;

beforeAll(async () => {
	site = await openSite({ env: { WEBHOOK_URL: 'n8n.example.com' } });
});

afterAll(async () => await site?.close());

async function run(operation: string, onError: INode['onError']) {
	const { n8n, credential } = site;
	const parameters = {
		resource: 'text',
		operation,
		phoneNumber: '6281234567890',
		message: 'Hello',
	};
	const saved = await n8n.api.createWorkflow(
		workflow(
			'Address',
			[trigger(), gatewayNode('Send', parameters, credential, { onError })],
			[['Start', 'Send']],
		),
	);
	return await n8n.api.runToEnd(saved);
}

it.each([
	['send', 'stopWorkflow', false],
	['send', 'continueRegularOutput', true],
	// n8n itself fails when it looks for the item that belongs to the error.
	['send', 'continueErrorOutput', false],
	['sendAndWait', 'stopWorkflow', false],
	['sendAndWait', 'continueRegularOutput', true],
] as const)(
	'If WEBHOOK_URL has no https://, a message is an error and does not come out as sent: %s, %s',
	async (operation, onError, goesOn) => {
		const { status, data } = await run(operation, onError);
		const { runData, error } = data.resultData;
		expect(site.gateway.messages).toEqual([]);
		expect(status).toBe(goesOn ? 'success' : 'error');
		if (!goesOn) return expect(error).toBeDefined();
		expect(itemsOf(runData, 'Send').map(({ json }) => json)).toEqual([
			{ error: expect.objectContaining({ outcome: 'notSent', message: expect.any(String) }) },
		]);
	},
);

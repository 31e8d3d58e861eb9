/* eslint-disable @n8n/community-nodes/no-restricted-imports, no-console -- runs outside of n8n */
/** Checks in a real n8n that tens of thousands of items hold up neither n8n's other users nor Stop nor Retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { startGateway, type Gateway } from '../../../practice-gateway/index';
import {
	CREDENTIAL_TYPE,
	gatewayNode,
	node,
	trigger,
	workflow,
	type NewWorkflow,
	type SavedCredential,
} from '../../../tools/n8n/server/index';
import { credentialData } from '../../n8n/credentialData';
import { numberOf } from '../../support/numbers';
import { openSite, type Site } from '../../n8n/site';

const TRIES = 3;
/** Milliseconds by which other programs of this machine may hold up an answer of n8n. */
const NOISE = 1_000;

let site: Site;
let gateway: Gateway;
let credential: SavedCredential;

beforeAll(async () => {
	site = await openSite();
	gateway = await startGateway({ keepRequests: false });
	const data = credentialData(gateway);
	credential = await site.n8n.api.createCredential('Load', CREDENTIAL_TYPE, data);
});
beforeEach(() => {
	gateway.behave();
	gateway.clear();
});
afterAll(async () => {
	await gateway?.close();
	await site?.close();
});

/** A workflow that makes so many recipients, and what follows them. */
function ofRecipients(count: number, ...following: INode[]): NewWorkflow {
	const value = `={{ Array.from({ length: ${count} }, (_, n) => ({ phone: String(${numberOf(0)} + n) })) }}`;
	const assignments = { assignments: [{ id: 'a', name: 'items', type: 'array', value }] };
	const nodes = [
		trigger(),
		node('List', 'n8n-nodes-base.set', 3.4, { assignments, options: {} }),
		node('People', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
		...following,
	];
	const names = nodes.map(({ name }) => name);
	const arrows = names.slice(1).map((to, at): [string, string] => [names[at] as string, to]);
	return workflow('Load', nodes, arrows);
}

const bulk = () =>
	gatewayNode(
		'Send',
		{
			resource: 'text',
			operation: 'sendBulk',
			recipientSource: 'items',
			message: '=We are closed on {{ $json.day ?? "Monday" }}.',
		},
		credential,
	);

/** Resolves to the longest time in milliseconds that n8n took to answer anybody during `work`. */
async function longestSilence(work: Promise<unknown>): Promise<number> {
	let isOver = false;
	const over = work.finally(() => (isOver = true));
	let longest = 0;
	while (!isOver) {
		const asked = performance.now();
		await (await fetch(`${site.n8n.url}/healthz`)).text();
		longest = Math.max(longest, performance.now() - asked);
		await sleep(10);
	}
	await over;
	return longest;
}

describe('tens of thousands of recipients from items with an expression', () => {
	const recipients = 30_000;

	test('reading 30,000 items with an expression keeps n8n from nobody, beyond what making them does', async () => {
		const { api } = site.n8n;
		const without = await api.createWorkflow(ofRecipients(recipients));
		const withNode = await api.createWorkflow(ofRecipients(recipients, bulk()));
		await api.runToEnd(without);
		const more: number[] = [];
		while (more.length < TRIES && !(Math.min(...more) <= NOISE)) {
			gateway.clear();
			const base = await longestSilence(api.runToEnd(without));
			const all = await longestSilence(api.runToEnd(withNode));
			more.push(all - base);
			console.info(
				`Longest time without an answer: ${base.toFixed(0)} ms, with the node ${all.toFixed(0)} ms`,
			);
			expect(gateway.messages.flatMap((message) => message.recipients)).toHaveLength(recipients);
		}

		expect(Math.min(...more)).toBeLessThanOrEqual(NOISE);
	});

	test('a Stop while 30,000 items are read is heard by n8n at once, and nothing is sent', async () => {
		const { api } = site.n8n;
		const saved = await api.createWorkflow(ofRecipients(recipients, bulk()));
		const whole = await api.runToEnd(saved);
		const [task] = whole.data.resultData.runData.Send ?? [];
		const begins = (task?.startTime ?? NaN) - Date.parse(whole.startedAt ?? '');
		const takes = task?.executionTime ?? NaN;
		const times: number[] = [];
		while (times.length < TRIES && !(Math.min(...times) <= NOISE)) {
			gateway.clear();
			const id = await api.run(saved);
			await sleep(begins + takes / 3);
			const stopped = performance.now();
			await api.stop(id);
			times.push(performance.now() - stopped);
			const { status } = await api.waitForEnd(id);
			// If the node read on, it would send by then.
			await sleep(takes);

			expect(status).toBe('canceled');
			expect(gateway.messages).toEqual([]);
		}
		console.info(`Stop was heard after ${times.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`);

		expect(Math.min(...times)).toBeLessThanOrEqual(NOISE);
	});
});

// The time grows with the number, and n8n needs minutes for the first try of 100,000.
test('3,000 texts, of which 2,700 were accepted, are recalled sooner than they were sent', async () => {
	const { api } = site.n8n;
	const [texts, accepted] = [3_000, 2_700];
	const parameters = {
		resource: 'text',
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		message: 'We are closed on Monday.',
		options: { maxConcurrency: 50 },
	};
	const send = gatewayNode('Send', parameters, credential);
	const saved = await api.createWorkflow(ofRecipients(texts, send));
	gateway.misbehave({ recipient: numberOf(accepted), respond: { status: 422 } });
	const started = Date.now();
	const first = await api.waitForEnd(await api.run(saved), 400_000);
	const sent = gateway.messages.length;
	gateway.behave();

	expect(first.status).toBe('error');
	expect(sent).toBeGreaterThanOrEqual(accepted - 50);
	const asked = Date.now();
	const retry = await api.retry(first.id);
	while (gateway.messages.length === sent) await sleep(20);
	const recalled = Date.now() - asked;
	const second = await api.waitForEnd(retry, 400_000);
	console.info(
		`${sent} texts took ${asked - started} ms; their retry recalled them in ${recalled} ms`,
	);

	expect(second.status).toBe('success');
	expect(new Set(gateway.messages.flatMap((message) => message.recipients)).size).toBe(texts);
	expect(gateway.messages).toHaveLength(texts);
	expect(recalled).toBeLessThan(asked - started);
});

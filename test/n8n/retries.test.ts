/**
 * Checks in a real n8n that no message is sent twice or lost: with its retries, its database and a
 * crash.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../practice-gateway/index';
import {
	gatewayNode,
	givenItems,
	node,
	startN8n,
	trigger,
	workflow,
	type Arrow,
	type N8nServer,
	type NewWorkflow,
	type SavedCredential,
} from '../support/n8n/index';
import { itemsOf, jsonOf } from './items';
import { openSite, type Site } from './site';

const CONCURRENCY = 5;
const GOOD = ['6281111111111', '6283333333333'];
const REFUSED = '6282222222222';
const PEOPLE = [GOOD[0], REFUSED, GOOD[1]].map((phone) => ({ phone }));

let site: Site;
let gateway: Gateway;
let n8n: N8nServer;
let credential: SavedCredential;

beforeAll(async () => {
	site = await openSite();
	({ gateway, n8n, credential } = site);
});

afterAll(async () => await site?.close());

beforeEach(() => {
	gateway.behave();
	gateway.clear();
});

function sends(
	items: IDataObject[],
	options: IDataObject = {},
	more: Partial<INode> = {},
): NewWorkflow {
	const [list, people] = givenItems('People', items);
	const parameters = {
		resource: 'text',
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		message: 'Hello',
		options: { maxConcurrency: CONCURRENCY, ...options },
	};
	return workflow(
		'Retries',
		[trigger(), list, people, gatewayNode('Send', parameters, credential, more)],
		[
			['Start', list.name],
			[list.name, people.name],
			[people.name, 'Send'],
		],
	);
}

const received = () => gateway.messages.flatMap(({ recipients }) => recipients).sort();
const refuseOnce = (times = 1) =>
	gateway.misbehave({
		recipient: REFUSED,
		times,
		respond: { status: 422, body: { message: 'No' } },
	});

describe('Retry On Fail', () => {
	test.each([
		['stopping at a failure', {}],
		['continuing on the error output', { onError: 'continueErrorOutput' as const }],
	])('%s: every message is sent once', async (_, more) => {
		refuseOnce();
		const people = [REFUSED, ...GOOD].map((phone) => ({ phone }));
		const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10, ...more };
		const saved = await n8n.api.createWorkflow(sends(people, {}, retrying));
		const execution = await n8n.api.runToEnd(saved);

		expect(execution.status).toBe('success');
		expect(received()).toEqual([...GOOD, REFUSED].sort());
		expect(itemsOf(execution.data.resultData.runData, 'Send')).toHaveLength(3);
	});
});

describe("Retry in n8n's list of executions", () => {
	test('sends only what was not sent, and outputs the recorded answers for the rest', async () => {
		refuseOnce();
		const saved = await n8n.api.createWorkflow(sends(PEOPLE, { maxConcurrency: 1 }));
		const failed = await n8n.api.runToEnd(saved);
		expect(failed.status).toBe('error');
		expect(received()).toEqual([GOOD[0]]);

		const retried = await n8n.api.waitForEnd(await n8n.api.retry(failed.id));

		expect(retried.status).toBe('success');
		expect(received()).toEqual([...GOOD, REFUSED].sort());
		const answers = jsonOf(itemsOf(retried.data.resultData.runData, 'Send'));
		expect(answers.map(({ code }) => code)).toEqual([200, 200, 200]);
		const context = retried.data.executionData?.contextData['node:Send'];
		expect(context?.journal).toMatchObject({ generation: 1, runs: {} });
	});

	test('does not repeat what the gateway may have queued', async () => {
		gateway.misbehave({ recipient: REFUSED, times: 1, fault: 'resetAfterBody', queueAnyway: true });
		const saved = await n8n.api.createWorkflow(sends(PEOPLE));
		const failed = await n8n.api.runToEnd(saved);
		const retried = await n8n.api.waitForEnd(await n8n.api.retry(failed.id));

		expect([failed.status, retried.status]).toEqual(['error', 'error']);
		expect(received().filter((phone) => phone === REFUSED)).toHaveLength(1);
		expect(new Set(received()).size).toBe(received().length);
	});
});

describe('the Send-Once Key', () => {
	const keyed = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			phone: String(6281000000000 + index),
			order: `order-${index}`,
		}));
	const options = { sendOnceKey: '={{ $json.order }}' };

	test('works across two executions', async () => {
		const saved = await n8n.api.createWorkflow(sends(keyed(3), options));
		await n8n.api.runToEnd(saved);
		const second = await n8n.api.runToEnd(saved);

		expect(gateway.messages).toHaveLength(3);
		expect(jsonOf(itemsOf(second.data.resultData.runData, 'Send'))).toEqual(
			['order-0', 'order-1', 'order-2'].map((sendOnceKey) => ({
				skipped: true,
				reason: 'A message with this Send-Once Key is already queued, or may be.',
				sendOnceKey,
			})),
		);
	});

	test('leaves "Remove Duplicates" of the whole workflow its memory, and says what that means', async () => {
		const remove = node('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', 2, {
			operation: 'removeItemsSeenInPreviousExecutions',
			dedupeValue: '={{ $json.order }}',
			options: { scope: 'workflow' },
		});
		const { nodes, ...rest } = sends(keyed(2), options);
		const all = [...nodes.slice(0, 3), remove, ...nodes.slice(3)];
		const arrows = all.slice(1).map(({ name }, at): Arrow => [all[at]?.name ?? '', name]);
		const { connections } = workflow('', all, arrows);
		const saved = await n8n.api.createWorkflow({ ...rest, nodes: all, connections });
		const first = await n8n.api.runToEnd(saved);
		const second = await n8n.api.runToEnd(saved);

		const hints = first.data.resultData.runData.Send?.[0]?.hints ?? [];
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringContaining("a 'Remove Duplicates' node of this workflow keeps its history"),
		);
		expect(received()).toHaveLength(2);
		expect(second.data.resultData.runData.Send).toBeUndefined();
	});

	test('if n8n is killed in the middle, nothing is sent twice and at most the messages in progress are lost', async () => {
		const count = 60;
		gateway.misbehave({ latency: 100 });
		const saved = await n8n.api.createWorkflow(sends(keyed(count), options));
		await n8n.api.run(saved);
		while (gateway.messages.length < 15) await sleep(20);
		await n8n.kill();
		await sleep(300);
		const beforeKill = gateway.messages.length;
		expect(beforeKill).toBeLessThan(count);

		gateway.behave();
		n8n = site.n8n = await startN8n({ userFolder: site.userFolder });
		await n8n.api.runToEnd(saved);

		expect(new Set(received()).size).toBe(received().length);
		expect(count - received().length).toBeLessThanOrEqual(CONCURRENCY);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/**
 * Checks in a real n8n that no message is sent twice or lost: with its retries, its database and a
 * crash.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
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
	type Execution,
	type N8nServer,
	type NewWorkflow,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { itemsOf, jsonOf } from './items';
import { openSite, type Site } from './site';

const CONCURRENCY = 5;
const GOOD = ['6281111111111', '6283333333333'];
const REFUSED = '6282222222222';
const FOUR = [GOOD[0], '6284444444444', REFUSED, GOOD[1]] as string[];
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
const refuseOnce = (status = 422) =>
	gateway.misbehave({
		recipient: REFUSED,
		times: 1,
		respond: { status, body: { message: 'No' } },
	});

describe('Retry On Fail', () => {
	test.each([
		['stopping at a failure', {}],
		['continuing on the error output', { onError: 'continueErrorOutput' as const }],
	])('a node with Retry On Fail sends every message once, %s', async (_, more) => {
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
	test("a Retry in n8n's list sends only what was not sent, and outputs the recorded answers for the rest", async () => {
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

	test("a Retry in n8n's list does not repeat what the gateway may have queued", async () => {
		gateway.misbehave({ recipient: REFUSED, times: 1, fault: 'resetAfterBody', queueAnyway: true });
		const saved = await n8n.api.createWorkflow(sends(PEOPLE));
		const failed = await n8n.api.runToEnd(saved);
		const retried = await n8n.api.waitForEnd(await n8n.api.retry(failed.id));

		expect([failed.status, retried.status]).toEqual(['error', 'error']);
		expect(received().filter((phone) => phone === REFUSED)).toHaveLength(1);
		expect(new Set(received()).size).toBe(received().length);
	});
});

const errorOf = ({ data }: Execution) => {
	const { message = '', description } = data.resultData.error ?? {};
	return `${message} ${description ?? ''}`;
};

describe('Retry with the currently saved workflow', () => {
	/** What stops at the second of three people, and what is sent if its node is changed before the Retry. */
	async function retryWith(change: (send: INode) => INode) {
		refuseOnce();
		const created = await n8n.api.createWorkflow(sends(PEOPLE, { maxConcurrency: 1 }));
		const failed = await n8n.api.runToEnd(created);
		const nodes = created.nodes.map((each) => (each.name === 'Send' ? change(each) : each));
		const saved = await n8n.api.updateWorkflow(created.id, { ...created, nodes });
		const retry = async () =>
			await n8n.api.waitForEnd(await n8n.api.retry(failed.id, { loadWorkflow: true }));
		return { retried: await retry(), saved, retry };
	}
	const withParameters = (more: object) => (send: INode) => ({
		...send,
		parameters: { ...send.parameters, ...more },
	});

	test('a Retry holds back what a node that was replaced under its name may have sent', async () => {
		const { retried, retry } = await retryWith((send) => ({ ...send, id: randomUUID() }));
		expect(errorOf(retried)).toContain('taken the place of another one');
		expect(errorOf(await retry())).toContain('A newer retry of this execution exists');
		expect(received()).toEqual([GOOD[0]]);
	});

	const CHANCE = "=Hello {{ Math['ran'+'dom']() }}";
	const TIME = '=Hello, it is {{ $now.toMillis() }}';
	const IN_BULK = { operation: 'sendBulk', recipientSource: 'items' };
	const LIST = {
		operation: 'sendBulk',
		phoneNumbers: FOUR.join(),
		options: { numbersPerRequest: 2, maxConcurrency: 1 },
	};
	const TWICE = [GOOD[0], GOOD[0], REFUSED, GOOD[1]] as string[];

	test.each<[string, { to?: string[]; was?: object; is?: object; more?: Partial<INode> }]>([
		['a fixed text is corrected', { was: { message: 'Helo' }, is: { message: 'Hi' } }],
		[
			'a text by expression is corrected',
			{ was: { message: '=Helo {{ $json.phone }}' }, is: { message: '=Hi {{ $json.phone }}' } },
		],
		['the text is random', { was: { message: CHANCE } }],
		['the text holds the time', { was: { message: TIME } }],
		['the operation is changed', { is: IN_BULK }],
		[
			'a list in two requests holds the time',
			{ was: { ...LIST, message: TIME }, more: { executeOnce: true } },
		],
		['two items have one number, and the text is corrected', { to: TWICE, is: { message: 'Hi' } }],
	])('a Retry sends each message once if %s', async (_, { to = FOUR, was, is, more }) => {
		const says = is && 'message' in is ? /^Hi/ : /^Hello/;
		refuseOnce();
		const items = to.map((phone) => ({ phone }));
		const { nodes, ...rest } = sends(items, { maxConcurrency: 1 }, more);
		const withMore = (parameters?: object) => (each: INode) =>
			each.name === 'Send' ? withParameters(parameters ?? {})(each) : each;
		const created = await n8n.api.createWorkflow({ ...rest, nodes: nodes.map(withMore(was)) });
		const failed = await n8n.api.runToEnd(created);
		const before = gateway.messages.length;
		expect([failed.status, received()]).toEqual(['error', to.slice(0, 2).sort()]);
		await n8n.api.updateWorkflow(created.id, {
			...created,
			nodes: created.nodes.map(withMore(is)),
		});
		const retry = await n8n.api.retry(failed.id, { loadWorkflow: true });

		expect((await n8n.api.waitForEnd(retry)).status).toBe('success');
		expect(received()).toEqual([...to].sort());
		for (const { text } of gateway.messages.slice(before)) expect(text).toMatch(says);
	});

	test('a Retry records a Send-Once Key that was added before it for what was sent before', async () => {
		const { retried, saved } = await retryWith(
			withParameters({ options: { sendOnceKey: '={{ $json.phone }}' } }),
		);
		const later = await n8n.api.runToEnd(saved);
		expect([retried.status, later.status]).toEqual(['success', 'success']);
		expect(received()).toEqual([...GOOD, REFUSED].sort());
	});
});

describe('the advice of an error', () => {
	test('the advice of an error is right in the third turn of a loop', async () => {
		gateway.misbehave({ recipient: GOOD[1] as string, times: 1, respond: { status: 403 } });
		const { nodes, ...rest } = sends(PEOPLE);
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
		const { connections } = workflow('', nodes, [
			['Start', 'People (list)'],
			['People (list)', 'People'],
			['People', 'Loop'],
			['Loop', 'Send', 1],
			['Send', 'Loop'],
		]);
		const saved = await n8n.api.createWorkflow({ ...rest, nodes: [...nodes, loop], connections });
		const failed = await n8n.api.runToEnd(saved);
		expect(errorOf(failed)).toMatch(/in this turn.* retry: Executions .* Only the rest is sent/);
		expect((await n8n.api.waitForEnd(await n8n.api.retry(failed.id))).status).toBe('success');
		expect(received()).toEqual([...GOOD, REFUSED].sort());
	});

	test('the advice of an error names the execution of the sub-workflow, whose Retry sends only the rest', async () => {
		refuseOnce(403);
		const { nodes, ...rest } = sends(PEOPLE, { maxConcurrency: 1 });
		const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
			inputSource: 'passthrough',
		});
		const sub = await n8n.api.createWorkflow({ ...rest, nodes: [start, ...nodes.slice(1)] });
		await n8n.api.activate(sub);
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.3, {
			workflowId: { __rl: true, mode: 'id', value: sub.id },
			options: {},
		});
		const parent = await n8n.api.createWorkflow(
			workflow('Parent', [trigger(), call], [['Start', 'Call']]),
		);
		const told = errorOf(await n8n.api.runToEnd(parent));
		const [, execution = ''] = /the failed one of this sub-workflow \(ID (\d+)\)/.exec(told) ?? [];
		expect((await n8n.api.waitForEnd(await n8n.api.retry(execution))).status).toBe('success');
		expect(received()).toEqual([...GOOD, REFUSED].sort());
	});
});

/** n8n keeps what a Retry needs of an execution that it did not end, unless a person started it in the editor. */
async function callWebhook({ nodes, connections, ...rest }: NewWorkflow): Promise<string> {
	const path = randomUUID();
	const start = node('Start', 'n8n-nodes-base.webhook', 2, { path }, { webhookId: path });
	const all = { ...rest, nodes: [start, ...nodes.slice(1)], connections };
	const { id } = await n8n.api.activate(await n8n.api.createWorkflow(all));
	while ((await fetch(`${n8n.url}/webhook/${path}`)).status !== 200) await sleep(50);
	return (await n8n.api.newestExecution(id)).id;
}

describe('the Send-Once Key', () => {
	const keyed = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			phone: String(6281000000000 + index),
			order: `order-${index}`,
		}));
	const options = { sendOnceKey: '={{ $json.order }}' };

	test('a Send-Once Key works across two executions', async () => {
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

	test('a Send-Once Key whose expression returns nothing sends nothing', async () => {
		const misspelled = { sendOnceKey: '={{ $json.orderID }}' };
		const saved = await n8n.api.createWorkflow(sends(keyed(3), misspelled));
		expect(errorOf(await n8n.api.runToEnd(saved))).toContain("'Send-Once Key'");
		expect(gateway.messages).toEqual([]);
	});

	test('a Send-Once Key leaves "Remove Duplicates" of the whole workflow its memory, and says what that means', async () => {
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

	test('an n8n that is killed in the middle sends nothing twice, neither in a new execution nor in a Retry', async () => {
		const count = 100;
		gateway.misbehave({ latency: 100 });
		const [keyedOnes, others] = [keyed(count), keyed(2 * count).slice(count)];
		const saved = await n8n.api.createWorkflow(sends(keyedOnes, options));
		// First the one that takes longer to start: neither may be done before both have begun.
		const interrupted = await callWebhook(sends(others));
		await n8n.api.run(saved);
		const sentTo = (people: typeof others) =>
			people.filter(({ phone }) => received().includes(phone)).length;
		while (sentTo(keyedOnes) < 15 || sentTo(others) < 15) await sleep(20);
		await n8n.kill();
		await sleep(300);
		const beforeKill = sentTo(others);
		expect(Math.max(sentTo(keyedOnes), beforeKill)).toBeLessThan(count);

		gateway.behave();
		n8n = site.n8n = await startN8n({ userFolder: site.userFolder });
		await n8n.api.runToEnd(saved);
		await n8n.api.waitForEnd(interrupted);
		const retried = await n8n.api.waitForEnd(await n8n.api.retry(interrupted));

		expect(new Set(received()).size).toBe(received().length);
		expect(count - sentTo(keyedOnes)).toBeLessThanOrEqual(CONCURRENCY);
		expect(errorOf(retried)).toContain('n8n shut down while this execution was sending');
		expect(sentTo(others)).toBe(beforeKill);
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** Questions in a real n8n: asked, answered, left alone, forged, deleted, and over a restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { openSite, type Site } from './site';
import {
	gatewayNode,
	givenItems,
	node,
	startN8n,
	trigger,
	workflow,
	type N8nServer,
	type SavedWorkflow,
} from '../../tools/n8n/server/index';
import {
	answer,
	approve,
	decline,
	newestLink,
	outputOf,
	PHONE,
	TELLS_WHEN,
	untilWaiting,
} from '../support/questions';

const BOTH = { values: { approvalType: 'double' } };
const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;

let site: Site;

beforeAll(async () => {
	site = await openSite(TELLS_WHEN);
});

afterAll(async () => {
	await site?.close();
});

beforeEach(() => {
	site.gateway.behave();
	site.gateway.clear();
});

const api = () => site.n8n.api;

async function asking(
	parameters: IDataObject = {},
	items = [{ order: 7 }],
): Promise<SavedWorkflow> {
	const [list, given] = givenItems('Orders', items);
	const ask = gatewayNode(
		'Ask',
		{
			resource: 'text',
			operation: 'sendAndWait',
			phoneNumber: PHONE,
			message: '=Refund order {{ $json.order }}?\nIt costs "40 €" <now>.',
			...parameters,
		},
		site.credential,
	);
	const after = node('After', 'n8n-nodes-base.noOp', 1, {});
	return await api().createWorkflow(
		workflow(
			'A question',
			[trigger(), list, given, ask, after],
			[
				['Start', list.name],
				[list.name, given.name],
				[given.name, 'Ask'],
				['Ask', 'After'],
			],
		),
	);
}

/** Asks, and gives the link that the person got and the execution that waits. */
async function asked(parameters: IDataObject = {}) {
	const executionId = await api().run(await asking(parameters));
	await untilWaiting(site.n8n, executionId);
	return { executionId, link: newestLink(site.gateway) };
}

const jsonAfter = async (executionId: string) =>
	outputOf(await api().waitForEnd(executionId), 'After');

const statusOf = async (executionId: string) => (await api().getExecution(executionId)).status;

test('a message goes out with the question and a link, once, and the execution waits', async () => {
	const saved = await asking({}, [{ order: 7 }, { order: 8 }]);
	const executionId = await api().run(saved);
	const { data, waitTill } = await untilWaiting(site.n8n, executionId);

	expect(site.gateway.messages).toMatchObject([
		{
			endpoint: 'v1/send',
			recipients: [PHONE],
			text: expect.stringMatching(
				/^Refund order 7\?\nIt costs "40 €" <now>\.\n\nhttp:\/\/localhost:\d+\/webhook-waiting\/\S+$/,
			) as string,
		},
	]);
	expect(String(waitTill)).toMatch(/^3000/);
	const hints = data.resultData.runData.Ask?.[0]?.hints ?? [];
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^1 recipient: 1 queued\. By country: 1 Indonesia\./),
		expect.stringMatching(/http:\/\/localhost:\d+, which opens only on .* WEBHOOK_URL/),
	]);
});

test('a person who approves lets the execution go on with that', async () => {
	const { executionId, link } = await asked();
	const page = await approve(link);

	expect(page.status).toBe(200);
	const thanks = await page.text();
	expect(thanks).toContain('Thank you, your answer was recorded');
	expect(thanks).toMatch(/Your answer<\/p>\s*<div [^>]+>Approve<\/div>/);
	expect(thanks).toMatch(/The question<\/p>\s*<div [^>]+>Refund order 7\?/);
	expect(page.headers.get('cache-control')).toBe('no-store');
	expect(page.headers.get('referrer-policy')).toBe('no-referrer');
	expect(await jsonAfter(executionId)).toEqual([
		{ data: { approved: true, respondedAt: ISO_TIME } },
	]);
});

test('a person who declines, if that is offered, lets the execution go on with that', async () => {
	const { executionId, link } = await asked({ approvalOptions: BOTH });
	await decline(link);

	expect(await jsonAfter(executionId)).toEqual([
		{ data: { approved: false, respondedAt: ISO_TIME } },
	]);
});

test('nobody can decline if only approving is offered', async () => {
	const { executionId, link } = await asked();

	expect((await decline(link)).status).toBe(422);
	expect(await statusOf(executionId)).toBe('waiting');
});

test('the item after the reply is linked to the item that was asked about', async () => {
	const saved = await asking();
	const withOrder = node('Order', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: '={{ { order: $("Orders").item.json.order, ok: $json.data.approved } }}',
		options: {},
	});
	const { connections } = saved;
	connections.After = { main: [[{ node: 'Order', type: 'main', index: 0 }]] };
	const nodes = [...saved.nodes, withOrder];
	const executionId = await api().run(await api().updateWorkflow(saved.id, { nodes, connections }));
	await untilWaiting(site.n8n, executionId);
	await approve(newestLink(site.gateway));

	const ended = await api().waitForEnd(executionId);
	expect(outputOf(ended, 'Order')).toEqual([{ order: 7, ok: true }]);
});

test('a reply in text comes as it was typed', async () => {
	const { executionId, link } = await asked({ responseType: 'freeText' });
	const typed = 'Say "sorry" & <b>refund</b> 50 % 👍🏽\r\n— العربية \\ {{ 1 + 1 }}';
	expect(await (await answer(link, { text: typed })).text()).toContain('Thank you');

	expect(await jsonAfter(executionId)).toEqual([
		{ data: { text: typed.replace('\r', ''), respondedAt: ISO_TIME } },
	]);
});

test('a form is asked in the language of the browser, checked, and comes by its labels', async () => {
	const options = { values: [{ option: 'Yes' }, { option: 'No' }] };
	const values = [
		{ fieldLabel: 'Come?', fieldType: 'radio', fieldOptions: options, requiredField: true },
		{ fieldLabel: 'How many', fieldType: 'number' },
		{ fieldLabel: 'Colors', fieldType: 'checkbox', fieldOptions: options },
	];
	const { executionId, link } = await asked({
		responseType: 'customForm',
		formFields: { values },
	});
	const headers = { 'Accept-Language': 'id-ID,id;q=0.9,en;q=0.5' };
	expect(await (await fetch(link, { headers })).text()).toContain('Kirim jawaban');
	const post = async (fields: string[][]) => {
		const body = new FormData();
		for (const [name = '', value = ''] of fields) body.append(name, value);
		return await fetch(link, { method: 'POST', headers, body });
	};
	const refused = await post([
		['field-0', '2'],
		['field-1', 'two'],
	]);
	expect(refused.status).toBe(422);
	const html = await refused.text();
	expect(html).toContain('Mohon pilih salah satu jawaban yang tersedia.');
	expect(html).toMatch(/Mohon masukkan angka\.[^]*value="two"/);
	expect(await statusOf(executionId)).toBe('waiting');
	const taken = await post([
		['field-0', '1'],
		['field-1', '2.5'],
		['field-2', '0'],
		['field-2', '1'],
	]);
	expect(await taken.text()).toContain('Terima kasih');
	expect(await jsonAfter(executionId)).toEqual([
		{ data: { 'Come?': 'No', 'How many': 2.5, Colors: ['Yes', 'No'], respondedAt: ISO_TIME } },
	]);
});

test('in a sub-workflow, the workflow that called it waits and continues with the reply', async () => {
	const saved = await asking({}, [{ order: 7 }]);
	const called = node('When called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
		inputSource: 'passthrough',
	});
	const nodes = saved.nodes.map((each) => (each.name === 'Start' ? called : each));
	const { Start = {}, ...others } = saved.connections;
	const connections = { ...others, [called.name]: Start };
	await api().updateWorkflow(saved.id, { nodes, connections });
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		workflowId: { __rl: true, mode: 'id', value: saved.id },
		options: {},
	});
	const executionId = await api().run(
		await api().createWorkflow(
			workflow(
				'Calls one that asks',
				[trigger(), call, node('After', 'n8n-nodes-base.noOp', 1, {})],
				[
					['Start', 'Call'],
					['Call', 'After'],
				],
			),
		),
	);
	await untilWaiting(site.n8n, executionId);
	await approve(newestLink(site.gateway));

	expect(await jsonAfter(executionId)).toEqual([
		{ data: { approved: true, respondedAt: ISO_TIME } },
	]);
});

test('behind a webhook that answers with the last node, the caller gets no reply of a person', async () => {
	const saved = await asking({}, [{ order: 7 }]);
	const webhook = { httpMethod: 'POST', path: 'asks', responseMode: 'lastNode' };
	const start = node('Start', 'n8n-nodes-base.webhook', 2, webhook, { webhookId: 'asks' });
	const nodes = saved.nodes.map((each) => (each.name === 'Start' ? start : each));
	await api().activate(await api().updateWorkflow(saved.id, { nodes }));
	const call = async () => await fetch(`${site.n8n.url}/webhook/asks`, { method: 'POST' });
	let response = await call();
	while (response.status === 404) {
		await sleep(100);
		response = await call();
	}

	expect(await response.json()).toEqual({
		code: 200,
		message: 'Message is sent in the background.',
	});
	await api().deactivate(saved.id);
	const { id } = await api().newestExecution(saved.id);
	await untilWaiting(site.n8n, id);
});

test('an empty text is refused on the page of a question', async () => {
	const { executionId, link } = await asked({ responseType: 'freeText' });
	const page = await answer(link, { text: ' \r\n' });

	expect(page.status).toBe(422);
	expect(await page.text()).toContain('Your answer is empty');
	expect(await statusOf(executionId)).toBe('waiting');
});

test.each([
	['a person', 'GET', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'],
	['the preview of WhatsApp', 'GET', 'WhatsApp/2.24.1 A'],
	['the preview of Telegram', 'GET', 'TelegramBot (like TwitterBot)'],
	['the preview of iMessage', 'GET', 'facebookexternalhit/1.1 Facebot Twitterbot/1.0'],
	['the preview of Slack', 'GET', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
	['a browser that fetches pages ahead', 'GET', 'Mozilla/5.0 (Linux; Android 16) Chrome/142.0'],
	['a HEAD request', 'HEAD', 'curl/8'],
	['an approval in the address, as n8n’s own nodes take it', 'GET', 'curl/8'],
])('%s that opens the link decides nothing', async (who, method, agent) => {
	const { executionId, link } = await asked();
	const url = who.startsWith('an approval') ? `${link}&approved=true` : link;
	const headers = { 'User-Agent': agent, 'Sec-Purpose': 'prefetch;prerender' };
	const page = await fetch(url, { method, headers });
	const html = await page.text();

	if (url === link && method === 'GET') {
		expect(page.status).toBe(200);
		expect(html).toContain('Refund order 7?\nIt costs &quot;40 €&quot; &lt;now&gt;.');
		expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
	}
	expect(await statusOf(executionId)).toBe('waiting');
	await approve(link);
	expect((await api().waitForEnd(executionId)).status).toBe('success');
});

test('of two replies at the same time one counts, and only it is thanked', async () => {
	const { executionId, link } = await asked({ approvalOptions: BOTH });
	const pages = await Promise.all([approve(link), decline(link), approve(link), decline(link)]);
	const texts = await Promise.all(pages.map(async (page) => await page.text()));

	const thanked = texts.flatMap((text, index) => (text.includes('Thank you') ? [index] : []));
	expect(thanked).toHaveLength(1);
	expect(await jsonAfter(executionId)).toEqual([
		{ data: { approved: (thanked[0] ?? 0) % 2 === 0, respondedAt: ISO_TIME } },
	]);
});

test('an answered link says so, and changes nothing', async () => {
	const { executionId, link } = await asked({ approvalOptions: BOTH });
	await approve(link);
	const before = await jsonAfter(executionId);

	for (const page of [await decline(link), await fetch(link)]) {
		expect(page.status).toBe(200);
		expect(await page.text()).toContain('No action required');
	}
	expect(await jsonAfter(executionId)).toEqual(before);
});

test('a forged or cut link is refused', async () => {
	const { executionId, link } = await asked();
	const forged = [
		link.replace(/signature=.{4}/, 'signature=0000'),
		link.replace(/[?&]signature=.*/, ''),
		link.replace(/question=../, 'question=AA'),
	];
	for (const url of forged) {
		expect(url).not.toBe(link);
		for (const page of [await approve(url), await fetch(url)]) expect(page.status).toBe(401);
	}
	expect(await statusOf(executionId)).toBe('waiting');
});

test('the link of a deleted execution says that there is none', async () => {
	const { executionId, link } = await asked();
	await api().deleteExecution(executionId);
	const page = await approve(link);

	expect(page.status).toBe(404);
	expect(await page.text()).toContain('does not exist');
});

test('an execution that was stopped takes no reply', async () => {
	const { executionId, link } = await asked();
	await api().stop(executionId);
	const page = await approve(link);

	expect(page.status).toBe(409);
	expect(await statusOf(executionId)).toBe('canceled');
});

describe('a reply to an earlier question never comes out as the reply to this one', () => {
	const APPROVED = { order: 7, data: { approved: true, respondedAt: '2026-01-01T00:00:00Z' } };
	const seconds = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };

	const manager = () =>
		gatewayNode(
			'Manager',
			{ resource: 'text', operation: 'sendAndWait', phoneNumber: PHONE, message: 'Refund?' },
			site.credential,
		);

	it('no reply to an earlier question comes out if the second of two approvers does not answer in time', async () => {
		const saved = await asking({ options: { limitWaitTime: { values: seconds } } });
		const connections = {
			...saved.connections,
			Orders: { main: [[{ node: 'Manager', type: 'main' as const, index: 0 }]] },
			Manager: { main: [[{ node: 'Ask', type: 'main' as const, index: 0 }]] },
		};
		const nodes = [...saved.nodes, manager()];
		const executionId = await api().run(
			await api().updateWorkflow(saved.id, { nodes, connections }),
		);
		await untilWaiting(site.n8n, executionId);
		await approve(newestLink(site.gateway));

		expect(await jsonAfter(executionId)).toEqual([{}]);
		expect(site.gateway.messages).toHaveLength(2);
	});

	it.each([false, true])('a Retry after Stop gets no old reply (saved now: %s)', async (now) => {
		const executionId = await api().run(await asking({}, [APPROVED]));
		const { data } = await untilWaiting(site.n8n, executionId);
		expect(outputOf({ data } as never, 'Orders')).toEqual([APPROVED]);
		await api().stop(executionId);
		const retried = await api().retry(executionId, { loadWorkflow: now });

		expect(await jsonAfter(retried)).toEqual([{ order: 7 }]);
		expect(site.gateway.messages).toHaveLength(1);
		expect((await approve(newestLink(site.gateway))).status).toBe(409);
	});

	it('no reply to an earlier question comes out after Stop and Retry in a loop of two approvers', async () => {
		const saved = await asking({}, [{ order: 7 }, { order: 8 }]);
		const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
		const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });
		const connections = {
			...saved.connections,
			Orders: { main: [[to('Loop')]] },
			Loop: { main: [[to('After')], [to('Manager')]] },
			Manager: { main: [[to('Ask')]] },
			Ask: { main: [[to('Loop')]] },
		};
		const nodes = [...saved.nodes, manager(), loop];
		const executionId = await api().run(
			await api().updateWorkflow(saved.id, { nodes, connections }),
		);
		await untilWaiting(site.n8n, executionId);
		await approve(newestLink(site.gateway));
		while (site.gateway.messages.length < 2) await sleep(50);
		await untilWaiting(site.n8n, executionId);
		await api().stop(executionId);
		const retried = await api().waitForEnd(await api().retry(executionId, { loadWorkflow: true }));

		expect(retried.data.resultData.error?.message).toContain("'Ask' would not ask its question");
		expect(site.gateway.messages).toHaveLength(2);
		const again = await api().retry(retried.id, { loadWorkflow: true });
		await untilWaiting(site.n8n, again);
		await approve(newestLink(site.gateway));
		while (site.gateway.messages.length < 4) await sleep(50);
		await untilWaiting(site.n8n, again);
		await api().stop(again);
	});

	it('a node behind two branches asks both questions', async () => {
		const saved = await asking({ approvalOptions: BOTH }, [{ order: 7 }]);
		const [list, other] = givenItems('Others', [{ ...APPROVED, order: 8 }]);
		const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });
		const connections = {
			...saved.connections,
			Start: { main: [[...(saved.connections.Start?.main?.[0] ?? []), to(list.name)]] },
			[list.name]: { main: [[to(other.name)]] },
			[other.name]: { main: [[to('Ask')]] },
		};
		const nodes = [...saved.nodes, list, other];
		const executionId = await api().run(
			await api().updateWorkflow(saved.id, { nodes, connections }),
		);
		await untilWaiting(site.n8n, executionId);
		await decline(newestLink(site.gateway));
		while (site.gateway.messages.length < 2) await sleep(50);
		await untilWaiting(site.n8n, executionId);
		await api().stop(executionId);

		expect(site.gateway.messages.map(({ text }) => text?.slice(0, 14)).sort()).toEqual([
			'Refund order 7',
			'Refund order 8',
		]);
		const [passedOn] = await jsonAfter(await api().retry(executionId));
		expect(passedOn).not.toHaveProperty('data');
	});
});

test('a question that the gateway refuses stops the node, and nothing waits', async () => {
	site.gateway.misbehave({ respond: { status: 422, body: { message: 'Not on WhatsApp' } } });
	const ended = await api().runToEnd(await asking());

	expect(ended.status).toBe('error');
	expect(ended.waitTill ?? null).toBeNull();
	expect(ended.data.resultData.error?.message).toContain('Not on WhatsApp');
});

test('a question that may have gone out is an error too, and nothing waits', async () => {
	site.gateway.misbehave({ respond: { status: 500 }, queueAnyway: true });
	const ended = await api().runToEnd(await asking());

	expect(ended.status).toBe('error');
	expect(site.gateway.messages).toHaveLength(1);
});

test('in a loop each question has a page of its own, and an old one answers nothing', async () => {
	const orders = [{ order: 7 }, { order: 8 }];
	const saved = await asking({ approvalOptions: BOTH }, orders);
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', 3, { options: {} });
	const connections = {
		...saved.connections,
		Orders: { main: [[{ node: 'Loop', type: 'main' as const, index: 0 }]] },
		Loop: {
			main: [
				[{ node: 'After', type: 'main' as const, index: 0 }],
				[{ node: 'Ask', type: 'main' as const, index: 0 }],
			],
		},
		Ask: { main: [[{ node: 'Loop', type: 'main' as const, index: 0 }]] },
	};
	const nodes = [...saved.nodes, loop];
	const executionId = await api().run(await api().updateWorkflow(saved.id, { nodes, connections }));
	await untilWaiting(site.n8n, executionId);
	const first = newestLink(site.gateway);
	await approve(first);
	while (site.gateway.messages.length < 2) await sleep(50);
	await untilWaiting(site.n8n, executionId);
	const second = newestLink(site.gateway);

	expect(second).not.toBe(first);
	for (const page of [await approve(first), await fetch(first)]) {
		expect(page.status).toBe(410);
		expect(await page.text()).toContain('belongs to an earlier question');
	}
	expect(await (await fetch(second)).text()).toContain('Refund order 8?');
	await decline(second);
	expect(await jsonAfter(executionId)).toMatchObject([
		{ data: { approved: true } },
		{ data: { approved: false } },
	]);
});

test('an execution without a reply goes on with its input when the time is over', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const saved = await asking({ options: { limitWaitTime: { values } } });
	const askInVain = async () => {
		const executionId = await api().run(saved);
		await untilWaiting(site.n8n, executionId);
		const link = newestLink(site.gateway);
		let page = await fetch(link);
		while (page.status === 200 && (await page.text()).includes('Refund order 7?')) {
			await sleep(100);
			page = await fetch(link);
		}
		return { executionId, link, isOverdue: page.status === 410 };
	};
	// n8n looks once a minute for executions whose time is over or soon will be. If it has just found this one, it does not find the next.
	const first = await askInVain();
	const { executionId, link } = first.isOverdue ? first : await askInVain();
	const tooLate = await approve(link);
	expect(tooLate.status).toBe(410);
	expect(await tooLate.text()).toContain('Nothing was recorded.');

	expect(await jsonAfter(executionId)).toEqual([{ order: 7 }]);
	expect(await (await approve(link)).text()).toContain('No action required');
});

test('a reply counts after n8n was started again meanwhile', async () => {
	const { executionId, link } = await asked();
	const { port } = new URL(site.n8n.url);
	await site.n8n.kill();
	await restart(Number(port));

	expect(await (await fetch(link)).text()).toContain('Refund order 7?');
	expect(await (await approve(link)).text()).toContain('Thank you');
	expect(await jsonAfter(executionId)).toEqual([
		{ data: { approved: true, respondedAt: ISO_TIME } },
	]);
});

/**
 * Resolves once n8n has started wholly. While it looks through the executions that a crash interrupted
 * (execution-recovery.service.js), it answers already, but takes none of them for waiting.
 */
async function restart(port: number): Promise<N8nServer> {
	site.n8n = await startN8n({ ...TELLS_WHEN, userFolder: site.userFolder, port });
	while (!site.n8n.logs().includes('Editor is now accessible')) await sleep(100);
	return site.n8n;
}

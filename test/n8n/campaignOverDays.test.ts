/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Example 7 in a real n8n that is stopped, killed and restarted in the middle: its table against the outbox. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Gateway } from '../../practice-gateway/index';
import { madeReady, SET_UP } from '../../tools/n8n/examples';
import {
	startN8n,
	type Execution,
	type N8nApi,
	type SavedDataTable,
	type SavedWorkflow,
} from '../../tools/n8n/server/index';
import { until } from '../support/until';
import { openSite, type Site } from './site';

const FILE = '7-run-a-campaign-over-several-days.json';
/** `RECIPIENTS=300 npm run test:n8n -- campaignOverDays` has more of them. */
const COUNT = Number(process.env.RECIPIENTS ?? 12);
/** n8n waits for executions before it ends, 30 seconds otherwise. */
const env = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' };

let site: Site;
let gateway: Gateway;
let table: SavedDataTable;

const api = (): N8nApi => site.n8n.api;

beforeAll(async () => {
	site = await openSite({ env });
	({ gateway } = site);
	await api().runToEnd(await campaign(), SET_UP);
	table = await api().dataTable('Campaign recipients');
});

afterAll(async () => await site?.close());

beforeEach(() => {
	gateway.clear();
	gateway.behave();
});

/** The example, at any hour and without a limit, with other values in its node *Settings*. */
async function campaign(values: IDataObject = {}): Promise<SavedWorkflow> {
	const wide = { fromHour: 0, untilHour: 24, perRun: 1_000, perDay: 1_000, firstDay: 1_000 };
	const wanted: IDataObject = { ...wide, ...values };
	const ready = madeReady(FILE, site.credential, { folder: '' });
	const nodes = ready.nodes.map((node) => {
		if (node.name !== 'Settings') return node;
		type Fields = { assignments: Array<{ name: string; value: unknown }> };
		const { assignments } = node.parameters.assignments as unknown as Fields;
		const changed = assignments.map((field) => ({
			...field,
			value: wanted[field.name] ?? field.value,
		}));
		const parameters = { ...node.parameters, assignments: { assignments: changed } };
		return { ...node, parameters: parameters as INodeParameters };
	});
	return await api().createWorkflow({ ...ready, nodes });
}

/** Fills the table with these people instead of those who are in it. */
async function invite(count: number, group: string): Promise<void> {
	for (const { customer } of await people()) {
		await api().updateRows(table, ['customer', String(customer)], { agreed: false, when: '' });
	}
	const invited = Array.from({ length: count }, (_, n) => ({
		customer: `${group}${n}`,
		name: `Person ${n}`,
		phone: phoneOf(n),
		agreed: true,
	}));
	await api().insertRows(table, invited);
}
const phoneOf = (n: number) => `6281${String(300_000_000 + n)}`;

async function people(): Promise<IDataObject[]> {
	return (await api().rowsOf(table)).filter(({ agreed }) => agreed);
}

const sent = () => gateway.messages.flatMap(({ recipients }) => recipients);

/** How many people have a status, and how often they are in the outbox: `{ 'queued, 1': 20 }`. */
async function ledger(): Promise<Record<string, number>> {
	const numbers = sent();
	const counts: Record<string, number> = {};
	for (const { status, number } of await people()) {
		const entry = `${String(status)}, ${numbers.filter((each) => each === number).length}`;
		counts[entry] = (counts[entry] ?? 0) + 1;
	}
	return counts;
}

/** Lets half an hour pass for those that a run had begun. */
async function halfAnHourLater(): Promise<void> {
	for (const { customer, status, begun } of await people()) {
		if (status !== 'waiting' || !begun) continue;
		await api().updateRows(table, ['customer', String(customer)], { begun: '2026-01-01T00:00' });
	}
}

test('a campaign that is stopped, killed and restarted reaches everybody once, and says of whom it is not sure', async () => {
	await invite(COUNT, 'P');
	await api().insertRows(table, [
		{ customer: 'out', name: 'Opted out', phone: '+34 612 34 56 78', agreed: true },
		{ customer: 'wrong', name: 'Wrong number', phone: '+34 612 34 56', agreed: true },
	]);
	await api().insertRows(await api().dataTable('Message opt-outs'), [{ phone: '34612345678' }]);
	const saved = await campaign();
	const ledgers: Array<Record<string, number>> = [];
	const interruptedAt = [1, 2, 3].map((quarter) => Math.floor((COUNT * quarter) / 4));
	const interruptions = [
		async (id: string) => await api().stop(id),
		async () => await site.n8n.kill(),
		async () => await site.n8n.stop(),
	];
	for (const [index, interrupt] of interruptions.entries()) {
		const recipient = phoneOf(interruptedAt[index] ?? 0);
		gateway.misbehave({ recipient, fault: 'silence', queueAnyway: index > 0 });
		const id = await api().run(saved);
		await until(() => gateway.requests.length > (interruptedAt[index] ?? 0), recipient, 200_000);
		await interrupt(id);
		if (index > 0) site.n8n = await startN8n({ userFolder: site.userFolder, env });
		ledgers.push(await ledger());
	}
	// As if n8n had ended just before its message went out.
	await api().updateRows(table, ['customer', `P${COUNT - 1}`], { begun: '2026-01-01T00:00' });
	await halfAnHourLater();
	const { status }: Execution = await api().runToEnd(saved);
	ledgers.push(await ledger());
	if (process.env.RECIPIENTS) process.stdout.write(`${JSON.stringify(ledgers, null, 1)}\n`);

	const [first = 0, second = 0, third = 0] = interruptedAt;
	expect(status).toBe('success');
	expect(ledgers).toEqual(
		[
			{ 'queued, 1': first, 'waiting, 0': COUNT - first + 1 },
			{ 'queued, 1': second - 1, 'waiting, 1': 1, 'waiting, 0': COUNT - second + 1 },
			{ 'queued, 1': third - 2, 'waiting, 1': 2, 'waiting, 0': COUNT - third + 1 },
			{ 'queued, 1': COUNT - 3, 'uncertain, 1': 2, 'uncertain, 0': 1, 'skipped, 0': 1 },
		].map((each) => ({ ...each, 'notSent, 0': 1 })),
	);
});

/** Lets days pass since everything that was sent. */
async function daysLater(days: number): Promise<void> {
	for (const { customer, when } of await people()) {
		const day = when && new Date(Date.parse(String(when).slice(0, 10)) - days * 86_400_000);
		if (!day) continue;
		const earlier = { when: `${day.toISOString().slice(0, 10)} 12:00` };
		await api().updateRows(table, ['customer', String(customer)], earlier);
	}
}

test('a campaign sends more each day, up to its number a day, and nothing while it is paused or at night', async () => {
	await invite(12, 'L');
	const limits = { campaign: 'Limits', firstDay: 2, growth: 2, perDay: 5 };
	const saved = await campaign(limits);
	const sentIn = async (workflow = saved) => {
		gateway.clear();
		expect((await api().runToEnd(workflow)).status).toBe('success');
		return gateway.messages.length;
	};

	expect(await sentIn(await campaign({ ...limits, paused: true }))).toBe(0);
	expect(await sentIn(await campaign({ ...limits, untilHour: 0 }))).toBe(0);
	expect([await sentIn(), await sentIn()]).toEqual([2, 0]);
	await daysLater(1);
	expect(await sentIn(await campaign({ ...limits, perRun: 3 }))).toBe(3);
	expect([await sentIn(), await sentIn()]).toEqual([1, 0]);
	await daysLater(1);
	expect([await sentIn(), await sentIn()]).toEqual([5, 0]);
});

test('a campaign ends its run after three in a row that the gateway refused, and tries them again on another day', async () => {
	await invite(6, 'G');
	const saved = await campaign({ campaign: 'Gateway' });
	gateway.misbehave({ respond: { status: 401 } });
	const run = await api().runToEnd(saved);
	expect(run.data.resultData.error?.message).toContain('Three messages in a row were not sent');
	expect(await ledger()).toEqual({ 'notSent, 0': 3, 'waiting, 0': 3 });

	gateway.behave();
	await api().runToEnd(saved);
	expect(await ledger()).toEqual({ 'notSent, 0': 3, 'queued, 1': 3 });
	for (const { customer, status } of await people()) {
		if (status !== 'notSent') continue;
		await api().updateRows(table, ['customer', String(customer)], { begun: '2026-01-01T00:00' });
	}
	await api().runToEnd(saved);
	expect(await ledger()).toEqual({ 'queued, 1': 6 });
});

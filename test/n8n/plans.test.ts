/* eslint-disable @n8n/community-nodes/no-restricted-imports, no-console -- runs outside of n8n */
/**
 * Checks in a real n8n what many executions do to one subscription, and a campaign from its dry run
 * to the file of its rows. A minute of a plan is a few seconds here.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { startGateway, type Gateway, type Plan } from '../../practice-gateway/index';
import {
	CREDENTIAL_TYPE,
	gatewayNode,
	givenItems,
	node,
	trigger,
	workflow,
	type SavedCredential,
} from '../../tools/n8n/server/index';
import { counterOf, headersOf, type PlanKind, type Told } from '../support/plans/gateways';
import { credentialData } from './credentialData';
import { itemsOf, jsonOf } from './items';
import { numberOf } from '../support/numbers';
import { openWebhook } from '../support/webhook';
import { openSite, type Site } from './site';

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
let site: Site;
let gateway: Gateway;

beforeAll(async () => {
	site = await openSite({ files: folder });
});
afterEach(async () => await gateway?.close());
afterAll(async () => {
	await site?.close();
	rmSync(folder, { recursive: true });
});

/** Starts a gateway of its own, and saves the credential for it. */
async function subscribe(plan?: Plan, more: IDataObject = {}): Promise<SavedCredential> {
	gateway = await startGateway(plan ? { plan } : {});
	const data = { ...credentialData(gateway), ...more };
	return await site.n8n.api.createCredential('Plan', CREDENTIAL_TYPE, data);
}

const received = () => gateway.messages.flatMap(({ recipients }) => recipients).sort();
const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => numberOf(n));

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

test.each<[PlanKind, Told]>([
	['any', 'up'],
	['token', 'up'],
	['first', 'up'],
	['first', 'missing'],
])(
	'100 webhook calls at once all send at 20 in 5 s that nobody told the node (%s, Retry-After %s)',
	async (kind, told) => {
		const counter = counterOf({ kind, requests: 20, seconds: 5, told });
		const sent: string[] = [];
		let [refused, unaware, firstRefusal] = [0, 0, Infinity];
		const server = createServer((request, response) => {
			// A request that was on its way when the first 429 came back could not know of it.
			const couldKnow = performance.now() > firstRefusal + 20;
			let body = '';
			request.on('data', (piece) => (body += String(piece)));
			request.once('end', () => {
				const wait = counter.take(performance.now());
				if (wait === undefined) {
					sent.push(body);
					return void response.end('{"code":200}');
				}
				refused++;
				if (!couldKnow) unaware++;
				response.writeHead(429, headersOf(told, wait)).end('{}');
				response.once('finish', () => (firstRefusal = Math.min(firstRefusal, performance.now())));
			});
		});
		await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
		const { port } = server.address() as AddressInfo;
		const credential = await subscribe(undefined, { baseUrl: `http://127.0.0.1:${port}` });
		const { call } = await openWebhook(site.n8n, credential);
		const started = performance.now();
		const failed = await call(upTo(100));
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		console.info(`${kind}, ${told}: ${seconds} s, ${refused} refused, ${unaware} of them unaware`);
		server.closeAllConnections();
		server.close();

		expect(failed).toEqual([]);
		expect([sent.length, new Set(sent).size]).toEqual([100, 100]);
		expect(refused - unaware).toBeLessThanOrEqual(30);
	},
);

test('a plan lets 50 webhook calls at once, of 25 keys, send each once, the first time and later', async () => {
	const { call } = await openWebhook(site.n8n, await subscribe(), {
		sendOnceKey: '={{ $json.body.key }}',
	});
	const twice = (from: number) => upTo(50).map((n) => from + (n % 25));
	const failed = [...(await call(twice(0))), ...(await call(twice(25))), ...(await call(twice(0)))];

	expect(failed).toEqual([]);
	expect(received()).toEqual(numbersTo(50));
});

test('a campaign is tried by a dry run, then sent, and its rows are written to a CSV', async () => {
	const { api } = site.n8n;
	const credential = await subscribe(undefined, {
		requestsPerMinute: 600,
		defaultCountryCode: '62',
	});
	// 500 rows: 10 wrong numbers, 20 opt-outs, 30 duplicates, 2 that the gateway will refuse.
	const phoneOf = (n: number) =>
		n < 10 ? ['x', '2026-11-21', '12', '-6281000000001'][n % 4] : n >= 470 ? n - 400 : n;
	const phones = upTo(500).map((n) => {
		const phone = phoneOf(n);
		return { phone: typeof phone === 'number' ? `0${numberOf(phone).slice(2)}` : phone, row: n };
	});
	const skipNumbers = upTo(20)
		.map((n) => `+${numberOf(100 + n)}`)
		.join('\n');
	const csv = join(folder, 'rows.csv');
	const [list, people] = givenItems('People', phones);
	const sends = (dryRun: boolean) => ({
		resource: 'text',
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		message: 'We are closed on Monday.',
		options: {
			dryRun,
			output: 'perRecipient',
			skipNumbers,
			sendOnceKey: '={{ $json.phone }}',
			maxConcurrency: 20,
			maxRetries: 0,
		},
	});
	const cell = (name: string, value: string) => ({ id: name, name, type: 'string', value });
	const row = {
		assignments: {
			assignments: [
				cell('row', "={{ $('People').item.json.row }}"),
				cell('to', '={{ $json.to }}'),
				cell('status', '={{ $json.status }}'),
				cell('why', '={{ $json.message }}'),
			],
		},
		options: {},
	};
	const nodes = (dryRun: boolean) => [
		trigger(),
		list,
		people,
		gatewayNode('Send', sends(dryRun), credential, { onError: 'continueRegularOutput' }),
		node('Row', 'n8n-nodes-base.set', 3.4, row),
		node('CSV', 'n8n-nodes-base.convertToFile', 1.1, { operation: 'csv', options: {} }),
		node('Write', 'n8n-nodes-base.readWriteFile', 1, {
			operation: 'write',
			fileName: csv,
			options: {},
		}),
	];
	const names = ['Start', list.name, people.name, 'Send', 'Row', 'CSV', 'Write'];
	const arrows = names.slice(1).map((to, at): [string, string] => [names[at] as string, to]);
	const saved = await api.createWorkflow(workflow('Campaign', nodes(true), arrows));

	const dry = await api.runToEnd(saved);
	const hintsOf = (run: typeof dry) =>
		(run.data.resultData.runData.Send?.[0]?.hints ?? []).map(({ message }) => message);
	const statuses = (rows: IDataObject[]) => {
		const counts: Record<string, number> = {};
		for (const { status } of rows) {
			const name = String(status);
			counts[name] = (counts[name] ?? 0) + 1;
		}
		return counts;
	};
	expect(dry.status).toBe('success');
	expect(gateway.requests).toEqual([]);
	expect(statuses(jsonOf(itemsOf(dry.data.resultData.runData, 'Send')))).toEqual({
		ready: 440,
		skipped: 50,
		refused: 10,
	});
	expect(hintsOf(dry)[0]).toBe(
		'Dry run: nothing was queued. 500 messages to 470 numbers: 440 ready, 50 skipped, 10 refused. 440 requests; about 1 minute at 600 requests per minute.',
	);
	const dryRows = readFileSync(csv, 'utf8').trim().split('\n');
	expect(dryRows).toHaveLength(501);

	gateway.misbehave({ recipient: numberOf(200), respond: { status: 422 } });
	gateway.misbehave({ recipient: numberOf(300), respond: { status: 422 } });
	const changed = await api.updateWorkflow(saved.id, { nodes: nodes(false) });
	const sent = await api.runToEnd(changed);

	expect(sent.status).toBe('success');
	expect(hintsOf(sent)[0]).toMatch(
		/^500 messages to \d+ numbers: 438 queued, 50 skipped, 12 not queued\./,
	);
	const rows = readFileSync(csv, 'utf8')
		.trim()
		.split('\n')
		.slice(1)
		.map((line) => line.split(','));
	expect(rows.map(([index]) => Number(index))).toEqual(upTo(500));
	const queued = rows.filter(([, , status]) => status === 'queued').map(([, to]) => String(to));
	expect(queued.sort()).toEqual(received());
	expect(new Set(received()).size).toBe(438);
});

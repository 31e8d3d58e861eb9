/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/**
 * What a person does next in a real n8n, with its buttons Retry and Stop, its time limit and its
 * sub-workflows: nothing goes out twice, and nothing gets lost.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import { startGateway, type Gateway } from '../../practice-gateway/index';
import {
	CREDENTIAL_TYPE,
	gatewayNode,
	givenItems,
	node,
	readFiles,
	trigger,
	workflow,
	type Arrow,
	type GatewayNode,
	type N8nServer,
	type NewWorkflow,
	type SavedCredential,
	type SavedWorkflow,
} from '../../tools/n8n/server/index';
import { credentialData } from './credentialData';
import { itemsOf, jsonOf } from './items';
import { openSite, type Site } from './site';
import { until } from '../support/until';

const PHOTO = readFileSync(join(__dirname, '../support/files/photo.jpg'));
const files = mkdtempSync(join(tmpdir(), 'next-steps-'));

let site: Site;
let gateway: Gateway;
let n8n: N8nServer;
let credential: SavedCredential;
/** A server beside the gateway: of a file, or of another node. */
let other: Server;
let answer: RequestListener;
let arrived = 0;

beforeAll(async () => {
	writeFileSync(join(files, 'large.jpg'), Buffer.concat([PHOTO, randomBytes(20_000_000)]));
	other = createServer((request, response) => {
		arrived++;
		answer(request, response);
	});
	await new Promise<void>((resolve) => other.listen(0, resolve));
	site = await openSite({ files });
	({ gateway, n8n, credential } = site);
});

afterAll(async () => {
	other.closeAllConnections();
	other.close();
	await site?.close();
	rmSync(files, { recursive: true });
});

beforeEach(() => {
	gateway.behave();
	gateway.clear();
	arrived = 0;
});

const urlOfOther = () => `http://localhost:${(other.address() as AddressInfo).port}`;
const numberOf = (n: number) => String(6281000000000 + n);
const numbersTo = (count: number) => Array.from({ length: count }, (_, n) => numberOf(n));
const received = () => gateway.messages.flatMap(({ recipients }) => recipients).sort();
const refuseOnce = (n: number) =>
	gateway.misbehave({ recipient: numberOf(n), times: 1, respond: { status: 422 } });

const ONE_LANE = { maxConcurrency: 1, maxRetries: 0 };
const KEYED = { ...ONE_LANE, sendOnceKey: '={{ $json.key }}' };

function toEach(options: IDataObject = ONE_LANE): GatewayNode {
	return {
		resource: 'text',
		operation: 'send',
		phoneNumber: '={{ $json.phone }}',
		message: '=Hello {{ $json.phone }}',
		options,
	};
}

const people = (count: number, name = '') =>
	numbersTo(count).map((phone) => ({ phone, key: `${name} ${phone}` }));

interface Around {
	credential?: SavedCredential;
	settings?: IDataObject;
	/** Nodes between the items and the send, which run one after another. */
	before?: INode[];
}

/** Saves a workflow: items → Send. */
async function saved(
	items: IDataObject[],
	parameters: GatewayNode,
	{ credential: other, settings = {}, before = [] }: Around = {},
): Promise<SavedWorkflow> {
	const [list, given] = givenItems('People', items);
	const send = gatewayNode('Send', parameters, other ?? credential);
	const nodes = [trigger(), list, given, ...before, send];
	const names = nodes.map(({ name }) => name);
	const arrows = names.slice(1).map((to, at): Arrow => [names[at] as string, to]);
	const plain: NewWorkflow = workflow('Next steps', nodes, arrows);
	return await n8n.api.createWorkflow({
		...plain,
		settings: { ...plain.settings, ...settings },
	});
}

const retryToEnd = async (id: string) => await n8n.api.waitForEnd(await n8n.api.retry(id));
type Execution = Awaited<ReturnType<typeof retryToEnd>>;
const outputOf = ({ data }: Execution) => jsonOf(itemsOf(data.resultData.runData, 'Send'));
const errorOf = ({ data }: Execution) => {
	const { message = '', description = '' } = (data.resultData.error ?? {}) as {
		message?: string;
		description?: string | null;
	};
	return `${message} ${description}`;
};

describe('the oldest failed execution', () => {
	test('a Retry of the oldest failed execution after a newer retry sends nothing', async () => {
		refuseOnce(1);
		const oldest = await n8n.api.runToEnd(await saved(people(4), toEach()));
		refuseOnce(3);
		const newer = await retryToEnd(oldest.id);
		const newest = await retryToEnd(newer.id);
		const again = await retryToEnd(oldest.id);

		expect(received()).toEqual(numbersTo(4));
		expect([oldest, newer, newest, again].map(({ status }) => status)).toEqual([
			'error',
			'error',
			'success',
			'error',
		]);
		expect(errorOf(again)).toContain('A newer retry of this execution exists');
	});

	test('a Retry of the oldest failed execution sends nothing of a list with a Send-Once Key', async () => {
		refuseOnce(2);
		const list = {
			resource: 'text',
			operation: 'sendBulk',
			phoneNumbers: numbersTo(4).join('\n'),
			message: 'Hello',
			options: { ...ONE_LANE, numbersPerRequest: 2, sendOnceKey: 'newsletter' },
		};
		const failed = await n8n.api.runToEnd(await saved([{}], list));
		const newer = await retryToEnd(failed.id);
		const again = await retryToEnd(failed.id);

		expect(received()).toEqual(numbersTo(4));
		expect([failed, newer, again].map(({ status }) => status)).toEqual([
			'error',
			'success',
			'error',
		]);
	});
});

test('two Retries pressed at once send each message once', async () => {
	refuseOnce(1);
	const saves = await saved(people(6), toEach());
	const failed = await n8n.api.runToEnd(saves);
	gateway.misbehave({ latency: 200 });
	await Promise.all([n8n.api.retry(failed.id), n8n.api.retry(failed.id)]);
	const retries = (await n8n.api.listExecutions(saves.id)).filter(({ retryOf }) => retryOf);
	const ended = await Promise.all(retries.map(async ({ id }) => await n8n.api.waitForEnd(id)));

	expect(received()).toEqual(numbersTo(6));
	expect(ended.map(({ status }) => status).sort()).toEqual(['error', 'success']);
});

test('an execution that failed before the node ran, retried twice, sends each message once', async () => {
	let isUp = false;
	answer = (_, response) => response.writeHead(isUp ? 200 : 500).end('{}');
	const ask = node('Ask', 'n8n-nodes-base.httpRequest', 4.2, { url: urlOfOther() });
	const failed = await n8n.api.runToEnd(
		await saved([{}], { ...toEach(), phoneNumber: numberOf(0) }, { before: [ask] }),
	);
	expect(received()).toEqual([]);
	isUp = true;
	const first = await retryToEnd(failed.id);
	const second = await retryToEnd(failed.id);

	expect(received()).toEqual([numberOf(0)]);
	expect([failed, first, second].map(({ status }) => status)).toEqual([
		'error',
		'success',
		'error',
	]);
	expect(errorOf(second)).toContain('A newer retry of this execution exists');
});

describe('a repair of the credential', () => {
	let mended: SavedCredential;
	const save = async (more: IDataObject) => {
		const data = { ...credentialData(gateway), ...more };
		mended = await n8n.api.createCredential('Mended', CREDENTIAL_TYPE, data);
	};

	test('a Retry with another Device ID sends again nothing that was accepted', async () => {
		await save({ deviceId: 'misspelled' });
		// A gateway that takes the first message although it does not know the device.
		gateway.misbehave({
			recipient: numberOf(0),
			times: 1,
			respond: { status: 200, body: { code: 200, message: 'ok' } },
			queueAnyway: true,
		});
		const failed = await n8n.api.runToEnd(await saved(people(3), toEach(), { credential: mended }));
		await n8n.api.updateCredential(mended, credentialData(gateway));
		const retried = await retryToEnd(failed.id);

		expect([failed.status, retried.status]).toEqual(['error', 'success']);
		expect(received()).toEqual(numbersTo(3));
	});

	test('a Retry with another Default Country Code sends again nothing that was accepted', async () => {
		await save({});
		const local = ['081234567890', '081234567891'];
		gateway.misbehave({ recipient: local[1], times: 1, respond: { status: 422 } });
		const failed = await n8n.api.runToEnd(
			await saved(
				local.map((phone) => ({ phone })),
				toEach(),
				{ credential: mended },
			),
		);
		const data = { ...credentialData(gateway), defaultCountryCode: '62' };
		await n8n.api.updateCredential(mended, data);
		const retried = await retryToEnd(failed.id);

		expect([failed.status, retried.status]).toEqual(['error', 'success']);
		expect(received()).toEqual([local[0], '6281234567891']);
	});
});

test('a Retry is not held up by an uncertain message: it sends all behind it', async () => {
	gateway.misbehave({
		recipient: numberOf(0),
		times: 1,
		fault: 'resetAfterBody',
		queueAnyway: true,
	});
	const failed = await n8n.api.runToEnd(await saved(people(4), toEach()));
	expect(received()).toEqual([numberOf(0)]);
	const retried = await retryToEnd(failed.id);

	expect(received()).toEqual(numbersTo(4));
	expect([failed.status, retried.status]).toEqual(['error', 'error']);
	expect(errorOf(retried)).toContain('3 messages are queued');
});

describe('Execute Sub-workflow', () => {
	/** Runs a part that fails once, from a parent that tries it again. */
	async function runParts(options: IDataObject, name: string) {
		const starts = node('When called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, {
			inputSource: 'passthrough',
		});
		const send = gatewayNode('Send', toEach(options), credential);
		const part = await n8n.api.createWorkflow(
			workflow('Part', [starts, send], [['When called', 'Send']]),
		);
		await n8n.api.activate(part);
		const [list, given] = givenItems('People', people(3, name));
		const calls = node(
			'Part',
			'n8n-nodes-base.executeWorkflow',
			1.2,
			{ workflowId: { __rl: true, mode: 'id', value: part.id }, options: {} },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		);
		const names = ['Start', list.name, given.name, 'Part'];
		const arrows = names.slice(1).map((to, at): Arrow => [names[at] as string, to]);
		refuseOnce(2);
		return await n8n.api.runToEnd(
			await n8n.api.createWorkflow(workflow('Parent', [trigger(), list, given, calls], arrows)),
		);
	}

	test('a sub-workflow with Retry On Fail and a Send-Once Key sends each message once', async () => {
		const parent = await runParts(KEYED, 'part');

		expect(parent.status).toBe('success');
		expect(received()).toEqual(numbersTo(3));
	});

	test('a sub-workflow with Retry On Fail and no key sends again what its first try sent, as README says', async () => {
		const parent = await runParts(ONE_LANE, '');

		expect(parent.status).toBe('success');
		expect(received()).toEqual([0, 0, 1, 1, 2].map(numberOf));
	});
});

describe('a stopped execution', () => {
	/** Seconds: enough for a busy machine to come as far as a test wants. */
	const LIMIT = { executionTimeout: 6 };
	/** The Stop button, or the time limit, which ends the execution by itself. */
	const ENDS: Array<[string, IDataObject, (id: string) => Promise<void>]> = [
		['by the Stop button', {}, async (id) => await n8n.api.stop(id)],
		['by the time limit of the workflow', LIMIT, async () => undefined],
	];

	/** Runs a workflow until it has come to a stage, and ends it there. */
	async function end(
		workflow: SavedWorkflow,
		isReached: () => boolean,
		how: (id: string) => Promise<void>,
	): Promise<Execution> {
		const id = await n8n.api.run(workflow);
		await until(isReached);
		// What has been reached takes a moment until it has begun.
		await sleep(300);
		await how(id);
		const stopped = await n8n.api.waitForEnd(id, 20_000);
		expect(stopped.status).toBe('canceled');
		return stopped;
	}

	/** Lets n8n work as it should again, and runs the workflow to its end. */
	async function runAgain(id: string): Promise<IDataObject[]> {
		gateway.behave();
		const again = await n8n.api.updateWorkflow(id, { settings: { executionOrder: 'v1' } });
		const later = await n8n.api.runToEnd(again);
		expect(later.status).toBe('success');
		return outputOf(later).map(({ code, skipped }) => ({ [skipped ? 'skipped' : 'code']: code }));
	}

	const SENT = { code: 200 };
	const SKIPPED = { skipped: undefined };
	let runs = 0;
	const named = (count: number) => people(count, `stopped ${++runs}`);

	test.each(ENDS)(
		'an execution that is stopped %s during a download has sent nothing, and its key is free',
		async (_, settings, how) => {
			answer = (_, response) => {
				response.setHeader('Content-Type', 'image/jpeg');
				response.write(PHOTO.subarray(0, 100));
			};
			const image = {
				...toEach(KEYED),
				resource: 'image',
				fileSource: 'url',
				fileUrl: `${urlOfOther()}/photo.jpg`,
			};
			const { id, ...rest } = await saved(named(2), image, { settings });
			await end({ id, ...rest }, () => arrived > 0, how);
			expect(gateway.requests).toEqual([]);
			answer = (_, response) => response.setHeader('Content-Type', 'image/jpeg').end(PHOTO);

			expect(await runAgain(id)).toEqual([SENT, SENT]);
			expect(received()).toEqual(numbersTo(2));
		},
	);

	test.each(ENDS)(
		'an execution that is stopped %s during an upload may have sent it, and keeps its key',
		async (_, settings, how) => {
			// A gateway that reads the beginning and no more.
			answer = (request) => void request.once('data', () => request.pause());
			const slow = { ...credentialData(gateway), baseUrl: urlOfOther() };
			const own = await n8n.api.createCredential('Slow', CREDENTIAL_TYPE, slow);
			const before = [readFiles('Read', join(files, 'large.jpg'))];
			const upload = {
				...toEach({ ...KEYED, sendOnceKey: `upload ${++runs}` }),
				phoneNumber: numberOf(0),
				resource: 'image',
			};
			const { id, ...rest } = await saved([{}], upload, { credential: own, settings, before });
			await end({ id, ...rest }, () => arrived > 0, how);
			await n8n.api.updateCredential(own, credentialData(gateway));

			expect(await runAgain(id)).toEqual([SKIPPED]);
			expect(received()).toEqual([]);
		},
	);

	test.each(ENDS)(
		'an execution that is stopped %s before an answer keeps that key, and frees those behind it',
		async (_, settings, how) => {
			gateway.misbehave({ recipient: numberOf(1), fault: 'silence' });
			const { id, ...rest } = await saved(named(3), toEach(KEYED), { settings });
			await end({ id, ...rest }, () => gateway.requests.length === 2, how);

			expect(await runAgain(id)).toEqual([SKIPPED, SKIPPED, SENT]);
			expect(received()).toEqual([0, 2].map(numberOf));
		},
	);

	test.each(ENDS)(
		'an execution that is stopped %s while it waits for the plan has sent nothing, and its keys are free',
		async (_, settings, how) => {
			// The last minute of the other tests' gateway counts for a limit.
			const usual = gateway;
			gateway = await startGateway();
			try {
				const limited = { ...credentialData(gateway), requestsPerMinute: 1 };
				const own = await n8n.api.createCredential('Plan', CREDENTIAL_TYPE, limited);
				const { id, ...rest } = await saved(named(3), toEach(KEYED), { credential: own, settings });
				await end({ id, ...rest }, () => gateway.messages.length > 0, how);
				expect(received()).toEqual(numbersTo(1));
				await n8n.api.updateCredential(own, credentialData(gateway));

				expect(await runAgain(id)).toEqual([SKIPPED, SENT, SENT]);
				expect(received()).toEqual(numbersTo(3));
			} finally {
				await gateway.close();
				gateway = usual;
			}
		},
	);

	const sentOnce = () => expect(new Set(received()).size).toBe(received().length);
	const list = (sendOnceKey: string) => ({
		resource: 'text',
		operation: 'sendBulk',
		phoneNumbers: numbersTo(3).join('\n'),
		message: 'Hello',
		options: { ...ONE_LANE, numbersPerRequest: 1, sendOnceKey },
	});

	// n8n stores a canceled execution while its node ends. Where it does so too early, Retry does nothing.
	test.each([
		['single messages', () => toEach(), 3],
		['a list with one Send-Once Key', () => list('limited list'), 1],
	])('a Retry of %s after the time limit sends nothing twice', async (_, parameters, items) => {
		gateway.misbehave({ recipient: numberOf(1), fault: 'silence' });
		const limited = await saved(people(items), parameters(), { settings: LIMIT });
		const isReached = () => gateway.requests.length === 2;
		const stopped = await end(limited, isReached, async () => undefined);
		gateway.behave();
		await retryToEnd(stopped.id);

		sentOnce();
		expect(received()).not.toContain(numberOf(1));
	});

	// n8n refuses to retry it, as it stores nothing of what a stopped execution was doing.
	test('a Retry after the Stop button does not send an execution twice', async () => {
		gateway.misbehave({ recipient: numberOf(1), fault: 'silence' });
		const id = await n8n.api.run(await saved(people(3), toEach()));
		await until(() => gateway.requests.length === 2);
		await n8n.api.stop(id);
		gateway.behave();
		await n8n.api.retry(id).catch(() => undefined);

		sentOnce();
		expect(received()).toContain(numberOf(0));
	});

	test('a Retry after the Stop button leaves nothing that further retries send twice', async () => {
		const saves = await saved(people(4), toEach());
		refuseOnce(1);
		const failed = await n8n.api.runToEnd(saves);
		gateway.misbehave({ recipient: numberOf(2), fault: 'silence' });
		const before = gateway.requests.length;
		const retrying = n8n.api.retry(failed.id).catch(() => undefined);
		await until(() => gateway.requests.length === before + 2);
		const all = await n8n.api.listExecutions(saves.id);
		const stopped = all.find(({ retryOf }) => retryOf === failed.id)?.id ?? '';
		await n8n.api.stop(stopped);
		await retrying;
		expect(received()).toEqual(numbersTo(2));
		gateway.behave();
		const again = [await retryToEnd(failed.id), await retryToEnd(stopped)];

		sentOnce();
		expect(again.map(({ status }) => status)).toEqual(['error', 'error']);
	});
});

/** The message of a test: the first that is ready, to the test number alone. */
import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';
import type { Message, ReadItem } from '../../nodes/MessagingGateway/delivery/message';
import type { Result } from '../../nodes/MessagingGateway/delivery/result';
import { type Failure, notSent, type Outcome } from '../../nodes/MessagingGateway/gateway/outcome';
import type { Gateway } from '../../nodes/MessagingGateway/gateway/request';
import type { ReadRun } from '../../nodes/MessagingGateway/readRun';
import { sendTest } from '../../nodes/MessagingGateway/testRun';
import { SETTINGS } from './delivery/deliver';

const ME = '6289900000001';
const QUEUED: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const ready = (item: number): Result => ({
	items: [item],
	to: `628${item}`,
	outcome: { ...QUEUED, preview: { text: `Hi ${item}` } },
});
const REFUSED = notSent({ what: 'It is wrong', advice: 'Correct it.' });
const refused = (item: number): Result => ({ items: [item], outcome: REFUSED });

interface Given {
	mode?: string;
	runIndex?: number;
	kept?: IContextObject;
	answer?: Outcome;
	/** What an item is when the test reads it again. */
	again?: (item: number) => ReadItem;
}

const bulkOf = (item: number): ReadItem => ({
	index: item,
	timeout: 0,
	sendOnceKey: 'key',
	message: {
		identity: `text ${item}`,
		recipients: [1, 2].map((n) => ({ to: `628${item}${n}`, asEntered: `628${item}${n}` })),
		refusals: [],
		travels: 'list',
		requestTo: (numbers) => ({
			path: [],
			fields: { to: numbers.join(), item: String(item) },
			answer: 'envelope',
		}),
	} satisfies Message,
});

/** Sends the test of a run with these results. */
async function test(results: Result[], given: Given = {}) {
	const { mode = 'manual', runIndex = 0, kept = {}, answer = QUEUED, again = bulkOf } = given;
	const sent: unknown[] = [];
	const gateway: Gateway = {
		exchange: async ({ fields }, _, onLeaving) => {
			onLeaving();
			sent.push(fields);
			return await Promise.resolve(answer);
		},
	};
	const resumeUrl = 'https://n8n.example/7?signature=a';
	const context = {
		getMode: () => mode,
		getExecutionId: () => '7',
		getNode: () => ({ id: 'node-1', type: 'messagingGateway', parameters: {} }),
		getWorkflow: () => ({ id: 'workflow-1' }),
		getContext: () => kept,
		getExecuteData: () => ({ source: null }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex, $execution: { resumeUrl } }),
	} as unknown as IExecuteFunctions;
	const settings = { ...SETTINGS, testNumber: ME, dryRun: true };
	const read = async (item: number) => await Promise.resolve(again(item));
	const run = { settings, gateway, read } as unknown as ReadRun;
	return { sent, results: await sendTest(context, run, results) };
}

it('the first message that is ready goes to the test number alone, and its row keeps the text', async () => {
	const rows = [refused(0), { ...ready(1), isEarlier: true }, ready(2), ready(3)];
	const { sent, results } = await test(rows);
	expect(sent).toEqual([{ to: ME, item: '2' }]);
	const row = { items: [2], to: ME, testOf: '6282', outcome: ready(2).outcome };
	expect(results).toEqual([rows[0], rows[1], row, rows[3]]);
});

it('a test that the gateway refuses has its reason in place of the text', async () => {
	const { results } = await test([ready(0)], { answer: REFUSED });
	expect(results).toEqual([{ items: [0], to: ME, testOf: '6280', outcome: REFUSED }]);
});

it('a message that can no longer be read when the test comes is not sent, and its row says why', async () => {
	const again = (index: number): ReadItem => ({ index, failure: REFUSED as Failure });
	const { sent, results } = await test([refused(0), ready(1)], { again });
	expect(sent).toEqual([]);
	expect(results[1]).toMatchObject({ items: [1], outcome: REFUSED });
});

it.each<[string, Result[], Given]>([
	['nothing is ready', [refused(0)], {}],
	['a loop runs the node again', [ready(0)], { runIndex: 1 }],
	[
		'n8n runs the node of a retry again',
		[ready(0)],
		{ mode: 'retry', kept: { testedIn: '7 0' } as unknown as IContextObject },
	],
])('no test goes out, and the rows stay, if %s', async (_, rows, given) => {
	const { sent, results } = await test(rows, given);
	expect([sent, results]).toEqual([[], rows]);
});

it.each<[string, Given]>([
	['an execution', { kept: { testedIn: '7 0' } as unknown as IContextObject }],
	['another retry', { mode: 'retry', kept: { testedIn: '6 0' } as unknown as IContextObject }],
])('the test of %s goes out', async (_, given) => {
	expect((await test([ready(0)], given)).sent).toHaveLength(1);
});

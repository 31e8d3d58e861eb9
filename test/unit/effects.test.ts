/** A dry run acts on nothing, and a test on the gateway alone. */
import type { IContextObject, IExecuteFunctions } from 'n8n-workflow';
import type { Ask } from '../../nodes/MessagingGateway/ask/ask';
import { effectsOf, effectsOfTest, PREVIEW } from '../../nodes/MessagingGateway/effects';
import type { Gateway, GatewayRequest } from '../../nodes/MessagingGateway/gateway/request';
import { FakeHistory, recordOf, SETTINGS } from './delivery/deliver';

const ACCEPTED = { outcome: 'accepted', envelope: { code: 200 } } as const;
const PLAN = { batchSize: 7, randomDelay: 50, requestsPerMinute: 30, subscription: 'mine' };
const REQUEST: GatewayRequest = { path: [], fields: { message: 'Halo' }, answer: 'envelope' };
const ASK = {} as Ask;

/** What a try of item 1, whose list item 2 has, too, leaves of an execution. */
const record = () =>
	recordOf({
		source: 'Items:0:0',
		requests: [{ to: [0, '628'] }],
		sameAs: { 1: [0] },
		sendOnceKeys: { 0: 'key' },
	});

function hostOf(mode: string, kept: IContextObject) {
	const helpers = new FakeHistory();
	const source = { previousNode: 'Items', previousNodeOutput: 0, previousNodeRun: 0 };
	const resumeUrl = 'https://n8n.example/7?signature=a';
	const context = {
		helpers,
		getMode: () => mode,
		getExecutionId: () => '7',
		getNode: () => ({ id: 'node-1', parameters: {} }),
		getWorkflow: () => ({ id: 'workflow-1' }),
		getContext: () => kept,
		getExecuteData: () => ({ source: { main: [source] } }),
		getWorkflowDataProxy: () => ({ $runIndex: 0, $execution: { resumeUrl } }),
		getWorkflowSettings: () => ({}),
	} as unknown as IExecuteFunctions;
	return { context, helpers };
}

/** Does what a run does, and returns what is left of it. */
async function leftBy(
	of: typeof effectsOf,
	{ mode = 'manual', kept = {} as IContextObject, dryRun = true } = {},
) {
	const exchange = jest.fn<ReturnType<Gateway['exchange']>, Parameters<Gateway['exchange']>>(
		async (_, __, onLeaving) => {
			onLeaving();
			return await Promise.resolve(ACCEPTED);
		},
	);
	const { context, helpers } = hostOf(mode, kept);
	const effects = of(context, { ...SETTINGS, ...PLAN, dryRun }, { exchange }, ASK);
	const { journal, keyHistory, gateway } = effects;
	const { earlierSame } = journal;
	const earlier = structuredClone(journal.earlier);
	await journal.guard.continue(keyHistory);
	await keyHistory.claim(['a']);
	journal.keepKey(0, 'a');
	journal.noteSame(2, 0);
	const row = { item: 0, recipient: { to: '628', asEntered: '628' }, sendOnceKey: 'a' };
	const outcome = await gateway.exchange(REQUEST, 0, () => {
		journal.begin([row], { travels: 'single' })(ACCEPTED);
	});
	await keyHistory.close();
	const { settings, ask } = effects;
	const keys = helpers.calls > 0;
	return { exchange, earlier, earlierSame, outcome, settings, asks: ask === ASK, keys, kept };
}

it.each([
	['an execution', 'manual', {}, []],
	['an execution that has sent', 'manual', record(), []],
	['a retry without a record', 'retry', {}, []],
	['a retry', 'retry', record(), [{ to: [0, '628'] }]],
])('a dry run of %s leaves nothing, and knows what was sent', async (_, mode, kept, sent) => {
	const before = structuredClone(kept);
	const left = await leftBy(effectsOf, { mode, kept });
	expect(left.exchange).not.toHaveBeenCalled();
	expect(left.outcome).toMatchObject({ outcome: 'accepted', preview: { text: 'Halo' } });
	expect(left).toMatchObject({ earlier: sent, keys: false, asks: false, kept: before });
	expect(left.earlierSame).toEqual(sent.length > 0 ? { 1: [0] } : {});
	expect(kept).toEqual(before);
});

it('the preview of a message has only what the message has', async () => {
	const preview = async (request: object) => {
		const outcome = await PREVIEW.exchange({ ...REQUEST, ...request }, 0, () => undefined);
		return 'preview' in outcome && outcome.preview;
	};
	const file = { content: { name: 'a.pdf', size: 3 } };
	expect(await preview({ fields: {}, file })).toStrictEqual({ file: 'a.pdf (3 bytes)' });
	// Its server does not announce its length.
	const ofAnyLength = { content: { name: 'a.pdf', size: 0 } };
	expect(await preview({ fields: {}, file: ofAnyLength })).toStrictEqual({ file: 'a.pdf' });
	expect(await preview({ fields: { caption: 'Halo' } })).toStrictEqual({ text: 'Halo' });
});

it('a dry run waits for nothing', async () => {
	const none = { batchSize: 0, randomDelay: 0, requestsPerMinute: 0, subscription: '' };
	const { settings } = await leftBy(effectsOf);
	expect(settings).toEqual({ ...SETTINGS, ...none, dryRun: true });
});

it('a test sends at the pace of the plan, and leaves nothing else', async () => {
	const kept = record();
	const left = await leftBy(effectsOfTest, { mode: 'retry', kept });
	expect(left.exchange).toHaveBeenCalledTimes(1);
	expect(left.settings).toMatchObject(PLAN);
	expect(left).toMatchObject({ earlier: [], keys: false, asks: false });
	expect(kept).toEqual(record());
});

it('a run that sends leaves all of this', async () => {
	const left = await leftBy(effectsOf, { dryRun: false });
	expect(left.exchange).toHaveBeenCalledTimes(1);
	expect(left).toMatchObject({ settings: PLAN, keys: true, asks: true });
	expect(left.kept.journal).toMatchObject({ runs: { 0: { sendOnceKeys: { 0: 'a' } } } });
});

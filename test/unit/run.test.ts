import type {
	IContextObject,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { adviceFor, journalOf } from '../../nodes/MessagingGateway/run';
import { SETTINGS } from './delivery/deliver';

interface Host {
	mode?: string;
	parameters?: IDataObject;
	kept?: IContextObject;
	savesProgress?: boolean;
	runIndex?: number;
	items?: INodeExecutionData[];
}

const hostOf = ({ mode = 'manual', parameters = {}, kept = {}, ...more }: Host) => {
	const { savesProgress, runIndex = 0, items = [] } = more;
	const resumeUrl = 'https://n8n.example/7?signature=a';
	return {
		getMode: () => mode,
		getInputData: () => items,
		getExecutionId: () => '7',
		getNode: () => ({ id: 'node-1', parameters }),
		getNodeParameter: (name: string, _: number, absent: unknown) => parameters[name] ?? absent,
		getContext: () => kept,
		getWorkflowDataProxy: () => ({ $runIndex: runIndex, $execution: { resumeUrl } }),
		getWorkflowSettings: () => ({ saveExecutionProgress: savesProgress }),
	} as unknown as IExecuteFunctions;
};

/** What 1.2 leaves of an execution that has sent a text for item 0. */
const SENT = { operation: 'text:send', requests: { '0:x': [{}] }, sendOnceKeys: {} };
const record = (): IContextObject => ({
	journal: { id: '6', execution: '6', node: 'node-1', generation: 0, runs: { 0: SENT } } as never,
});

it.each([
	['text', 'send', false],
	['image', 'send', true],
	['text', 'sendBulk', true],
])('a Retry with %s:%s after text:send counts as changed: %j', (resource, operation, isChanged) => {
	const host = { mode: 'retry', parameters: { resource, operation }, kept: record() };
	expect(journalOf(hostOf(host), SETTINGS).isChanged(0)).toBe(isChanged);
});

it.each<[string, IDataObject, boolean]>([
	['retry', { message: '={{ $now }}', caption: '={{ $json.a }}' }, true],
	['retry', { options: { fileName: '={{ $json.a }} {{ $today }}.pdf' } }, true],
	['retry', { message: '={{ $json.a }} $now' }, false],
	...[
		"$mode === 'manual' ? 'Test: ' : ''",
		'$executionId',
		"$workflow.active ? '' : 'Test: '",
		"$workflow['active']",
		'Object.values($workflow)',
		'$json.a + $execution.id',
		'$resumeWebhookUrl',
		'$whatever1_2',
		"new Intl.DateTimeFormat('en').format()",
		'$json.due.toDateTime().diffToNow()',
		'performance.now()',
		"$json.due.isInLast(5, 'minutes')",
		"$json.due.isInNext(5, 'minutes')",
		'$json.due.toRelative()',
		'[1, 2].randomItem()',
		'Date()',
		'Date.now()',
		'new Date',
		'DateTime.local()',
		'DateTime["now"]()',
	].map((code): [string, IDataObject, boolean] => ['retry', { message: `={{ ${code} }}` }, true]),
	...['approvalOptions', 'formFields', 'jsonOutput', 'fileUrl'].map(
		(name): [string, IDataObject, boolean] => [
			'retry',
			{
				[name]:
					name === 'fileUrl'
						? '={{ $now }}'
						: { values: [{ label: null }, { label: '={{ $now }}' }] },
			},
			true,
		],
	),
	...[
		"$('List').item.json.Date + $json.now + $json.DateTime",
		'$binary.data.fileName + $input.item.json.a + $node.List.json.a',
		'$items()[$itemIndex].json.a + $item(0).$node.List.json.a + $position',
		'$runIndex + $prevNode.name + $workflow.name + $workflow?.id + $vars.shop + $env.SHOP',
		'$parameter.a + $rawParameter.a + $nodeId + $nodeVersion + $webhookId',
		'$if($ifEmpty($json.a, $min(1, $max(2))), $jmespath($json, "a"), $jmesPath($json, "a"))',
		'$fromAI("a") + $fromAi("a") + $fromai("a")',
		'`US$ ${$json.price} $5`',
	].map((code): [string, IDataObject, boolean] => ['retry', { message: `={{ ${code} }}` }, false]),
	['manual', { message: '={{ $now }}' }, false],
])('in the mode %s, the text of %j may be another one than before: %j', (mode, parameters, is) => {
	expect(journalOf(hostOf({ mode, parameters }), SETTINGS).textChanges).toBe(is);
});

it.each([
	['retry', record(), [{}]],
	['retry', {}, []],
	['manual', record(), []],
])('a dry run in the mode %s, with the record %j, shows as sent: %j', (mode, kept, sent) => {
	const before = structuredClone(kept);
	const journal = journalOf(hostOf({ mode, kept }), { ...SETTINGS, dryRun: true });
	expect(journal.triesOf('0:x')).toEqual(sent);
	expect(kept).toEqual(before);
});

it.each([
	[undefined, 1],
	[false, 1],
	[true, 2],
])(
	'if n8n saves the progress: %j, two runs of the node note %i times that they have begun',
	async (savesProgress, times) => {
		const kept = {};
		const history = { claim: jest.fn(async () => await Promise.resolve(new Set<string>())) };
		for (const runIndex of [0, 1]) {
			const journal = journalOf(hostOf({ kept, savesProgress, runIndex }), SETTINGS);
			await journal.guard.markBegun(history as never);
		}
		expect(history.claim).toHaveBeenCalledTimes(times);
	},
);

describe('what the advice after a failure depends on', () => {
	const adviceOn = (host: Host) =>
		adviceFor(hostOf(host), 2, [], { ...SETTINGS, resendUncertain: true });

	it.each<[Host, object]>([
		[{}, {}],
		[{ runIndex: 1 }, { isLaterRun: true }],
		[{ mode: 'integrated' }, { subExecution: '7' }],
		[{ parameters: { message: 'Halo' } }, { hasLastingText: true }],
		[{ parameters: { caption: '={{ $json.a }}' } }, { hasLastingText: true }],
		[{ parameters: { message: '={{ $now }}' } }, {}],
	])('of the run %j, the advice knows %j', (host, more) => {
		expect(adviceOn(host)).toEqual({
			items: 2,
			recipients: [],
			resendsUncertain: true,
			isLaterRun: false,
			hasLastingText: false,
			comesFromData: expect.any(Function),
			...more,
		});
	});

	it.each<[string | undefined, IDataObject, boolean]>([
		['message', { message: '={{ $json.a }}' }, true],
		['message', { message: 'Halo', caption: '={{ $json.a }}' }, false],
		['groupId', { groupId: 7 }, false],
		['options.deviceId', { options: { deviceId: '={{ $json.a }}' } }, true],
		[undefined, { message: '={{ $json.a }}' }, true],
		[undefined, { message: 'Halo', approvalOptions: {} }, false],
		[undefined, { options: { deviceId: '={{ $json.a }}' } }, false],
		[undefined, { recipientSource: 'items' }, true],
		[undefined, { resource: 'text', recipientSource: 'list' }, false],
		[undefined, { resource: 'image' }, true],
		[undefined, { resource: 'image', fileSource: 'binary' }, true],
		[undefined, { resource: 'image', fileSource: 'url' }, false],
	])('the field %s of %j has its value from earlier nodes: %j', (name, parameters, is) => {
		expect(adviceOn({ parameters }).comesFromData(name)).toBe(is);
	});

	const file = { data: '', mimeType: '' };
	const ITEMS = [{ json: {} }, { json: { phone: '', a: { b: 1 } }, binary: { data: file } }];
	it.each<[string, IDataObject, INodeExecutionData[], boolean]>([
		['phoneNumberField', {}, ITEMS, true],
		['phoneNumberField', { phoneNumberField: 'a.b' }, ITEMS, true],
		['phoneNumberField', { phoneNumberField: 'data' }, ITEMS, false],
		['phoneNumberField', {}, [{ json: {} }], true],
		['binaryPropertyName', {}, ITEMS, true],
		['binaryPropertyName', { binaryPropertyName: 'scan' }, ITEMS, false],
		['binaryPropertyName', { binaryPropertyName: 'scan' }, [{ json: {} }], true],
		['binaryPropertyName', { binaryPropertyName: '={{ $json.a }}' }, ITEMS, true],
		['binary', {}, ITEMS, false],
		['binaryPropertyName', { binaryPropertyName: 'scan' }, [{ json: {}, binary: {} }], true],
		[
			'binaryPropertyName',
			{ binaryPropertyName: 'constructor' },
			[...ITEMS, { json: {}, binary: null as never }],
			false,
		],
	])('the field %s of %j names a part of the items %j: %j', (name, parameters, items, is) => {
		expect(adviceOn({ parameters, items }).comesFromData(name)).toBe(is);
	});

	it.each([
		['phoneNumberField', true],
		['binaryPropertyName', true],
		['binary', false],
	])('in a later turn of a loop, a missing %s comes from the items: %j', (name, is) => {
		const host = { parameters: { [name]: 'x' }, items: ITEMS, runIndex: 1 };
		expect(adviceOn(host).comesFromData(name)).toBe(is);
	});
});

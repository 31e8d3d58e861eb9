import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { factsOf, journalOf } from '../../nodes/MessagingGateway/execution';
import { recordOf } from './delivery/deliver';

interface Host {
	mode?: string;
	savesProgress?: boolean;
	runIndex?: number;
	/** The node that has given it its items, if there is one. */
	from?: string | null;
}

const hostOf = ({ mode = 'manual', savesProgress, runIndex = 0, from = 'Items' }: Host) => {
	const source = from && { previousNode: from, previousNodeOutput: 0, previousNodeRun: 0 };
	const resumeUrl = 'https://n8n.example/7?signature=a';
	return {
		getMode: () => mode,
		getExecutionId: () => '7',
		getNode: () => ({ id: 'node-1' }),
		getExecuteData: () => ({ source: { main: [source] } }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex, $execution: { resumeUrl } }),
		getWorkflowSettings: () => ({ saveExecutionProgress: savesProgress }),
	} as unknown as IExecuteFunctions;
};

/** What 1.2 leaves of an execution that has sent a text for item 0. */
const SENT = { source: 'Items:0:0', requests: [{ to: [0, '628'] }], sendOnceKeys: { 0: 'key' } };
const record = () => recordOf(SENT);

it('a run whose items come from somewhere else than before has sent nothing', () => {
	const sentBy = (from: string | null) =>
		journalOf(hostOf({ mode: 'retry', from }), record(), false).earlier.length;
	expect(['Items', 'Others', null].map(sentBy)).toEqual([1, 0, 0]);
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
			const journal = journalOf(hostOf({ savesProgress, runIndex }), kept, false);
			await journal.guard.markBegun(history as never);
		}
		expect(history.claim).toHaveBeenCalledTimes(times);
	},
);

const TYPE = 'n8n-nodes-messaging-gateway.messagingGateway';

it.each<[string, Partial<INode> & { rewireOutputLogTo?: string }, boolean | undefined, boolean]>([
	['a node of a workflow', {}, undefined, false],
	['a node of a workflow, as n8n says', {}, false, false],
	['a tool, as n8n says', {}, true, true],
	['a tool by its output', { rewireOutputLogTo: 'ai_tool' }, undefined, true],
	['a node with another output', { rewireOutputLogTo: 'main' }, undefined, false],
	['a tool by its type', { type: `${TYPE}Tool` }, undefined, true],
	['a human review step', { type: `${TYPE}HitlTool` }, undefined, false],
	[
		'a human review step that n8n marks',
		{ type: `${TYPE}HitlTool`, rewireOutputLogTo: 'ai_tool' },
		true,
		false,
	],
])('%s goes on after an error only if it is a tool', (_, node, isTool, goesOn) => {
	const context = {
		...hostOf({}),
		getNode: () => ({ type: TYPE, parameters: {}, ...node }),
		continueOnFail: () => false,
		...(isTool === undefined ? {} : { isToolExecution: () => isTool }),
	} as unknown as IExecuteFunctions;
	expect(factsOf(context)).toMatchObject({ isTool: goesOn, continueOnFail: goesOn });
});

/** What n8n says about the execution in which the node runs. */

import type { IContextObject, IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { Journal } from './delivery/memory/journal';
import type { ExecutionFacts } from './delivery/runContext';
import { givenBy } from './operations/givenOptions';

/** n8n marks a node that an AI agent runs as a tool in these ways, the first since 2.x. */
type NodeOfTool = INode & { rewireOutputLogTo?: string };

/** Milliseconds of a tool call. n8n's MCP client waits 60 seconds. Then the model calls again, and a copy goes out. */
const TOOL_TIME = 44_000;

/** Returns the facts of the execution. Never throws. */
export function factsOf(context: IExecuteFunctions): ExecutionFacts {
	const { onError, retryOnFail } = context.getNode();
	const mode = context.getMode();
	return {
		execution: context.getExecutionId(),
		isManual: mode === 'manual',
		isRetry: mode === 'retry',
		isSubWorkflow: mode === 'integrated',
		isLaterRun: Number(givenBy(() => runIndexOf(context))) > 0,
		isTool: isTool(context),
		// A model reads the whole output, but little or nothing of a failed node, and might send again.
		continueOnFail: context.continueOnFail() || isTool(context),
		hasErrorOutput: onError === 'continueErrorOutput',
		retryOnFail: retryOnFail === true,
		timeLimit: Number(context.getWorkflowSettings?.().executionTimeout ?? 0),
		endsAt: isTool(context) ? performance.now() + TOOL_TIME : Infinity,
	};
}

/** Whether an AI agent runs the node, as a tool or as a human review step: a model writes its input. */
export function isCalledByModel(context: IExecuteFunctions): boolean {
	const { rewireOutputLogTo, type }: NodeOfTool = context.getNode();
	return (
		rewireOutputLogTo === 'ai_tool' || type.endsWith('Tool') || context.isToolExecution?.() === true
	);
}

/** Whether an AI agent runs the node as a tool. */
function isTool(context: IExecuteFunctions): boolean {
	// n8n reads any output of a human review step as the person's reply, so the step has to fail instead.
	return !context.getNode().type.endsWith('HitlTool') && isCalledByModel(context);
}

/** Returns the number of the node's run within its execution, from 0. */
export function runIndexOf(context: IExecuteFunctions): number {
	return Number(context.getWorkflowDataProxy(0).$runIndex);
}

/** @param record what n8n keeps of the execution for this node */
export function journalOf(
	context: IExecuteFunctions,
	record: IContextObject,
	resendUncertain: boolean,
): Journal {
	const { $execution } = context.getWorkflowDataProxy(0);
	// n8n signs the address where an execution can be resumed with a random token that its retries keep.
	const [, token] = String(($execution as IDataObject).resumeUrl).split('?');
	return new Journal(record, {
		runKey: String(runIndexOf(context)),
		execution: context.getExecutionId(),
		node: context.getNode().id,
		source: sourceOf(context),
		token,
		isRetry: context.getMode() === 'retry',
		savesProgress: context.getWorkflowSettings?.().saveExecutionProgress === true,
		resendUncertain,
	});
}

/** Names the nodes, outputs and runs that this run's items come from. */
function sourceOf(context: IExecuteFunctions): string {
	const sources = Object.values(context.getExecuteData().source ?? {}).flat();
	return sources
		.map((each) => `${each?.previousNode}:${each?.previousNodeOutput}:${each?.previousNodeRun}`)
		.join();
}

import {
	SEND_AND_WAIT_OPERATION,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { InputError } from '../shared/inputError';

/**
 * Makes sure that no reply to an earlier question comes out as the reply to this one.
 *
 * n8n continues with the input of a question that nobody answered (its time is over; Stop and Retry). It keeps that
 * input, and the node, in the element of its stack that waits, and marks this node as disabled:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/core/src/execution-engine/workflow-execute.ts (`handleWaitingState`).
 * Further elements of the same node (from another branch; the second call of a tool) share its node object, so n8n
 * would pass their input on, too, without asking.
 */
export function withholdEarlierReplies(context: IExecuteFunctions): void {
	const waiting = context.getExecuteData();
	const isReview = waiting.node.type.endsWith('HitlTool');
	const withheld = (item: INodeExecutionData) => ({
		...item,
		json: isReview ? {} : withoutReply(item.json),
	});
	waiting.data = {
		...waiting.data,
		main: (waiting.data.main ?? []).map((items) => items?.map(withheld) ?? null),
	};
	waiting.node = { ...waiting.node };
}

/** A reply is in `data`. n8n's agent takes `approved` at the top for one, too, so a human review passes on nothing. */
function withoutReply(json: IDataObject): IDataObject {
	const rest = { ...json };
	delete rest.data;
	return rest;
}

/**
 * Refuses to ask if n8n would skip another question of the workflow and reuse the reply to this one for it.
 *
 * Retry with the currently saved workflow puts the workflow's own node into that element, which then stays disabled for the
 * rest of the execution, in a loop for every further question:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/cli/src/executions/execution.service.ts (`retry`).
 *
 * @throws InputError
 */
export function assertNoQuestionIsOff(context: IExecuteFunctions): void {
	if (context.getMode() !== 'retry') return;
	const { name, type } = context.getNode();
	const withParameters = { includeNodeParameters: true };
	const off = [
		...context.getParentNodes(name, withParameters),
		...context.getChildNodes(name, withParameters),
	].find(
		({ disabled, type: other, parameters }) =>
			disabled && other === type && parameters?.operation === SEND_AND_WAIT_OPERATION,
	);
	if (!off) return;
	throw new InputError(
		`The node '${off.name}' would not ask its question in this execution`,
		'It is deactivated: n8n does so if you retry an execution that was stopped while it waited for an answer.',
		'Use Retry with currently saved workflow in the list of executions. If you deactivated the node yourself, activate or delete it before.',
	);
}

import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * Makes sure that no answer to an earlier question comes out as the answer to this one.
 *
 * n8n continues with the input of a question that nobody answered (its time is over; Stop and Retry). It keeps that
 * input, and the node, in the entry of its stack that waits, and marks this node as disabled:
 * https://github.com/n8n-io/n8n/blob/n8n%402.41.1/packages/core/src/execution-engine/workflow-execute.ts (`handleWaitingState`).
 * Further entries of the same node (from another branch; the second call of a tool) share its node object, so n8n
 * would pass their input on, too, without asking.
 */
export function withholdEarlierAnswers(context: IExecuteFunctions): void {
	const entry = context.getExecuteData();
	const isReview = entry.node.type.endsWith('HitlTool');
	const withheld = (item: INodeExecutionData) => ({
		...item,
		json: isReview ? {} : withoutAnswer(item.json),
	});
	entry.data = {
		...entry.data,
		main: (entry.data.main ?? []).map((items) => items?.map(withheld) ?? null),
	};
	entry.node = { ...entry.node };
}

/** An answer is in `data`. n8n's agent takes `approved` at the top for one, too, so a human review passes on nothing. */
function withoutAnswer(json: IDataObject): IDataObject {
	const rest = { ...json };
	delete rest.data;
	return rest;
}

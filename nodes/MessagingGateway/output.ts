import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Result } from './delivery/result';
import type { Failure } from './gateway/outcome';

const MOST_RECIPIENTS_SHOWN = 5;

/** Output items in the order of their input items, each linked to all that it stands for. */
export function toItems(results: Result[], items: number): INodeExecutionData[] {
	return inItemOrder(results).map((result) => ({
		json: toJson(result, items),
		pairedItem:
			result.items.length === 1
				? { item: result.items[0] as number }
				: result.items.map((item) => ({ item })),
	}));
}

export function inItemOrder(results: Result[]): Result[] {
	return [...results].sort((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
}

function toJson({ outcome, items, recipients }: Result, all: number): IDataObject {
	if (outcome.outcome === 'accepted') return outcome.envelope;
	if (outcome.outcome === 'skipped') {
		return { skipped: true, reason: outcome.reason, sendOnceKey: outcome.sendOnceKey };
	}
	return {
		error: {
			message: `${outcome.what}.`,
			description: describe(outcome, items, all),
			outcome: outcome.outcome,
			...(outcome.httpCode === undefined ? {} : { httpCode: String(outcome.httpCode) }),
			...(recipients ? { recipients } : {}),
		},
	};
}

/** The error that stops the node: what happened to the first failed item, and how far the run came. */
export function toError(
	node: INode,
	{ outcome, items, recipients = [] }: Result & { outcome: Failure },
	begun: Result[],
	all: number,
): NodeApiError | NodeOperationError {
	const itemIndex = items[0];
	const description = [
		describe(outcome, items, all),
		recipientsText(recipients),
		progressText(begun, all),
	]
		.filter(Boolean)
		.join(' ');
	const message = `${outcome.what}.`;
	if (outcome.origin === 'input') {
		const error = new NodeOperationError(node, message, { itemIndex, description });
		error.message = message;
		return error;
	}
	const httpCode = outcome.httpCode === undefined ? undefined : String(outcome.httpCode);
	const error = new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	// n8n puts its own text in place of one that holds a word such as ENOENT, even the gateway's.
	error.message = message;
	return error;
}

/** How far a stopped run came; nothing where one item is all there was. */
function progressText(begun: Result[], all: number): string {
	const sent = begun
		.filter(({ outcome }) => outcome.outcome === 'accepted')
		.reduce((sum, { recipients }) => sum + (recipients?.length ?? 1), 0);
	const left = all - new Set(begun.flatMap(({ items }) => items)).size;
	if (all === 1) return sent === 0 ? '' : `In this run the gateway accepted ${messages(sent)}.`;
	return `In this run the gateway accepted ${messages(sent)}, and ${left} of ${all} items ${left === 1 ? 'was' : 'were'} not begun.`;
}

function describe({ outcome, advice }: Failure, items: number[], all: number): string {
	const fact =
		outcome === 'notSent'
			? 'Nothing was sent'
			: 'It is uncertain whether the gateway queued the message';
	return `${fact}${all === 1 ? '' : placeOf(items)}. ${advice}`;
}

function placeOf(items: number[]): string {
	const [first] = items;
	const place =
		items.length === 1 ? `item ${first}` : `${items.length} items, the first of them item ${first}`;
	return ` for ${place} (n8n counts items from 0)`;
}

function recipientsText(recipients: string[]): string {
	if (recipients.length === 0) return '';
	const shown = recipients.slice(0, MOST_RECIPIENTS_SHOWN).join(', ');
	const more = recipients.length - MOST_RECIPIENTS_SHOWN;
	return `The request was for ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

function messages(count: number): string {
	return `${count} message${count === 1 ? '' : 's'}`;
}

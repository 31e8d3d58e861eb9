import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Result } from './delivery/result';
import { isFailure } from './delivery/shipment';
import { factOf, type Failure } from './gateway/outcome';
import { sentences } from './shared/sentences';

const MOST_RECIPIENTS_SHOWN = 5;

const RETRY_CORRECTED =
	"Then use Retry with currently saved workflow in the list of executions: it sends only the rest. Retry keeps the data of earlier nodes: if the mistake is there, set 'On Error' of this node to 'Continue (using error output)' before you retry, and send the corrected items by themselves afterwards.";

/**
 * Returns the error that stops the node: how many messages were sent, what became of the first that
 * was not, and what to do so that nothing goes out twice.
 *
 * @param all how many input items there are
 */
export function toError(
	node: INode,
	{ items, outcome, recipients, to }: Result & { outcome: Failure },
	results: readonly Result[],
	all: number,
): NodeApiError | NodeOperationError {
	const itemIndex = items[0];
	const progress = progressOf(results, all);
	const description = sentences(
		progress.text,
		// “Nothing was sent” says it for this message, too.
		progress.sent > 0 || progress.text === '' ? factOf(outcome) : '',
		outcome.advice,
		recipientsText(recipients ?? (to !== undefined && outcome.outcome === 'uncertain' ? [to] : [])),
		outcome.step ?? stepAfter(outcome, results, progress.left > 0),
	);
	const message = `${outcome.what}.`;
	if (outcome.origin === 'input') {
		const error = new NodeOperationError(node, message, { itemIndex, description });
		error.message = message;
		return error;
	}
	const httpCode = outcome.httpCode === undefined ? undefined : String(outcome.httpCode);
	const error = new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	// n8n replaces a message that contains a word such as ENOENT, even where the gateway said it.
	error.message = message;
	return error;
}

/** Returns the first failure, in the order of the items. */
export function firstFailure(
	results: readonly Result[],
): (Result & { outcome: Failure }) | undefined {
	return results.find((result): result is Result & { outcome: Failure } =>
		isFailure(result.outcome),
	);
}

/** Says first how far the run came. */
function progressOf(
	results: readonly Result[],
	all: number,
): { sent: number; left: number; text: string } {
	const accepted = results.filter(({ outcome }) => outcome.outcome === 'accepted');
	const people = (some: readonly Result[]) =>
		some.reduce((sum, { recipients }) => sum + (recipients?.length ?? 1), 0);
	const sent = people(accepted);
	const earlier = people(accepted.filter(({ isEarlier }) => isEarlier));
	const left = all - new Set(results.flatMap(({ items }) => items)).size;
	const notTried = left > 0 ? `; ${left} ${left === 1 ? 'item was' : 'items were'} not tried` : '';
	if (sent === 0) {
		const isUncertain = results.some(({ outcome }) => outcome.outcome === 'uncertain');
		return { sent, left, text: isUncertain ? '' : `Nothing was sent${notTried}.` };
	}
	const before = earlier > 0 ? ` (${earlier} of them in an earlier try)` : '';
	return {
		sent,
		left,
		text: `${sent} ${sent === 1 ? 'message was' : 'messages were'} sent${before}${notTried}.`,
	};
}

/** Another run sends everything again, so it is the step only if it is certain that nothing was sent. */
function stepAfter(failure: Failure, results: readonly Result[], hasUntried: boolean): string {
	const sent = results.filter(({ outcome: each }) =>
		['accepted', 'uncertain'].includes(each.outcome),
	).length;
	if (failure.outcome === 'uncertain') {
		const others = results.map((each) => each.outcome).filter(isFailure);
		const refused = others.find(hasMistake);
		const hasRest = hasUntried || others.some((other) => other.outcome === 'notSent');
		return sentences(
			// What an earlier try left uncertain says so itself.
			sent > 1 &&
				failure.cause !== 'earlierTry' &&
				'If it is not there, send it by itself: a new execution sends to everybody again.',
			// A Retry stops there again.
			refused && `Another item was refused: ${refused.what}. Correct it. ${RETRY_CORRECTED}`,
			!refused && sent > 1 && hasRest && 'Retry in the list of executions sends only the rest.',
		);
	}
	if (sent === 0) return 'Then run the workflow again.';
	return hasMistake(failure)
		? RETRY_CORRECTED
		: 'Then use Retry in the list of executions: it sends only the rest.';
}

/** Whether somebody has to correct something before a Retry. A canceled execution has nothing to correct. */
function hasMistake({ outcome, origin, cause }: Failure): boolean {
	return outcome === 'notSent' && origin === 'input' && cause !== 'canceled';
}

function recipientsText(recipients: string[]): string {
	if (recipients.length === 0) return '';
	const shown = recipients.slice(0, MOST_RECIPIENTS_SHOWN).join(', ');
	const more = recipients.length - MOST_RECIPIENTS_SHOWN;
	return `The request was for ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

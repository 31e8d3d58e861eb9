import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { isOfAll, type Run, stepAfter } from './advice';
import type { Result } from '../delivery/result';
import { factOf, type Failure } from '../gateway/outcome';
import { count, figure, firstOf, sentences, withoutMarkup } from '../shared/text';

const MOST_RECIPIENTS_SHOWN = 5;

/**
 * Returns the error that stops the node: how many messages are queued, why the first failed message is not, and what to
 * do so that nothing goes out twice.
 */
export function toError(
	node: INode,
	{ items, outcome, recipients, to }: Result & { outcome: Failure },
	results: readonly Result[],
	run: Run,
): NodeApiError | NodeOperationError {
	const itemIndex = isOfAll(outcome) ? undefined : items[0];
	// n8n counts items from 0, and a mistake in the input is named already.
	const one =
		to !== undefined && itemIndex !== undefined && outcome.origin === 'gateway' ? [to] : [];
	const progress = progressOf(results, run);
	const texts = sentences(
		progress.text,
		!progress.isNothing && factOf(outcome),
		outcome.advice,
		outcome.outcome === 'uncertain' || run.resendsUncertain
			? uncertainText(run.recipients)
			: recipientsText('The request was for', recipients ?? one),
		stepAfter(outcome, results, run),
	);
	const description = withoutMarkup(texts);
	const message = withoutMarkup(`${outcome.what}.`);
	if (outcome.origin === 'input') {
		const error = new NodeOperationError(node, message, { itemIndex, description });
		error.message = message;
		return error;
	}
	const httpCode = outcome.httpCode === undefined ? undefined : String(outcome.httpCode);
	const error = new NodeApiError(node, { message }, { message, description, httpCode, itemIndex });
	// n8n replaces a message that contains a word such as ENOENT, even in the gateway's own words.
	error.message = message;
	return error;
}

/** Says first how far the run got. “Nothing was queued” says it for every message. */
function progressOf(
	results: readonly Result[],
	{ items: all, isLaterRun }: Run,
): { text?: string; isNothing?: boolean } {
	const accepted = results.filter(({ outcome }) => outcome.outcome === 'accepted');
	const people = (some: readonly Result[]) =>
		some.reduce((sum, { recipients }) => sum + (recipients?.length ?? 1), 0);
	const queued = people(accepted);
	const earlier = people(accepted.filter(({ isEarlier }) => isEarlier));
	const left = all - new Set(results.flatMap(({ items }) => items)).size;
	const turn = isLaterRun ? ' in this turn' : '';
	const notTried =
		left > 0 ? `; ${count(left, 'item')} ${left === 1 ? 'was' : 'were'} not tried` : '';
	if (queued === 0) {
		if (results.some(({ outcome }) => outcome.outcome === 'uncertain')) return {};
		return { text: `Nothing was queued${turn}${notTried}.`, isNothing: true };
	}
	const before = earlier > 0 ? ` (${figure(earlier)} of them in an earlier try)` : '';
	return {
		text: `${count(queued, 'message')} ${queued === 1 ? 'is' : 'are'} queued${turn}${before}${notTried}.`,
	};
}

/** Names everybody who may or may not have gotten a message. No other text names them. */
function uncertainText(recipients: readonly Result[]): string {
	const uncertain = recipients.filter(({ outcome }) => outcome.outcome === 'uncertain');
	const all = [...new Set(uncertain.flatMap(({ to }) => to ?? []))];
	const what = all.length > 1 ? 'The uncertain messages were for' : 'The request was for';
	return sentences(
		recipientsText(what, all),
		all.length > MOST_RECIPIENTS_SHOWN &&
			"To see all of them, set 'On Error' to 'Continue (using error output)' before you retry.",
	);
}

function recipientsText(what: string, recipients: readonly string[]): string {
	if (recipients.length === 0) return '';
	return `${what} ${firstOf(recipients, MOST_RECIPIENTS_SHOWN)}.`;
}

/** Returns the error that ends a dry run of a retry: after a success, n8n would no longer offer Retry. */
export function dryRunOfRetry(node: INode, testNumber: string): NodeOperationError {
	const [option, kind, rest] =
		testNumber === '' ? ['Dry Run', 'dry run', ''] : ['Test Number', 'test', ' to anybody else'];
	return new NodeOperationError(node, `This was a ${kind} of a retry: nothing was queued${rest}.`, {
		description: `The node stops here on purpose, so that n8n still offers Retry. To send the rest, remove the option '${option}', save the workflow, and use Retry with currently saved workflow in the list of executions.`,
	});
}

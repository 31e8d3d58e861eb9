import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { isOfAll, type Run, stepAfter, untried } from './advice';
import type { Result } from '../delivery/result';
import type { RunContext } from '../delivery/runContext';
import { factOf, type Failure, isFailure } from '../gateway/outcome';
import { count, figure, firstOf, sentences, withoutMarkup } from '../shared/text';

const MOST_RECIPIENTS_SHOWN = 5;

/**
 * Returns the error that stops the node: what happened to which item, whether anything is queued, and one thing to do
 * so that nothing goes out twice.
 */
export function toError(
	node: INode,
	failed: Result & { outcome: Failure },
	results: readonly Result[],
	run: Run,
): NodeApiError | NodeOperationError {
	const { outcome } = failed;
	const progress = progressOf(results, run);
	const description = withoutMarkup(
		sentences(
			progress,
			(outcome.outcome === 'uncertain' || !progress) && factOf(outcome),
			outcome.advice,
			recipientsOf(failed, run),
			stepAfter(outcome, results, run),
		),
	);
	const message = withoutMarkup(`${titleOf(failed, results, run)}.`);
	const error =
		outcome.origin === 'input'
			? new NodeOperationError(node, message, { description })
			: new NodeApiError(node, { message }, { message, description, ...statusOf(outcome) });
	// n8n replaces a message that contains a word such as ENOENT, even in the gateway's own words.
	error.message = message;
	return error;
}

function statusOf({ httpCode }: Failure): { httpCode?: string } {
	return httpCode === undefined ? {} : { httpCode: String(httpCode) };
}

/** n8n would count the item from 0. A person counts from 1, and knows a recipient by the number. */
function titleOf(
	{ items, outcome, to }: Result & { outcome: Failure },
	results: readonly Result[],
	run: Run,
): string {
	const failures = results.filter((each) => isFailure(each.outcome));
	const now = results.filter((each) => each.outcome.outcome === 'accepted' && !each.isEarlier);
	if (run.isRetry && now.length > 0 && failures.every(({ isEarlier }) => isEarlier === true)) {
		const more = figure(peopleOf(failures));
		return `${queuedText(peopleOf(now))} now. ${more} more may have been queued by an earlier try`;
	}
	const isNamed = to !== undefined && outcome.origin === 'gateway';
	const [item = 0] = items;
	return run.items > 1 && !isNamed && !isOfAll(outcome)
		? `Item ${figure(item + 1)}: ${outcome.what}`
		: outcome.what;
}

/** Says how far the run got; undefined if that says nothing about the failed message. */
function progressOf(results: readonly Result[], run: Run): string | undefined {
	const queued = results.filter(({ outcome }) => outcome.outcome === 'accepted');
	const isUncertain = results.some(({ outcome }) => outcome.outcome === 'uncertain');
	if (queued.length === 0 && isUncertain) return undefined;
	const left = untried(results, run);
	const rest = left > 0 ? `; ${count(left, 'item')} ${left === 1 ? 'was' : 'were'} not tried` : '';
	const turn = run.isLaterRun ? ' in this turn' : '';
	if (queued.length === 0) return `Nothing was queued${turn}${rest}.`;
	const all = peopleOf(queued);
	const again = run.isManual
		? ` Do not press 'Execute step': it would send ${all === 1 ? 'it' : 'them'} again.`
		: '';
	const earlier = peopleOf(queued.filter(({ isEarlier }) => isEarlier));
	const before = earlier > 0 ? ` (${figure(earlier)} of them in an earlier try)` : '';
	return `${queuedText(all)}${turn}${before}${rest}.${again}`;
}

function queuedText(messages: number): string {
	return `${count(messages, 'message')} ${messages === 1 ? 'is' : 'are'} queued`;
}

function peopleOf(results: readonly Result[]): number {
	return results.reduce((sum, { recipients }) => sum + (recipients?.length ?? 1), 0);
}

/** Names everybody who may or may not have gotten a message, because no other text names them; or else the recipients of the failed request. */
function recipientsOf(
	{ outcome, recipients, to }: Result & { outcome: Failure },
	run: Run,
): string {
	if (outcome.outcome === 'uncertain' || run.resendsUncertain) {
		const uncertain = run.recipients.filter((each) => each.outcome.outcome === 'uncertain');
		const all = [...new Set(uncertain.flatMap((each) => each.to ?? []))];
		const what =
			all.length > 1 ? 'The uncertain messages were for' : 'The uncertain message was for';
		return sentences(
			recipientsText(what, all),
			all.length > MOST_RECIPIENTS_SHOWN &&
				"To see all of them, set Settings → On Error to 'Continue (using error output)' before you retry.",
		);
	}
	const one = to !== undefined && outcome.origin === 'gateway' && !isOfAll(outcome) ? [to] : [];
	return recipientsText('The request was for', recipients ?? one);
}

function recipientsText(what: string, recipients: readonly string[]): string {
	if (recipients.length === 0) return '';
	return `${what} ${firstOf(recipients, MOST_RECIPIENTS_SHOWN)}.`;
}

/** Returns the error that ends a dry run of a retry: after a success, n8n would no longer offer Retry. */
export function dryRunOfRetry(node: INode, mode: RunContext['mode']): NodeOperationError {
	const [option, kind, rest] =
		mode === 'dryRun' ? ['Dry Run', 'dry run', ''] : ['Test Number', 'test', ' to anybody else'];
	return new NodeOperationError(node, `This was a ${kind} of a retry: nothing was queued${rest}.`, {
		description: `The node stops here on purpose, so that n8n still offers Retry. To send the rest, remove the option '${option}', save, and retry: Executions → the failed one → ↷ → 'Retry with currently saved workflow'.`,
	});
}

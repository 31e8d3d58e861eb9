/** The outcome of a request, as a value: accepted, not sent or uncertain. */

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import { excerpt, quote, textOfHtml } from '../shared/text';

/** The result of one message. All later decisions depend on it alone. */
export type Outcome = Accepted | Failure;

/** The gateway queued the message. `envelope` is its answer, unchanged. */
export interface Accepted {
	outcome: 'accepted';
	envelope: IDataObject;
	/** Only in a dry run, which gets no answer. */
	preview?: Preview;
}

/** The parts of a message that a dry run shows. */
export interface Preview {
	/** The text or caption. */
	text?: string;
	/** Its name and size. */
	file?: string;
}

/** The message was certainly not queued (`notSent`), or may have been (`uncertain`). */
export interface Failure {
	outcome: 'notSent' | 'uncertain';
	/** Whether the cause is in the user's input, or at the gateway or in the network. */
	origin: 'input' | 'gateway';
	/** The cause, if later decisions depend on it. */
	cause?:
		| 'replyElsewhere'
		| 'canceled'
		| 'interrupted'
		| 'notTried'
		| 'outOfReach'
		| 'outdated'
		| 'unclaimed'
		| 'wholeRun';
	/** Who is to blame. Absent if it is the message itself, so that other messages do not fail for the same reason. */
	blame?: Blame;
	/** The gateway refused the content of the message, and would refuse it again. */
	isMistake?: true;
	/** One sentence: what happened, in the gateway's own words if it gave a reason. */
	what: string;
	/** One sentence: whether anything was queued. Present only if `factOf` would otherwise be wrong. */
	fact?: string;
	/** One or two sentences: what to correct. The advice on how to send again is added where they are shown. */
	advice: string;
	/** The next step, if it is not Retry; '' if there is none. */
	step?: string;
	/** The status of the answer, if there was one. */
	httpCode?: number;
	/** The gateway's own words, without those of the node. */
	words?: string;
	/**
	 * Present if waiting helps and another try cannot send twice. `afterMs` is the pause that the gateway asked for.
	 * `busy`: all messages of the subscription should wait.
	 */
	retry?: { afterMs?: number; busy?: true };
}

/**
 * `subscription`: every message fails until something is corrected. `gateway`: it cannot be reached now.
 * `maybeRecipient`: either this recipient is refused, or every message.
 */
export type Blame = 'subscription' | 'gateway' | 'maybeRecipient';

/** The advice for an uncertain message. */
export const LOOK_FIRST = "Check the gateway's outbox before you send it again.";

type FailureDetails = Omit<Failure, 'outcome' | 'origin'> & Partial<Pick<Failure, 'origin'>>;

/** Returns the failure of a message that the gateway certainly did not queue. */
export function notSent(details: FailureDetails): Failure {
	return { origin: 'gateway', ...details, outcome: 'notSent' };
}

/** Returns the failure of a message that the gateway may have queued. */
export function uncertain(details: FailureDetails): Failure {
	return { origin: 'gateway', ...details, outcome: 'uncertain' };
}

/** Returns the same failure for a message that had already begun to leave. */
export function mayHaveLeft({ origin, what }: Failure): Failure {
	return uncertain({ origin, what, advice: LOOK_FIRST });
}

/** Returns the failure of a message if an error stopped it before its request began. */
export function notSentBecauseOf(error: unknown): Failure {
	const { message, description, cause, context } = (error ?? {}) as Partial<
		Record<string, unknown>
	>;
	const refused = error instanceof InputError ? error : cause;
	if (refused instanceof InputError) {
		const { what, advice, step, isOfWholeRun, isStop } = refused;
		return notSent({
			origin: 'input',
			what,
			advice,
			...(step !== undefined && { step }),
			...(isOfWholeRun && { cause: 'wholeRun' as const }),
			...(isStop && { cause: 'canceled' as const }),
		});
	}
	return notSent({
		origin: 'input',
		what: excerpt(String(message ?? error)).replace(/\.$/, ''),
		advice:
			// n8n writes "undefined More info" for a node that has not run.
			typeof description === 'string' && /^(?!undefined\b)./s.test(description)
				? textOfHtml(description)
				: adviceFor((context ?? {}) as ExpressionContext),
	});
}

/** n8n's facts about an expression that failed. */
interface ExpressionContext {
	parameter?: unknown;
	type?: unknown;
	/** The node that the expression refers to. */
	nodeCause?: unknown;
}

function adviceFor({ parameter, type, nodeCause }: ExpressionContext): string {
	// The words for these are in n8n's editor, not in the error.
	if (type === 'paired_item_multiple_matches' || type === 'paired_item_no_info') {
		return `n8n cannot tell which item of ${quote(String(nodeCause))} belongs to this one. In the expression, use a field of this item, such as {{ $json.phone }}.`;
	}
	return `Check ${labelOf(parameter)} of this node for this item.`;
}

function labelOf(parameter: unknown): string {
	if (parameter === 'message') return "the expression in 'Message'";
	return parameter === 'caption' ? "the expression in 'Caption'" : 'the parameters';
}

/** For an outcome, and for the reason why a message was left out. */
export function isFailure(result: { outcome: string }): result is Failure {
	return result.outcome === 'notSent' || result.outcome === 'uncertain';
}

/** The gateway asks everybody to wait. */
export type BusyFailure = Failure & Required<Pick<Failure, 'retry'>>;

export function isBusy(outcome: Outcome): outcome is BusyFailure {
	if (outcome.outcome === 'accepted' || !outcome.retry) return false;
	return outcome.retry.busy === true || outcome.retry.afterMs !== undefined;
}

/** Whether the request has not reached the gateway, and may later. */
export function hasNotArrived(outcome: Outcome): boolean {
	return outcome.outcome === 'notSent' && outcome.retry !== undefined && !isBusy(outcome);
}

/** Returns one sentence: whether the message was queued. */
export function factOf({ outcome, fact }: Failure): string {
	if (fact !== undefined) return fact;
	return outcome === 'notSent'
		? 'This message was not queued.'
		: 'This message may or may not be queued.';
}

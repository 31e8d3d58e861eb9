import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import { excerpt, quote } from '../shared/quote';
import { textOfHtml } from './html';

/** What became of one message. Everything after an exchange decides by this alone. */
export type Outcome = Accepted | Failure;

/** The gateway queued the message. `envelope` is its answer, unchanged. */
export interface Accepted {
	outcome: 'accepted';
	envelope: IDataObject;
	/** Only in a dry run, which has no answer. */
	preview?: Preview;
}

/** What a dry run shows of a message. */
export interface Preview {
	/** The text or caption. */
	text?: string;
	/** Its name and size. */
	file?: string;
}

/** Nothing was queued (`notSent`, certain), or it may have been (`uncertain`). */
export interface Failure {
	outcome: 'notSent' | 'uncertain';
	/** Where it went wrong: in what the person entered, or at the gateway and in the network. */
	origin: 'input' | 'gateway';
	/** Why, if later decisions depend on it. */
	cause?:
		| 'replyElsewhere'
		| 'canceled'
		| 'interrupted'
		| 'notTried'
		| 'outOfReach'
		| 'outdated'
		| 'unclaimed'
		| 'wholeRun';
	/** Whose fault it is, if not that of the message: only then may others fail in the same way. */
	blame?: Blame;
	/** The gateway refused what the message says, and would again. */
	isMistake?: true;
	/** The parameter that holds the mistake, if it is known. */
	parameter?: string;
	/** One sentence: what happened, in the gateway's own words if it gave a reason. */
	what: string;
	/** One sentence: whether anything was queued, where the outcome alone would say it wrongly. */
	fact?: string;
	/** One sentence or two: what to correct. Whoever shows them adds how to send again. */
	advice: string;
	/** What to do next, if it is not Retry. */
	step?: string;
	/** The status of the answer, if there was one. */
	httpCode?: number;
	/** What the gateway said of it, without the node's own words. */
	words?: string;
	/**
	 * Present if waiting helps and another try cannot send twice. `afterMs` is the pause that the gateway
	 * asked for; `busy` means that it asks all messages to wait.
	 */
	retry?: { afterMs?: number; busy?: true };
}

/**
 * `subscription`: every message fails until somebody corrects something. `gateway`: it cannot be reached now.
 * `maybeRecipient`: the gateway refuses this recipient, or every message.
 */
export type Blame = 'subscription' | 'gateway' | 'maybeRecipient';

/** The advice for a message that is uncertain. */
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

/** Returns the failure of a message that an error stopped before its request began. */
export function notSentBecauseOf(error: unknown): Failure {
	const { message, description, cause, context } = (error ?? {}) as Partial<
		Record<string, unknown>
	>;
	const refused = error instanceof InputError ? error : cause;
	if (refused instanceof InputError) {
		const { what, advice, step, parameter, isOfWholeRun, isStop } = refused;
		return notSent({
			origin: 'input',
			what,
			advice,
			...(step && { step }),
			...(parameter && { parameter }),
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

/** What n8n knows of an expression that failed. */
interface ExpressionContext {
	parameter?: unknown;
	type?: unknown;
	/** The node that the expression refers to. */
	nodeCause?: unknown;
}

function adviceFor({ parameter, type, nodeCause }: ExpressionContext): string {
	// Only n8n's editor has words for these.
	if (type === 'paired_item_multiple_matches' || type === 'paired_item_no_info') {
		return `n8n cannot tell which item of ${quote(String(nodeCause))} belongs to this one. In the expression, use a field of this item, such as {{ $json.phone }}.`;
	}
	return `Check ${labelOf(parameter)} of this node for this item.`;
}

function labelOf(parameter: unknown): string {
	if (parameter === 'message') return "the expression in 'Message'";
	return parameter === 'caption' ? "the expression in 'Caption'" : 'the parameters';
}

/** Says whether the message of a failure was sent. */
export function factOf({ outcome, fact }: Failure): string {
	if (fact !== undefined) return fact;
	return outcome === 'notSent'
		? 'This message was not queued.'
		: 'This message may or may not be queued.';
}

import { LOOK_FIRST, notSent, uncertain, type Failure, type Outcome } from '../gateway/outcome';
import type { Recipient } from './message';

/** One request and everybody who gets it. */
export interface Shipment {
	recipients: Recipient[];
	isBulk: boolean;
	/** It was sent in an earlier try of this execution. */
	isEarlier: boolean;
	/** Undefined until the gateway has answered. */
	outcome?: Outcome;
}

/** Somebody gets no message, on purpose. */
export interface Skipped {
	outcome: 'skipped';
	why: 'optedOut' | 'noNumber' | 'sameNumber' | 'sendOnceKey';
	/** One sentence. */
	reason: string;
	sendOnceKey?: string;
}

/** One recipient that one item asks for, and what became of it: a shipment, or a reason why there is none. */
export interface Row {
	/** The index of the input item. */
	item: number;
	/** Undefined if the item could not be read. */
	recipient?: Recipient;
	/** '' if the item has none. */
	sendOnceKey: string;
	/** The request that carries the message, shared by all who ask for the same recipient. */
	shipment?: Shipment;
	reason?: Failure | Skipped;
	/** An earlier try may have sent it, and it still goes out again. */
	isResent?: boolean;
}

/** An row of an item that could be read. */
export type RecipientRow = Row & { recipient: Recipient };

export const OPTED_OUT: Skipped = {
	outcome: 'skipped',
	why: 'optedOut',
	reason: "The number is in 'Skip Numbers'.",
};

export const SAME_NUMBER: Skipped = {
	outcome: 'skipped',
	why: 'sameNumber',
	reason: 'This number already gets the same text in this run.',
};

/** @param refused a sentence that says what is wrong with an entry of a list */
export function noNumber(refused: string): Skipped {
	return { outcome: 'skipped', why: 'noNumber', reason: `${refused}.` };
}

export function keyTaken(sendOnceKey: string, inThisRun: boolean): Skipped {
	return {
		outcome: 'skipped',
		why: 'sendOnceKey',
		sendOnceKey,
		reason: inThisRun
			? 'An earlier item of this run has the same Send-Once Key.'
			: 'A message with this Send-Once Key was sent before, or may have been sent.',
	};
}

/** A canceled run says this of everything that it did not begin. */
export const NOT_BEGUN = notSent({
	origin: 'input',
	what: 'The execution was canceled before this message was sent',
	advice: '',
});

/** An earlier try began a request, and nobody knows how it ended. */
export const UNKNOWN_END = uncertain({
	what: 'An earlier try of this execution could not find out whether the gateway took this message',
	advice:
		"It was not sent again. Check the gateway's outbox: if the message is not there, send it by itself, because a new execution sends to everybody again. Or set the option 'Uncertain Messages on Retry' to 'Send Again', and retry with the currently saved workflow.",
});

/** An earlier execution sent a question, and the answer comes back to that one. */
export const ANSWERED_ELSEWHERE = uncertain({
	what: 'An earlier execution has sent this question, and the answer to it cannot reach this one',
	fact: 'Nothing was sent this time.',
	advice:
		"To ask again, with a link that works, set the option 'Uncertain Messages on Retry' to 'Send Again', and retry with the currently saved workflow.",
});

/** A retry of an execution that another retry has continued. */
export const OUTDATED = uncertain({
	what: 'A newer retry of this execution exists and may have sent this message',
	advice: 'This retry did not send it, so that nobody gets it twice.',
	step: 'In the list of executions, use Retry on the newest retry of this execution: it knows what was sent, and sends only the rest.',
});

/** A retry of which n8n could not say whether it is the only one. */
export const UNCLAIMED = uncertain({
	what: 'n8n could not find out whether another retry of this execution has sent this message',
	advice: "This retry did not send it. Check that n8n's database is available.",
	step: 'Then use Retry in the list of executions: it sends only the rest.',
});

/** Returns the failure of a message that could not go out again, but may have been sent by an earlier try. */
export function unlessSent(failure: Failure): Failure {
	const advice = `An earlier try of this execution may have sent it. ${LOOK_FIRST} ${failure.advice}`;
	return { ...failure, outcome: 'uncertain', advice: advice.trim() };
}

export function isFailure(outcome: Outcome | Skipped): outcome is Failure {
	return outcome.outcome === 'notSent' || outcome.outcome === 'uncertain';
}

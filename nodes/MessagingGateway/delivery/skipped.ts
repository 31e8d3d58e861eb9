import type { Deadline } from '../shared/deadline';
import type { Recipient } from './message';

/** A recipient who gets no message, on purpose. */
export interface Skipped {
	outcome: 'skipped';
	why:
		| 'optedOut'
		| 'notAllowed'
		| 'noNumber'
		| 'sameNumber'
		| 'sendOnceKey'
		| 'firstNotSent'
		| 'tooLate';
	/** One sentence without its period. */
	what: string;
	sendOnceKey?: string;
}

export const OPTED_OUT: Skipped = {
	outcome: 'skipped',
	why: 'optedOut',
	what: "The number is in 'Skip Numbers'",
};

/** The reasons for not sending to a recipient. */
export const NOT_SENT_TO: Record<NonNullable<Recipient['skip']>, Skipped> = {
	optedOut: OPTED_OUT,
	unclear: {
		...OPTED_OUT,
		what: "The number is ambiguous and may be in 'Skip Numbers'",
	},
	notAllowed: {
		outcome: 'skipped',
		why: 'notAllowed',
		what: "The number is not in 'Allowed Numbers'",
	},
};

export const SAME_NUMBER: Skipped = {
	outcome: 'skipped',
	why: 'sameNumber',
	what: 'This number already gets the same text in this run',
};

export function tooLate({ asText }: Deadline): Skipped {
	return {
		outcome: 'skipped',
		why: 'tooLate',
		what: `It was too late to send this message: the time in 'Send Before' is ${asText}`,
	};
}

/** @param refusal the mistake in an entry of a list: one sentence without its period */
export function noNumber(refusal: string): Skipped {
	return { outcome: 'skipped', why: 'noNumber', what: refusal };
}

export function keyTaken(sendOnceKey: string, inThisRun: boolean): Skipped {
	return {
		outcome: 'skipped',
		why: 'sendOnceKey',
		sendOnceKey,
		what: inThisRun
			? 'An earlier item of this run has the same Send-Once Key'
			: 'A message with this Send-Once Key is already queued, or may be',
	};
}

/** An item is left out for the first one with its key, of whose message it is certain that it was not sent. */
export function firstNotSent(sendOnceKey: string): Skipped {
	return {
		outcome: 'skipped',
		why: 'firstNotSent',
		sendOnceKey,
		what: 'The first item with this key was not sent; a Retry sends it',
	};
}

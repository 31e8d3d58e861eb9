import type { Failure } from '../gateway/outcome';
import type { Recipient } from './message';
import type { Shipment } from './shipment';

/** One recipient that one item asks for, and its result: a shipment, or a reason for having none. */
export interface Row {
	/** The index of the input item. */
	item: number;
	/** Undefined if the item could not be read. */
	recipient?: Recipient;
	/** The entry of a list that is not a recipient. */
	asEntered?: string;
	/** The identity of a single message. */
	identity?: string;
	/** '' if the item has none. */
	sendOnceKey: string;
	/** The request that carries the message, shared by all rows with the same recipient. */
	shipment?: Shipment;
	reason?: Failure | Skipped;
	/** An earlier try may have sent it, and it is being sent again. If this try fails, the message stays uncertain. */
	isResent?: boolean;
}

/** A row of an item that could be read. */
export type RecipientRow = Row & { recipient: Recipient };

/** A recipient who gets no message, on purpose. */
export interface Skipped {
	outcome: 'skipped';
	why: 'optedOut' | 'notAllowed' | 'noNumber' | 'sameNumber' | 'sendOnceKey';
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

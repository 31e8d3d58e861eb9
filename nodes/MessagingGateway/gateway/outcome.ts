import type { IDataObject } from 'n8n-workflow';

/** What became of one message: the only thing that everything after an exchange decides on. */
export type Outcome = Accepted | Failure;

/** The gateway queued the message. `envelope` is its answer as it came. */
export interface Accepted {
	outcome: 'accepted';
	envelope: IDataObject;
}

/** Nothing was queued (`notSent`, certain), or it may have been (`uncertain`). */
export interface Failure {
	outcome: 'notSent' | 'uncertain';
	/** Whose fault it is: what the person entered, or the gateway and the network. */
	origin: 'input' | 'gateway';
	/** One sentence: what happened, in the gateway's own words where it has any. */
	what: string;
	/** One sentence or two: what to do now. */
	advice: string;
	/** The status of the answer, where there was one. */
	httpCode?: number;
	/** Present where waiting helps and trying again cannot send twice. `afterMs` is the gateway's wish. */
	retry?: { afterMs?: number };
}

/** What to do where a message is uncertain. */
export const LOOK_FIRST = "Look into the gateway's outbox before you send it again.";

/** What a person entered cannot be sent as it is. Nothing has reached the gateway. */
export class InputError extends Error {
	constructor(
		readonly what: string,
		readonly advice: string,
	) {
		super(what);
	}

	toFailure(): Failure {
		return { outcome: 'notSent', origin: 'input', what: this.what, advice: this.advice };
	}
}

import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../shared/inputError';

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
	/**
	 * Present where waiting helps and trying again cannot send twice. `busy` where the gateway itself
	 * asks for a pause, which holds for everybody who sends with its token; `afterMs` is how long.
	 */
	retry?: { afterMs?: number; busy?: true };
}

/** What to do where a message is uncertain. */
export const LOOK_FIRST = "Look into the gateway's outbox before you send it again.";

type FailureDetails = Omit<Failure, 'outcome' | 'origin'> & Partial<Pick<Failure, 'origin'>>;

/** It is certain that the gateway did not queue the message. */
export function notSent(details: FailureDetails): Failure {
	return { outcome: 'notSent', origin: 'gateway', ...details };
}

/** The gateway may have queued the message. */
export function uncertain(details: FailureDetails): Failure {
	return { outcome: 'uncertain', origin: 'gateway', ...details };
}

/** Returns the failure of a message that an error stopped before its request began. */
export function notSentBecauseOf(error: unknown): Failure {
	const { message, description, cause } = (error ?? {}) as Partial<Record<string, unknown>>;
	const refused = error instanceof InputError ? error : cause;
	if (refused instanceof InputError) {
		return notSent({ origin: 'input', what: refused.what, advice: refused.advice });
	}
	return notSent({
		origin: 'input',
		what: String(message ?? error),
		advice:
			typeof description === 'string' && description !== ''
				? description
				: 'Check the parameters of this node for this item.',
	});
}

import { type Failure, LOOK_FIRST, notSent, type Outcome } from '../gateway/outcome';

/** One request. Its recipients are in its rows. */
export interface Shipment {
	isBulk: boolean;
	/** It was sent in an earlier try of this execution. */
	isEarlier: boolean;
	/** Undefined until the gateway has answered. */
	outcome?: Outcome;
}

/** The result of everything that a canceled run did not begin. */
export const CANCELED = notSent({
	origin: 'input',
	cause: 'canceled',
	what: 'The execution was stopped before this message was queued',
	advice: '',
});

/** For an outcome, and for the reason why a row was not sent. */
export function isFailure(result: { outcome: string }): result is Failure {
	return result.outcome === 'notSent' || result.outcome === 'uncertain';
}

/** Returns why a message was not sent. If an earlier try may have sent it, nobody can tell whether it was. */
export function failureOf({ isResent }: { isResent?: boolean }, failure: Failure): Failure {
	if (!isResent || failure.outcome !== 'notSent') return failure;
	const advice = `An earlier try of this execution may have queued it. ${LOOK_FIRST} ${failure.advice}`;
	// A fact is about this try alone.
	return { ...failure, outcome: 'uncertain', advice: advice.trim(), fact: undefined };
}

import type { Failure, Outcome } from '../gateway/outcome';
import type { DeliverySettings } from './settings';

/** What one request, or one item without a request, came to. */
export interface Result {
	/** Indexes of the input items that it stands for. */
	items: number[];
	outcome: Outcome | Skipped;
	/** Bulk only: the numbers that travelled in the request. */
	recipients?: string[];
}

/** Not sent, because its Send-Once Key had been sent before. */
export interface Skipped {
	outcome: 'skipped';
	sendOnceKey: string;
	reason: string;
}

/** A cancelled run says this of what it did not come to. */
export const NOT_BEGUN: Failure = {
	outcome: 'notSent',
	origin: 'input',
	what: 'The execution was cancelled before this was begun',
	advice: 'Run the workflow again to send it.',
};

export function skipped(sendOnceKey: string, inThisRun: boolean): Skipped {
	return {
		outcome: 'skipped',
		sendOnceKey,
		reason: inThisRun
			? 'An earlier item of this run has the same Send-Once Key.'
			: 'A message with this Send-Once Key was sent before.',
	};
}

export function isFailure(outcome: Result['outcome']): outcome is Failure {
	return outcome.outcome === 'notSent' || outcome.outcome === 'uncertain';
}

/** Whether an outcome ends the whole run with an error, instead of becoming an output item. */
export function isStop(
	outcome: Result['outcome'],
	{ continueOnFail }: DeliverySettings,
): outcome is Failure {
	return !continueOnFail && isFailure(outcome);
}

import { LOOK_FIRST, uncertain, type Failure } from '../../gateway/outcome';

/** Why a message does not go out that an earlier try of the execution may have sent. */

/** An earlier try began a request, and nobody knows how it ended. */
export const UNKNOWN_END = uncertain({
	cause: 'earlierTry',
	what: 'An earlier try of this execution could not find out whether the gateway took this message',
	advice:
		"It was not sent again. Check the gateway's outbox: if the message is not there, send it by itself, because a new execution sends to everybody again. Or set the option 'Uncertain Messages on Retry' to 'Send Again', and retry with the currently saved workflow.",
});

/** An earlier execution sent a question, and the answer comes back to that one. */
export const ANSWERED_ELSEWHERE = uncertain({
	cause: 'answeredElsewhere',
	what: 'An earlier execution has sent this question, and the answer to it cannot reach this one',
	fact: 'Nothing was sent this time.',
	advice:
		"To ask again, with a link that works, set the option 'Uncertain Messages on Retry' to 'Send Again', and retry with the currently saved workflow.",
});

/** A retry of an execution that another retry has continued. */
export const OUTDATED = uncertain({
	cause: 'earlierTry',
	what: 'A newer retry of this execution exists and may have sent this message',
	advice: 'This retry did not send it, so that nobody gets it twice.',
	step: 'In the list of executions, use Retry on the newest retry of this execution: it knows what was sent, and sends only the rest.',
});

/** A retry of which n8n could not say whether it is the only one. */
export const UNCLAIMED = uncertain({
	cause: 'earlierTry',
	what: 'n8n could not find out whether another retry of this execution has sent this message',
	advice: "This retry did not send it. Check that n8n's database is available.",
	step: 'Then use Retry in the list of executions: it sends only the rest.',
});

/** Returns the failure of a message that could not go out again, but may have been sent by an earlier try. */
export function unlessSent(failure: Failure): Failure {
	const advice = `An earlier try of this execution may have sent it. ${LOOK_FIRST} ${failure.advice}`;
	return { ...failure, outcome: 'uncertain', cause: 'earlierTry', advice: advice.trim() };
}

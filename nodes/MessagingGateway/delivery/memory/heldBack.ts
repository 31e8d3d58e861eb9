import { type Failure, LOOK_FIRST, uncertain } from '../../gateway/outcome';

/** Why a message does not go out that an earlier try of the execution may have sent. */

const NOT_QUEUED_AGAIN = "It was not queued again. Check the gateway's outbox.";

/** An earlier try began a request, and nobody knows how it ended. */
export const UNKNOWN_END = uncertain({
	what: 'An earlier try of this execution could not find out whether the gateway took this message',
	advice: NOT_QUEUED_AGAIN,
});

/** An earlier execution sent a question, and the reply comes back to that one. */
export const REPLY_ELSEWHERE = uncertain({
	cause: 'replyElsewhere',
	what: 'An earlier execution has asked this question, and the answer to it cannot reach this one',
	fact: 'Nothing was queued this time.',
	advice:
		"To ask again, with a link that works, set the option 'Uncertain Messages on Retry' to 'Send Again'.",
});

/** The newest of all may be the retry that says this, and n8n may have lost the one that is meant. */
export const NEWEST_RETRY =
	"Wait until all retries of this execution have ended. Then, in the list of executions, use Retry on the newest retry whose error does not say that a newer one exists: it knows what is queued, and sends only the rest. If that one succeeded, nothing is left to retry. If there is none, or its Retry does nothing, check the gateway's outbox, and send only what is missing.";

/** A retry of an execution that another retry has continued. */
export const OUTDATED = uncertain({
	cause: 'outdated',
	what: 'A newer retry of this execution exists and may have queued this message',
	advice: 'This retry leaves it out, so that nobody gets it twice.',
	step: NEWEST_RETRY,
});

/** A retry of which n8n could not say whether it is the only one. */
export const UNCLAIMED = uncertain({
	cause: 'unclaimed',
	what: 'n8n could not find out whether another retry of this execution has queued this message',
	advice: "This retry did not send it. Check that n8n's database is available.",
});

/** A retry of an execution during which n8n ended: what it had sent is recorded nowhere. */
export const INTERRUPTED = uncertain({
	cause: 'interrupted',
	what: 'n8n ended while this execution was sending, or the execution is still sending, so nobody can tell whether this message is queued',
	advice: `${NOT_QUEUED_AGAIN} If that execution is still running, wait until it has ended.`,
});

/** A retry of an execution whose record another release has written, in a form that this one does not read. */
export const OTHER_FORMAT = uncertain({
	cause: 'outOfReach',
	what: 'Another release of this node has run this execution, so nothing tells whether it has sent this message',
	advice: NOT_QUEUED_AGAIN,
});

/** A retry by another node than the one that sent, under the same name: that one's history is out of reach. */
export const REPLACED = uncertain({
	cause: 'outOfReach',
	what: 'This node has taken the place of another one, which may have queued this message',
	advice: NOT_QUEUED_AGAIN,
});

/** Returns the failure of a message that could not go out again, but may have been sent by an earlier try. */
export function unlessSent(failure: Failure): Failure {
	const advice = `An earlier try of this execution may have queued it. ${LOOK_FIRST} ${failure.advice}`;
	// A fact is about this try alone.
	return { ...failure, outcome: 'uncertain', advice: advice.trim(), fact: undefined };
}

import { type Failure, notSent, type Outcome } from '../gateway/outcome';
import { count } from '../shared/text';

/** If this many recipients in a row are refused in the same way, the recipients are not the cause. */
const ENOUGH_RECIPIENTS = 3;

/** Recipients in a row whom the gateway refused with the same status and the same words. */
export interface Refusals {
	httpCode?: number;
	words?: string;
	recipients: ReadonlySet<string>;
}

export const NO_REFUSALS: Refusals = { recipients: new Set() };

/** Returns the refusals in a row after one more message. */
export function refusalsAfter(before: Refusals, outcome: Outcome, recipient: string): Refusals {
	// The gateway took a message, or may have: it refuses recipients and not everybody.
	if (outcome.outcome !== 'notSent') return NO_REFUSALS;
	// The gateway was not asked.
	if (outcome.origin === 'input') return before;
	// Something else has failed in between.
	if (outcome.blame !== 'maybeRecipient') return NO_REFUSALS;
	const { httpCode, words } = outcome;
	const isSame = before.httpCode === httpCode && before.words === words;
	const recipients = new Set(isSame ? before.recipients : []).add(recipient);
	return { httpCode, words, recipients };
}

/**
 * Returns whether every further message would fail like this one, so that none is tried.
 *
 * @param refusals in a row, this one included
 */
export function mustGiveUp(outcome: Outcome, { recipients }: Refusals): outcome is Failure {
	// The gateway has the message, or may have it: its answer says nothing about the next one.
	if (outcome.outcome !== 'notSent') return false;
	// A token, an address or a certificate is the same for all.
	if (outcome.blame === 'subscription') return true;
	// The message has used up its tries.
	if (outcome.blame === 'gateway') return true;
	// One may be wrong, but not one after another in the same words.
	if (outcome.blame === 'maybeRecipient') return recipients.size >= ENOUGH_RECIPIENTS;
	// Its own fault.
	return false;
}

/**
 * Returns the failure of a message that was not tried. It repeats the words of the failure that ended the run.
 *
 * @param items how many items were not tried
 */
export function notTried({ what, advice, httpCode, blame }: Failure, items: number): Failure {
	const why =
		blame === 'maybeRecipient'
			? `the gateway refused ${ENOUGH_RECIPIENTS} recipients in a row in the same way`
			: 'every message would have failed in the same way';
	return notSent({
		cause: 'notTried',
		what,
		fact: `This message was not queued. ${count(items, 'item')} ${items === 1 ? 'was' : 'were'} not tried, because ${why}.`,
		advice,
		httpCode,
		blame,
	});
}

/** The result of everything that a canceled run did not begin. */
export const CANCELED = notSent({
	origin: 'input',
	cause: 'canceled',
	what: 'The execution was stopped before this message was queued',
	advice: '',
});

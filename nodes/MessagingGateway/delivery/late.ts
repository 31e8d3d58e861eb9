/** Messages whose time in the option Send Before is over. */

import { LOOK_FIRST, uncertain } from '../gateway/outcome';
import type { Deadline } from '../shared/deadline';
import type { Ledger, RecipientEntry } from './ledger';
import { tooLate } from './skipped';

/** Whether the message may no longer go out. */
export function isLate({ sendBefore }: { readonly sendBefore?: Deadline }): boolean {
	return sendBefore !== undefined && Date.now() >= sendBefore.at;
}

/** Leaves out an entry that is too late, before its request has begun. Returns whether its number leaves the request. */
export function leaveOutIfLate(ledger: Ledger, entry: RecipientEntry): boolean {
	const { sendBefore, mayRepeat } = entry;
	if (!sendBefore || !isLate(entry)) return false;
	const late = tooLate(sendBefore);
	// An earlier try may have sent it, so it is not certain that nothing was sent.
	const why = mayRepeat
		? uncertain({ origin: 'input', what: late.what, advice: LOOK_FIRST })
		: late;
	return ledger.withdraw(entry, why);
}

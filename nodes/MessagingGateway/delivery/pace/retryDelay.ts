import type { Outcome } from '../../gateway/outcome';
import { isBusy, LONGEST_WAIT } from './busyGate';

/** Milliseconds before the second try if the gateway cannot be reached; each further wait is twice as long. */
const FIRST_BACKOFF = 1_000;

/**
 * Returns the milliseconds after which a message is tried again, or undefined if it is not.
 *
 * @param retries how often it was tried again so far
 */
export function retryDelay(
	outcome: Outcome,
	retries: number,
	maxRetries: number,
): number | undefined {
	// The gateway has it, or may have it: another try could send it twice.
	if (outcome.outcome !== 'notSent') return undefined;
	// The same request would be refused again.
	if (!outcome.retry) return undefined;
	// The person allows no more.
	if (retries >= maxRetries) return undefined;
	// The gateway asks for a longer pause than anybody should wait for.
	if ((outcome.retry.afterMs ?? 0) > LONGEST_WAIT) return undefined;
	// The pace already makes everybody wait.
	if (isBusy(outcome)) return 0;
	// The gateway cannot be reached: it gets more time after each try.
	return FIRST_BACKOFF * 2 ** retries;
}

import { isBusy, notSentBecauseOf, type Outcome } from '../gateway/outcome';
import { pause } from '../shared/time';
import { LONGEST_WAIT } from './pace/cooldown';
import type { QueueEntry, RateLimiter } from './pace/rateLimiter';

/** Sends the request once. Resolves to undefined if there is nothing to send, or everything halts first. */
export type Attempt = (entry: QueueEntry) => Promise<Outcome | undefined>;

interface SendOptions {
	limiter: RateLimiter;
	maxRetries: number;
	/** Aborts when nothing new may begin. */
	halt: AbortSignal;
}

/** Milliseconds before the second try if the gateway cannot be reached; each further wait is twice as long. */
const FIRST_BACKOFF = 1_000;

/**
 * Sends one request, and again only if it is certain that nothing was queued and waiting helps. Resolves to what became
 * of the message; to undefined if no request was made, because everything halted before or there is nothing to send.
 * Never throws.
 */
export async function send(attempt: Attempt, options: SendOptions): Promise<Outcome | undefined> {
	try {
		return await tryUntilSettled(attempt, options);
	} catch (error) {
		return options.halt.aborted ? undefined : notSentBecauseOf(error);
	}
}

async function tryUntilSettled(
	attempt: Attempt,
	{ limiter, maxRetries, halt }: SendOptions,
): Promise<Outcome | undefined> {
	const entry = limiter.newEntry(maxRetries);
	let last: Outcome | undefined;
	for (let retries = 0; ;) {
		const outcome = await attempt(entry);
		if (!outcome) return last;
		last = outcome;
		// The gateway has it, or may have it: another try could send it twice.
		if (outcome.outcome !== 'notSent') return outcome;
		// The same request would be refused again.
		if (!outcome.retry) return outcome;
		// The gateway asks for a longer pause than anybody should wait for.
		if ((outcome.retry.afterMs ?? 0) > LONGEST_WAIT) return outcome;
		if (isBusy(outcome)) {
			// Everybody was refused, and the limiter makes everybody wait.
			const failure = limiter.givenUp(entry, outcome);
			if (failure) return failure;
		} else {
			// The gateway cannot be reached: it gets more time after each try.
			if (retries >= maxRetries) return outcome;
			await pause(FIRST_BACKOFF * 2 ** retries++, halt);
		}
	}
}

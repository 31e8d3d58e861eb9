import { isBusy, notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import { pause } from '../shared/time';
import { LONGEST_WAIT } from './pace/pauses';
import type { Pace, Ticket } from './pace/pace';

/** One request, in the steps in which it goes out. */
export interface Steps {
	/** Whether it has no file, or the file can be sent as it is open. */
	readonly isOpen: boolean;
	/** Opens its file for the next try. Never throws. */
	open(): Promise<void>;
	/** Makes the request, when its turn has come. Resolves to undefined if there is nothing to send after all. */
	make(): Promise<GatewayRequest | undefined>;
	/** Sends it once. Never throws. */
	exchange(request: GatewayRequest): Promise<Outcome>;
	/** Closes its file. */
	close(): void;
}

interface SendOptions {
	pace: Pace;
	maxRetries: number;
	/** Aborts when nothing new may begin. */
	halt: AbortSignal;
}

/** Milliseconds before the second try if the gateway cannot be reached; each further wait is twice as long. */
const FIRST_BACKOFF = 1_000;

/** How often a request gives its turn back because its file is not open any more. */
const MOST_RETURNS = 2;

/** Milliseconds after which a file that is still being opened keeps no other from being opened. */
const SLOW_FILE = 10_000;

/**
 * Sends one request, and again only if it is certain that nothing was queued and waiting helps. Resolves to what became
 * of the message; to undefined if no request was made, because everything halted before or there is nothing to send.
 * Never throws.
 */
export async function send(steps: Steps, options: SendOptions): Promise<Outcome | undefined> {
	try {
		return await tryUntilSettled(steps, options);
	} catch (error) {
		return options.halt.aborted ? undefined : notSentBecauseOf(error);
	} finally {
		steps.close();
	}
}

async function tryUntilSettled(steps: Steps, options: SendOptions): Promise<Outcome | undefined> {
	const { pace, maxRetries, halt } = options;
	const ticket = pace.ticket(maxRetries);
	let last: Outcome | undefined;
	for (let retries = 0; ;) {
		const outcome = await tryOnce(steps, ticket, options);
		if (!outcome) return last;
		last = outcome;
		// The gateway has it, or may have it: another try could send it twice.
		if (outcome.outcome !== 'notSent') return outcome;
		// The same request would be refused again.
		if (!outcome.retry) return outcome;
		// The gateway asks for a longer pause than anybody should wait for.
		if ((outcome.retry.afterMs ?? 0) > LONGEST_WAIT) return outcome;
		if (isBusy(outcome)) {
			// Everybody was refused, and the pace makes everybody wait.
			const failure = pace.givenUp(ticket, outcome);
			if (failure) return failure;
		} else {
			// The gateway cannot be reached: it gets more time after each try.
			if (retries >= maxRetries) return outcome;
			await pause(FIRST_BACKOFF * 2 ** retries++, halt);
		}
	}
}

/** Resolves to undefined if there is nothing to send, or everything halts first. */
async function tryOnce(
	steps: Steps,
	ticket: Ticket,
	{ pace, halt }: SendOptions,
): Promise<Outcome | undefined> {
	let returns = 0;
	const mustReopen = () => !pace.isFree && !steps.isOpen && returns++ < MOST_RETURNS;
	for (;;) {
		const endOpening = await openBeforeTurn(steps, pace);
		const turn = await pace.turn(ticket);
		if (!turn || 'outcome' in turn) {
			endOpening();
			return turn;
		}
		let outcome: Outcome | undefined;
		try {
			// The server of the file may have closed the connection since. Nothing has left, and no key is recorded.
			if (mustReopen()) continue;
			const request = await steps.make();
			if (!request || halt.aborted) return undefined;
			if (mustReopen()) continue;
			// The gateway may have become busy since.
			if (!turn.begin()) continue;
			endOpening();
			outcome = await steps.exchange(request);
			return outcome;
		} finally {
			endOpening();
			turn.end(outcome);
		}
	}
}

/**
 * Opens the file before the turn is asked for, so that nobody waits for a file server. If there is no limit, a turn
 * keeps nobody waiting, and a message whose key is already known needs no file.
 *
 * @returns a function to call when the request leaves, or does not
 */
async function openBeforeTurn(steps: Steps, pace: Pace): Promise<() => void> {
	const end = pace.isFree || steps.isOpen ? undefined : await pace.file();
	if (!end) return () => undefined;
	const opened = new AbortController();
	void pause(SLOW_FILE, opened.signal).then(() => opened.signal.aborted || end());
	await steps.open();
	opened.abort();
	return end;
}

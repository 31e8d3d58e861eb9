import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Pace } from './pace/pace';
import { pause } from './pace/pause';
import { retryDelay } from './pace/retryDelay';

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

/** How often a request gives its turn back because its file is not open any more. */
const MOST_RETURNS = 2;

/** Milliseconds after which a file that is still being opened keeps no other from being opened. */
const SLOW_FILE = 10_000;

/** Sends one request, and again only if it is certain that nothing was queued and waiting helps. */
export class Sender {
	constructor(
		private readonly pace: Pace,
		private readonly maxRetries: number,
		private readonly halt: AbortSignal,
	) {}

	/**
	 * Resolves to what became of the message; to undefined if no request was made, because everything halted
	 * before or there is nothing to send. Never throws.
	 */
	async send(steps: Steps): Promise<Outcome | undefined> {
		try {
			return await this.tryUntilSettled(steps);
		} catch (error) {
			return this.halt.aborted ? undefined : notSentBecauseOf(error);
		} finally {
			steps.close();
		}
	}

	private async tryUntilSettled(steps: Steps): Promise<Outcome | undefined> {
		let last: Outcome | undefined;
		for (let retries = 0; ; retries++) {
			const outcome = await this.tryOnce(steps);
			if (!outcome) return last;
			const delay = retryDelay(outcome, retries, this.maxRetries);
			if (delay === undefined) return outcome;
			await pause(delay, this.halt);
			last = outcome;
		}
	}

	/** Resolves to undefined if there is nothing to send, or everything halts first. */
	private async tryOnce(steps: Steps): Promise<Outcome | undefined> {
		let returns = 0;
		const mustReopen = () => !this.pace.isFree && !steps.isOpen && returns < MOST_RETURNS;
		for (;;) {
			const endOpening = await this.openBeforeTurn(steps);
			const turn = await this.pace.turn(returns > 0);
			if (!turn || 'outcome' in turn) {
				endOpening();
				return turn;
			}
			let outcome: Outcome | undefined;
			try {
				// The server of the file may have closed the connection since. Nothing has left, and no key is recorded.
				if (mustReopen() && ++returns) continue;
				const request = await steps.make();
				if (!request || this.halt.aborted) return undefined;
				if (mustReopen() && ++returns) continue;
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
	 * Opens the file before the turn is asked for, so that nobody waits for a server of files. If there is no
	 * limit, a turn keeps nobody waiting, and what turns out to be known by its key needs no file.
	 *
	 * @returns a function to call when the request leaves, or does not
	 */
	private async openBeforeTurn(steps: Steps): Promise<() => void> {
		const end = this.pace.isFree || steps.isOpen ? undefined : await this.pace.file();
		if (!end) return () => undefined;
		const opened = new AbortController();
		void pause(SLOW_FILE, opened.signal).then(() => opened.signal.aborted || end());
		await steps.open();
		opened.abort();
		return end;
	}
}

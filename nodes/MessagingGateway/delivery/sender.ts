import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Pace } from './pace/pace';
import { pause } from './pace/pause';
import { retryDelay } from './retryDelay';

/** Sends a request once. Never throws. */
export type Exchange = (request: GatewayRequest) => Promise<Outcome>;

/** Makes a request. Resolves to undefined if there is nothing to send after all. */
export type Prepare = () => Promise<GatewayRequest | undefined>;

/** Sends one request, and again only if it is certain that nothing was queued and waiting helps. */
export class Sender {
	constructor(
		private readonly exchange: Exchange,
		private readonly pace: Pace,
		private readonly maxRetries: number,
		private readonly halt: AbortSignal,
	) {}

	/**
	 * Resolves to what became of the message; to undefined if no request was made, because everything halted
	 * before or there is nothing to send. Never throws.
	 *
	 * @param prepare called once, when the first request may begin
	 */
	async send(prepare: Prepare): Promise<Outcome | undefined> {
		let prepared: GatewayRequest | undefined;
		const request = async () => (prepared ??= await prepare());
		try {
			return await this.tryUntilSettled(request);
		} catch (error) {
			return this.halt.aborted ? undefined : notSentBecauseOf(error);
		} finally {
			prepared?.file?.content.release?.();
		}
	}

	private async tryUntilSettled(request: Prepare): Promise<Outcome | undefined> {
		let last: Outcome | undefined;
		for (let retries = 0; ; retries++) {
			const outcome = await this.tryOnce(request);
			if (!outcome) return last;
			const delay = retryDelay(outcome, retries, this.maxRetries);
			if (delay === undefined) return outcome;
			await pause(delay, this.halt);
			last = outcome;
		}
	}

	/** Resolves to undefined if there is nothing to send, or everything halts first. */
	private async tryOnce(prepare: Prepare): Promise<Outcome | undefined> {
		for (;;) {
			const turn = await this.pace.turn();
			if (!turn || 'outcome' in turn) return turn;
			let outcome: Outcome | undefined;
			try {
				const request = await prepare();
				if (!request || this.halt.aborted) return undefined;
				// The gateway may have become busy while a file was fetched.
				if (!turn.begin()) continue;
				outcome = await this.exchange(request);
				return outcome;
			} finally {
				turn.end(outcome);
			}
		}
	}
}

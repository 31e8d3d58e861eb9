import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import { isBusy, LONGEST_WAIT } from './pace/busyGate';
import type { Pace } from './pace/pace';
import { pause } from './pace/pause';
import { NOT_BEGUN } from './shipment';

/** Milliseconds before the second try if the gateway cannot be reached; each further wait is twice as long. */
const FIRST_BACKOFF = 1_000;

/** Sends a request once. Never throws. */
export type Exchange = (request: GatewayRequest) => Promise<Outcome>;

/** Sends one request, and again only if it is certain that nothing was queued and waiting helps. */
export class Sender {
	constructor(
		private readonly exchange: Exchange,
		private readonly pace: Pace,
		private readonly maxRetries: number,
		private readonly halt: AbortSignal,
	) {}

	/**
	 * Resolves to what became of the message; to `NOT_BEGUN` itself if everything halted before its first
	 * request. Never throws.
	 *
	 * @param prepare called once, when the first request may begin. If it resolves to undefined, there is
	 * nothing to send after all: another message gets the turn, and undefined is the result
	 */
	async send(prepare: () => Promise<GatewayRequest | undefined>): Promise<Outcome | undefined> {
		const draft = new Draft(prepare);
		try {
			return await this.tryAgainAndAgain(draft);
		} catch (error) {
			return this.halt.aborted ? NOT_BEGUN : notSentBecauseOf(error);
		} finally {
			draft.release();
		}
	}

	private async tryAgainAndAgain(draft: Draft): Promise<Outcome | undefined> {
		let last: Outcome = NOT_BEGUN;
		for (let tries = 0; ; tries++) {
			const outcome = await this.tryOnce(draft);
			if (outcome === NOT_BEGUN) return last;
			if (!outcome || outcome.outcome === 'accepted') return outcome;
			const { retry } = outcome;
			if (!retry || tries >= this.maxRetries || (retry.afterMs ?? 0) > LONGEST_WAIT) return outcome;
			// If the gateway is busy, the pace waits for all.
			if (!isBusy(outcome)) await pause(FIRST_BACKOFF * 2 ** tries, this.halt);
			last = outcome;
		}
	}

	/** Resolves to undefined if there is nothing to send, to `NOT_BEGUN` if everything halts first. */
	private async tryOnce(draft: Draft): Promise<Outcome | undefined> {
		for (;;) {
			const turn = await this.pace.turn();
			if (!turn) return NOT_BEGUN;
			if ('outcome' in turn) return turn;
			let outcome: Outcome | undefined;
			try {
				const request = await draft.request();
				if (!request) return undefined;
				if (this.halt.aborted) return NOT_BEGUN;
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

/** A request that is made when it is first needed. */
class Draft {
	private made?: GatewayRequest;

	constructor(private readonly prepare: () => Promise<GatewayRequest | undefined>) {}

	async request(): Promise<GatewayRequest | undefined> {
		return (this.made ??= await this.prepare());
	}

	release(): void {
		this.made?.file?.content.release?.();
	}
}

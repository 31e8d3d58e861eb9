import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Pacer } from './pacer';

/** Milliseconds: a longer wait is left to the person, with the time in the error. */
const LONGEST_WAIT = 60_000;

const FIRST_BACKOFF = 1_000;

/** How a request goes over the wire, once. Never throws. */
export type Exchange = (request: GatewayRequest) => Promise<Outcome>;

/** Sends one request, and again only where it is certain that nothing was queued and waiting helps. */
export class Sender {
	constructor(
		private readonly exchange: Exchange,
		private readonly pacer: Pacer,
		private readonly maxRetries: number,
		private readonly halt: AbortSignal,
	) {}

	/** Never throws. */
	async send(prepare: () => Promise<GatewayRequest>): Promise<Outcome> {
		let request: GatewayRequest | undefined;
		try {
			request = await prepare();
			return await this.tryAgainAndAgain(request);
		} catch (error) {
			return notSentBecauseOf(error);
		} finally {
			request?.file?.content.release?.();
		}
	}

	private async tryAgainAndAgain(request: GatewayRequest): Promise<Outcome> {
		for (let tries = 0; ; tries++) {
			const outcome = await this.exchange(request);
			if (outcome.outcome === 'accepted' || !outcome.retry || tries >= this.maxRetries) {
				return outcome;
			}
			const wait = outcome.retry.afterMs ?? FIRST_BACKOFF * 2 ** tries;
			if (wait > LONGEST_WAIT) return outcome;
			this.pacer.close(wait);
			await this.pacer.open();
			if (this.halt.aborted) return outcome;
		}
	}
}

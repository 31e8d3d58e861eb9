import { pause } from '../../shared/time';
import type { DeliverySettings } from '../deliverySettings';

type BatchSettings = Pick<DeliverySettings, 'batchSize' | 'batchInterval' | 'randomDelay'>;

/** Says when the next send of one execution may begin: batches with pauses between them, and random delays. */
export class Batching {
	private batch = 0;
	private sincePause = 0;
	/** The last one: each waits for the one before. */
	private last: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly pacing: BatchSettings,
		private readonly halt: AbortSignal,
		private readonly log: (message: string) => void,
	) {}

	/** Milliseconds that the pauses between batches of `sends` requests add up to. */
	static pausesOf({ batchSize, batchInterval }: BatchSettings, sends: number): number {
		return batchSize > 0 ? Math.max(0, Math.ceil(sends / batchSize) - 1) * batchInterval : 0;
	}

	/**
	 * Resolves when one more send may begin, or when everything halts; to a function that gives the send
	 * back to its batch, if it did not happen.
	 */
	async next(): Promise<() => void> {
		const next = this.last.then(async () => await this.join());
		this.last = next;
		const batch = await next;
		const { randomDelay } = this.pacing;
		if (randomDelay > 0) await pause(Math.random() * randomDelay, this.halt);
		return () => {
			// After the next pause, it would let two requests go without a pause between them.
			if (batch === this.batch) this.sincePause--;
		};
	}

	/** Resolves to the number of the batch that has room left, after its pause. */
	private async join(): Promise<number> {
		const { batchSize, batchInterval } = this.pacing;
		if (batchSize > 0 && batchInterval > 0 && this.sincePause >= batchSize) {
			this.log(`Pausing ${batchInterval} ms after ${batchSize} requests`);
			await pause(batchInterval, this.halt);
			this.batch++;
			this.sincePause = 0;
		}
		this.sincePause++;
		return this.batch;
	}
}

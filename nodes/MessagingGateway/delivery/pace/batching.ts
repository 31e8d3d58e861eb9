import { pause } from '../../shared/time';
import type { RunOptions } from '../runContext';

type BatchSettings = Pick<RunOptions, 'batchSize' | 'batchInterval' | 'randomDelay'>;

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
		const { batchSize, batchInterval, randomDelay } = this.pacing;
		if (batchSize > 0 && batchInterval > 0) {
			this.last = this.last.then(async () => await this.join());
			await this.last;
		}
		const { batch } = this;
		if (randomDelay > 0) await pause(Math.random() * randomDelay, this.halt);
		return () => {
			// After the next pause, it would let two requests go without a pause between them.
			if (batch === this.batch) this.sincePause--;
		};
	}

	/** Resolves when the batch has room left, after the pause before it. */
	private async join(): Promise<void> {
		const { batchSize, batchInterval } = this.pacing;
		if (this.sincePause >= batchSize) {
			this.log(`Pausing ${batchInterval} ms after ${batchSize} requests`);
			await pause(batchInterval, this.halt);
			this.batch++;
			this.sincePause = 0;
		}
		this.sincePause++;
	}
}

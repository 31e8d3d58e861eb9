import { pause } from './pause';
import type { DeliverySettings } from './settings';

type Pacing = Pick<DeliverySettings, 'batchSize' | 'batchInterval' | 'randomDelay'>;

/** Says when the next send may begin: batches and their pauses, random delays, and what the gateway asks for. */
export class Pacer {
	private sincePause = 0;
	private turns: Promise<void> = Promise.resolve();
	private closedUntil = 0;

	constructor(
		private readonly pacing: Pacing,
		private readonly halt: AbortSignal,
		private readonly log: (message: string) => void,
	) {}

	/** Milliseconds that the pauses between batches of `sends` requests add up to. */
	static pausesOf({ batchSize, batchInterval }: Pacing, sends: number): number {
		return batchSize > 0 ? Math.max(0, Math.ceil(sends / batchSize) - 1) * batchInterval : 0;
	}

	/** Resolves when one more send may begin, or when everything halts. */
	async turn(): Promise<void> {
		const { batchSize, batchInterval, randomDelay } = this.pacing;
		if (batchSize > 0 && batchInterval > 0) {
			this.turns = this.turns.then(async () => {
				if (this.sincePause >= batchSize) {
					this.log(`Pausing ${batchInterval} ms after ${batchSize} requests`);
					await pause(batchInterval, this.halt);
					this.sincePause = 0;
				}
				this.sincePause++;
			});
			await this.turns;
		}
		if (randomDelay > 0) await pause(Math.random() * randomDelay, this.halt);
		await this.open();
	}

	/** A turn that was not used counts for no batch. */
	giveBack(): void {
		this.sincePause--;
	}

	/** No lane sends anything for `ms` milliseconds: the gateway is busy for all of them. */
	close(ms: number): void {
		this.closedUntil = Math.max(this.closedUntil, Date.now() + ms);
	}

	/** Resolves when the gateway may be asked again, each lane a little later than the other. */
	async open(): Promise<void> {
		while (Date.now() < this.closedUntil && !this.halt.aborted) {
			const rest = this.closedUntil - Date.now();
			this.log(`Waiting ${rest} ms until the gateway takes messages again`);
			await pause(rest + Math.random() * Math.min(rest / 4, 1_000), this.halt);
		}
	}
}

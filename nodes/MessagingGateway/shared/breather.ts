import { sleep } from 'n8n-workflow';

/** Milliseconds. n8n runs everything in one thread: while a loop computes, nothing else happens. */
const LONGEST_STRETCH = 5;

/** Interrupts a long loop every few milliseconds, so that n8n answers others and hears Stop. */
export class Breather {
	private started = Date.now();

	/** Check this in each round, and await `rest()` if it is true. */
	get isDue(): boolean {
		return Date.now() - this.started >= LONGEST_STRETCH;
	}

	async rest(): Promise<void> {
		await sleep(0);
		this.started = Date.now();
	}
}

import { sleep } from 'n8n-workflow';

/** Milliseconds of work after which others may go on. n8n has one event loop for all its users. */
const LONGEST_STRETCH = 10;

/** Divides long work into short stretches: `if (breather.isDue()) await breather.breathe();` */
export class Breather {
	private last = Date.now();

	/** Returns whether the work has gone on for long enough. */
	isDue(): boolean {
		const worked = Date.now() - this.last;
		return worked >= LONGEST_STRETCH || worked < 0;
	}

	/** Resolves after everybody else could go on. */
	async breathe(): Promise<void> {
		await sleep(0);
		this.last = Date.now();
	}
}

/** A piece of work that waits only for the earlier ones of its lane. */
export interface Job {
	lane: string;
	/** Must not throw. */
	run(): Promise<void>;
}

/** Jobs that are read ahead and wait for their lane. Limits memory if everything goes to one recipient. */
const MOST_PARKED = 1_000;

/**
 * Runs jobs, at most `width` at once: in order within a lane, side by side across lanes. Reads the
 * next job only when there is room for it, so that nothing is prepared long before its turn.
 */
export async function runInLanes(
	jobs: AsyncIterable<Job> | Iterable<Job>,
	width: number,
): Promise<void> {
	const parked = new Map<string, Job[]>();
	let parkedCount = 0;
	let running = 0;
	let failure: { error: unknown } | undefined;
	let wake: () => void = () => undefined;

	/** Starts a job; `following` are those of its lane that wait for it, and later ones to come. */
	const start = (job: Job, following: Job[]) => {
		running++;
		job
			.run()
			.catch((error: unknown) => {
				failure ??= { error };
			})
			.finally(() => {
				running--;
				const next = following.shift();
				if (next) {
					parkedCount--;
					start(next, following);
				} else {
					parked.delete(job.lane);
				}
				wake();
			});
	};

	const until = async (isSo: () => boolean) => {
		while (!isSo() && !failure) {
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
	};

	for await (const job of jobs) {
		const waiting = parked.get(job.lane);
		if (waiting) {
			waiting.push(job);
			parkedCount++;
		} else {
			const following: Job[] = [];
			parked.set(job.lane, following);
			start(job, following);
		}
		await until(() => running < width && parkedCount < MOST_PARKED);
		if (failure) break;
	}
	await until(() => running === 0);
	if (failure) throw failure.error;
}

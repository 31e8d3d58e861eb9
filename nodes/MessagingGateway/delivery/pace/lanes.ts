/** A piece of work that waits only for the earlier ones of its lane. */
export interface Job {
	lane: string;
	/** Must not throw. */
	run(): Promise<void>;
}

/** Jobs that are read ahead and wait for their lane. Limits memory if everything goes to one recipient. */
const MOST_WAITING = 1_000;

/**
 * Runs jobs, at most `width` at once: in order within a lane, side by side across lanes. Reads the
 * next job only when there is room for it, so that nothing is prepared long before its turn. If one fails, no other
 * begins, and those under way end first.
 */
export async function runInLanes(
	jobs: AsyncIterable<Job> | Iterable<Job>,
	width: number,
): Promise<void> {
	/** The end of the last job of each lane in which one runs. */
	const lanes = new Map<string, Promise<void>>();
	let waiting = 0;
	let failure: { error: unknown } | undefined;
	let wake: () => void = () => undefined;

	const run = async ({ lane, run: work }: Job) => {
		waiting++;
		await lanes.get(lane);
		waiting--;
		if (failure) return;
		await work().catch((error: unknown) => {
			failure ??= { error };
		});
	};
	const until = async (isSo: () => boolean) => {
		while (!isSo()) {
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
	};

	try {
		for await (const job of jobs) {
			const end = run(job).then(() => {
				if (lanes.get(job.lane) === end) lanes.delete(job.lane);
				wake();
			});
			lanes.set(job.lane, end);
			await until(() => failure !== undefined || (lanes.size < width && waiting < MOST_WAITING));
			if (failure) break;
		}
	} catch (error) {
		failure ??= { error };
	}
	await until(() => lanes.size === 0);
	if (failure) throw failure.error;
}

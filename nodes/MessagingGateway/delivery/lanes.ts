/** A piece of work that waits for the earlier ones of its lane only. */
export interface Job {
	lane: string;
	/** Must not throw. */
	run(): Promise<void>;
}

/** Jobs read ahead while they wait for their lane. Bounds memory where everything goes to one recipient. */
const MOST_PARKED = 1_000;

/**
 * Runs jobs in one pass, at most `width` at once: in order within a lane, side by side across lanes.
 * `jobs` is read as places become free, so nothing is prepared long before its turn.
 */
export async function runInLanes(jobs: Iterable<Job>, width: number): Promise<void> {
	const source = jobs[Symbol.iterator]();
	const parked = new Map<string, Job[]>();
	const ready: Job[] = [];
	let parkedCount = 0;
	let running = 0;

	const next = (): Job | undefined => {
		const job = ready.shift();
		if (job) return job;
		while (parkedCount < MOST_PARKED) {
			const read = source.next();
			if (read.done) return undefined;
			const waiting = parked.get(read.value.lane);
			if (!waiting) {
				parked.set(read.value.lane, []);
				return read.value;
			}
			waiting.push(read.value);
			parkedCount++;
		}
		return undefined;
	};

	const leave = (lane: string) => {
		const following = parked.get(lane)?.shift();
		if (!following) return void parked.delete(lane);
		parkedCount--;
		ready.push(following);
	};

	await new Promise<void>((resolve, reject) => {
		const fill = () => {
			for (let job; running < width && (job = next());) start(job);
			if (running === 0) resolve();
		};
		const start = (job: Job) => {
			running++;
			job
				.run()
				.then(() => {
					running--;
					leave(job.lane);
					fill();
				})
				.catch(reject);
		};
		fill();
	});
}

/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** The sizes that are compared, of the size that a test gives: one is 16 times the other. */
const [SHORT, LONG] = [1 / 4, 4];

/** How many times as long 16 times the size may take: 16 is linear, 256 is the square. */
const MOST = 64;

/** Milliseconds of this process alone, whatever else the machine does; of three tries the fastest. */
function timeOf(work: () => unknown): number {
	const times = [1, 2, 3].map(() => {
		const began = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(began);
		return (user + system) / 1_000;
	});
	return Math.min(...times);
}

/** The same for work that takes breaks. */
async function timeOfRun(work: () => Promise<unknown>): Promise<number> {
	const began = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(began);
	return (user + system) / 1_000;
}

/** Fails unless `run` takes at most about twice as long for twice the size. */
export async function expectLinearRun(
	run: (size: number) => Promise<unknown>,
	size: number,
): Promise<void> {
	await run(size);
	const factors: number[] = [];
	for (let round = 0; round < 6; round++) {
		const short = await timeOfRun(async () => await run(SHORT * size));
		const long = await timeOfRun(async () => await run(LONG * size));
		const factor = long / Math.max(short, 2);
		if (factor <= MOST) return;
		factors.push(Math.round(factor));
	}
	throw new Error(`16 times the size took ${factors.join(', ')} times as long`);
}

/** Fails unless `work` takes at most about twice as long for twice the size. Compares timings of one run only. */
export function expectLinear(make: (size: number) => () => unknown, size: number): void {
	const [one, many] = [make(SHORT * size), make(LONG * size)];
	const factors: number[] = [];
	for (let round = 0; round < 3; round++) {
		const [short, long] = [timeOf(one), timeOf(many)];
		// What takes no time at all is not worth a comparison.
		const factor = long / Math.max(short, 2);
		if (factor <= MOST) return;
		factors.push(Math.round(factor));
	}
	throw new Error(`16 times the size took ${factors.join(', ')} times as long`);
}

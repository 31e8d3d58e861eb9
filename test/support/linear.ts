/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** How many times as long four times the size may take: 4 is linear, 16 is the square. */
const MOST = 10;

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
		const short = await timeOfRun(async () => await run(size));
		const long = await timeOfRun(async () => await run(4 * size));
		const factor = long / Math.max(short, 2);
		if (factor <= MOST) return;
		factors.push(Math.round(factor));
	}
	throw new Error(`Four times the size took ${factors.join(', ')} times as long`);
}

/** Fails unless `work` takes at most about twice as long for twice the size. Compares timings of one run only. */
export function expectLinear(make: (size: number) => () => unknown, size: number): void {
	const [one, four] = [make(size), make(4 * size)];
	const factors: number[] = [];
	for (let round = 0; round < 3; round++) {
		const [short, long] = [timeOf(one), timeOf(four)];
		// What takes no time at all is not worth a comparison.
		const factor = long / Math.max(short, 2);
		if (factor <= MOST) return;
		factors.push(Math.round(factor));
	}
	throw new Error(`Four times the size took ${factors.join(', ')} times as long`);
}

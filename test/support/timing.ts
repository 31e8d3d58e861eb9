/**
 * Fails if `work` takes longer than in proportion to the length. It compares the processor's time for a length and
 * for an eighth of it, which a busy machine does not change.
 */
export function expectLinear(longest: number, work: (length: number) => unknown): void {
	const costOf = (length: number) => {
		const costs = [0, 1, 2].map(() => {
			const before = process.cpuUsage();
			work(length);
			const { user, system } = process.cpuUsage(before);
			return user + system;
		});
		return Math.min(...costs);
	};
	const short = Math.max(costOf(longest / 8), 1_000);
	// 8 times as long, where a square would be 64 times.
	expect(costOf(longest) / short).toBeLessThan(24);
}

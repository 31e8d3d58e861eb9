/**
 * Makes time pass faster for everything in this process, until the test is over: a minute of a plan
 * takes `60 / times` seconds, and everybody waits, really, for that long.
 */
export function useFastClock(times: number): void {
	const { now: dateNow } = Date;
	const performanceNow = performance.now.bind(performance);
	const { setTimeout: realSetTimeout } = globalThis;
	beforeEach(() => {
		const [date, start] = [dateNow(), performanceNow()];
		const passed = () => (performanceNow() - start) * times;
		jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(date + passed()));
		jest.spyOn(performance, 'now').mockImplementation(() => start + passed());
		const faster = (work: () => void, ms = 0) => realSetTimeout(work, ms / times);
		jest.spyOn(globalThis, 'setTimeout').mockImplementation(faster as typeof setTimeout);
	});
	afterEach(() => jest.restoreAllMocks());
}

/** A clock that jumps from timer to timer, so that waits are exact and take no time. */
export function useClock(): void {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());
}

/** The milliseconds that all of the work takes, each from now. */
export async function timed(...works: Array<Promise<unknown>>): Promise<number[]> {
	const started = Date.now();
	const times = Promise.all(works.map(async (work) => await work.then(() => Date.now() - started)));
	await jest.runAllTimersAsync();
	return await times;
}

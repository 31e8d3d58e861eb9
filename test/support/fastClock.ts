/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Milliseconds for which a turn of the event loop counts at most: a busy machine makes the clock late, not the test wrong. */
const LONGEST_TURN = 1;

/**
 * Makes time pass faster for everything in this process, until the test is over: a minute of a plan
 * takes `60 / times` seconds, and everybody waits, really, for that long. It passes between turns of the event loop.
 */
export function useFastClock(times: number): void {
	let ticker: NodeJS.Timeout;
	beforeEach(() => {
		const realNow = performance.now.bind(performance);
		// Whole numbers: this time stands still within a turn, where a sum that is rounded would be seen.
		const [date, start] = [Date.now(), Math.floor(realNow())];
		let [passed, last] = [0, realNow()];
		ticker = setInterval(() => {
			const now = realNow();
			passed += Math.floor(Math.min(now - last, LONGEST_TURN) * times);
			last = now;
		}, 1);
		jest.spyOn(Date, 'now').mockImplementation(() => date + passed);
		jest.spyOn(performance, 'now').mockImplementation(() => start + passed);
		const faster = (work: () => void, ms = 0) => {
			const due = passed + ms;
			const looks = setInterval(() => {
				if (passed < due) return;
				clearInterval(looks);
				work();
			}, 1);
			return looks;
		};
		jest.spyOn(globalThis, 'setTimeout').mockImplementation(faster as typeof setTimeout);
	});
	afterEach(() => {
		clearInterval(ticker);
		jest.restoreAllMocks();
	});
}

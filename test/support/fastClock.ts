/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { mainRealm } from './mainRealm';

/** Milliseconds for which a turn of the event loop counts at most: a busy machine makes the clock late, not the test wrong. */
const LONGEST_TURN = 1;

/**
 * Makes time pass faster for everything in this process, until the test is over: a minute of a plan
 * takes `60 / times` seconds, and everybody waits, really, for that long. It passes between turns of the event loop.
 */
export function useFastClock(times: number): void {
	let ticker: NodeJS.Timeout;
	// For all tests together: time never goes back.
	let passed = 0;
	beforeEach(() => {
		const realNow = performance.now.bind(performance);
		const [begin, end] = [setTimeout, clearTimeout];
		// Whole numbers: this time stands still within a turn, where a sum that is rounded would be seen.
		const [date, start] = [Date.now(), Math.floor(realNow())];
		let last = realNow();
		const waiting = new Map<unknown, { due: number; work: () => void }>();
		// One for all: a hundred that look each millisecond would take the time of those who send.
		ticker = setInterval(() => {
			const now = realNow();
			passed += Math.floor(Math.min(now - last, LONGEST_TURN) * times);
			last = now;
			const due = [...waiting].filter((each) => each[1].due <= passed);
			for (const [timer, { work }] of due.sort(([, a], [, b]) => a.due - b.due)) {
				// A turn each, and none for a timer that an earlier one has cleared.
				setImmediate(() => {
					if (!waiting.has(timer)) return;
					clearTimeout(timer as NodeJS.Timeout);
					work();
				});
			}
		}, 1);
		const faster = (work: () => void, ms = 0) => {
			const timer = begin(() => undefined, 2 ** 31 - 1);
			waiting.set(timer, { due: passed + ms, work });
			return timer;
		};
		const clear = (timer?: NodeJS.Timeout | string | number) => {
			waiting.delete(timer);
			end(timer);
		};
		// The test's own, and those of n8n's engine.
		for (const realm of [globalThis, mainRealm]) {
			jest.spyOn(realm.Date, 'now').mockImplementation(() => date + passed);
			jest.spyOn(realm.performance, 'now').mockImplementation(() => start + passed);
			jest.spyOn(realm, 'setTimeout').mockImplementation(faster as typeof setTimeout);
			jest.spyOn(realm, 'clearTimeout').mockImplementation(clear);
		}
	});
	afterEach(() => {
		clearInterval(ticker);
		jest.restoreAllMocks();
	});
}

/** When the next request may begin, over whole histories of requests in virtual time. */
import fc from 'fast-check';
import {
	SlidingWindow,
	WINDOW,
} from '../../../../nodes/MessagingGateway/delivery/pace/slidingWindow';

/** Returns when requests start that are wanted at these times, the first first. */
function startsOf(wanted: readonly number[], limit: number): number[] {
	const window = new SlidingWindow();
	window.limit = limit;
	let now = 0;
	return wanted.map((at) => {
		now = Math.max(now, at);
		// A timer rings at whole milliseconds.
		for (let next = window.nextAt(now, []); next > now; next = window.nextAt(now, []))
			now = Math.ceil(next);
		window.started(now);
		return now;
	});
}

const limits = fc.integer({ min: 1, max: 120 });
/** Bursts of many sizes, with pauses of many lengths between them. */
const demand = fc
	.array(fc.tuple(fc.nat({ max: 40_000 }), fc.integer({ min: 1, max: 40 })), { maxLength: 10 })
	.map((bursts) => {
		let at = 0;
		return bursts.flatMap(([pause, size]) => Array<number>(size).fill((at += pause)));
	});

it('a plan never starts more requests in a window than the limit, whatever is wanted when', () => {
	fc.assert(
		fc.property(demand, limits, (wanted, limit) => {
			const starts = startsOf(wanted, limit);
			starts.forEach((start, at) => {
				expect((starts[at + limit] ?? Infinity) - start).toBeGreaterThanOrEqual(WINDOW);
			});
		}),
	);
});

it('a plan always has a place after a gap that half of the limit leaves, whatever was before', () => {
	fc.assert(
		fc.property(demand, limits, (wanted, limit) => {
			const starts = startsOf(wanted, limit);
			const longest = WINDOW / (limit - Math.ceil(limit / 2) + 1);
			starts.forEach((start, at) => {
				const since = Math.max(starts[at - 1] ?? 0, wanted[at] as number);
				expect(start - since).toBeLessThanOrEqual(longest + 1);
			});
		}),
	);
});

it.each([
	[60, 105, 2_000],
	[30, 60, 4_000],
])('a plan of %i is used up: at least %i in 125 s, a place every %i ms', (limit, least, most) => {
	const starts = startsOf(Array<number>(400).fill(0), limit);
	expect(starts.filter((start) => start <= 125_000).length).toBeGreaterThanOrEqual(least);
	// Every window after the first is full.
	const last = starts.at(-1) as number;
	for (let from = WINDOW; from < last - WINDOW; from += 1_000) {
		const inWindow = starts.filter((start) => start >= from && start < from + WINDOW);
		expect(inWindow.length).toBeGreaterThanOrEqual(limit - 1);
	}
	const gaps = starts.slice(1).map((start, at) => start - (starts[at] as number));
	expect(Math.max(...gaps)).toBeLessThanOrEqual(most);
});

it.each([1, 20, 30])('a burst of %i goes at once if the plan is 60', (size) => {
	expect(startsOf(Array<number>(size).fill(5), 60)).toEqual(Array(size).fill(5));
});

it('a large plan is nearly used up', () => {
	const limit = 1_000;
	const starts = startsOf(Array<number>(2 * limit).fill(0), limit);
	expect(starts.at(-1)).toBeLessThan(2.1 * WINDOW);
});

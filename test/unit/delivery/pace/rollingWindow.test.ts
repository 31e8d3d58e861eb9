import {
	type Place,
	RollingWindow,
	WINDOW,
} from '../../../../nodes/MessagingGateway/delivery/pace/rollingWindow';

/** A window in which `count` requests begin, one each millisecond from 0 on. */
function windowWith(count: number, limit = Infinity): RollingWindow {
	const window = new RollingWindow();
	window.limit = limit;
	for (let now = 0; now < count; now++) window.begin(window.give(now), now);
	return window;
}

it('the requests of the last minute are counted until they are a minute and a second old', () => {
	const window = windowWith(3);
	// The latest first: asking forgets nothing.
	const counts = [WINDOW + 2, WINDOW + 1, WINDOW, WINDOW - 1, 3].map((now) => window.count(now));
	expect(counts).toEqual([0, 1, 2, 3, 3]);
	expect(WINDOW).toBe(61_000);
});

it.each([
	['all', 2_000, Infinity, 2_000],
	['the newest 1,000 of more than 2,000', 2_001, Infinity, 1_000],
	['all if there is a limit', 2_500, 3_000, 2_500],
])('a window remembers its requests: %s', (_name, count, limit, remembered) => {
	const window = windowWith(count, limit);
	expect(window.count(count)).toBe(remembered);
	// The newest are kept, and the oldest of those leave first.
	expect(window.count(count + WINDOW - 2)).toBe(1);
	expect(window.count(count + WINDOW - 1)).toBe(0);
});

it.each([
	['without a limit', 100, Infinity],
	['while half of the limit is left', 2, 5],
	['while half of the limit is left, of which one is not used yet', 1, 4],
])('one more request may begin at once %s', (_name, count, limit) => {
	const window = windowWith(count, limit);
	if (limit === 4) window.takeBack(window.give(1));
	expect(window.nextAt(count)).toBe(0);
});

it('one more request may begin after a gap once half of the limit is used, and at once when that is over', () => {
	const window = windowWith(2, 4);
	expect(window.nextAt(2)).toBe(WINDOW / 3 + 2 / 3);
	expect(window.nextAt(WINDOW)).toBe(0);
});

it('one more request may begin when enough have left, if the limit is lower than it was', () => {
	const window = windowWith(5);
	window.limit = 2;
	expect(window.nextAt(5)).toBe(WINDOW + 3);
});

it('one more request waits for a place that was given, as if its request began now', () => {
	const window = windowWith(0, 2);
	const place = window.give(1_000);
	expect(window.nextAt(1_000)).toBe(1_000 + WINDOW / 2);
	expect(window.nextAt(5_000)).toBe(3_000 + WINDOW / 2);
	window.begin(place, 5_000);
	expect(window.nextAt(5_000)).toBe(5_000 + WINDOW / 2);
});

it.each([
	['the one before', 2, 2_000, 1_000 + (WINDOW + 1_000) / 3],
	['the same one', 0, 2_000, 2_000 + WINDOW / 3],
])('one more request waits after the latest place that is left: %s', (_name, index, now, next) => {
	const window = windowWith(0, 4);
	const places = [0, 1_000, 2_000].map((at) => window.give(at));
	window.takeBack(places[index] as Place);
	expect(window.nextAt(now)).toBeCloseTo(next);
});

it('one more request waits after the latest place even if that was used, and an older one is given back', () => {
	const window = windowWith(0, 2);
	const [first, , last] = [0, 500, 1_000].map((at) => window.give(at)) as [Place, Place, Place];
	window.begin(last, 1_000);
	window.takeBack(last);
	window.takeBack(first);
	expect(window.nextAt(1_000 + WINDOW)).toBe(1_000 + WINDOW);
});

it('one more request does not wait for a place that was given back', () => {
	const window = windowWith(0, 1);
	const place = window.give(0);
	expect(window.nextAt(500)).toBe(500 + WINDOW);
	window.takeBack(place);
	expect(window.nextAt(500)).toBe(0);
});

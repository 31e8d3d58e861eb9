import {
	RollingWindow,
	WINDOW,
} from '../../../../nodes/MessagingGateway/delivery/pace/rollingWindow';

/** A window in which `count` requests begin, one each millisecond from 0 on. */
function windowWith(count: number, limit = Infinity): RollingWindow {
	const window = new RollingWindow();
	window.limit = limit;
	for (let now = 0; now < count; now++) {
		window.reserve();
		window.begin(now);
	}
	return window;
}

describe('the requests of the last minute', () => {
	it('are counted until they are a minute and a second old', () => {
		const window = windowWith(3);
		const counts = [3, WINDOW - 1, WINDOW, WINDOW + 1, WINDOW + 2].map((now) => window.recent(now));
		expect(counts).toEqual([3, 3, 2, 1, 0]);
		expect(WINDOW).toBe(61_000);
	});

	it.each([
		['all', 2_000, Infinity, 2_000],
		['the newest 1,000 of more than 2,000', 2_001, Infinity, 1_000],
		['all where there is a limit', 2_500, 3_000, 2_500],
	])('are remembered: %s', (_name, count, limit, remembered) => {
		const window = windowWith(count, limit);
		expect(window.recent(count)).toBe(remembered);
		// The newest are kept, and the oldest of those leave first.
		expect(window.recent(count + WINDOW - 2)).toBe(1);
		expect(window.recent(count + WINDOW - 1)).toBe(0);
	});
});

describe('one more request', () => {
	it('may begin at once without a limit, and below it', () => {
		expect(windowWith(100).nextAt(100)).toBe(0);
		expect(windowWith(2, 3).nextAt(2)).toBe(0);
	});

	it('may begin when the oldest leaves', () => {
		const window = windowWith(3, 3);
		expect(window.nextAt(3)).toBe(WINDOW);
		expect(window.nextAt(WINDOW)).toBe(0);
	});

	it('may begin when enough have left, where the limit is lower than it was', () => {
		const window = windowWith(5);
		window.limit = 2;
		expect(window.nextAt(5)).toBe(WINDOW + 3);
	});

	it('waits for one more that leaves for each turn that was given', () => {
		const window = windowWith(3, 3);
		window.reserve();
		expect(window.nextAt(3)).toBe(WINDOW + 1);
		window.release();
		expect(window.nextAt(3)).toBe(WINDOW);
	});

	it('waits until it is known when the turns begin that use up the limit', () => {
		const window = windowWith(0, 1);
		window.reserve();
		expect(window.nextAt(0)).toBe(Infinity);
		window.begin(500);
		expect(window.nextAt(500)).toBe(500 + WINDOW);
	});
});

import { Breather } from '../../../nodes/MessagingGateway/shared/breather';

describe('a breather', () => {
	beforeEach(() => void jest.useFakeTimers());
	afterEach(() => void jest.useRealTimers());

	const dueAfter = (ms: number) => {
		const breather = new Breather();
		jest.setSystemTime(Date.now() + ms);
		return breather.isDue();
	};

	it('a breather is due after 10 ms of work', () => {
		expect(dueAfter(9)).toBe(false);
		expect(dueAfter(10)).toBe(true);
	});

	it('a breather is due if the clock was set back, which hides how long the work has gone on', () => {
		expect(dueAfter(-3_600_000)).toBe(true);
	});
});

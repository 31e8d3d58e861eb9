/** The option Send Before, through the whole room: nobody gets a message whose time is over. */
import { deliver, FakeHistory, type Delivered, type Given, type Mode, stored } from './deliver';

const PAST = Date.now() - 1;
const FUTURE = Date.now() + 3_600_000;
const [A, B, C] = ['111111', '222222', '333333'] as const;

const rowsOf = ({ rows }: Delivered) => rows.map(({ to, outcome }) => [to, outcome.outcome]);
const numbersOf = ({ sent }: Delivered) => sent.map(({ numbers }) => numbers);
const MODES: Mode[] = ['singles', 'list', 'items'];

/** Delivers to two numbers, each in an item of its own except in a list; the clock passes `before` at the `at`-th event. */
async function whileWaiting(mode: Mode, given: Given & { befores?: number[] } = {}) {
	const [first = FUTURE - 1, second = first] = given.befores ?? [];
	const one = (to: string, before: number) => ({ numbers: [to], text: 'a', key: to, before });
	const wishes =
		mode === 'list' ? [{ ...one(A, first), numbers: [A, B] }] : [one(A, first), one(B, second)];
	return await deliver(mode, wishes, given);
}

/** The clock stands still until it is past the time of the messages. A long jump would look like an n8n that stood still. */
const setClock = (to: number) => jest.spyOn(Date, 'now').mockReturnValue(to);
const passTime = () => setClock(FUTURE);
beforeEach(() => void setClock(FUTURE - 2_000));
afterEach(() => jest.restoreAllMocks());

it.each(MODES)('a message that is too late when its item is read is skipped: %s', async (mode) => {
	const history = new FakeHistory();
	const delivery = await whileWaiting(mode, { befores: [PAST], history });
	expect(delivery.sent).toEqual([]);
	expect(rowsOf(delivery)).toEqual([
		[A, 'skipped'],
		[B, 'skipped'],
	]);
	expect(history.has(A)).toBe(false);
	expect(delivery.results.map(({ outcome }) => outcome)).toContainEqual({
		outcome: 'skipped',
		why: 'tooLate',
		what: "It was too late to send this message: the time in 'Send Before' is noon",
	});
});

it.each(MODES)(
	'a message that becomes late while n8n records its key is skipped, and its key is free: %s',
	async (mode) => {
		const history = new FakeHistory();
		history.onCall = () => void passTime();
		const delivery = await whileWaiting(mode, { history });
		expect(delivery.sent).toEqual([]);
		expect(rowsOf(delivery)).toEqual([
			[A, 'skipped'],
			[B, 'skipped'],
		]);
		expect([history.has(A), history.has(B)]).toEqual([false, false]);
	},
);

it.each(MODES)(
	'a message that becomes late while the gateway is busy is skipped: %s',
	async (mode) => {
		const settings = { maxConcurrency: 1 };
		const onRequest = () => void passTime();
		const delivery = await whileWaiting(mode, { answers: ['busy'], onRequest, settings });
		expect(delivery.sent).toHaveLength(1);
		expect(rowsOf(delivery)).toEqual([
			[A, 'skipped'],
			[B, 'skipped'],
		]);
	},
);

it('a message that is too late does not stop the run, and one in time still goes out', async () => {
	const wish = (to: string, before?: number) => ({ numbers: [to], text: 'a', before });
	const wishes = [wish(A, PAST), wish(B, FUTURE), wish(C)];
	const settings = { continueOnFail: false, maxConcurrency: 1 };
	expect(numbersOf(await deliver('singles', wishes, { settings }))).toEqual([[B], [C]]);
	expect(numbersOf(await deliver('items', wishes, { settings }))).toEqual([[B, C]]);
});

it('a number stays in a bulk request as long as one of its items is in time', async () => {
	const wish = (to: string, before: number) => ({ numbers: [to], text: 'a', before });
	const wishes = [
		wish(A, FUTURE - 1),
		wish(B, FUTURE - 1),
		wish(A, FUTURE + 1),
		wish(C, FUTURE + 1),
	];
	const onRequest = () => void passTime();
	const delivery = await deliver('items', wishes, { answers: ['busy'], onRequest });
	expect(numbersOf(delivery)).toEqual([
		[A, B, C],
		[A, C],
	]);
	expect(rowsOf(delivery)).toEqual([
		[A, 'skipped'],
		[B, 'skipped'],
		[A, 'accepted'],
		[C, 'accepted'],
	]);
});

it('a number that was late in one bulk request goes out for a later item that is in time', async () => {
	const wish = (to: string, before: number, text = 'a') => ({ numbers: [to], text, before });
	const settings = { numbersPerRequest: 1 };
	const wishes = [wish(A, PAST), wish(B, FUTURE), wish(A, FUTURE)];
	expect(numbersOf(await deliver('items', wishes, { settings }))).toEqual([[B], [A]]);
});

it('equal lists with different times are two messages', async () => {
	const list = { numbers: [A, B], text: 'a', list: 'team' };
	const wishes = [
		{ ...list, before: PAST },
		{ ...list, before: FUTURE },
	];
	expect(numbersOf(await deliver('list', wishes))).toEqual([[A, B]]);
});

it('a message that is too late leaves its Send-Once Key to a later item', async () => {
	const wishes = [
		{ numbers: [A], text: 'a', key: 'k', before: PAST },
		{ numbers: [B], text: 'a', key: 'k' },
	];
	expect(numbersOf(await deliver('singles', wishes))).toEqual([[B]]);
});

it.each(MODES)(
	'a Retry does not send what is too late, and still knows what was sent: %s',
	async (mode) => {
		const context = {};
		const settings = { continueOnFail: false, maxConcurrency: 1, numbersPerRequest: 1 };
		await whileWaiting(mode, { context, settings, answers: ['accepted', 'notSent'], token: 't' });
		passTime();
		const retried = await whileWaiting(mode, {
			context: stored(context),
			settings,
			isRetry: true,
			token: 't',
		});
		expect(retried.sent).toEqual([]);
		expect(rowsOf(retried)).toEqual([
			[A, 'accepted'],
			[B, 'skipped'],
		]);
	},
);

it('a message that an earlier try may have sent stays uncertain if it is too late to send it again', async () => {
	const context = {};
	await whileWaiting('singles', { context, answers: ['uncertain', 'uncertain'], token: 't' });
	passTime();
	const again = { settings: { resendUncertain: true }, isRetry: true, token: 't' };
	const retried = await whileWaiting('singles', { context: stored(context), ...again });
	expect(retried.sent).toEqual([]);
	expect(rowsOf(retried)).toEqual([
		[A, 'uncertain'],
		[B, 'uncertain'],
	]);
});

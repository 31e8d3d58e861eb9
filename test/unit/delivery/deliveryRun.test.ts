/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** What one run of the node does beyond one request: where it goes on, where it stops, and what it says then. */
import type { IContextObject } from 'n8n-workflow';
import { setImmediate as everythingElse } from 'node:timers/promises';
import { timed, useClock } from './clock';
import { EarlierTries } from '../../../nodes/MessagingGateway/delivery/memory/earlierTries';
import { byRecipient, byRequest } from '../../../nodes/MessagingGateway/delivery/result';
import { deliver, FakeHistory, stored, type Answer, type Wish } from './deliver';

const A = '111111';
const B = '222222';
const C = '333333';
const to = (number: string, more: Partial<Wish> = {}): Wish => ({
	numbers: [number],
	text: 'a',
	...more,
});
const list = (numbers: string[], more: Partial<Wish> = {}): Wish => ({
	numbers,
	text: 'a',
	...more,
});

type Delivered = Awaited<ReturnType<typeof deliver>>;
const travelled = ({ sent }: Delivered) => sent.map(({ numbers }) => numbers);
const ways = ({ results }: Delivered) =>
	results.map(({ items, outcome, recipients }) => [items, outcome.outcome, recipients]);
const each = ({ delivery }: Delivered) =>
	delivery.entries.map(({ state }) => [
		state.is === 'inRequest' ? state.request.outcome?.outcome : undefined,
		state.is === 'leftOut' ? state.why.outcome : undefined,
	]);
const stopping = { continueOnFail: false };

it('an item that cannot be read keeps the node from reading the next', async () => {
	let reads = 0;
	const delivery = await deliver('singles', [to(A, { wrong: true }), to(B)], {
		settings: stopping,
		onRead: () => reads++,
	});
	expect(reads).toBe(1);
	expect(ways(delivery)).toEqual([[[0], 'notSent', undefined]]);
});

it('an item that cannot be read does not stop the node if an earlier try has sent it', async () => {
	const context: IContextObject = {};
	await deliver('singles', [to(A)], { context });
	const retry = await deliver('singles', [to(A, { wrong: true }), to(B)], {
		context: stored(context),
		settings: stopping,
	});
	expect(ways(retry)).toEqual([
		[[0], 'accepted', undefined],
		[[1], 'accepted', undefined],
	]);
	expect(travelled(retry)).toEqual([[B]]);
});

it('a Send-Once Key that cannot be recorded stops the node before it sends the next message', async () => {
	const history = new FakeHistory();
	history.broken = true;
	const settings = { ...stopping, maxConcurrency: 1 };
	const wishes = [to(A, { key: 'k' }), to(B)];
	const delivery = await deliver('singles', wishes, { history, settings });
	expect(ways(delivery)).toEqual([[[0], 'notSent', undefined]]);
	expect(delivery.sent).toEqual([]);
});

it('a Send-Once Key that cannot be recorded keeps the whole list from going out, and is asked for once', async () => {
	const history = new FakeHistory();
	history.onCall = () => (history.broken = history.calls === 1);
	const delivery = await deliver('list', [list([A, B], { key: 'k' })], {
		history,
		settings: { numbersPerRequest: 1 },
	});
	expect([delivery.sent, history.calls]).toEqual([[], 1]);
	expect(ways(delivery)).toEqual([[[0], 'notSent', undefined]]);
});

it('a Send-Once Key that cannot be recorded leaves that part of a list as it is that an earlier try sent', async () => {
	const [context, history] = [{}, new FakeHistory()];
	const settings = { numbersPerRequest: 1 };
	const answers: Answer[] = ['accepted', 'notSent'];
	await deliver('list', [list([A, B])], { context, history, settings, answers });
	const retry = await deliver('list', [list([A, B], { key: 'k' })], {
		context: stored(context),
		history,
		settings,
		onRead: () => (history.broken = true),
	});
	expect(each(retry)).toEqual([
		['accepted', undefined],
		[undefined, 'notSent'],
	]);
});

it('a Send-Once Key that another execution has recorded leaves that part of a list as it is that an earlier try sent', async () => {
	const [context, settings] = [{}, { numbersPerRequest: 1 }];
	const answers: Answer[] = ['accepted', 'notSent'];
	await deliver('list', [list([A, B])], { context, settings, answers });
	const history = new FakeHistory('k');
	const given = { context: stored(context), history, settings };
	const retry = await deliver('list', [list([A, B], { key: 'k' })], given);
	expect(each(retry)).toEqual([
		['accepted', undefined],
		[undefined, 'skipped'],
	]);
});

it('a Send-Once Key that could not be recorded leaves a list that several items have to a Retry', async () => {
	const [history, context] = [new FakeHistory(), {}];
	history.onCall = () => (history.broken = history.calls === 1);
	const wishes = [0, 1].map(() => list([A, B], { key: 'k', list: 'same' }));
	const delivery = await deliver('list', wishes, { history, context });
	expect([delivery.sent, ways(delivery)]).toEqual([
		[],
		[
			[[0], 'notSent', undefined],
			[[1], 'skipped', undefined],
		],
	]);
	const retry = await deliver('list', wishes, { history, context: stored(context) });
	expect(travelled(retry)).toEqual([[A, B]]);
	const later = await deliver('list', wishes, { history });
	expect(travelled(later)).toEqual([]);
});

it('the Send-Once Key of a list is its own although some of its numbers have opted out', async () => {
	const wishes = [list([A, B], { key: 'k', optedOut: [A] }), list([C], { key: 'k' })];
	const delivery = await deliver('list', wishes, {});
	expect(travelled(delivery)).toEqual([[B]]);
	expect(each(delivery)).toEqual([
		[undefined, 'skipped'],
		['accepted', undefined],
		[undefined, 'skipped'],
	]);
	expect(delivery.rows.at(-1)?.outcome).toMatchObject({
		what: 'An earlier item of this run has the same Send-Once Key',
	});
});

it('the Send-Once Key of a list that is uncertain in part stays taken for the rest of the run, though it may be sent again', async () => {
	const wishes = [list([A, B], { key: 'k' }), list([C], { key: 'k' })];
	const delivery = await deliver('list', wishes, {
		settings: { numbersPerRequest: 1, resendUncertain: true },
		answers: ['uncertain', 'notSent'],
	});
	expect(travelled(delivery)).toEqual([[A], [B]]);
});

it('the Send-Once Key of a refused request is free before the next request goes out', async () => {
	const history = new FakeHistory();
	const isRecorded: boolean[] = [];
	await deliver('items', [to(A, { key: 'k1' }), to(B, { key: 'k2' })], {
		history,
		settings: { numbersPerRequest: 1 },
		answers: ['notSent'],
		onRequest: () => isRecorded.push(history.has('k1')),
	});
	expect(isRecorded).toEqual([true, false]);
});

it('a Send-Once Key skips a later item whose number an earlier try sent to for another item', async () => {
	const [context, history] = [{}, new FakeHistory()];
	const wishes = [to(A, { key: 'k' }), to(A, { key: 'k', wrong: true })];
	await deliver('items', wishes, { context, history });
	const corrected = wishes.map((wish) => ({ ...wish, wrong: false }));
	const retry = await deliver('items', corrected, { context: stored(context), history });
	expect(ways(retry)).toEqual([
		[[0], 'accepted', [A]],
		[[1], 'skipped', undefined],
	]);
});

it.each([
	[3, [[A, B]], ['accepted', 'accepted']],
	[4, [[A], [B]], ['notSent', 'accepted']],
])(
	'a request of %i items whose key was used is filled up at most three times',
	async (count, requests, outcomes) => {
		const known = Array.from({ length: count }, (_, at) => `known ${at}`);
		const delivery = await deliver(
			'items',
			[to(A), ...known.map((key, at) => to(`40000${at}`, { key })), to(B)],
			{
				settings: { numbersPerRequest: 2 },
				history: new FakeHistory(...known),
				answers: count === 4 ? ['notSent'] : [],
			},
		);
		expect(travelled(delivery)).toEqual(requests);
		const rows = delivery.rows.filter(({ to: number }) => number === A || number === B);
		expect(rows.map(({ outcome }) => outcome.outcome)).toEqual(outcomes);
	},
);

it('a request that a dry run checks is accepted, and not remembered', async () => {
	const context: IContextObject = {};
	const checked = await deliver('items', [to(A)], { context, isDry: true });
	expect(ways(checked)).toEqual([[[0], 'accepted', [A]]]);
	const retry = await deliver('items', [to(A)], { context: stored(context) });
	expect(travelled(retry)).toEqual([[A]]);
});

it('a request that is not made because the gateway asked for a long pause names its numbers', async () => {
	const wishes = [to(A, { text: 'b' }), to(A), to(B), to(C)];
	const settings = { numbersPerRequest: 2 };
	const delivery = await deliver('items', wishes, { settings, answers: ['paused'] });
	expect(travelled(delivery)).toEqual([[A]]);
	expect(ways(delivery)).toEqual([
		[[0], 'notSent', [A]],
		[[1, 2], 'notSent', [A, B]],
		[[3], 'notSent', [C]],
	]);
});

it('a request is remembered for all items that ask for what it carries, also for those whose turn has not come', async () => {
	const context: IContextObject = {};
	const given = { context, execution: '7', settings: { numbersPerRequest: 1 } };
	const wishes = [to(A), to(B), to(A), to(C)];
	await deliver('items', wishes, { ...given, answers: ['accepted', 'uncertain', 'notSent'] });
	const unreadable = wishes.map((wish, at) => ({ ...wish, wrong: at > 0 }));
	const next = await deliver('items', unreadable, { ...given, context: stored(context) });
	expect(ways(next).map(([items, outcome]) => [items, outcome])).toEqual([
		[[0], 'accepted'],
		[[1], 'uncertain'],
		[[2], 'uncertain'],
		[[3], 'notSent'],
	]);
});

it('a request is not remembered for an item that its Send-Once Key left out', async () => {
	const context: IContextObject = {};
	const first = [to(A), to(A, { key: 'known' })];
	await deliver('items', first, { context, history: new FakeHistory('known') });
	const changed = [to(A), to(A, { key: 'new', text: 'b' })];
	const retry = await deliver('items', changed, { context: stored(context) });
	expect(retry.sent).toMatchObject([{ text: 'b', numbers: [A] }]);
});

it('a request that is refused is certainly not sent, although it was to reach again who is in it twice', async () => {
	const context: IContextObject = {};
	const settings = { numbersPerRequest: 1, resendUncertain: true };
	const wishes = [list([A, B, A])];
	await deliver('list', wishes, { context, settings, answers: ['uncertain', 'notSent'] });
	const given = {
		context: stored(context),
		settings,
		answers: ['accepted', 'notSent'] as Answer[],
	};
	expect(ways(await deliver('list', wishes, given))).toEqual([
		[[0], 'accepted', [A]],
		[[0], 'notSent', [B]],
	]);
});

it('a request that has no limit takes all of a long list', async () => {
	const numbers = Array.from({ length: 10_001 }, (_, at) => `${200_000 + at}`);
	const { sent } = await deliver('list', [list(numbers)], { settings: { numbersPerRequest: 0 } });
	expect(sent.map((request) => request.numbers.length)).toEqual([10_001]);
});

it('a request through one device is not sent again through another one', async () => {
	const context: IContextObject = {};
	await deliver('items', [to(A, { device: 'old' })], { context });
	const deliverAgain = async (...wishes: Wish[]) =>
		travelled(await deliver('items', wishes, { context: stored(context) }));
	expect(await deliverAgain(to(A, { device: 'new' }))).toEqual([]);
	expect(await deliverAgain(to(A, { device: 'new' }), to(B, { device: 'old' }))).toEqual([[B]]);
});

it('a list with entries that are no numbers goes to the others, and says what is wrong with each', async () => {
	const refused = ['x', 'y'].map((asEntered) => ({
		asEntered,
		why: `“${asEntered}” is no phone number`,
	}));
	const delivery = await deliver('list', [list([A], { refused, key: 'k' })]);
	expect(ways(delivery)).toEqual([[[0], 'accepted', [A]]]);
	expect(delivery.rows.map(({ outcome }) => 'what' in outcome && outcome.what)).toEqual([
		'“x” is no phone number',
		'“y” is no phone number',
		false,
	]);
	expect(delivery.rows.map(({ to }) => to)).toEqual(['x', 'y', A]);
});

it('a run that stops at a failure says nothing of a message that may go out again, and was not begun', async () => {
	const context: IContextObject = {};
	const wishes = [to(A), to(B)];
	await deliver('singles', wishes, { context, answers: ['uncertain', 'uncertain'] });
	let arrive = () => {};
	const asked = new Promise<void>((resolve) => (arrive = resolve));
	const retry = await deliver('singles', wishes, {
		context: stored(context),
		settings: { ...stopping, resendUncertain: true },
		answers: ['notSent'],
		onRequest: arrive,
		onOpen: async (item) => {
			// The second file is slow to open: the answer to the first request is there before it.
			if (item === 1) {
				await asked;
				await everythingElse();
			}
			return { name: 'a', contentType: 'b', size: 1, open: async () => Buffer.from('x') };
		},
	});
	expect(travelled(retry)).toEqual([[A]]);
	expect(ways(retry)).toEqual([[[0], 'uncertain', undefined]]);
});

it.each<[string, Array<Partial<Wish>>, Array<[item: number, outcome: string]>]>([
	[
		'with one row',
		[{}, {}],
		[
			[1, 'skipped'],
			[2, 'skipped'],
		],
	],
	[
		'by number if its text differs',
		[{ text: 'b' }, { text: 'c' }],
		[
			[1, 'accepted'],
			[1, 'accepted'],
			[2, 'accepted'],
			[2, 'accepted'],
		],
	],
	[
		'by number if it has a key',
		[{ key: 'a' }, { key: 'b' }],
		[
			[1, 'skipped'],
			[1, 'skipped'],
			[2, 'skipped'],
			[2, 'skipped'],
		],
	],
])(
	'a run tells of each later item that has the list of an earlier one, too, %s',
	async (_, more, rest) => {
		const wishes = [{}, ...more].map((each) => list([A, B], { list: 'same', ...each }));
		const { rows } = await deliver('list', wishes);
		expect(rows.map(({ items, outcome }) => [items[0], outcome.outcome])).toEqual([
			[0, 'accepted'],
			[0, 'accepted'],
			...rest,
		]);
	},
);

describe('a run that gives up', () => {
	const many = (count: number, more: Partial<Wish> = {}) =>
		Array.from({ length: count }, (_, at) => to(`${200_000 + at}`, { key: `k${at}`, ...more }));
	const reasons = ({ rows }: Delivered) =>
		rows.flatMap(({ outcome }) => (outcome.outcome === 'notSent' ? [outcome] : []));

	it.each<['singles' | 'list' | 'items']>([['singles'], ['list'], ['items']])(
		'a run that gives up after a refused token tries nothing more, says why of each, and sends all the next time: %s',
		async (mode) => {
			const [history, context] = [new FakeHistory(), {}];
			const wishes =
				mode === 'list' ? [list(many(30).flatMap(({ numbers }) => numbers))] : many(30);
			const given = { history, context, settings: { maxConcurrency: 2, numbersPerRequest: 1 } };
			const first = await deliver(mode, wishes, { ...given, answer: () => 'token' });
			expect(first.sent.length).toBeLessThanOrEqual(2);
			expect(reasons(first)).toHaveLength(30);
			expect(reasons(first).at(-1)).toEqual({
				outcome: 'notSent',
				origin: 'gateway',
				cause: 'notTried',
				blame: 'subscription',
				httpCode: 401,
				what: 'Wrong token',
				fact: expect.stringMatching(
					/^This message was not queued. \d+ items? (was|were) not tried, because every message would/,
				),
				advice: 'Correct it.',
			});
			expect(first.hints[1]?.message).toMatch(/^Nothing was queued, and \d+ items? /);
			expect(JSON.stringify(context)).not.toMatch(/k\d|20000/);
			const retry = await deliver(mode, wishes, { ...given, context: stored(context) });
			expect(travelled(retry).flat()).toHaveLength(30);
			const [last] = wishes.slice(-1);
			const run = await deliver(mode, [{ ...last, numbers: [A] } as Wish], {
				history: given.history,
			});
			expect(ways(run).map(([, outcome]) => outcome)).toEqual([
				mode === 'list' ? 'accepted' : 'skipped',
			]);
		},
	);

	it('a run that gives up counts the items that were not tried', async () => {
		const settings = { maxConcurrency: 1 };
		const delivery = await deliver('singles', many(4), { settings, answers: ['token'] });
		expect(reasons(delivery).map(({ fact }) => fact?.slice(0, 52))).toEqual([
			undefined,
			...Array<string>(3).fill('This message was not queued. 3 items were not tried,'),
		]);
	});

	it('a run that gives up still says what else is known of the rest', async () => {
		const context: IContextObject = {};
		const wishes = [
			to(A),
			to(B),
			to(C, { wrong: true }),
			to('444444', { optedOut: ['444444'] }),
			to('555555'),
		];
		const settings = { maxConcurrency: 1 };
		await deliver('singles', [to(A), to(B)], {
			context,
			settings,
			answers: ['notSent', 'accepted'],
			execution: '7',
		});
		const next = await deliver('singles', wishes, {
			context: stored(context),
			execution: '7',
			settings,
			answers: ['token'],
		});
		expect(next.rows.map(({ outcome }) => ('what' in outcome ? outcome.what : 'accepted'))).toEqual(
			['Wrong token', 'accepted', 'Wrong', "The number is in 'Skip Numbers'", 'Wrong token'],
		);
	});

	it('a run that gives up leaves uncertain what an earlier try may have sent', async () => {
		const context: IContextObject = {};
		const wishes = [to(A), to(B)];
		const settings = { maxConcurrency: 1, resendUncertain: true };
		await deliver('singles', wishes, { context, settings, answers: ['uncertain', 'uncertain'] });
		const retry = await deliver('singles', wishes, {
			context: stored(context),
			settings,
			answers: ['token'],
		});
		expect(travelled(retry)).toEqual([[A]]);
		expect(retry.rows.map(({ outcome }) => outcome)).toEqual([
			expect.objectContaining({ outcome: 'uncertain', what: 'Wrong token', fact: undefined }),
			expect.objectContaining({ outcome: 'uncertain', what: 'Wrong token', fact: undefined }),
		]);
	});

	it('a run that gives up is not canceled, unless it is', async () => {
		const cancelling = new AbortController();
		const given = { settings: { maxConcurrency: 1 }, canceled: cancelling.signal };
		const delivery = await deliver('singles', many(3), {
			...given,
			answers: ['token'],
			onRead: () => cancelling.abort(),
		});
		expect(reasons(delivery).map(({ cause }) => cause)).toEqual(Array(3).fill('canceled'));
	});

	it('a run that has given up reads the other items, until it is canceled', async () => {
		const cancelling = new AbortController();
		let reads = 0;
		await deliver('singles', many(5), {
			settings: { maxConcurrency: 1 },
			canceled: cancelling.signal,
			answers: ['token'],
			onRead: () => void (++reads === 3 && cancelling.abort()),
		});
		expect(reads).toBe(3);
	});

	it('a run gives up after three recipients in a row were refused alike, not after the same one', async () => {
		const settings = { maxConcurrency: 1 };
		const one = await deliver('singles', Array<Wish>(6).fill(to(A)), {
			settings,
			answer: () => 'number',
		});
		const others = await deliver('singles', many(6), { settings, answer: () => 'number' });
		expect([one.sent.length, others.sent.length]).toEqual([6, 3]);
	});

	it('a run never gives up for what one recipient or one message has caused', async () => {
		const answers: Answer[] = ['number', 'number', 'accepted', 'number', 'number', 'notSent'];
		const settings = { maxConcurrency: 1 };
		const all = [...answers, ...answers, 'uncertain'] as Answer[];
		const delivery = await deliver('singles', many(13), { settings, answers: all });
		expect(delivery.sent).toHaveLength(13);
	});

	describe('a gateway that is down', () => {
		useClock();

		it('a run whose gateway is down has told 60 items after the tries of the first, with five under way', async () => {
			let delivery: Delivered | undefined;
			const done = deliver('singles', many(60), { answer: () => 'down' });
			const [ms = NaN] = await timed(done.then((each) => (delivery = each)));
			expect(ms).toBeLessThanOrEqual(7_000);
			expect(delivery?.sent.length).toBeLessThanOrEqual(5 * 4);
			expect(delivery && reasons(delivery)).toHaveLength(60);
		});
	});

	it('a run that gives up stops the node if a failure does', async () => {
		const settings = { maxConcurrency: 1, continueOnFail: false };
		const delivery = await deliver('singles', many(3), { settings, answers: ['token'] });
		expect(ways(delivery)).toEqual([[[0], 'notSent', undefined]]);
	});
});

it('a canceled run keeps what is skipped apart from what was sent, each with one of them', async () => {
	const cancelling = new AbortController();
	const wishes = [to(B, { key: 'k' }), to(A), to(A, { key: 'k' }), to(C, { text: 'b' })];
	const delivery = await deliver('items', wishes, {
		canceled: cancelling.signal,
		onRequest: () => cancelling.abort(),
	});
	expect(ways(delivery)).toEqual([
		[[0, 1], 'accepted', [B, A]],
		[[2], 'skipped', undefined],
		[[3], 'notSent', undefined],
	]);
	expect(each(delivery)).toEqual([
		['accepted', undefined],
		['accepted', undefined],
		[undefined, 'skipped'],
		[undefined, 'notSent'],
	]);
});

it('a canceled run knows that a number has got the text which a later item wants for it, too', async () => {
	const cancelling = new AbortController();
	const delivery = await deliver('items', [to(A), to(B), to(A)], {
		settings: { numbersPerRequest: 1 },
		canceled: cancelling.signal,
		onRequest: () => cancelling.abort(),
	});
	expect(ways(delivery)).toEqual([
		[[0, 2], 'accepted', [A]],
		[[1], 'notSent', undefined],
	]);
});

it('a canceled run leaves uncertain what an earlier try may have sent, and only that', async () => {
	const context: IContextObject = {};
	const wishes = [to(A), to(B)];
	const first = { numbersPerRequest: 1 };
	await deliver('items', wishes, { context, settings: first, answers: ['uncertain', 'notSent'] });
	const cancelling = new AbortController();
	let reads = 0;
	const retry = await deliver('items', wishes, {
		context: stored(context),
		settings: { resendUncertain: true },
		canceled: cancelling.signal,
		onRead: () => {
			if (++reads === 2) cancelling.abort();
		},
	});
	expect(retry.sent).toEqual([]);
	expect(each(retry)).toEqual([
		[undefined, 'uncertain'],
		[undefined, 'notSent'],
	]);
});

it('a canceled run leaves uncertain what an earlier try may have sent, also where it waits for a Send-Once Key', async () => {
	const context: IContextObject = {};
	await deliver('items', [to(A), to(B, { text: 'b' })], {
		context,
		answers: ['uncertain', 'uncertain'],
	});
	const cancelling = new AbortController();
	let reads = 0;
	const retry = await deliver('items', [to(A, { key: 'k' }), to(B, { text: 'b', key: 'k' })], {
		context: stored(context),
		settings: { resendUncertain: true },
		canceled: cancelling.signal,
		onRead: () => void (++reads === 2 && cancelling.abort()),
	});
	expect(each(retry)).toEqual([
		[undefined, 'uncertain'],
		[undefined, 'uncertain'],
	]);
});

it('a cancellation comes too late once everything is sent', async () => {
	const cancelling = new AbortController();
	const { delivery } = await deliver('singles', [to(A)], { canceled: cancelling.signal });
	cancelling.abort();
	expect(delivery.halt.aborted).toBe(false);
});

describe('looking at a long list', () => {
	// First: the clock gives back the timers that the spy is on.
	afterEach(() => void jest.restoreAllMocks());
	useClock();

	it('a run that takes no time makes no breaks', async () => {
		const pauses = jest.spyOn(globalThis, 'setTimeout');
		const wishes = [to(A, { key: 'known' }), to(B, { key: 'k' }), to(C, { key: 'k' })];
		const sent: string[][] = [];
		const delivered = deliver('items', wishes, {
			history: new FakeHistory('known'),
			answers: ['notSent'],
			onRequest: ({ numbers }) => sent.push(numbers),
		});
		await timed(delivered);
		expect([sent, pauses.mock.calls]).toEqual([[[B]], []]);
	});

	it('reading items lets others have their turn, and ends when everything halts', async () => {
		const log: string[] = [];
		const stop = new AbortController();
		const onRead = () => {
			log.push('item');
			setTimeout(() => log.push('others'), 0);
			jest.setSystemTime(Date.now() + 10);
			if (log.length > 4) stop.abort();
		};
		const wrong = [A, B, C, A, B].map((each) => to(each, { wrong: true }));
		await timed(deliver('items', wrong, { onRead, canceled: stop.signal }));
		expect(log.join(' ')).toBe('item others item others item others');
	});

	it.each(['requestOf', 'isResend'] as const)(
		'a list lets others have their turn after each number whose earlier tries take long to find (%s)',
		async (question) => {
			const log: string[] = [];
			jest.spyOn(EarlierTries.prototype, question).mockImplementation(() => {
				log.push('number');
				setTimeout(() => log.push('others'), 0);
				jest.setSystemTime(Date.now() + 10);
				return undefined as never;
			});
			const answers: Answer[] = ['notSent'];
			await timed(deliver('list', [list([A, B, C], { key: 'k' })], { answers }));
			expect(log.join(' ')).toBe('number others number others number others');
		},
	);

	it.each([
		['byRequest', byRequest, 6],
		['byRecipient', byRecipient, 3],
	] as const)(
		'results that take long let others have their turns in between (%s)',
		async (_, results, turns) => {
			const delivering = deliver(
				'singles',
				[A, B, C].map((each) => to(each)),
			);
			await jest.runAllTimersAsync();
			const { entries } = (await delivering).delivery;
			// Each look at the clock finds that the longest stretch of work has passed.
			let now = 0;
			jest.spyOn(Date, 'now').mockImplementation(() => (now += 10));
			const pauses = jest.spyOn(globalThis, 'setTimeout');
			await timed(results(entries));
			expect(pauses).toHaveBeenCalledTimes(turns);
		},
	);

	it('filling a request lets others have their turn after each key that was used', async () => {
		const log: string[] = [];
		const history = new FakeHistory('k1', 'k2');
		history.onCall = () => {
			log.push('key');
			setTimeout(() => log.push('others'), 0);
			jest.setSystemTime(Date.now() + 10);
		};
		const wishes = [to(A, { key: 'k1' }), to(B, { key: 'k2' }), to(C)];
		await timed(deliver('items', wishes, { history, settings: { numbersPerRequest: 1 } }));
		expect(log).toEqual(['key', 'others', 'key', 'others']);
	});
});

it.each([true, false])(
	'if a run breaks off, what the gateway has stays accepted, and all other items are not sent; it goes on after failures: %j',
	async (continueOnFail) => {
		let reads = 0;
		const wishes = ['1', '2', '3', '4'].map((number) => ({ numbers: [number], text: 'a' }));
		const delivered = await deliver('singles', wishes, {
			settings: { maxConcurrency: 1, continueOnFail },
			onRead: () => {
				if (++reads === 3) throw new Error('n8n is broken');
			},
		});
		expect(delivered.results.map(({ outcome }) => outcome.outcome)).toEqual([
			'accepted',
			'accepted',
			'notSent',
			'notSent',
		]);
	},
);

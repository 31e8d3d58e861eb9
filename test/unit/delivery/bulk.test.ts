import type { IContextObject } from 'n8n-workflow';
import { deliver, FakeHistory, stored, type Wish } from './deliver';

const A = '111111';
const B = '222222';
const C = '333333';
const D = '444444';

const wish = (numbers: string[], more: Partial<Wish> = {}): Wish => ({
	numbers,
	text: 'a',
	...more,
});
const one = (number: string, more: Partial<Wish> = {}) => wish([number], more);
const travelled = (delivery: Awaited<ReturnType<typeof deliver>>) =>
	delivery.sent.map(({ numbers }) => numbers);
const ways = ({ results }: Awaited<ReturnType<typeof deliver>>) =>
	results.map(({ items, outcome, recipients }) => [items, outcome.outcome, recipients]);

it('numbers of items travel together if their text and device are equal', async () => {
	const delivery = await deliver('items', [one(A), one(B, { text: 'b' }), one(C)]);
	expect(delivery.sent).toMatchObject([
		{ text: 'a', numbers: [A, C] },
		{ text: 'b', numbers: [B] },
	]);
	expect(ways(delivery)).toEqual([
		[[0, 2], 'accepted', [A, C]],
		[[1], 'accepted', [B]],
	]);
});

it('numbers of items travel apart if one has had an earlier text in between, so that each gets its texts in order', async () => {
	const texts = [one(A), one(B, { text: 'b' }), wish([D, B]), one(C), one(D, { text: 'b' })];
	const { sent } = await deliver('items', texts);
	expect(sent.map(({ text, numbers }) => [text, numbers])).toEqual([
		['a', [A]],
		['b', [B]],
		['a', [D, B, C]],
		['b', [D]],
	]);
});

it('numbers of items travel once each, and those that come again count for no limit', async () => {
	const settings = { numbersPerRequest: 2 };
	const delivery = await deliver(
		'items',
		[A, A, B, A, C, B].map((each) => one(each)),
		{ settings },
	);
	expect(ways(delivery)).toEqual([
		[[0, 1, 2, 3, 5], 'accepted', [A, B]],
		[[4], 'accepted', [C]],
	]);
});

it('numbers of items travel in as few requests as their limit allows, in order', async () => {
	const settings = { numbersPerRequest: 2 };
	const delivery = await deliver('items', [one(A), one(B), one(C)], { settings });
	expect(travelled(delivery)).toEqual([[A, B], [C]]);
});

it('numbers of items travel in one request if there is no limit', async () => {
	const numbers = Array.from({ length: 1_200 }, (_, index) => one(String(100_000 + index)));
	const none = await deliver('items', numbers, { settings: { numbersPerRequest: 0 } });
	const usual = await deliver('items', numbers);
	expect(travelled(none).map(({ length }) => length)).toEqual([1_200]);
	expect(travelled(usual).map(({ length }) => length)).toEqual([500, 500, 200]);
});

it('numbers of items fill a request even if some are left out', async () => {
	const history = new FakeHistory('known');
	const delivery = await deliver(
		'items',
		[one(A), one(A), one(B, { key: 'known' }), one(C), one(D)],
		{ settings: { numbersPerRequest: 3 }, history },
	);
	expect(travelled(delivery)).toEqual([[A, C, D]]);
	expect(delivery.hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^5 messages to 4 numbers: 3 queued, 2 skipped\. /),
		'1 duplicate phone number skipped: each number gets the same text only once.',
		'1 item skipped because of the Send-Once Key: a message with that key is already queued, or may be. To send it again, change the key.',
	]);
});

it('wrong numbers of items stop the node before anything is sent', async () => {
	const wishes = [one(A), one(B, { wrong: true })];
	const settings = { continueOnFail: false };
	expect(travelled(await deliver('items', wishes, { settings }))).toEqual([]);
	expect(travelled(await deliver('items', wishes))).toEqual([[A]]);
});

it('numbers of items are linked to their items in order, whichever of them the request was begun for', async () => {
	const delivery = await deliver('items', [one(A), one(A), one(B)]);
	expect(ways(delivery)).toEqual([[[0, 1, 2], 'accepted', [A, B]]]);
});

it('numbers of items that are all left out cost no pause', async () => {
	const history = new FakeHistory('k1', 'k2');
	const wishes = [one(A, { key: 'k1' }), one(B, { key: 'k2', text: 'b' }), one(C, { text: 'c' })];
	const settings = { batchSize: 1, batchInterval: 60_000 };
	const delivery = await deliver('items', wishes, { history, settings });
	expect(travelled(delivery)).toEqual([[C]]);
});

it('numbers of items say where their key was sent before: in this run, or earlier', async () => {
	const wishes = [one(A, { key: 'k' }), one(B, { key: 'k' }), one(C, { key: 'known' })];
	const delivery = await deliver('items', wishes, { history: new FakeHistory('known') });
	expect(delivery.results.map(({ outcome }) => 'what' in outcome && outcome.what)).toEqual([
		false,
		'An earlier item of this run has the same Send-Once Key',
		'A message with this Send-Once Key is already queued, or may be',
	]);
});

it('numbers of items belong, by their key, to the first item in the order of items', async () => {
	const wishes = [one(A, { text: 'b' }), one(B, { key: 'k' }), one(C, { text: 'b', key: 'k' })];
	expect(ways(await deliver('items', wishes))).toEqual([
		[[0], 'accepted', [A]],
		[[1], 'accepted', [B]],
		[[2], 'skipped', undefined],
	]);
});

it('numbers of items free their keys if their request was refused, duplicates too', async () => {
	const history = new FakeHistory();
	const wishes = [one(A, { key: 'k1' }), one(A, { key: 'k2' }), one(B, { key: 'k3' })];
	const settings = { numbersPerRequest: 1 };
	await deliver('items', wishes, { history, settings, answers: ['notSent', 'accepted'] });
	expect(['k1', 'k2', 'k3'].filter((key) => history.has(key))).toEqual(['k3']);
});

it('numbers of items record and free the keys of many duplicates in parts, while others have their turn', async () => {
	const history = new FakeHistory();
	const recording = jest.spyOn(history, 'checkProcessedAndRecord');
	const freeing = jest.spyOn(history, 'removeProcessed');
	const wishes = Array.from({ length: 6_000 }, (_, n) => one(n % 2 ? A : B, { key: `k${n}` }));
	const { sent } = await deliver('items', wishes, { history, answers: ['notSent'] });
	expect(sent.map(({ numbers }) => numbers)).toEqual([[B, A]]);
	const recorded = recording.mock.calls.filter(([, scope]) => scope === 'node');
	expect(recorded.map(([keys]) => keys.length)).toEqual([2_500, 2_500, 1_000]);
	expect(freeing.mock.calls.map(([keys]) => keys.length)).toEqual(Array(12).fill(500));
	expect(history.has('k5999')).toBe(false);
});

it('numbers of items belong, by their key, to the item that had it when they were sent', async () => {
	const [history, context] = [new FakeHistory(), {}];
	const key = 'k';
	const first = [one(A, { key, wrong: true }), one(B, { key })];
	await deliver('items', first, { history, context });
	const second = [one(A, { key }), one(B, { key })];
	const { sent } = await deliver('items', second, { history, context: stored(context) });
	expect(sent).toEqual([]);
});

it('numbers of items record the key of each request just before it goes out', async () => {
	const history = new FakeHistory();
	const wishes = [one(A, { key: 'k1' }), one(B, { key: 'k2' })];
	const recorded: boolean[] = [];
	await deliver('items', wishes, {
		history,
		settings: { numbersPerRequest: 1 },
		onRequest: () => recorded.push(history.has('k1'), history.has('k2')),
	});
	expect(recorded).toEqual([true, false, true, true]);
});

it('numbers of items are not sent, and free their keys, if a cancellation comes while these are recorded', async () => {
	const cancelling = new AbortController();
	const history = new FakeHistory();
	history.onCall = () => cancelling.abort();
	const canceled = cancelling.signal;
	const delivery = await deliver('items', [one(A, { key: 'k' })], { history, canceled });
	expect(delivery.sent).toEqual([]);
	expect(history.has('k')).toBe(false);
});

it('numbers of items are not sent if their key cannot be recorded', async () => {
	const history = new FakeHistory();
	history.broken = true;
	const delivery = await deliver('items', [one(A, { key: 'k' }), one(B)], { history });
	expect(ways(delivery)).toEqual([
		[[0], 'notSent', undefined],
		[[1], 'accepted', [B]],
	]);
});

it('numbers of lists travel in the requests of their item, each number once per run', async () => {
	const delivery = await deliver('list', [wish([A, B, A]), wish([B, C])]);
	expect(travelled(delivery)).toEqual([[A, B], [C]]);
	expect(delivery.hints[1]?.message).toMatch(/^2 duplicate phone numbers skipped/);
	expect(ways(delivery)).toEqual([
		[[0], 'accepted', [A, B]],
		[[1], 'accepted', [C]],
	]);
});

it('numbers of lists that have the text already count for no limit', async () => {
	const settings = { numbersPerRequest: 2 };
	const delivery = await deliver('list', [one(A), wish([A, B, C])], { settings });
	expect(travelled(delivery)).toEqual([[A], [B, C]]);
});

it('numbers of lists get another text although they have had one', async () => {
	const delivery = await deliver('list', [wish([A]), wish([A], { text: 'b' })]);
	expect(travelled(delivery)).toEqual([[A], [A]]);
});

it('an item without a request of its own is linked to the one that carried its number', async () => {
	const delivery = await deliver('list', [wish([A, B]), wish([B])]);
	expect(ways(delivery)).toEqual([[[0, 1], 'accepted', [A, B]]]);
});

it.each(['notSent', 'uncertain'] as const)(
	'an item is linked to the request of another item that carried one of its numbers and was %s',
	async (answer) => {
		const wishes = [wish([A, B]), wish([B, C])];
		expect(ways(await deliver('list', wishes, { answers: [answer] }))).toEqual([
			[[0, 1], answer, [A, B]],
			[[1], 'accepted', [C]],
		]);
	},
);

it.each([
	['its only request', [A, B], [[[0], 'uncertain', [A, B]]]],
	[
		'the first of its requests',
		[A, B, C, D],
		[
			[[0], 'uncertain', [A, B]],
			[[0], 'notSent', [C, D]],
		],
	],
])('an error names the numbers if a run is canceled in %s', async (_, numbers, expected) => {
	const cancelling = new AbortController();
	const delivery = await deliver('list', [wish(numbers)], {
		settings: { numbersPerRequest: 2 },
		answers: ['uncertain'],
		canceled: cancelling.signal,
		onRequest: () => cancelling.abort(),
	});
	expect(ways(delivery)).toEqual(expected);
});

it('numbers of lists that were not begun because the node stops at a failure are not called canceled', async () => {
	const settings = { numbersPerRequest: 1, continueOnFail: false };
	const answers = ['accepted', 'notSent'] as const;
	const delivery = await deliver('list', [wish([A, B, C])], { settings, answers: [...answers] });
	expect(ways(delivery)).toEqual([
		[[0], 'accepted', [A]],
		[[0], 'notSent', [B]],
	]);
	expect(delivery.results[1]?.outcome).toMatchObject({ what: 'Refused' });
});

it('numbers of lists that were left out are named by request and by recipient, and entries that are no numbers', async () => {
	const refused = [{ asEntered: 'x', why: '“x” is not a phone number', advice: 'Correct it.' }];
	const lists = [
		wish([A, B, C], { optedOut: [A, B], refused }),
		wish([A, B], { wrong: true }),
		wish([C, D], { key: 'known' }),
		one(C),
	];
	const { results, rows } = await deliver('list', lists, { history: new FakeHistory('known') });
	const told = (all: typeof rows) =>
		all.map(({ items, to, outcome }) => [...items, to, outcome.outcome]);
	expect(told(results)).toEqual([
		[0, A, 'skipped'],
		[0, B, 'skipped'],
		[0, 3, undefined, 'accepted'],
		[1, undefined, 'notSent'],
		[2, undefined, 'skipped'],
	]);
	expect(told(rows)).toEqual([
		[0, 'x', 'skipped'],
		[0, A, 'skipped'],
		[0, B, 'skipped'],
		[0, C, 'accepted'],
		[1, undefined, 'notSent'],
		[2, C, 'skipped'],
		[2, D, 'skipped'],
		[3, C, 'skipped'],
	]);
});

it('numbers of lists give one result for each request, in order', async () => {
	const settings = { numbersPerRequest: 1 };
	const answers = ['accepted', 'notSent', 'uncertain'] as const;
	const delivery = await deliver('list', [wish([A, B, C])], { settings, answers: [...answers] });
	expect(ways(delivery)).toEqual([
		[[0], 'accepted', [A]],
		[[0], 'notSent', [B]],
		[[0], 'uncertain', [C]],
	]);
});

it('numbers of lists stop at the first failure if the node stops', async () => {
	const settings = { numbersPerRequest: 1, continueOnFail: false };
	const delivery = await deliver('list', [wish([A, B, C])], {
		settings,
		answers: ['accepted', 'uncertain'],
	});
	expect(travelled(delivery)).toEqual([[A], [B]]);
});

it.each([
	[['accepted', 'notSent'], false, true],
	[['notSent', 'notSent'], false, false],
	[['notSent', 'uncertain'], false, true],
	[['notSent', 'uncertain'], true, false],
	[['notSent', 'accepted'], true, true],
] as const)(
	'a list with requests that are %j (resend: %s) keeps its one key recorded: %s',
	async (answers, resendUncertain, stays) => {
		const history = new FakeHistory();
		await deliver('list', [wish([A, B], { key: 'k' })], {
			history,
			settings: { numbersPerRequest: 1, resendUncertain },
			answers: [...answers],
		});
		expect(history.has('k')).toBe(stays);
	},
);

it('numbers of lists are skipped together if their key is known', async () => {
	const history = new FakeHistory('k');
	const settings = { numbersPerRequest: 1 };
	const wishes = [wish([A, B], { key: 'k' }), wish([C])];
	const delivery = await deliver('list', wishes, { history, settings });
	expect(ways(delivery)).toEqual([
		[[0], 'skipped', undefined],
		[[1], 'accepted', [C]],
	]);
	expect(history.has('k')).toBe(true);
});

it('150,000 numbers travel in one request, and their key is free if it is refused', async () => {
	const numbers = Array.from({ length: 150_000 }, (_, index) => String(100_000 + index));
	const history = new FakeHistory();
	const settings = { numbersPerRequest: 0 };
	const given = { history, settings, answers: ['notSent' as const] };
	const { sent } = await deliver('list', [wish(numbers, { key: 'k' })], given);
	expect(sent.map((request) => request.numbers.length)).toEqual([150_000]);
	expect(history.has('k')).toBe(false);
});

it('a retried bulk send sends only the numbers that were not sent, and gives the record of the others', async () => {
	const context: IContextObject = {};
	const settings = { numbersPerRequest: 2 };
	const wishes = [wish([A, B, C, D], { key: 'k' })];
	const history = new FakeHistory();
	await deliver('list', wishes, { context, settings, history, answers: ['accepted', 'notSent'] });
	const retry = await deliver('list', wishes, { context: stored(context), settings, history });

	expect(travelled(retry)).toEqual([[C, D]]);
	expect(ways(retry)).toEqual([
		[[0], 'accepted', [A, B]],
		[[0], 'accepted', [C, D]],
	]);
});

it('a retried bulk send sends what was uncertain again on request, although its key is known', async () => {
	const context: IContextObject = {};
	const wishes = [one(A, { key: 'k1' }), one(B, { key: 'k2' })];
	const history = new FakeHistory();
	const first = { numbersPerRequest: 1 };
	const answers = ['accepted', 'uncertain'] as const;
	await deliver('items', wishes, { context, settings: first, history, answers: [...answers] });
	const settings = { ...first, resendUncertain: true };
	const retry = await deliver('items', wishes, { context: stored(context), settings, history });
	expect(travelled(retry)).toEqual([[B]]);
});

it('a retried bulk send reports no number that is no longer asked for', async () => {
	const context: IContextObject = {};
	const settings = { numbersPerRequest: 1 };
	const answers = ['accepted', 'notSent'] as const;
	await deliver('items', [one(A), one(B)], { context, settings, answers: [...answers] });
	const retry = await deliver('items', [one(B)], { context: stored(context), settings });
	expect(ways(retry)).toEqual([[[0], 'accepted', [B]]]);
});

it('a retried bulk send sends a number that was corrected', async () => {
	const context: IContextObject = {};
	await deliver('items', [one(A), one(B, { wrong: true })], { context });
	const retry = await deliver('items', [one(A), one(B)], { context: stored(context) });
	expect(travelled(retry)).toEqual([[B]]);
});

it.each(['list', 'items'] as const)(
	'a retried bulk send sends a number no text that it has from another item (%s)',
	async (mode) => {
		const context: IContextObject = {};
		await deliver(mode, [one(A, { wrong: true }), one(A)], { context });
		const retry = await deliver(mode, [one(A), one(A)], { context: stored(context) });
		expect(travelled(retry)).toEqual([]);
		expect(ways(retry)).toEqual([[[0, 1], 'accepted', [A]]]);
	},
);

it('a retried bulk send keeps to fewer numbers a request than the first try', async () => {
	const context: IContextObject = {};
	const wishes = [one(A), one(B), one(C), one(D)];
	await deliver('items', wishes, {
		context,
		settings: { numbersPerRequest: 3 },
		answers: ['accepted', 'notSent'],
	});
	const settings = { numbersPerRequest: 1 };
	const retry = await deliver('items', wishes, { context: stored(context), settings });
	expect(travelled(retry)).toEqual([[D]]);
});

it('a bulk send of 100,000 items travels in 200 requests', async () => {
	const wishes = Array.from({ length: 100_000 }, (_, index) => one(String(6281200000000 + index)));
	const delivery = await deliver('items', wishes);
	expect(delivery.sent).toHaveLength(200);
});

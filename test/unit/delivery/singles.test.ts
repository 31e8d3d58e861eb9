import type { IContextObject } from 'n8n-workflow';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { deliver, FakeHistory, stored, type Wish } from './deliver';

const to = (number: string, more: Partial<Wish> = {}): Wish => ({
	numbers: [number],
	text: 'a',
	...more,
});
const A = '111111';
const B = '222222';
const C = '333333';
const D = '444444';
/** In bulk, each number has a request of its own. */
const PARTS = { settings: { numbersPerRequest: 1 } };

const outcomes = (results: Awaited<ReturnType<typeof deliver>>['results']) =>
	results.map(({ items, outcome }) => [items[0], outcome.outcome]).sort();

afterEach(() => jest.restoreAllMocks());

it('single messages each have a request, equal ones too', async () => {
	const { sent, results } = await deliver('singles', [to(A), to(A), to(B)]);
	expect(sent.map(({ numbers }) => numbers[0]).sort()).toEqual([A, A, B]);
	expect(outcomes(results)).toEqual([
		[0, 'accepted'],
		[1, 'accepted'],
		[2, 'accepted'],
	]);
});

it('single messages are not begun after a failure that stops the node', async () => {
	const { sent, results } = await deliver('singles', [to(A), to(A), to(A)], {
		settings: { continueOnFail: false },
		answers: ['accepted', 'notSent'],
	});
	expect(sent).toHaveLength(2);
	expect(outcomes(results)).toEqual([
		[0, 'accepted'],
		[1, 'notSent'],
	]);
});

it('single messages go on after a failure with Continue On Fail', async () => {
	const { results } = await deliver('singles', [to(A), to(A, { wrong: true }), to(A)], {
		answers: ['uncertain'],
	});
	expect(outcomes(results)).toEqual([
		[0, 'uncertain'],
		[1, 'notSent'],
		[2, 'accepted'],
	]);
});

it('single messages are not read on and on after a failure that stops the node', async () => {
	let reads = 0;
	await deliver('singles', Array<Wish>(5_000).fill(to(A)), {
		settings: { continueOnFail: false },
		answers: ['notSent'],
		onRead: () => void reads++,
	});
	expect(reads).toBeLessThan(5_000);
});

it('single messages under way are awaited before the node stops', async () => {
	const { sent, results } = await deliver('singles', [to(A), to(B), to('333333')], {
		settings: { continueOnFail: false, maxConcurrency: 3 },
		answers: ['notSent', 'accepted', 'accepted'],
	});
	expect(results).toHaveLength(sent.length);
});

it('single messages are neither read nor begun if the execution was canceled before', async () => {
	let reads = 0;
	const { sent, results } = await deliver('singles', [to(A, { wrong: true })], {
		canceled: AbortSignal.abort(),
		onRead: () => reads++,
	});
	expect([sent, reads]).toEqual([[], 0]);
	expect(results[0]?.outcome).toMatchObject({
		outcome: 'notSent',
		what: 'The execution was stopped before this message was queued',
	});
});

it('a Send-Once Key that is known skips its own message only', async () => {
	const history = new FakeHistory('known');
	const { results, sent, hints } = await deliver(
		'singles',
		[to(A, { key: 'known' }), to(B, { key: 'new' }), to('333333')],
		{ history },
	);
	expect(outcomes(results)).toEqual([
		[0, 'skipped'],
		[1, 'accepted'],
		[2, 'accepted'],
	]);
	expect(sent).toHaveLength(2);
	expect(results.find(({ items }) => items[0] === 0)?.outcome).toEqual({
		outcome: 'skipped',
		why: 'sendOnceKey',
		sendOnceKey: 'known',
		what: 'A message with this Send-Once Key is already queued, or may be',
	});
	expect(hints[0]?.message).toContain('3 recipients: 2 queued, 1 skipped.');
});

it('a Send-Once Key of an item that opted out is left to the next item', async () => {
	const wishes = [to(A, { key: 'k', optedOut: [A] }), to(B, { key: 'k' }), to(C)];
	const { results, sent } = await deliver('singles', wishes, {
		settings: { maxConcurrency: 1 },
	});
	expect(outcomes(results)).toEqual([
		[0, 'skipped'],
		[1, 'accepted'],
		[2, 'accepted'],
	]);
	// It does not wait for all other items.
	expect(sent.map(({ numbers }) => numbers[0])).toEqual([B, C]);
});

it('a Send-Once Key that an earlier item has skips the later one', async () => {
	const { results } = await deliver('singles', [to(A, { key: 'k' }), to(B, { key: 'k' })]);
	expect(results.find(({ items }) => items[0] === 1)?.outcome).toMatchObject({
		outcome: 'skipped',
		what: 'An earlier item of this run has the same Send-Once Key',
	});
});

describe.each(['singles', 'list', 'items'] as const)(
	'a Send-Once Key of several items: %s',
	(mode) => {
		const E = '555555';
		const five = (more: Partial<Wish> = {}) => [
			to(A, { key: 'k' }),
			to(B, { key: 'k', ...more }),
			to(C, { key: 'k' }),
			to(D, { key: 'k' }),
			to(E, { text: 'b' }),
		];
		const whysOf = ({ rows }: Awaited<ReturnType<typeof deliver>>) =>
			rows.flatMap(({ outcome }) => (outcome.outcome === 'skipped' ? [outcome.why] : []));
		/** Delivers the five, and resolves to the first numbers of the requests and to what became of each item. */
		const use = async (refused: string[]) => {
			const [history, context] = [new FakeHistory(), {}];
			const answer = ({ numbers: [number = ''] }: { numbers: string[] }) =>
				refused.includes(number) ? ('notSent' as const) : ('accepted' as const);
			const given = { history, context, answer, ...PARTS };
			const delivered = await deliver(mode, five(), given);
			const became = delivered.rows.map(({ outcome }) => outcome.outcome);
			// The requests are under way at once.
			const numbers = delivered.sent.map(({ numbers: [number] }) => number).sort();
			return { numbers, became, whys: whysOf(delivered), history, context };
		};

		it('a Send-Once Key of several items goes to no other item if the first is not sent, and a Retry sends that', async () => {
			const { numbers, became, whys, history, context } = await use([A]);
			expect(numbers).toEqual([A, E]);
			expect(became).toEqual(['notSent', 'skipped', 'skipped', 'skipped', 'accepted']);
			expect(whys).toEqual(Array(3).fill('firstNotSent'));
			expect(history.has('k')).toBe(false);
			const retry = await deliver(mode, five(), { history, context: stored(context), ...PARTS });
			expect(retry.sent.map(({ numbers: [number] }) => number)).toEqual([A]);
			expect(whysOf(retry)).toEqual(Array(3).fill('sendOnceKey'));
		});

		it('a Send-Once Key of several items goes to no other item in a canceled run either', async () => {
			const cancelling = new AbortController();
			const { sent, rows } = await deliver(mode, five({ optedOut: [B] }), {
				answer: () => 'notSent',
				canceled: cancelling.signal,
				onRequest: () => cancelling.abort(),
				settings: { ...PARTS.settings, maxConcurrency: 1 },
			});
			expect(sent).toHaveLength(1);
			const became = rows.map(({ outcome }) => outcome.outcome);
			// Single messages are not even read any more.
			const second = mode === 'singles' ? 'notSent' : 'skipped';
			expect(became).toEqual(['notSent', second, 'notSent', 'notSent', 'notSent']);
		});
	},
);

it('a Send-Once Key is recorded before its message goes out', async () => {
	const history = new FakeHistory();
	await deliver('singles', [to(A, { key: 'k' })], {
		history,
		onRequest: () => expect(history.has('k')).toBe(true),
	});
	expect(history.has('k')).toBe(true);
});

it.each([
	['accepted', false, true],
	['notSent', false, false],
	['uncertain', false, true],
	['uncertain', true, false],
] as const)(
	'a Send-Once Key of a message that was %s (resend: %s) stays recorded: %s',
	async (answer, resendUncertain, stays) => {
		const [history, context] = [new FakeHistory(), {}];
		await deliver('singles', [to(A, { key: 'k' })], {
			history,
			context,
			answers: [answer],
			settings: { resendUncertain },
		});
		expect(history.has('k')).toBe(stays);
		expect(JSON.stringify(context).includes('"k"')).toBe(stays);
	},
);

it('a Send-Once Key of a message that was refused when the execution was canceled stays recorded', async () => {
	const history = new FakeHistory();
	const cancelling = new AbortController();
	await deliver('singles', [to(A, { key: 'k' })], {
		history,
		canceled: cancelling.signal,
		answers: ['notSent'],
		onRequest: () => cancelling.abort(),
	});
	expect(history.has('k')).toBe(true);
});

it('a Send-Once Key of an uncertain message stays taken for the rest of the run, though the message may be sent again', async () => {
	const { sent, results } = await deliver('singles', [to(A, { key: 'k' }), to(B, { key: 'k' })], {
		answers: ['uncertain'],
		settings: { resendUncertain: true },
	});
	expect(sent).toHaveLength(1);
	expect(outcomes(results)).toEqual([
		[0, 'uncertain'],
		[1, 'skipped'],
	]);
});

it('a Send-Once Key that cannot be recorded keeps its message from going out', async () => {
	const history = new FakeHistory();
	history.broken = true;
	const { results, sent } = await deliver('singles', [to(A, { key: 'k' }), to(B)], { history });
	expect(sent.map(({ numbers }) => numbers[0])).toEqual([B]);
	expect(outcomes(results)).toEqual([
		[0, 'notSent'],
		[1, 'accepted'],
	]);
});

it.each([
	['recorded', 'k', false, [true, []]],
	['named if it cannot be', 'k', true, [false, ['k']]],
	['not named if there is none', '', true, [false, []]],
])(
	'a Send-Once Key that was added before a Retry of a sent message is %s',
	async (_, key, broken, is) => {
		const context = {};
		await deliver('singles', [to(A)], { context });
		const history = Object.assign(new FakeHistory(), { broken });
		const given = { context: stored(context), history };
		const { sent, delivery } = await deliver('singles', [to(A, { key })], given);
		expect(sent).toEqual([]);
		expect([history.has('k'), delivery.keys.unrecorded]).toEqual(is);
	},
);

it('a Send-Once Key that was added before a Retry goes to no item behind one that an earlier try sent', async () => {
	const context = {};
	const settings = { maxConcurrency: 1 };
	const answers = ['notSent', 'accepted', 'notSent'] as const;
	await deliver('singles', [to(A), to(B), to(C)], { context, settings, answers: [...answers] });
	const keyed = [A, B, C].map((number) => to(number, { key: 'k' }));
	const retry = await deliver('singles', keyed, {
		context: stored(context),
		settings,
		answers: ['notSent'],
	});
	expect(retry.sent).toMatchObject([{ numbers: [A] }]);
	expect(outcomes(retry.results)).toEqual([
		[0, 'notSent'],
		[1, 'accepted'],
		[2, 'skipped'],
	]);
});

it.each([
	['certain', false, 'accepted'],
	['not certain', true, 'skipped'],
])(
	'a Send-Once Key that could not be freed stays with its execution, if that is certain (%s)',
	async (_, isAllBroken, again) => {
		const [history, context] = [new FakeHistory(), {}];
		const wishes = [to(A, { key: 'k' })];
		const away = async () => await Promise.reject(new Error('The database is away'));
		await deliver('singles', wishes, {
			history: Object.assign(Object.create(history) as FakeHistory, { removeProcessed: away }),
			context,
			answers: ['notSent'],
			onRequest: () => (history.broken = isAllBroken),
		});
		history.broken = false;
		expect(history.has('k')).toBe(true);
		const other = [to(B), to(A, { key: 'k' })];
		const later = await deliver('singles', other, { history });
		expect(outcomes(later.results)).toEqual([
			[0, 'accepted'],
			[1, 'skipped'],
		]);
		const { results } = await deliver('singles', wishes, { history, context: stored(context) });
		expect(outcomes(results)).toEqual([[0, again]]);
	},
);

it('a Send-Once Key that cannot be freed is named in a hint', async () => {
	const history = new FakeHistory();
	const { results, hints } = await deliver('singles', [to(A, { key: 'k' })], {
		history,
		answers: ['notSent'],
		onRequest: () => (history.broken = true),
	});
	expect(outcomes(results)).toEqual([[0, 'notSent']]);
	expect(hints[0]?.message).toContain('could not release 1 Send-Once Key');
});

it('a retried execution gives what was accepted from its record, and tries what was not sent', async () => {
	const context: IContextObject = {};
	const wishes = [to(A), to(B), to('333333')];
	await deliver('singles', wishes, { context, answers: ['accepted', 'notSent', 'uncertain'] });
	const retry = await deliver('singles', wishes, { context: stored(context) });

	expect(retry.sent.map(({ numbers }) => numbers[0])).toEqual([B]);
	expect(outcomes(retry.results)).toEqual([
		[0, 'accepted'],
		[1, 'accepted'],
		[2, 'uncertain'],
	]);
	expect(retry.results.find(({ items }) => items[0] === 2)?.outcome).toEqual({
		outcome: 'uncertain',
		origin: 'gateway',
		what: expect.stringMatching(/^An earlier try of this execution could not find out whether/),
		advice: expect.stringMatching(/^It was not queued again\. Check the gateway's outbox/),
	});
	expect(retry.hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^3 recipients: 2 queued, 1 uncertain\. By country: /),
		'The message for 1 recipient was queued in an earlier try of this execution, with the text as it was then. It was not queued again.',
		"1 request may or may not be queued. Check the gateway's outbox before you send it again.",
	]);
});

it('a retried execution sends what another branch of the workflow asks for in the place of a stopped run', async () => {
	const context: IContextObject = {};
	await deliver('singles', [to(A)], { context });
	const other = { context: stored(context), source: 'Others:0:0' };
	const retry = await deliver('singles', [to(A, { text: 'b' })], other);
	expect(retry.sent).toMatchObject([{ text: 'b' }]);
});

it('a retry puts out again a message with a key that an earlier try sent, though the key is known by now', async () => {
	const context: IContextObject = {};
	const history = new FakeHistory();
	const wishes = [to(A, { key: 'k' })];
	await deliver('singles', wishes, { context, history });
	const retry = await deliver('singles', wishes, { context: stored(context), history });
	expect(outcomes(retry.results)).toEqual([[0, 'accepted']]);
	expect(retry.sent).toHaveLength(0);
});

it('what a retry with Send Again cannot send may have been sent before n8n ended', async () => {
	const given = { token: 'a token', history: new FakeHistory() };
	await deliver('singles', [to(A), to(B)], given);
	const retry = await deliver('singles', [to(A), to(B)], {
		...given,
		isRetry: true,
		settings: { resendUncertain: true },
		answers: ['accepted', 'notSent'],
	});
	expect(outcomes(retry.results)).toEqual([
		[0, 'accepted'],
		[1, 'uncertain'],
	]);
});

it('a key that was added since n8n ended in the middle counts as used, though its message is held back', async () => {
	const given = { token: 'a token', history: new FakeHistory() };
	const keyed = [to(A, { key: 'k' }), to(B, { key: 'l' })];
	await deliver('singles', [to(A), to(B)], given);
	const retry = await deliver('singles', keyed, { ...given, isRetry: true });
	const later = await deliver('singles', keyed, { history: given.history });
	expect([retry.sent, later.sent]).toEqual([[], []]);
});

it('a retry after the node was replaced records the keys of what was sent, and of nothing else', async () => {
	const context: IContextObject = {};
	const history = new FakeHistory();
	const keyed = [to(A, { key: 'k' }), to(B, { key: 'l' })];
	const settings = { maxConcurrency: 1 };
	await deliver('singles', keyed, { context, settings, answers: ['accepted', 'notSent'] });
	await deliver('singles', keyed, { context: stored(context), history, nodeId: 'pasted' });
	const later = await deliver('singles', keyed, { history, nodeId: 'pasted' });
	expect(later.sent).toMatchObject([{ numbers: [B] }]);
});

/** A call records the keys of a request, if it has any; another one is the mark. */
it.each<[string, number, Parameters<typeof deliver>]>([
	['for one message', 0, ['singles', [to(A)], {}]],
	['for one message in a loop', 1, ['singles', [to(A)], { runKey: '1' }]],
	['for two messages', 1, ['singles', [to(A), to(B)], {}]],
	['for a list', 1, ['list', [{ numbers: [A, B], text: 'a' }], {}]],
	['once for a list in four requests', 1, ['list', [{ numbers: [A, B, C, D], text: 'a' }], PARTS]],
	[
		'once for four texts in bulk',
		1,
		['items', [A, B, C, D].map((each) => to(each, { text: each })), {}],
	],
	['with keys', 1, ['singles', [to(A, { key: 'k' }), to(B, { key: 'l' })], {}]],
	['for a list with a key', 1, ['list', [{ numbers: [A, B], text: 'a', key: 'k' }], {}]],
	['for a request with and without keys', 2, ['items', [to(C, { key: 'k' }), to(D)], {}]],
])('an execution leaves a mark that it has begun if it has to: %s', async (_, calls, given) => {
	const history = new FakeHistory();
	const [mode, wishes, more] = given;
	await deliver(mode, wishes, { ...more, history, token: 'a token' });
	expect(history.calls).toBe(calls);
});

it('an execution leaves its mark before the first of several messages goes out', async () => {
	const history = new FakeHistory();
	const marks: number[] = [];
	await deliver('singles', [to(A), to(B)], {
		history,
		token: 'a token',
		settings: { maxConcurrency: 1 },
		onRequest: () => marks.push(history.calls),
	});
	expect(marks).toEqual([1, 1]);
});

it('a message whose key was used gives its turn to the next', async () => {
	const { sent } = await deliver('singles', [to(A, { key: 'k' }), to(B)], {
		history: new FakeHistory('k'),
		settings: { requestsPerMinute: 1 },
	});
	expect(sent.map(({ item }) => item)).toEqual([1]);
}, 20_000);

describe('the file of a message', () => {
	const file = { name: 'a', contentType: 'b', size: 1, open: async () => Buffer.from('x') };

	it.each([0, 60])('the file of a message is fetched once for all tries (%s)', async (limit) => {
		const onOpen = jest.fn(async () => await Promise.resolve(file));
		const settings = { requestsPerMinute: limit };
		const { sent } = await deliver('singles', [to(A)], { answers: ['busy'], settings, onOpen });
		expect([sent.length, onOpen.mock.calls.length]).toEqual([2, 1]);
	});

	it('the file of a message whose key was used is not fetched if nobody waits for turns', async () => {
		const onOpen = jest.fn(async () => await Promise.resolve(file));
		await deliver('singles', [to(B, { key: 'k' })], { history: new FakeHistory('k'), onOpen });
		expect(onOpen).not.toHaveBeenCalled();
	});

	it('the file of a message is fetched before its turn, which others use meanwhile', async () => {
		let fetched: () => void = () => undefined;
		const onOpen = async (item: number) => {
			if (item === 0) await new Promise<void>((resolve) => (fetched = resolve));
			return file;
		};
		const { sent } = await deliver('singles', [to(A), to(B)], {
			settings: { requestsPerMinute: 1_000_000 },
			onOpen,
			onRequest: () => fetched(),
		});
		expect(sent.map(({ item }) => item)).toEqual([1, 0]);
	});

	it.each([0, 60])('a message whose file cannot be fetched is not sent (%s)', async (limit) => {
		const onOpen = async () => await Promise.reject(new InputError('It is gone', 'Put it back.'));
		const settings = { requestsPerMinute: limit };
		const { sent, results } = await deliver('singles', [to(A)], { settings, onOpen });
		expect(sent).toEqual([]);
		expect(results[0]?.outcome).toMatchObject({ outcome: 'notSent', what: 'It is gone' });
	});

	it.each([0, 60])('a message that is stopped does not wait for its file (%s)', async (limit) => {
		const stop = new AbortController();
		const onOpen = async () => {
			stop.abort();
			return await new Promise<never>(() => undefined);
		};
		const settings = { requestsPerMinute: limit };
		const { sent } = await deliver('singles', [to(A)], { settings, onOpen, canceled: stop.signal });
		expect(sent).toEqual([]);
	});
});

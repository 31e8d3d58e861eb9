/** What a Retry sends, by the record of the execution and by n8n's history of keys. */
import type { IContextObject } from 'n8n-workflow';
import { UNKNOWN_END } from '../../../nodes/MessagingGateway/delivery/memory/earlierTries';
import { deliver, FakeHistory, stored, type Answer, type Given, type Wish } from './deliver';

const [A, B, C] = ['111111', '222222', '333333'] as const;
const to = (number: string, more: Partial<Wish> = {}): Wish => ({
	numbers: [number],
	text: 'a',
	...more,
});
const TOKEN = 'a token';

/** Sends one more message in a Retry: `sent`, or why it is held back. */
async function retryOf(context: IContextObject, history: FakeHistory, given: Given = {}) {
	const all = { context, history, token: TOKEN, isRetry: true, runKey: '9', ...given };
	const { sent, results } = await deliver('singles', [to(C)], all);
	const [outcome] = results.map((result) => result.outcome);
	return sent.length > 0 ? 'sent' : outcome && 'cause' in outcome ? outcome.cause : undefined;
}

/** An execution that has sent two messages: one alone needs no mark. */
async function begun(history: FakeHistory, given: Given = {}, context: IContextObject = {}) {
	await deliver('singles', [to(A), to(B)], { context, history, token: TOKEN, ...given });
	return context;
}

describe('the record of an execution', () => {
	it('the record is small, and leaves what others keep in the context alone', async () => {
		const context: IContextObject = { other: 1 };
		await deliver('list', [{ numbers: ['1', '2'], text: 'a' }], { context, execution: '1' });
		expect(stored(context)).toEqual({
			other: 1,
			journal: {
				format: 2,
				id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}$/),
				node: 'node',
				generation: 0,
				execution: '1',
				runs: {
					'0': {
						source: 'Items:0:0',
						requests: [
							{ to: [0, '1', '2'], isBulk: true, envelope: { code: 200, message: 'queued' } },
						],
						sendOnceKeys: {},
					},
				},
			},
		});
	});

	it('the record belongs to nobody while a Retry has not asked whether it is the only one', async () => {
		const context: IContextObject = {};
		await retryOf(context, new FakeHistory(), { canceled: AbortSignal.abort() });
		expect(stored(context).journal).toMatchObject({ generation: 0, execution: '' });
	});

	it('the record of a run is closed alone, and all Retries but one stay held back', async () => {
		const history = new FakeHistory();
		const context: IContextObject = {};
		const runs = ['0', '1'].map(async (runKey) => {
			return await deliver('singles', [to(A)], { context, history, runKey, execution: '1' });
		});
		const [one, two] = await Promise.all(runs);
		one?.journal.close();
		expect(Object.keys((context.journal as unknown as { runs: object }).runs)).toEqual(['1']);
		two?.journal.close();
		expect(context.journal).toEqual({
			format: 2,
			id: expect.any(String),
			node: 'node',
			generation: 0,
			execution: '1',
			runs: {},
		});
		const retry = async () => await retryOf(stored(context), history);
		expect([await retry(), await retry()]).toEqual(['sent', 'outdated']);
	});

	it.each([
		['1.0', { requests: { key: [{}] } }],
		['1.1', { id: 'x', generation: 0, execution: '1', runs: { '0': { requests: { key: [{}] } } } }],
		['a later release', { format: 3 }],
	])('the record of %s allows nothing to be sent', async (_, journal) => {
		const context = { journal } as unknown as IContextObject;
		const history = new FakeHistory();
		const settings = { resendUncertain: true };
		expect(await retryOf(context, history, { settings })).toBe('outOfReach');
		const [first, second] = [stored(context), stored(context)];
		expect(await retryOf(first, history)).toBe('outOfReach');
		expect(await retryOf(second, history)).toBe('outdated');
	});

	it.each<Answer | 'none'>(['none', 'uncertain', 'accepted', 'notSent'])(
		'the record says what has become of a request, also while it is under way: %s',
		async (answer) => {
			const context: IContextObject = {};
			let kept: IContextObject = {};
			const onRequest = () => void (kept = stored(context));
			const answers = [answer === 'none' ? 'accepted' : answer] as Answer[];
			await deliver('list', [to(A)], { context, answers, onRequest });
			const record = answer === 'none' ? kept : stored(context);
			const retry = await deliver('list', [to(A)], { context: record });
			expect([retry.sent.length, retry.results[0]?.outcome.outcome]).toEqual(
				{
					none: [0, 'uncertain'],
					uncertain: [0, 'uncertain'],
					accepted: [0, 'accepted'],
					notSent: [1, 'accepted'],
				}[answer as 'none'],
			);
		},
	);

	it.each<[string, [written: string, to: string], [written: string, to: string], boolean]>([
		['with another country code', ['08', '628'], ['08', '608'], true],
		['written otherwise', ['08', '628'], ['+628', '628'], true],
		['with its plus', ['628', '628'], ['+628', '628'], true],
		['with a country code', ['08', '08'], ['08', '628'], true],
		['whose digits are now a number abroad', ['813', '62813'], ['+813', '813'], false],
		['whose digits are now a number at home', ['+813', '813'], ['813', '62813'], false],
	])('the record knows a number %s', async (_, first, then, isKnown) => {
		const send = async ([written, number]: [string, string], context: IContextObject) =>
			(await deliver('singles', [to(number, { written: [written] })], { context })).sent.length;
		const context: IContextObject = {};
		await send(first, context);
		expect(await send(then, stored(context))).toBe(isKnown ? 0 : 1);
	});

	it.each<[string, number, Partial<Wish>, string]>([
		['its number', 0, {}, 'uncertain'],
		['its number by how its item has it', 0, { numbers: ['631'], written: ['01'] }, 'uncertain'],
		['another number', 0, { numbers: ['622'], written: ['02'] }, 'notSent'],
		['the number in another item', 1, {}, 'notSent'],
	])('a refusal of %s is uncertain only if it goes out again', async (_, item, now, outcome) => {
		const wish = to('621', { written: ['01'] });
		const context: IContextObject = {};
		await deliver('items', [wish], { context, answers: ['uncertain'] });
		const wishes = [to(A, { wrong: true }), to(A, { wrong: true })];
		wishes[item] = { ...wish, ...now };
		const given = { context: stored(context), settings: { resendUncertain: true } };
		const { results } = await deliver('items', wishes, { ...given, answers: ['notSent'] });
		expect(results.find(({ items }) => items[0] === item)?.outcome.outcome).toBe(outcome);
	});

	it.each(['__proto__', 'constructor', 'a'])(
		'the record knows its own Send-Once Keys: %s',
		async (key) => {
			const context: IContextObject = {};
			const history = new FakeHistory();
			const wishes = [to(A, { key })];
			await deliver('singles', wishes, { context, history, answers: ['uncertain'] });
			const again = { history, settings: { resendUncertain: true } };
			const retry = await deliver('singles', wishes, { ...again, context: stored(context) });
			const other = await deliver('singles', wishes, { ...again, context: {} });
			expect([retry.sent.length, other.sent.length]).toEqual([1, 0]);
		},
	);

	it.each<[string, 'singles' | 'list' | 'items', number, number]>([
		['a message', 'singles', 1_000, 45],
		['a number of a list', 'list', 1, 17],
		['a number of items', 'items', 10_000, 22],
	])('the record needs few bytes for %s', async (_, mode, items, most) => {
		const all = Array.from({ length: 10_000 }, (__, index) => String(6281200000000 + index));
		const wishes = Array.from({ length: items }, (__, item) => ({
			numbers: items === 1 ? all : [all[item] as string],
			text: 'Halo '.repeat(100),
		}));
		const context: IContextObject = {};
		await deliver(mode, wishes, { context });
		const envelope = mode === 'singles' ? '{"code":200,"message":"queued"}'.length : 0;
		const messages = mode === 'singles' ? items : all.length;
		const bytes = JSON.stringify(context).length / messages - envelope;
		expect(bytes).toBeGreaterThan(10);
		expect(bytes).toBeLessThan(most);
	});
});

describe('of all Retries of an execution, one sends', () => {
	it('a Retry of an older copy is held back, even while the database is away', async () => {
		const history = new FakeHistory();
		const context = await begun(history);
		const [older, oldest] = [stored(context), stored(context)];
		expect(await retryOf(context, history)).toBe('sent');
		expect(await retryOf(older, history)).toBe('outdated');
		history.broken = true;
		expect(await retryOf(older, history)).toBe('outdated');
		expect(await retryOf(oldest, history)).toBe('unclaimed');
	});

	it("a Retry that could not ask sends nothing, and asks again in n8n's next try, or in the next Retry", async () => {
		const history = new FakeHistory();
		const context = await begun(history);
		history.broken = true;
		expect(await retryOf(context, history, { execution: '2' })).toBe('unclaimed');
		history.broken = false;
		const copy = stored(context);
		expect(await retryOf(context, history, { execution: '2' })).toBe('sent');
		expect(await retryOf(context, history, { execution: '2', runKey: '10' })).toBe('sent');
		expect(await retryOf(copy, history)).toBe('outdated');
	});

	it('a Retry that is stopped while it asks leaves the rest to the next one', async () => {
		const history = new FakeHistory();
		const context = await begun(history);
		const stop = new AbortController();
		history.onCall = () => stop.abort();
		await retryOf(context, history, { canceled: stop.signal });
		expect(context.journal).toMatchObject({ generation: 0 });
		history.onCall = () => undefined;
		expect(await retryOf(stored(context), history)).toBe('sent');
	});

	it('a Retry whose tools an agent uses at once asks once, and both send', async () => {
		const history = new FakeHistory();
		const context = await begun(history);
		const both = ['8', '9'].map((runKey) => {
			return retryOf(context, history, { runKey, execution: '2', node: 'one n8n' });
		});
		expect(await Promise.all(both)).toEqual(['sent', 'sent']);
		expect(context.journal).toMatchObject({ generation: 1 });
	});

	it('a Retry by a node that replaced another is held back, after being told of a newer one', async () => {
		const history = new FakeHistory();
		const context = await begun(history);
		const [one, two] = [stored(context), stored(context)];
		expect(await retryOf(one, history, { nodeId: 'another' })).toBe('outOfReach');
		expect(await retryOf(two, history, { nodeId: 'another' })).toBe('outdated');
	});

	it('a Retry without a record is one of those of its token, of which nothing can be read', async () => {
		const [history, context] = [new FakeHistory(), {} as IContextObject];
		const retry = async (token?: string) => await retryOf({}, history, { token });
		expect(await retryOf(context, history, { token: 'secret' })).toBe('sent');
		expect(JSON.stringify(context)).not.toContain('secret');
		expect(await retry('secret')).toBe('outdated');
		expect(await retry('another')).toBe('sent');
		expect([await retry(undefined), await retry(undefined)]).toEqual(['sent', 'sent']);
	});
});

describe('the mark that an execution has begun to send', () => {
	it('the mark is made once, however many requests go out, and has the same name in all releases', async () => {
		const history = new FakeHistory();
		await deliver('singles', [to(A), to(B)], { history, token: TOKEN });
		expect([history.calls, history.has('begun 4zFuK6_rthA6NBjo')]).toEqual([1, true]);
	});

	it.each<[string, Given, boolean]>([
		['the history is away', {}, true],
		['n8n gives no token', { token: undefined }, false],
	])('a message goes out without a mark if %s', async (_, given, broken) => {
		const history = Object.assign(new FakeHistory(), { broken });
		const { sent } = await deliver('singles', [to(A), to(B)], { history, token: TOKEN, ...given });
		expect([sent.length, history.calls > 0]).toEqual([2, broken]);
	});

	it('the mark is made with the call that asks, in a Retry without a record', async () => {
		const history = new FakeHistory();
		expect(await retryOf({}, history)).toBe('sent');
		expect(history.calls).toBe(1);
	});

	it.each<[string, Given, string]>([
		['a Retry', {}, 'interrupted'],
		['a Retry with Send Again', { settings: { resendUncertain: true } }, 'sent'],
	])('a mark without a record holds back %s: %s', async (_, given, told) => {
		const history = new FakeHistory();
		await begun(history);
		const context: IContextObject = {};
		expect(await retryOf(context, history, given)).toBe(told);
		const next = await retryOf(stored(context), history, { runKey: '10' });
		expect(next).toBe('interrupted');
	});

	it('a Retry without a record that is canceled at once leaves the mark', async () => {
		const history = new FakeHistory();
		await begun(history);
		await retryOf({}, history, { canceled: AbortSignal.abort() });
		expect(await retryOf({}, history)).toBe('interrupted');
	});

	/** An execution that n8n has stored when it began to wait, and that goes on. */
	async function waited(history: FakeHistory, savesProgress = false) {
		const saved = stored(await begun(history, { execution: '1', savesProgress }));
		const goOn = async (context: IContextObject) =>
			await begun(history, { execution: '1', runKey: '1', savesProgress }, context);
		return { saved, goOn };
	}

	it.each<[string, boolean, boolean, string]>([
		['is held back if n8n ended while the execution sent more', true, false, 'interrupted'],
		['sends if n8n has stored what the execution sent more', true, true, 'sent'],
		['sends if n8n ended before the execution sent more', false, false, 'sent'],
	])('a Retry of an execution that has waited %s', async (_, goesOn, isStored, told) => {
		const history = new FakeHistory();
		const { saved, goOn } = await waited(history);
		const context = stored(saved);
		if (goesOn) await goOn(context);
		expect(await retryOf(isStored ? stored(context) : saved, history)).toBe(told);
	});

	it.each<[string, boolean, string]>([
		['is held back if n8n has not stored the last run of a loop', false, 'interrupted'],
		['sends if n8n has stored all runs of a loop', true, 'sent'],
	])('a Retry of an execution that saves its progress %s', async (_, isWhole, told) => {
		const history = new FakeHistory();
		const context = await begun(history, { execution: '1', savesProgress: true });
		const progress = stored(context);
		await begun(history, { execution: '1', runKey: '1', savesProgress: true }, context);
		const kept = isWhole ? context : progress;
		expect(await retryOf(kept, history, { savesProgress: true })).toBe(told);
	});
});

/** What an execution kept of a bulk send of these items, one number a request. */
async function sent(wishes: Wish[], ...answers: Answer[]): Promise<IContextObject> {
	const context: IContextObject = {};
	await deliver('items', wishes, { context, answers, settings: { numbersPerRequest: 1 } });
	return stored(context);
}

/** Retries it, as a bulk send. */
async function retried(wishes: Wish[], given: Given) {
	const delivery = await deliver('items', wishes, given);
	return {
		sent: delivery.sent.map(({ numbers }) => numbers),
		results: delivery.results.map(({ items, outcome, recipients, isEarlier }) => [
			items,
			outcome.outcome,
			recipients,
			isEarlier,
		]),
	};
}

describe('a retried bulk send through two devices', () => {
	const wishes = [to(A, { device: 'x' }), to(A, { device: 'y' })];

	it('a retry through two devices sends through the one what only the other has sent', async () => {
		const context = await sent(wishes, 'accepted', 'notSent');
		expect(await retried(wishes, { context })).toEqual({
			sent: [[A]],
			results: [
				[[0], 'accepted', [A], true],
				[[1], 'accepted', [A], false],
			],
		});
	});

	it('a retry through two devices is certain of what was not sent through the one, but through the other', async () => {
		const context = await sent(wishes, 'accepted', 'notSent');
		const { results } = await retried(wishes, { context, answers: ['notSent'] });
		expect(results).toEqual([
			[[0], 'accepted', [A], true],
			[[1], 'notSent', [A], false],
		]);
	});

	it('a retry reports a request of a device that two others replace once', async () => {
		const context: IContextObject = {};
		await deliver('items', [to(A, { device: 'old' }), to(B, { device: 'old' })], { context });
		const replaced = [to(A, { device: 'x' }), to(B, { device: 'y' })];
		expect(await retried(replaced, { context: stored(context) })).toEqual({
			sent: [],
			results: [[[0, 1], 'accepted', [A, B], true]],
		});
	});
});

it('a retry reports each bulk request that is still uncertain, with its numbers', async () => {
	const wishes = [to(A), to(B)];
	const context = await sent(wishes, 'uncertain', 'uncertain');
	expect((await retried(wishes, { context })).results).toEqual([
		[[0], 'uncertain', [A], true],
		[[1], 'uncertain', [B], true],
	]);
});

describe.each(['items', 'singles', 'list'] as const)('a text that was changed (%s)', (mode) => {
	const wishes = [to(A), to(B, { text: 'b' }), to(A, { text: 'b' }), to(C, { text: 'c' })];
	const retriedWith = async (texts: string[], answers: Answer[], given: Given = {}) => {
		const context: IContextObject = {};
		const settings = { numbersPerRequest: 1, maxConcurrency: 1 };
		await deliver(mode, wishes, { context, answers, settings });
		const changed = wishes.map((wish, at) => ({ ...wish, text: texts[at] }) as Wish);
		const retry = await deliver(mode, changed, { context: stored(context), ...given });
		return { sent: retry.sent.map(({ numbers }) => numbers), rows: retry.rows };
	};

	it.each([
		['new for each', ['1', '2', '3', '4']],
		['that of another item', ['b', 'a', 'a', 'b']],
		['one for all', ['1', '1', '1', '1']],
		['the same', ['a', 'b', 'b', 'c']],
	])('a text that was changed goes to the rest only: %s', async (_, texts) => {
		const answers = ['accepted', 'accepted', 'accepted', 'notSent'] as Answer[];
		const { sent: again, rows } = await retriedWith(texts, answers);
		expect(again).toEqual([[C]]);
		expect(rows.map(({ isEarlier }) => isEarlier)).toEqual([true, true, true, false]);
	});

	it.each([
		[true, [[A]]],
		[false, []],
	])(
		'a text that was changed goes out again with Send Again (%s) if it is uncertain',
		async (resendUncertain, again) => {
			const answers = ['uncertain', 'accepted', 'accepted', 'accepted'] as Answer[];
			const given = { settings: { resendUncertain }, answers: ['notSent'] as Answer[] };
			const { sent: reached, rows } = await retriedWith(['1', '2', '3', '4'], answers, given);
			expect(reached).toEqual(again);
			expect(rows[0]?.outcome.outcome).toBe('uncertain');
		},
	);
});

describe('a number that goes out again', () => {
	const settings = { resendUncertain: true };

	it('a number that goes out again makes no other number of the same text uncertain', async () => {
		const context = await sent([to(A), to(B)], 'uncertain', 'notSent');
		const { results } = await retried([to(A), to(B)], {
			context,
			settings: { ...settings, numbersPerRequest: 1 },
			answers: ['notSent', 'notSent'],
		});
		expect(results).toEqual([
			[[0], 'uncertain', [A], false],
			[[1], 'notSent', [B], false],
		]);
	});

	it('a number that goes out again makes the request uncertain that it shares with others', async () => {
		const context = await sent([to(A), to(B)], 'uncertain', 'notSent');
		const { results } = await retried([to(A), to(B)], { context, settings, answers: ['notSent'] });
		expect(results).toEqual([[[0, 1], 'uncertain', [A, B], false]]);
	});

	it('a number does not go out again from an older copy, which says what became of it', async () => {
		const context = await sent([to(A)], 'uncertain');
		const history = new FakeHistory();
		await retried([to(A)], { context: stored(context), history, settings });
		const older = await deliver('items', [to(A)], { context, history, settings });
		expect(older.sent).toEqual([]);
		expect(older.rows).toEqual([{ items: [0], outcome: UNKNOWN_END, to: A, isEarlier: true }]);
	});
});

it('a list that several items have stays one message in a retry, even if its text was corrected', async () => {
	const wishes = (text: string) =>
		[0, 1, 2].map((): Wish => ({ numbers: [A, B, C], text, list: 'same' }));
	const context: IContextObject = {};
	const first = await deliver('list', wishes('a'), { context, answers: ['uncertain'] });
	const retry = await deliver('list', wishes('corrected'), { context: stored(context) });
	expect([first, retry].map(({ rows }) => rows.length)).toEqual([5, 5]);
	expect(retry.sent).toEqual([]);
	const unread = wishes('corrected').map((wish) => ({ ...wish, wrong: true }));
	const { rows } = await deliver('list', unread, { context: stored(context) });
	expect(rows.map(({ outcome }) => outcome.outcome)).toEqual(Array(3).fill('uncertain'));
});

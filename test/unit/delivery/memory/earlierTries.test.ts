import type { IContextObject } from 'n8n-workflow';
import { Journal } from '../../../../nodes/MessagingGateway/delivery/memory/journal';
import {
	EarlierTries,
	UNKNOWN_END,
} from '../../../../nodes/MessagingGateway/delivery/memory/earlierTries';
import { LOOK_FIRST, notSent } from '../../../../nodes/MessagingGateway/gateway/outcome';
import { deliver, FakeHistory, stored, type Answer, type Given, type Wish } from '../deliver';
import { journalOptions } from './journalOptions';

const A = '111111';
const B = '222222';
const C = '333333';
const ENVELOPE = { code: 200, message: 'queued' };

const to = (number: string, more: Partial<Wish> = {}): Wish => ({
	numbers: [number],
	text: 'a',
	...more,
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

it('a retry whose settings were corrected knows a number by how its item has it', async () => {
	const context = await sent([to('621', { written: ['01'] })]);
	const { sent: again } = await retried([to('631', { written: ['01'] })], { context });
	expect(again).toEqual([]);
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

const row = (item: number, number: string, asEntered = number) => ({
	item,
	sendOnceKey: '',
	recipient: { to: number, asEntered },
});
const bulk = { travels: 'list' } as const;
const single = { travels: 'single' } as const;

/** What an execution knows of its earlier tries. */
async function triesOf(journal: Journal, resendUncertain: boolean): Promise<EarlierTries> {
	return await EarlierTries.read(journal, resendUncertain);
}

it("an earlier try's list is read once to find out whether numbers go out again", async () => {
	let reads = 0;
	const all = Array.from({ length: 1_000 }, (_, index) => String(index));
	const entry = { to: [0, ...all], isBulk: true as const };
	const watched = new Proxy(entry.to, { get: (list, at) => (reads++, Reflect.get(list, at)) });
	const journal = new Journal({}, journalOptions());
	Object.assign(journal, { earlier: [{ ...entry, to: watched }] });
	const tries = await triesOf(journal, true);
	expect([...all, 'x'].filter((number) => tries.isResend(row(0, number)))).toEqual(all);
	expect(reads).toBeLessThan(5 * all.length);
});

it('a message may go out again to a number of its item, to one that the item has so, and to no other', async () => {
	const context: IContextObject = {};
	new Journal(context, journalOptions()).begin([row(0, '621', '01')], bulk);
	const tries = await triesOf(new Journal(context, journalOptions()), true);
	const rows = [row(0, '621'), row(0, '631', '01'), row(0, '622', '02'), row(1, '621')];
	expect(rows.map((each) => tries.isResend(each))).toEqual([true, true, false, false]);
});

it('the requests for an item are its own, and those for earlier items with the same list', async () => {
	const context: IContextObject = {};
	const first = new Journal(context, journalOptions());
	first.begin([row(1, A), row(2, A)], bulk);
	first.noteSame(3, 2);
	first.noteSame(3, 1);
	first.noteSame(2, 0);
	const tries = await triesOf(new Journal(context, journalOptions()), false);
	expect([0, 1, 2, 3].map((item) => tries.sourcesOf(item))).toEqual([[], [1], [2], [1, 2]]);
	expect(tries.requestOf(row(3, A))).toBe(tries.requestOf(row(1, A)));
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

it('a message may go out again to anybody if the record is of another release', async () => {
	const tries = await triesOf(new Journal({ journal: {} }, journalOptions()), true);
	expect(tries.isResend(row(0, A))).toBe(true);
});

it('a message is the one that the gateway took, if an earlier try was uncertain', async () => {
	const context: IContextObject = {};
	const first = new Journal(context, journalOptions());
	first.begin([row(0, A)], single);
	first.begin([row(0, A)], single)({ outcome: 'accepted', envelope: ENVELOPE });
	const tries = await triesOf(new Journal(context, journalOptions()), false);
	expect(tries.requestOf(row(0, A))?.outcome).toEqual({ outcome: 'accepted', envelope: ENVELOPE });
	expect(tries.requestOf(row(0, A))).toBe(tries.requestOf(row(0, A)));
	expect([tries.requestOf(row(0, B)), tries.requestOf(row(1, A))]).toEqual([undefined, undefined]);
});

describe('an item that cannot be sent any more', () => {
	const failure = notSent({ origin: 'input', what: 'Wrong', advice: 'Correct it.' });

	it('an item that cannot be sent any more has the result of the try that sent it', async () => {
		const context: IContextObject = {};
		const options = journalOptions({ execution: '7' });
		const first = new Journal(context, options);
		first.begin([row(0, A)], single)({ outcome: 'accepted', envelope: ENVELOPE });
		first.begin([row(1, B)], single);

		const earlierTries = await triesOf(new Journal(stored(context), options), false);
		expect([0, 1, 2].map((item) => earlierTries.unlessSent(item, failure))).toEqual([
			{
				is: 'inRequest',
				request: {
					isBulk: false,
					isEarlier: true,
					outcome: { outcome: 'accepted', envelope: ENVELOPE },
				},
			},
			{
				is: 'leftOut',
				why: {
					outcome: 'uncertain',
					origin: 'input',
					what: 'Wrong; an earlier try of this execution may have queued the message',
					advice: LOOK_FIRST,
				},
			},
			{ is: 'leftOut', why: failure },
		]);
	});
});

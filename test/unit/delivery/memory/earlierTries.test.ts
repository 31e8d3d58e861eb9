import type { IContextObject } from 'n8n-workflow';
import { Journal } from '../../../../nodes/MessagingGateway/delivery/memory/journal';
import { EarlierTries } from '../../../../nodes/MessagingGateway/delivery/memory/earlierTries';
import { CHANGED, UNKNOWN_END } from '../../../../nodes/MessagingGateway/delivery/memory/heldBack';
import { LOOK_FIRST, notSent } from '../../../../nodes/MessagingGateway/gateway/outcome';
import { deliver, FakeHistory, stored, type Answer, type Given, type Wish } from '../deliver';
import { journalOptions } from './journalOptions';

const A = '111111';
const B = '222222';
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

it('a retry whose settings were corrected knows a number by how its item has it', async () => {
	const context = await sent([to('621', { written: ['01'] })]);
	const { sent: again } = await retried([to('631', { written: ['01'] })], { context });
	expect(again).toEqual([]);
});

describe('a text that reads differently in each execution', () => {
	const wishes = [to(A), to(B, { text: 'b' }), to(A, { text: 'b' }), to('333333', { text: 'c' })];
	const retriedWith = async (texts: string[], given: Given = {}) => {
		const context = await sent(wishes, 'accepted', 'accepted', 'accepted', 'notSent');
		const changed = wishes.map((wish, at) => ({ ...wish, text: texts[at] }) as Wish);
		return await retried(changed, { context, textChanges: true, ...given });
	};

	it.each([
		['new for each', ['1', '2', '3', '4']],
		['that of another item', ['b', 'a', 'a', 'b']],
	])('a text that reads differently is held back for those who have one: %s', async (_, texts) => {
		expect((await retriedWith(texts)).sent).toEqual([['333333']]);
		expect((await retriedWith(texts, { textChanges: false })).sent.length).toBeGreaterThan(1);
	});

	it('a text that reads differently is held back for an item whose number another one has', async () => {
		const same = [to(A), to(B), to(A), to('333333')];
		const context = await sent(same, 'accepted', 'accepted', 'notSent');
		const changed = same.map((wish) => ({ ...wish, text: 'later' }));
		const { sent: again } = await retried(changed, { context, textChanges: true });
		expect(again).toEqual([['333333']]);
	});

	it.each([
		[true, [[A]]],
		[false, []],
	])(
		'a text that reads differently goes out again with Send Again (%s) if it is uncertain',
		async (resendUncertain, again) => {
			const context = await sent([to(A)], 'uncertain');
			const given = {
				context,
				textChanges: true,
				settings: { resendUncertain },
				answers: ['notSent'] as Answer[],
			};
			const { sent: reached, results } = await retried([to(A, { text: 'later' })], given);
			expect(reached).toEqual(again);
			expect(results.map(([, outcome]) => outcome)).toEqual(['uncertain']);
		},
	);

	it('a text that reads the same is recognized', async () => {
		const { results, sent: again } = await retriedWith(['a', 'b', 'b', 'c']);
		expect(again).toEqual([['333333']]);
		expect(results.map(([, outcome]) => outcome)).toEqual(Array(results.length).fill('accepted'));
	});
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

it("an earlier try's list is read once to find out whether numbers go out again", () => {
	let reads = 0;
	const all = Array.from({ length: 1_000 }, (_, index) => String(index));
	const numbers = new Proxy(all, { get: (list, at) => (reads++, Reflect.get(list, at)) });
	const context: IContextObject = {};
	const options = journalOptions({ execution: '7' });
	new Journal(context, options).begin('a', { numbers });
	const tries = new EarlierTries(new Journal(context, options), true);
	const isResend = (number: string) => {
		const recipient = { to: number, asEntered: number };
		return tries.isResend('a', { item: 0, sendOnceKey: '', recipient });
	};
	expect([...all, 'x'].filter(isResend)).toEqual(all);
	expect(reads).toBeLessThan(5 * all.length);
});

it('a message may go out again to a number, to one that an item has so, or to its only recipient', () => {
	const context: IContextObject = {};
	const first = new Journal(context, journalOptions());
	first.begin('a', { numbers: ['621'], written: ['01'] });
	first.begin('0:b');
	const tries = new EarlierTries(new Journal(context, journalOptions()), true);
	const isResend = (fingerprint: string, number: string, asEntered: string) =>
		tries.isResend(fingerprint, { item: 0, sendOnceKey: '', recipient: { to: number, asEntered } });
	const bulk = [isResend('a', '621', 'x'), isResend('a', 'x', '01'), isResend('a', 'x', 'x')];
	expect([...bulk, isResend('0:b', 'x', 'x')]).toEqual([true, true, false, true]);
});

it('a message may go out again to anybody if the record is of another release', () => {
	const tries = new EarlierTries(new Journal({ journal: {} }, journalOptions()), true);
	const recipient = { to: A, asEntered: A };
	expect(tries.isResend('a', { item: 0, sendOnceKey: '', recipient })).toBe(true);
});

describe('an item that cannot be sent any more', () => {
	const failure = notSent({ origin: 'input', what: 'Wrong', advice: 'Correct it.' });

	it('an item that cannot be sent any more has the result of the try that sent it', () => {
		const context: IContextObject = {};
		const options = journalOptions({ execution: '7' });
		const first = new Journal(context, options);
		first.begin('0:a')({ outcome: 'accepted', envelope: ENVELOPE });
		first.begin('1:b');

		const earlierTries = new EarlierTries(new Journal(stored(context), options), false);
		expect([0, 1, 2].map((item) => earlierTries.rowUnlessSent(item, failure))).toEqual([
			{
				item: 0,
				sendOnceKey: '',
				shipment: {
					recipients: [],
					isBulk: false,
					isEarlier: true,
					outcome: { outcome: 'accepted', envelope: ENVELOPE },
				},
			},
			{
				item: 1,
				sendOnceKey: '',
				reason: {
					outcome: 'uncertain',
					origin: 'input',
					what: 'Wrong; an earlier try of this execution may have queued the message',
					advice: LOOK_FIRST,
				},
			},
			{ item: 2, sendOnceKey: '', reason: failure },
		]);
	});

	it('an item that cannot be sent any more stays uncertain if another operation has sent it', () => {
		const context: IContextObject = {};
		const first = new Journal(context, journalOptions());
		first.begin('0:a')({ outcome: 'accepted', envelope: ENVELOPE });
		const options = journalOptions({ operation: 'image:send' });
		const earlierTries = new EarlierTries(new Journal(context, options), false);
		const reasons = [0, 1].map((item) => earlierTries.rowUnlessSent(item, failure).reason);
		expect(reasons).toEqual([CHANGED, failure]);
	});
});

import fc from 'fast-check';
import type { IContextObject } from 'n8n-workflow';
import {
	deliver,
	FakeHistory,
	stored,
	type Answer,
	type Mode,
	type Sent,
	type Wish,
} from './deliver';
import type { Result } from '../../../nodes/MessagingGateway/delivery/result';

/** What the gateway did with a number in the end; what it was busy for does not count. */
const final = (sent: Sent[]) => sent.filter(({ answer }) => answer !== 'busy');
const may = (sent: Sent[]) =>
	final(sent).filter(({ answer }) => answer === 'accepted' || answer === 'uncertain');

/** One entry for each message that a person would get: singles are told apart by their item. */
const messagesOf = (mode: Mode, sent: Sent[]) =>
	sent.flatMap(({ text, numbers, item }) =>
		numbers.map((number) => JSON.stringify([text, number, mode === 'singles' ? item : null])),
	);

const wishedMessages = (mode: Mode, { text, numbers }: Wish, item: number) =>
	messagesOf(mode, [
		{ text, numbers: mode === 'singles' ? numbers.slice(0, 1) : numbers, item, answer: 'accepted' },
	]);

const repeat = <T>(times: number, value: T): T[] => Array<T>(times).fill(value);
const number = fc.constantFrom('111111', '222222', '333333', '444444', '555555');
const wish = (mode: Mode): fc.Arbitrary<Wish> =>
	fc.record({
		numbers: fc.array(number, { minLength: 1, maxLength: mode === 'list' ? 7 : 1 }),
		text: fc.constantFrom('a', 'a', 'a', 'b'),
		key: fc.constantFrom('', '', 'k1', 'k2', 'k3', 'k4', 'known'),
		wrong: fc.nat(9).map((n) => n === 0),
	});
const answer = fc.constantFrom<Answer>(
	...repeat(4, 'accepted' as const),
	...repeat(2, 'notSent' as const),
	...repeat(2, 'uncertain' as const),
	...repeat(2, 'busy' as const),
	'token',
);

const isUntried = (outcome: Result['outcome']) =>
	'cause' in outcome && outcome.cause === 'notTried';

const situation = fc.constantFrom<Mode>('singles', 'list', 'items').chain((mode) =>
	fc.record({
		mode: fc.constant(mode),
		wishes: fc.array(wish(mode), { maxLength: 9 }),
		answers: fc.array(answer, { maxLength: 12 }),
		settings: fc.record({
			numbersPerRequest: fc.nat(4),
			maxConcurrency: fc.integer({ min: 1, max: 4 }),
			maxRetries: fc.nat(3),
			continueOnFail: fc.boolean(),
			resendUncertain: fc.boolean(),
		}),
	}),
);

it('every item comes out in exactly one way, in order, and no number gets a text twice', async () => {
	await fc.assert(
		fc.asyncProperty(situation, async ({ mode, wishes, answers, settings }) => {
			const history = new FakeHistory('known');
			const { results, sent, delivery } = await deliver(mode, wishes, {
				settings,
				answers,
				history,
			});

			const most = mode === 'singles' ? 1 : settings.numbersPerRequest || Infinity;
			for (const { numbers } of sent) {
				expect(numbers.length).toBeGreaterThan(0);
				expect(numbers.length).toBeLessThanOrEqual(most);
			}

			const messages = messagesOf(mode, final(sent));
			expect(new Set(messages).size).toBe(messages.length);

			const firsts = results.map(({ items }) => items[0] ?? -1);
			expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
			for (const { items } of results) {
				expect(items.length).toBeGreaterThan(0);
				expect(items).toEqual([...new Set(items)].sort((a, b) => a - b));
			}

			wishes.forEach(({ wrong }, index) => {
				const all = results.filter(({ items }) => items.includes(index));
				const tried = all.filter(({ outcome }) => !isUntried(outcome));
				// A part of a list may have been tried.
				const own = tried.length > 0 ? tried : all;
				const ways = new Set(
					own.map(({ outcome, recipients }) =>
						outcome.outcome === 'skipped' ? 'skipped' : recipients ? 'travelled' : 'single',
					),
				);
				const isStopped = delivery.halt.aborted && !settings.continueOnFail;
				if (isStopped) expect(ways.size).toBeLessThanOrEqual(1);
				else expect(ways.size).toBe(1);
				if (!ways.has('travelled')) expect(own.length).toBeLessThanOrEqual(1);
				if (wrong && own[0]) expect(own[0].outcome).toMatchObject({ what: 'Wrong' });
			});
		}),
		{ numRuns: 200 },
	);
});

it('every recipient is reported', async () => {
	await fc.assert(
		fc.asyncProperty(situation, async ({ mode, wishes, answers, settings }) => {
			const history = new FakeHistory('known');
			const { results, sent, rows } = await deliver(mode, wishes, {
				settings: { ...settings, continueOnFail: true },
				answers,
				history,
			});
			const given = sent.findIndex(({ answer: each }) => each === 'token');
			const after = sent.slice(given + 1).length;
			if (given >= 0) expect(after).toBeLessThan(settings.maxConcurrency);
			const tried = new Set(messagesOf(mode, sent));
			wishes.forEach((each, index) => {
				const isSkipped = results.some(
					({ items, outcome }) => outcome.outcome === 'skipped' && items.includes(index),
				);
				if (isSkipped) {
					const isSecond = wishes
						.slice(0, index)
						.some(({ key, wrong }) => key === each.key && !wrong);
					expect(each.key === 'known' || isSecond).toBe(true);
					return;
				}
				const own = rows.filter(({ items }) => items.includes(index));
				if (each.wrong || (given >= 0 && own.some(({ outcome }) => isUntried(outcome)))) return;
				if (given < 0) expect(each.key).not.toBe('known');
				for (const message of wishedMessages(mode, each, index)) {
					expect(tried).toContain(message);
				}
			});
		}),
		{ numRuns: 200 },
	);
});

it('a retry sends nothing that was accepted, and what is uncertain only on request', async () => {
	await fc.assert(
		fc.asyncProperty(
			situation,
			fc.array(answer, { maxLength: 12 }),
			async ({ mode, wishes, answers, settings }, later) => {
				const history = new FakeHistory('known');
				const context: IContextObject = {};
				const first = await deliver(mode, wishes, { settings, answers, history, context });
				const second = await deliver(mode, wishes, {
					settings,
					answers: later,
					history,
					context: stored(context),
				});

				const again = messagesOf(mode, second.sent);
				const gone = settings.resendUncertain
					? first.sent.filter(({ answer: each }) => each === 'accepted')
					: may(first.sent);
				for (const message of messagesOf(mode, gone)) expect(again).not.toContain(message);
			},
		),
		{ numRuns: 200 },
	);
});

it('after enough retries everything was sent once, and no key is left of what was not', async () => {
	await fc.assert(
		fc.asyncProperty(situation, async ({ mode, wishes, answers, settings }) => {
			const history = new FakeHistory('known');
			const context: IContextObject = {};
			const first = await deliver(mode, wishes, { settings, answers, history, context });
			const right = wishes.map((each) => ({ ...each, wrong: false }));
			const last = await deliver(mode, right, {
				settings: { ...settings, continueOnFail: true },
				history,
				context: stored(context),
			});

			const sent = [...first.sent, ...last.sent];
			const gone = new Set(messagesOf(mode, may(sent)));
			right.forEach((each, index) => {
				const results = last.results.filter(({ items }) => items.includes(index));
				const result = results.find(({ outcome }) => outcome.outcome === 'skipped') ?? results[0];
				if (result?.outcome.outcome === 'skipped') {
					const isSecond = right.slice(0, index).some(({ key }) => key === each.key);
					const wasSecond = wishes
						.map(({ key, wrong }, other) => other !== index && key === each.key && !wrong)
						.includes(true);
					expect(each.key === 'known' || isSecond || wasSecond).toBe(true);
					return;
				}
				expect(result?.outcome.outcome).not.toBe('notSent');
				// Its key skips it; it is only linked to a request that carried the text to one of its numbers.
				if (each.key === 'known') return;
				for (const message of wishedMessages(mode, each, index)) expect(gone).toContain(message);
			});
		}),
		{ numRuns: 200 },
	);
});

it('single messages to one recipient keep the order of the items', async () => {
	await fc.assert(
		fc.asyncProperty(situation, async ({ wishes, answers, settings }) => {
			const { sent } = await deliver('singles', wishes, { settings, answers });
			for (const recipient of new Set(wishes.map(({ numbers }) => numbers[0] as string))) {
				const order = sent.filter(({ numbers }) => numbers[0] === recipient);
				const items = order.map(({ item }) => item);
				expect(items).toEqual([...items].sort((a, b) => a - b));
			}
		}),
		{ numRuns: 200 },
	);
});

it('nothing new begins once the execution is canceled, and the keys of what was not begun are free', async () => {
	await fc.assert(
		fc.asyncProperty(situation, fc.nat(20), async ({ mode, wishes, answers, settings }, at) => {
			const history = new FakeHistory('known');
			const cancelling = new AbortController();
			let steps = 0;
			const step = () => {
				if (steps++ === at) cancelling.abort();
			};
			history.onCall = step;
			let after = 0;
			let arrived = 0;
			let begun = Infinity;
			cancelling.signal.addEventListener('abort', () => (begun = arrived));
			const { sent } = await deliver(mode, wishes, {
				settings: { ...settings, continueOnFail: true },
				answers,
				history,
				canceled: cancelling.signal,
				onRequest: () => {
					arrived++;
					if (cancelling.signal.aborted) after++;
					step();
				},
			});
			expect(after).toBeLessThanOrEqual(mode === 'singles' ? settings.maxConcurrency : 1);
			// n8n's record of the execution has what was under way, and keeps its key for a retry.
			const underWay = sent.slice(Math.max(0, begun - settings.maxConcurrency));
			const gone = new Set(messagesOf(mode, [...may(sent), ...underWay]));
			for (const key of ['k1', 'k2', 'k3', 'k4'].filter((each) => history.has(each))) {
				const isGone = wishes.some(
					(each, index) =>
						each.key === key &&
						wishedMessages(mode, each, index).some((message) => gone.has(message)),
				);
				expect({ key, isGone }).toEqual({ key, isGone: true });
			}
		}),
		{ numRuns: 200 },
	);
});

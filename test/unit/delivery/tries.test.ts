import type { IContextObject } from 'n8n-workflow';
import { LOOK_FIRST } from '../../../nodes/MessagingGateway/gateway/outcome';
import {
	deliver,
	FakeHistory,
	stored,
	type Answer,
	type Delivered,
	type Mode,
	type Wish,
} from './deliver';

const A = '111111';
const B = '222222';
const C = '333333';
const to = (number: string, text = 'a'): Wish => ({ numbers: [number], text });
const unreadable = (number: string): Wish => ({ ...to(number), wrong: true });
const outcomes = ({ results }: Delivered) =>
	results.map(({ items, outcome }) => [items, outcome.outcome]);

/** Delivers in tries of n8n's own, each with what the one before it left in the execution. */
async function tries(mode: Mode, ...each: Array<{ wishes: Wish[]; answers?: Answer[] }>) {
	const context: IContextObject = {};
	const deliveries: Delivered[] = [];
	for (const { wishes, answers } of each) {
		const given = { context: stored(context), execution: '7', answers };
		deliveries.push(await deliver(mode, wishes, given));
		Object.assign(context, given.context);
	}
	return deliveries;
}

it.each(['singles', 'list', 'items'] as const)(
	"n8n's own tries send nothing twice whose text reads differently in each (%s)",
	async (mode) => {
		const [first, second] = await tries(
			mode,
			{ wishes: [to(A, 'at 1'), to(B, 'at 2')], answers: ['accepted', 'notSent'] },
			{ wishes: [to(A, 'at 3'), to(B, 'at 4')] },
		);
		expect(first?.sent.map(({ text }) => text)).toEqual(['at 1', 'at 2']);
		expect(second?.sent.map(({ text }) => text)).toEqual(['at 4']);
	},
);

it("n8n's own tries say of an item that cannot be read any more what an earlier one did with it", async () => {
	const [, second] = await tries(
		'singles',
		{ wishes: [to(A), to(B), to(C)], answers: ['accepted', 'uncertain', 'notSent'] },
		{ wishes: [unreadable(A), unreadable(B), unreadable(C)] },
	);
	expect(second && outcomes(second)).toEqual([
		[[0], 'accepted'],
		[[1], 'uncertain'],
		[[2], 'notSent'],
	]);
	const [accepted, uncertain, notSent] = second?.results ?? [];
	expect(accepted?.outcome).toMatchObject({ envelope: { code: 200 } });
	expect(uncertain?.outcome).toEqual({
		outcome: 'uncertain',
		origin: 'input',
		what: 'Wrong; an earlier try of this execution may have queued the message',
		advice: "Check the gateway's outbox before you send it again.",
	});
	expect(notSent?.outcome).toMatchObject({ what: 'Wrong', advice: 'Correct it.' });
	expect(second?.hints.map(({ message }) => message.slice(0, 24))).toEqual([
		'3 recipients: 1 queued, ',
		'The message for 1 recipi',
		'1 request may or may not',
	]);
});

it("n8n's own tries say of an item of a bulk send that it may have been sent", async () => {
	const [, second] = await tries(
		'items',
		{ wishes: [to(A)] },
		{ wishes: [unreadable(A), unreadable(B)] },
	);
	expect(second && outcomes(second)).toEqual([
		[[0], 'uncertain'],
		[[1], 'notSent'],
	]);
});

const settings = { resendUncertain: true };

it.each([
	['accepted', 'accepted', 'Broken', undefined],
	['uncertain', 'uncertain', 'Broken', LOOK_FIRST],
	[
		'notSent',
		'uncertain',
		'Refused',
		"An earlier try of this execution may have queued it. Check the gateway's outbox before you send it again. Correct it.",
	],
] as const)(
	'a message that was uncertain and is %s when it goes out again is %s',
	async (answer, outcome, what, advice) => {
		const context: IContextObject = {};
		for (const mode of ['singles', 'items'] as const) {
			await deliver(mode, [to(A)], { context, runKey: mode, answers: ['uncertain'] });
			const given = { context: stored(context), runKey: mode, settings };
			const { results } = await deliver(mode, [to(A)], { ...given, answers: [answer] });
			expect(results[0]?.outcome).toMatchObject({ outcome, ...(advice ? { what, advice } : {}) });

			const later = await deliver(mode, [to(A)], { ...given, settings: {} });
			expect(later.sent).toEqual([]);
			expect(later.results[0]?.outcome.outcome).toBe(outcome);
		}
	},
);

const ask: Wish = { ...to(A), expectsReply: true };
const again = { resendUncertain: true };

async function asked(answer: Answer) {
	const context: IContextObject = {};
	await deliver('singles', [ask], { context, answers: [answer] });
	return context;
}

it('a message that expects a reply is an error in a retry, which the reply cannot reach', async () => {
	const { sent, results, hints } = await deliver('singles', [ask], {
		context: await asked('accepted'),
	});
	expect(sent).toEqual([]);
	expect(results).toMatchObject([
		{
			outcome: {
				outcome: 'uncertain',
				what: expect.stringContaining('An earlier execution has asked this question') as string,
				fact: 'Nothing was queued this time.',
			},
		},
	]);
	expect(hints).toEqual([]);
});

it('a message that expects a reply is the same error if the item cannot be read any more', async () => {
	const context = await asked('accepted');
	const { results } = await deliver('singles', [unreadable(A)], { context });
	expect(results).toMatchObject([{ outcome: { fact: 'Nothing was queued this time.' } }]);
});

it('a message that expects a reply stays uncertain in a retry', async () => {
	const { sent, results } = await deliver('singles', [ask], {
		context: await asked('uncertain'),
	});
	expect(sent).toEqual([]);
	expect(results).toMatchObject([
		{ outcome: { what: expect.stringContaining('could not find out') as string } },
	]);
});

it.each(['accepted', 'uncertain'] as const)(
	'a message that expects a reply goes out again in a retry that may send again (%s)',
	async (answer) => {
		const { sent, results } = await deliver('singles', [ask], {
			context: await asked(answer),
			settings: again,
		});
		expect(sent).toHaveLength(1);
		expect(results).toMatchObject([{ outcome: { outcome: 'accepted' }, isEarlier: false }]);
	},
);

it('a message that expects a reply does not go out again from an older copy of the execution', async () => {
	const context = await asked('accepted');
	const history = new FakeHistory();
	const copies = [stored(context), stored(context)];
	const deliveries = [];
	for (const copy of copies) {
		deliveries.push(await deliver('singles', [ask], { context: copy, history, settings: again }));
	}
	expect(deliveries.map(({ sent }) => sent.length)).toEqual([1, 0]);
	expect(deliveries[1]?.results).toMatchObject([
		{ outcome: { what: expect.stringContaining('A newer retry') as string } },
	]);
});

it("a message that expects a reply comes out again in n8n's own tries, which the reply reaches", async () => {
	const [, second] = await tries('singles', { wishes: [ask] }, { wishes: [ask] });
	expect(second?.sent).toEqual([]);
	expect(second?.results).toMatchObject([{ outcome: { outcome: 'accepted' }, isEarlier: true }]);
});

it.each(['accepted', 'uncertain'] as const)(
	'a key stays taken by what was %s, if a corrected number of its item is refused; the Retry may use it',
	async (answer) => {
		const keyed = (number: string): Wish[] => [{ ...to(number), key: 'order-1' }];
		const history = new FakeHistory();
		const context: IContextObject = {};
		const retry = { context, history, isRetry: true };
		await deliver('singles', keyed(A), { context, history, answers: [answer] });
		await deliver('singles', keyed(B), { ...retry, execution: '2', answers: ['notSent'] });

		const other = await deliver('singles', keyed(A), { context: {}, history, execution: '3' });
		expect(other.sent).toEqual([]);
		const third = await deliver('singles', keyed(B), { ...retry, execution: '4' });
		expect(third.sent.map(({ numbers }) => numbers)).toEqual([[B]]);
	},
);

/** An item whose list other items have, too. */
const list = (text: string, wrong = false): Wish => ({
	numbers: [A, B],
	text,
	list: 'one',
	wrong,
});

it("n8n's own tries send no list again that falls together with another one now", async () => {
	const [first, second, third] = await tries(
		'list',
		{ wishes: [list('a'), list('b'), list('a')], answers: ['uncertain', 'notSent'] },
		{ wishes: [list('a', true), list('c'), list('c')] },
		{ wishes: [list('a', true), list('d'), list('e')] },
	);
	expect(first?.sent.map(({ numbers, text }) => [text, numbers])).toEqual([
		['a', [A, B]],
		['b', [A, B]],
	]);
	// The third item may have had its text with the first one, and the second item would get it from it now.
	expect(second?.sent).toEqual([]);
	expect(third?.sent.map(({ numbers, text }) => [text, numbers])).toEqual([['d', [A, B]]]);
});

it("n8n's own tries know all items whose list a request was for", async () => {
	const [, second, third] = await tries(
		'list',
		{ wishes: [list('a', true), list('a'), list('a')], answers: ['notSent'] },
		{ wishes: [list('a'), list('b', true), list('a')] },
		{ wishes: [list('a'), list('b', true), list('c')] },
	);
	expect(second?.sent.map(({ item, numbers }) => [item, numbers])).toEqual([[0, [A, B]]]);
	expect(third?.sent).toEqual([]);
});

import { stepAfter, type Run } from '../../nodes/MessagingGateway/advice';
import {
	INTERRUPTED,
	OTHER_FORMAT,
	REPLACED,
	REPLY_ELSEWHERE,
	OUTDATED,
	UNCLAIMED,
	UNKNOWN_END,
} from '../../nodes/MessagingGateway/delivery/memory/heldBack';
import type { Result } from '../../nodes/MessagingGateway/delivery/result';
import { CANCELED } from '../../nodes/MessagingGateway/delivery/shipment';
import type { Failure } from '../../nodes/MessagingGateway/gateway/outcome';
import { UNDERSTOOD } from './delivery/person';
import { accepted, failed, REFUSED, runOf } from './results';

const LIST = 'in the list of executions';
const REST = `Then use Retry ${LIST}: it sends only the rest.`;
const SAVED = `save the workflow, and use Retry with currently saved workflow ${LIST}`;
const AGAIN = "set the option 'Uncertain Messages on Retry' to 'Send Again'";
const ON_ERROR = "set 'On Error' of this node to 'Continue (using error output)'";
const ON = `${SAVED}: it sends only the rest, and the workflow goes on.`;
const ONE = `If it is not there, ${AGAIN}; if it is there, ${ON_ERROR}. Then ${ON}`;
const WRONG = { ...REFUSED, origin: 'input', parameter: 'phoneNumber' } as const;
const UNSURE: Failure = { ...REFUSED, outcome: 'uncertain' };
const FROM_DATA = { comesFromData: () => true };
const after = (failure: Failure, others: Result[] = [], run: Partial<Run> = {}) =>
	stepAfter(failure, [...others, { items: [9], outcome: failure }], { ...runOf(5), ...run });
const unsure = (n: number) => failed([n], { outcome: 'uncertain' });

it.each<[string, string, Failure, Partial<Run>?]>([
	['what the gateway refused', REST, REFUSED],
	[
		'what was canceled',
		"n8n's editor offers no Retry of an execution that was stopped. A new execution sends only the rest if every message has a Send-Once Key and there are 10,000 at most. Otherwise, compare with the gateway's outbox, and send only those that are not there. A list with one key needs another key, and only the numbers that are missing.",
		CANCELED,
	],
	['a mistake in the node', `Then ${SAVED}: it sends only the rest.`, WRONG],
	[
		'a mistake in the data of an item',
		`Retry reads the same data again. So set 'On Error' of this node to 'Continue (using error output)', ${SAVED}: it sends the rest. Then send the corrected items by themselves.`,
		WRONG,
		FROM_DATA,
	],
	[
		'a message that the gateway refuses for what it says',
		`Then ${SAVED}: it sends only the rest.`,
		{ ...REFUSED, isMistake: true },
	],
	[
		'a message from the data that the gateway refuses for what it says',
		`Retry reads the same data again. So ${ON_ERROR}, ${SAVED}: it sends the rest. Then send the corrected items by themselves.`,
		{ ...REFUSED, isMistake: true },
		FROM_DATA,
	],
	[
		'a mistake in data that concerns all items',
		`Retry reads the same data again. So enter the right value in this node, ${SAVED}: it sends only the rest.`,
		{ ...WRONG, cause: 'wholeRun' },
		FROM_DATA,
	],
	[
		'a mistake in a sub-workflow',
		'Then save the workflow, and use Retry with currently saved workflow of execution 7, the one of this sub-workflow, in the list of executions: it sends only the rest.',
		WRONG,
		{ subExecution: '7' },
	],
	['an uncertain message', ONE, UNSURE],
	['what an earlier try left uncertain', ONE, UNKNOWN_END],
	['an older copy of the record', OUTDATED.step as string, OUTDATED],
	['a history that could not be asked', REST, UNCLAIMED],
	['a question whose answer goes elsewhere', `Then ${SAVED}.`, REPLY_ELSEWHERE],
])('an error says what to do after %s', (_, step, failure, run = {}) => {
	expect(after(failure, [], run)).toBe(step);
});

it('an error of a stopped execution does not advise a Retry, whatever is shown first', () => {
	expect(after(UNSURE, [failed([1], CANCELED)])).toBe(after(CANCELED));
});

it.each(['subscription', 'gateway'] as const)(
	'an error beside a doubt says what kept all others from being queued: %s',
	(blame) => {
		const ofAll = { ...REFUSED, blame };
		expect(after(UNKNOWN_END, [failed([1], ofAll)])).toBe(
			`Other messages were not queued: ${REFUSED.what}. ${REFUSED.advice} ${ONE}`,
		);
		expect(after({ ...ofAll, outcome: 'uncertain' })).toBe(ONE);
	},
);

it.each([
	['n8n ended in the middle', INTERRUPTED],
	['the node was replaced', REPLACED],
	['another release', OTHER_FORMAT],
])('an error does not advise Send Again after %s, and promises no rest', (_, failure) => {
	expect(after(failure)).toBe(
		`Send only those that are not there: a Retry sends no message of this node. Then ${ON_ERROR}, ${SAVED}: the workflow goes on without them.`,
	);
});

it.each([UNKNOWN_END, WRONG, REFUSED])(
	'an error of an older copy of the record names the newer retry, whatever is shown first: $what',
	(failure) => {
		expect(after(failure, [failed([1], OUTDATED)])).toBe(
			`A newer retry of this execution exists. ${after(OUTDATED)}`,
		);
	},
);

it('an error does not advise Send Again if one of several uncertain messages may be there', () => {
	const step = `Send those that are not there by themselves. Then ${ON_ERROR}, ${ON}`;
	expect(after(UNSURE, [unsure(0), accepted([1])])).toBe(step);
	expect(after(UNKNOWN_END, [{ items: [0], outcome: UNKNOWN_END }])).toBe(step);
});

it('an error names a mistake in another item beside an uncertain message, at which a Retry would stop again', () => {
	expect(after(UNSURE, [failed([1], WRONG)], FROM_DATA)).toBe(
		`If it is not there, send it by itself. Then ${ON_ERROR}, ${ON} Another item was refused: ${WRONG.what}. Send it by itself, too, when it is corrected.`,
	);
});

it('an error switches Send Again off if it would send twice', () => {
	const resending = { resendsUncertain: true };
	const off = "set the option 'Uncertain Messages on Retry' to 'Do Not Send Again'";
	expect(after(UNSURE, [], resending)).toBe(
		`If it is not there, use Retry ${LIST}: it sends this message again, and then the rest. If it is there, ${off}, ${ON_ERROR}, ${ON}`,
	);
	expect(after(UNSURE, [unsure(0)], resending)).toContain(`Then ${off}, ${ON_ERROR}, ${ON}`);
	expect(after(REFUSED, [unsure(0)], resending)).toMatch(
		new RegExp(
			`send those that are not there by themselves\\. .* so ${off} first\\. Then use Retry`,
		),
	);
});

it.each([
	...[
		REFUSED,
		CANCELED,
		WRONG,
		UNSURE,
		UNKNOWN_END,
		INTERRUPTED,
		UNCLAIMED,
		REPLY_ELSEWHERE,
	].flatMap((failure) => [
		after(failure),
		after(failure, [unsure(0)]),
		after(failure, [unsure(0)], { resendsUncertain: true }),
	]),
	after(OUTDATED),
])('the person of the random plots understands the advice: %s', (step) => {
	expect(Object.values(UNDERSTOOD).filter((rule) => rule.test(step))).not.toEqual([]);
	expect(step).not.toMatch(/\b(run|start|execute) the workflow/i);
});

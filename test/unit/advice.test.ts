import { stepAfter, type Run } from '../../nodes/MessagingGateway/advice';
import {
	ANSWERED_ELSEWHERE,
	OUTDATED,
	UNCLAIMED,
	UNKNOWN_END,
} from '../../nodes/MessagingGateway/delivery/memory/heldBack';
import type { Result } from '../../nodes/MessagingGateway/delivery/result';
import { CANCELED } from '../../nodes/MessagingGateway/delivery/shipment';
import type { Failure } from '../../nodes/MessagingGateway/gateway/outcome';
import { accepted, failed, REFUSED, runOf } from './results';

const LIST = 'in the list of executions';
const REST = `Then use Retry ${LIST}: it sends only the rest.`;
const SAVED = `save the workflow, and use Retry with currently saved workflow ${LIST}`;
const AGAIN = "set the option 'Uncertain Messages on Retry' to 'Send Again'";
const WRONG = { ...REFUSED, origin: 'input', parameter: 'phoneNumber' } as const;
const UNSURE: Failure = { ...REFUSED, outcome: 'uncertain' };
const FROM_DATA = { comesFromData: () => true };
const after = (
	failure: Failure,
	others: Result[] = [],
	hasUntried = false,
	run: Partial<Run> = {},
) =>
	stepAfter(failure, [...others, { items: [9], outcome: failure }], hasUntried, {
		...runOf(5),
		...run,
	});
const unsure = (n: number) => failed([n], { outcome: 'uncertain' });

it.each<[string, string, Failure, Partial<Run>?]>([
	['what the gateway refused', REST, REFUSED],
	['what was canceled', REST, CANCELED],
	['a mistake in the node', `Then ${SAVED}: it sends only the rest.`, WRONG],
	[
		'a mistake in the data of an item',
		`Retry reads the same data again. So set 'On Error' of this node to 'Continue (using error output)', ${SAVED}: it sends the rest. Then send the corrected items by themselves.`,
		WRONG,
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
	['an uncertain message', `If it is not there, ${AGAIN}, ${SAVED}.`, UNSURE],
	['what an earlier try left uncertain', `If it is not there, ${AGAIN}, ${SAVED}.`, UNKNOWN_END],
	['an older copy of the record', '', OUTDATED],
	['a history that could not be asked', REST, UNCLAIMED],
	['a question whose answer goes elsewhere', `Then ${SAVED}.`, ANSWERED_ELSEWHERE],
])('says what to do after %s', (_, step, failure, run = {}) => {
	expect(after(failure, [], false, run)).toBe(step);
});

it('warns of Send Again if one of several uncertain messages may be there', () => {
	const step = `If it is not there, send it by itself. If none of the uncertain messages is there, you can instead ${AGAIN}, ${SAVED}.`;
	expect(after(UNSURE, [unsure(0)])).toBe(step);
	expect(after(UNKNOWN_END, [{ items: [0], outcome: UNKNOWN_END }])).toBe(step);
});

it('names Retry for the rest of an uncertain message, if there is any', () => {
	const rest = `If it is there, Retry ${LIST} sends only the rest.`;
	expect(after(UNSURE, [accepted([0])])).not.toContain(rest);
	expect(after(UNSURE, [accepted([0])], true)).toContain(rest);
	expect(after(UNSURE, [failed([0], CANCELED)])).toContain(rest);
});

it('names a mistake in another item, at which a Retry would stop again', () => {
	const step = after(UNSURE, [failed([1], WRONG)], true, FROM_DATA);
	expect(step).toContain(
		`Another item was refused: ${WRONG.what}. Retry reads the same data again.`,
	);
	expect(step).not.toContain('sends only the rest');
});

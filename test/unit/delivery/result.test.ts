/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { Recipient } from '../../../nodes/MessagingGateway/delivery/message';
import { byRecipient, byRequest } from '../../../nodes/MessagingGateway/delivery/result';
import {
	keyTaken,
	noNumber,
	NOT_SENT_TO,
	OPTED_OUT,
	SAME_NUMBER,
} from '../../../nodes/MessagingGateway/delivery/skipped';
import type { Submission } from '../../../nodes/MessagingGateway/delivery/ledger';
import {
	type Failure,
	notSent,
	type Outcome,
	uncertain,
} from '../../../nodes/MessagingGateway/gateway/outcome';
import { timed, useClock } from './clock';
import { entriesOf, type Row } from './entries';

const ACCEPTED: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const WRONG = notSent({ what: 'Wrong', advice: 'Correct it.' });
const LOST = uncertain({ what: 'Lost', advice: 'Look.' });

const recipient = (to: string): Recipient => ({ to, asEntered: to });
const request = (isBulk: boolean): Submission => ({
	isBulk,
	isEarlier: false,
	outcome: ACCEPTED,
});
const asks = (item: number, to: string, more: Partial<Row> = {}): Row => ({
	item,
	recipient: recipient(to),
	sendOnceKey: '',
	...more,
});
const alone = (item: number, to: string) => asks(item, to, { request: request(false) });
const unread = (item: number, reason: Failure): Row => ({ item, sendOnceKey: '', reason });

it('the results by request are in the order of the items, in whatever order they became known', async () => {
	const bulk = request(true);
	const rows = [
		alone(4, 'A'),
		asks(3, 'C', { request: bulk }),
		unread(2, WRONG),
		asks(1, 'B', { request: bulk }),
		alone(0, 'A'),
	];
	expect(await byRequest(entriesOf(rows))).toEqual([
		{ items: [0], outcome: ACCEPTED, to: 'A', isEarlier: false },
		{ items: [1, 3], outcome: ACCEPTED, isEarlier: false, recipients: ['B', 'C'] },
		{ items: [2], outcome: WRONG },
		{ items: [4], outcome: ACCEPTED, to: 'A', isEarlier: false },
	]);
});

it('the results by request name each number that has opted out or is not allowed, and no entry that is no number', async () => {
	const rows: Row[] = [
		asks(0, 'A', { reason: OPTED_OUT }),
		{ item: 0, sendOnceKey: '', reason: noNumber("'x' is no number") },
		asks(0, 'B', { reason: OPTED_OUT }),
		asks(0, 'C', { reason: NOT_SENT_TO.notAllowed }),
	];
	expect(await byRequest(entriesOf(rows))).toStrictEqual([
		{ items: [0], outcome: OPTED_OUT, to: 'A' },
		{ items: [0], outcome: OPTED_OUT, to: 'B' },
		{ items: [0], outcome: NOT_SENT_TO.notAllowed, to: 'C' },
	]);
});

it('the results by request tell of an item without a request once for each outcome', async () => {
	const known = keyTaken('k', false);
	const rows = [
		asks(0, 'A', { reason: known }),
		asks(0, 'B', { reason: known }),
		asks(1, 'A', { reason: WRONG }),
		asks(1, 'B', { reason: LOST }),
		asks(1, 'C', { reason: WRONG }),
	];
	expect(await byRequest(entriesOf(rows))).toStrictEqual([
		{ items: [0], outcome: known },
		{ items: [1], outcome: WRONG },
		{ items: [1], outcome: LOST },
	]);
});

it('the results by request name the numbers of an item that had no request, if others of its numbers had one', async () => {
	const rows = [
		asks(0, 'A', { request: request(true) }),
		asks(0, 'B', { reason: WRONG }),
		asks(0, 'C', { reason: WRONG }),
	];
	expect(await byRequest(entriesOf(rows))).toEqual([
		{ items: [0], outcome: ACCEPTED, isEarlier: false, recipients: ['A'] },
		{ items: [0], outcome: WRONG, recipients: ['B', 'C'] },
	]);
});

it.each([
	[true, [0, 1]],
	[false, [0]],
])(
	'the results by request link an item with a request of its own to one of another item if an earlier try sent that (%s)',
	async (isEarlier, items) => {
		const other = { ...request(true), isEarlier };
		const rows = [
			asks(0, 'A', { request: other }),
			asks(1, 'A', { request: other }),
			asks(1, 'B', { request: request(true) }),
		];
		expect(await byRequest(entriesOf(rows))).toEqual([
			{ items, outcome: ACCEPTED, isEarlier, recipients: ['A'] },
			{ items: [1], outcome: ACCEPTED, isEarlier: false, recipients: ['B'] },
		]);
	},
);

it('the results by recipient are in the order of the items, and say which number a bulk request has twice', async () => {
	const bulk = request(true);
	const rows = [
		asks(2, 'A', { request: bulk }),
		asks(1, 'B', { request: bulk }),
		asks(0, 'A', { request: bulk }),
	];
	expect(await byRecipient(entriesOf(rows))).toEqual([
		{ items: [0], outcome: ACCEPTED, to: 'A', isEarlier: false },
		{ items: [1], outcome: ACCEPTED, to: 'B', isEarlier: false },
		{ items: [2], outcome: SAME_NUMBER, to: 'A', isEarlier: false },
	]);
});

it('the results by recipient give each item its own reason, even for a number that an earlier item has, too', async () => {
	const rows = [
		asks(0, 'A', { reason: OPTED_OUT }),
		asks(1, 'A', { reason: OPTED_OUT }),
		alone(2, 'A'),
		unread(3, WRONG),
		asks(4, 'A'),
	];
	expect(await byRecipient(entriesOf(rows))).toEqual([
		{ items: [0], outcome: OPTED_OUT, to: 'A' },
		{ items: [1], outcome: OPTED_OUT, to: 'A' },
		{ items: [2], outcome: ACCEPTED, to: 'A', isEarlier: false },
		{ items: [3], outcome: WRONG },
	]);
});

describe('results that take long', () => {
	// First: the clock gives back the timers that the spy is on.
	afterEach(() => void jest.restoreAllMocks());
	useClock();

	it.each([
		['byRequest', byRequest, 6],
		['byRecipient', byRecipient, 3],
	] as const)(
		'results that take long let others have their turns in between (%s)',
		async (_, results, turns) => {
			// Each look at the clock finds that the longest stretch of work has passed.
			let now = 0;
			jest.spyOn(Date, 'now').mockImplementation(() => (now += 10));
			const pauses = jest.spyOn(globalThis, 'setTimeout');
			await timed(results(entriesOf([alone(0, 'A'), alone(1, 'B'), alone(2, 'C')])));
			expect(pauses).toHaveBeenCalledTimes(turns);
		},
	);
});

import {
	failureOf,
	Ledger,
	type RecipientEntry,
	resultOf,
	type Submission,
} from '../../../nodes/MessagingGateway/delivery/ledger';
import type { Message, ReadyItem } from '../../../nodes/MessagingGateway/delivery/message';
import { OPTED_OUT } from '../../../nodes/MessagingGateway/delivery/skipped';
import { notSent, type Outcome } from '../../../nodes/MessagingGateway/gateway/outcome';
import { CANCELED } from '../../../nodes/MessagingGateway/delivery/circuitBreaker';

const REFUSED = notSent({ what: 'Refused', advice: 'Correct it.' });
const ACCEPTED: Outcome = { outcome: 'accepted', envelope: { code: 200 } };
const MAY_BE_SENT =
	"An earlier try of this execution may have queued it. Check the gateway's outbox before you send it again.";

const [A, B] = ['111111', '222222'] as const;
const request = (more: Partial<Submission> = {}): Submission => ({
	isBulk: true,
	isEarlier: false,
	...more,
});
const ready = (index: number, travels: Message['travels'] = 'grouped', identity = 'Hi') =>
	({ index, sendOnceKey: '', message: { travels, identity } }) as unknown as ReadyItem;

/** A ledger in which each number is asked for by an item of its own. */
function ledgerFor(numbers: string[], travels?: Message['travels'], mayRepeat = false) {
	const ledger = new Ledger();
	const entries = numbers.map((number, item) =>
		ledger.add(ready(item, travels), { to: number, asEntered: number }, mayRepeat),
	);
	return { ledger, entries: entries as [RecipientEntry, RecipientEntry] };
}

it('entries for one number are one copy if their bulk text and device are equal', () => {
	const copies = (travels: Message['travels'], ...texts: string[]) => {
		const ledger = new Ledger();
		const recipient = { to: A, asEntered: A };
		const all = texts.map((text, at) => ledger.add(ready(at, travels, text), recipient, false));
		return new Set(all.map(({ copy }) => copy)).size;
	};
	expect(copies('grouped', 'a', 'b', 'a')).toBe(2);
	expect(copies('list', 'a', 'a')).toBe(1);
	expect(copies('single', 'a', 'a')).toBe(2);
});

it('an entry of a copy that a request carries shares this request', () => {
	const { ledger, entries } = ledgerFor([A, A]);
	const [first, second] = [request(), request()];
	expect(ledger.assign(entries[0], first)).toBe(true);
	expect(ledger.assign(entries[1], second)).toBe(false);
	expect(entries.map(resultOf)).toEqual([undefined, undefined]);
	ledger.settle(first, ACCEPTED);
	expect(entries.map(resultOf)).toEqual([ACCEPTED, ACCEPTED]);
});

it('an entry of a copy that an earlier try has sent is sent by nobody else', () => {
	const { ledger, entries } = ledgerFor([A, A]);
	ledger.replay(entries[0], request({ isEarlier: true, outcome: ACCEPTED }));
	expect(ledger.assign(entries[1], request())).toBe(false);
	expect(entries.map(resultOf)).toEqual([ACCEPTED, ACCEPTED]);
});

it('an entry that has a result keeps it', () => {
	const { ledger, entries } = ledgerFor([A, B]);
	const sent = request();
	ledger.assign(entries[0], sent);
	ledger.settle(sent, ACCEPTED);
	ledger.leaveOut(entries[1], OPTED_OUT);
	for (const entry of entries) ledger.leaveOut(entry, REFUSED);
	expect(entries.map(resultOf)).toEqual([ACCEPTED, OPTED_OUT]);
});

it('an entry of a request that was not made is not settled, and can be left out', () => {
	const { ledger, entries } = ledgerFor([A, B]);
	ledger.assign(entries[0], request());
	expect(ledger.unsettled()).toEqual(entries);
	for (const entry of ledger.unsettled()) ledger.leaveOut(entry, CANCELED);
	expect(entries.map(resultOf)).toEqual([CANCELED, CANCELED]);
	expect(ledger.unsettled()).toEqual([]);
});

it('an entry whose copy was sent for another one has that result in the end', () => {
	const { ledger, entries } = ledgerFor([A, A]);
	const sent = request();
	ledger.assign(entries[0], sent);
	ledger.settle(sent, ACCEPTED);
	expect(resultOf(entries[1])).toBeUndefined();
	expect(ledger.unsettled()).toEqual([]);
	expect(resultOf(entries[1])).toBe(ACCEPTED);
});

it('an entry behind the first one with its key has no result until it gets one', () => {
	const { ledger, entries } = ledgerFor([A]);
	ledger.putBehind(entries[0]);
	expect(ledger.unsettled()).toEqual(entries);
	ledger.leaveOut(entries[0], OPTED_OUT);
	expect(resultOf(entries[0])).toBe(OPTED_OUT);
});

it('a request that an earlier try may have sent in part leaves everybody in it uncertain if it fails', () => {
	const { ledger, entries } = ledgerFor([A], 'single', true);
	const again = request();
	ledger.assign(entries[0], again);
	ledger.settle(again, REFUSED);
	expect(resultOf(entries[0])).toMatchObject({ outcome: 'uncertain' });
	ledger.settle(again, ACCEPTED);
	expect(resultOf(entries[0])).toBe(ACCEPTED);
});

it('a request is certainly not sent if only another one carries what may go out again', () => {
	const { ledger, entries } = ledgerFor([A, A], 'list', true);
	const own = request();
	ledger.replay(entries[0], request({ isEarlier: true, outcome: ACCEPTED }));
	ledger.assign(entries[1], own);
	ledger.settle(own, REFUSED);
	expect(own.outcome).toBe(REFUSED);
});

it('an error calls a message uncertain that an earlier try may have sent, before its own advice', () => {
	expect(failureOf({ mayRepeat: true }, REFUSED)).toEqual({
		...REFUSED,
		outcome: 'uncertain',
		advice: `${MAY_BE_SENT} ${REFUSED.advice}`,
	});
});

it('an error adds nothing to the advice of a message that has none of its own', () => {
	expect(failureOf({ mayRepeat: true }, CANCELED).advice).toBe(MAY_BE_SENT);
});

it('an error is the same for a message that no earlier try may have sent', () => {
	expect(failureOf({}, REFUSED)).toBe(REFUSED);
});

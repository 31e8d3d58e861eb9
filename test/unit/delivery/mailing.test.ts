import { Ledger, type RecipientEntry } from '../../../nodes/MessagingGateway/delivery/ledger';
import { Mailing } from '../../../nodes/MessagingGateway/delivery/mailing';
import type { Message, ReadyItem } from '../../../nodes/MessagingGateway/delivery/message';
import { OPTED_OUT } from '../../../nodes/MessagingGateway/delivery/skipped';

const [A, B, C] = ['111111', '222222', '333333'] as const;
const request = () => ({ isBulk: true, isEarlier: false });

/** A mailing in which each number is asked for by an item of its own. */
function mailingTo(numbers: string[], travels: Message['travels'] = 'grouped') {
	const recipients = numbers.map((number) => ({ to: number, asEntered: number }));
	const message = { travels, recipients, identity: 'a' };
	const ready = (index: number) => ({ index, sendOnceKey: '', message }) as unknown as ReadyItem;
	const [ledger, mailing] = [new Ledger(), new Mailing(ready(0), 0)];
	const entries = recipients.map((each, item) => ledger.add(ready(item), each, false));
	for (const each of entries) mailing.add(each);
	return { mailing, ledger, entries };
}

const itemsOf = (taken: RecipientEntry[]) => taken.map(({ item }) => item);

it('the lane of a mailing is its recipient for a message that travels alone, and one for all bulk texts', () => {
	const lanes = (['single', 'list', 'grouped'] as const).map(
		(travels) => mailingTo([A], travels).mailing.lane,
	);
	expect(lanes).toEqual([A, '', '']);
});

it('a request from a mailing ends before one recipient too many, with the duplicates of those before', () => {
	const { mailing } = mailingTo([A, A, B, A, C, B]);
	expect(itemsOf(mailing.take(2))).toEqual([0, 1, 2, 3]);
	expect(itemsOf(mailing.take(0))).toEqual([]);
	expect(itemsOf(mailing.take(2))).toEqual([4, 5]);
	expect(mailing.hasNext()).toBe(false);
	expect(mailing.take(2)).toEqual([]);
});

it('a request from a mailing does not count who is carried already', () => {
	const { mailing, ledger, entries } = mailingTo([A, A, B, A, C]);
	ledger.assign(entries[0] as RecipientEntry, request());
	expect(itemsOf(mailing.take(1))).toEqual([1, 2, 3]);
	expect(itemsOf(mailing.take(1))).toEqual([4]);
});

it('a request from a mailing ends after 2,500 entries, so that nobody waits for the keys of all duplicates', () => {
	const { mailing } = mailingTo(Array<string>(3_000).fill(A));
	expect([1, 1].map((most) => mailing.take(most).length)).toEqual([2_500, 500]);
});

it('a request from a mailing passes over everybody who does not wait', () => {
	const { mailing, ledger, entries } = mailingTo([A, B, C, A]);
	const [first, second, third] = entries as [RecipientEntry, RecipientEntry, RecipientEntry];
	ledger.assign(first, request());
	ledger.leaveOut(second, OPTED_OUT);
	ledger.putBehind(third);
	expect(mailing.hasNext()).toBe(true);
	expect(itemsOf(mailing.take(3))).toEqual([3]);
	expect(mailing.all()).toEqual(entries);
	expect(mailing.hasNext()).toBe(false);
});

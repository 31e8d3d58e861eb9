import { type Copies, Mailing } from '../../../nodes/MessagingGateway/delivery/mailing';
import type { Message, ReadyItem } from '../../../nodes/MessagingGateway/delivery/message';
import { OPTED_OUT, type RecipientRow } from '../../../nodes/MessagingGateway/delivery/row';
import type { Shipment } from '../../../nodes/MessagingGateway/delivery/shipment';

const [A, B, C] = ['111111', '222222', '333333'] as const;
const to = (number: string) => ({ to: number, asEntered: number });
const shipment = (): Shipment => ({ isBulk: true, isEarlier: false });

interface Given {
	travels?: Message['travels'];
	/** Numbers that a shipment carries already. */
	carried?: string[];
}

/** A mailing in which each number is asked for by an item of its own. */
function mailingTo(numbers: string[], { travels = 'grouped', carried = [] }: Given = {}) {
	const recipients = numbers.map(to);
	const ready = { message: { travels, recipients } } as unknown as ReadyItem;
	const copies: Copies = new Map();
	for (const number of carried) copies.set(number, { rows: [], shipment: shipment() });
	const mailing = new Mailing(ready, copies, 0);
	const rows = recipients.map((recipient, item): RecipientRow => ({
		item,
		recipient,
		sendOnceKey: '',
	}));
	for (const each of rows) mailing.add(each);
	return { mailing, rows };
}

const itemsOf = (taken: RecipientRow[]) => taken.map(({ item }) => item);

it('the lane of a mailing is its recipient for a message that travels alone, and one for all bulk texts', () => {
	const lanes = (['single', 'list', 'grouped'] as const).map(
		(travels) => mailingTo([A], { travels }).mailing.lane,
	);
	expect(lanes).toEqual([A, '', '']);
});

it('a shipment from a mailing ends before one recipient too many, with the duplicates of those before', () => {
	const { mailing } = mailingTo([A, A, B, A, C, B]);
	expect(itemsOf(mailing.take(2))).toEqual([0, 1, 2, 3]);
	expect(itemsOf(mailing.take(0))).toEqual([]);
	expect(itemsOf(mailing.take(2))).toEqual([4, 5]);
	expect(mailing.hasNext()).toBe(false);
	expect(mailing.take(2)).toEqual([]);
});

it('a shipment from a mailing does not count who is carried already', () => {
	const { mailing } = mailingTo([A, B, A, C], { carried: [A] });
	expect(itemsOf(mailing.take(1))).toEqual([0, 1, 2]);
	expect(itemsOf(mailing.take(1))).toEqual([3]);
});

it('a shipment from a mailing ends after 2,500 rows, so that nobody waits for the keys of all duplicates', () => {
	const { mailing } = mailingTo(Array<string>(3_000).fill(A));
	expect([1, 1].map((most) => mailing.take(most).length)).toEqual([2_500, 500]);
});

it('a shipment from a mailing passes over who has a shipment or a reason why there is none', () => {
	const { mailing, rows } = mailingTo([A, B, C]);
	(rows[0] as RecipientRow).shipment = shipment();
	(rows[1] as RecipientRow).reason = OPTED_OUT;
	expect(mailing.hasNext()).toBe(true);
	expect(itemsOf(mailing.take(3))).toEqual([2]);
	expect(mailing.all()).toEqual(rows);
});

it('a mailing is over if everybody has a shipment or a reason why there is none', () => {
	for (const decided of [{ shipment: shipment() }, { reason: OPTED_OUT }]) {
		const { mailing, rows } = mailingTo([A, B]);
		for (const each of rows) Object.assign(each, decided);
		expect(mailing.hasNext()).toBe(false);
	}
});

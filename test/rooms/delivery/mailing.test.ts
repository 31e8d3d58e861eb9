import { Carriers, Mailing } from '../../../nodes/MessagingGateway/delivery/mailing';
import type { Message, Order } from '../../../nodes/MessagingGateway/delivery/message';
import {
	OPTED_OUT,
	type NamedAddressee,
	type Shipment,
} from '../../../nodes/MessagingGateway/delivery/shipment';

const [A, B, C] = ['111111', '222222', '333333'] as const;
const to = (number: string) => ({ to: number, written: number });
const shipment = (): Shipment => ({ recipients: [], isBulk: true, isReplayed: false });

interface Given {
	travels?: Message['travels'];
	/** Numbers that a shipment carries already. */
	carried?: string[];
}

/** A mailing in which each number is asked for by an item of its own. */
function mailingTo(numbers: string[], { travels = 'withEqual', carried = [] }: Given = {}) {
	const recipients = numbers.map(to);
	const order = { message: { travels, recipients } } as unknown as Order;
	const carriers = new Carriers(() => []);
	for (const number of carried) carriers.add(to(number), shipment());
	const mailing = new Mailing('key', order, carriers, 0);
	const addressees = recipients.map((recipient, item): NamedAddressee => ({
		item,
		recipient,
		sendOnceKey: '',
	}));
	for (const each of addressees) mailing.add(each);
	return { mailing, addressees };
}

const itemsOf = (taken: NamedAddressee[]) => taken.map(({ item }) => item);

describe('the lane of a mailing', () => {
	it('is its recipient for a message that travels alone, and one for all bulk texts', () => {
		const lanes = (['alone', 'asList', 'withEqual'] as const).map(
			(travels) => mailingTo([A], { travels }).mailing.lane,
		);
		expect(lanes).toEqual([A, '', '']);
	});
});

describe('taking from a mailing', () => {
	it('ends before one recipient too many, with the duplicates of those before', () => {
		const { mailing } = mailingTo([A, A, B, A, C, B]);
		expect(itemsOf(mailing.take(2))).toEqual([0, 1, 2, 3]);
		expect(itemsOf(mailing.take(0))).toEqual([]);
		expect(itemsOf(mailing.take(2))).toEqual([4, 5]);
		expect(mailing.hasNext()).toBe(false);
		expect(mailing.take(2)).toEqual([]);
	});

	it('does not count who is carried already', () => {
		const { mailing } = mailingTo([A, B, A, C], { carried: [A] });
		expect(itemsOf(mailing.take(1))).toEqual([0, 1, 2]);
		expect(itemsOf(mailing.take(1))).toEqual([3]);
	});

	it('passes over who has a shipment or a reason why there is none', () => {
		const { mailing, addressees } = mailingTo([A, B, C]);
		(addressees[0] as NamedAddressee).shipment = shipment();
		(addressees[1] as NamedAddressee).instead = OPTED_OUT;
		expect(mailing.hasNext()).toBe(true);
		expect(itemsOf(mailing.take(3))).toEqual([2]);
		expect(mailing.all()).toEqual(addressees);
	});

	it('is over where everybody has one of them', () => {
		for (const decided of [{ shipment: shipment() }, { instead: OPTED_OUT }]) {
			const { mailing, addressees } = mailingTo([A, B]);
			for (const each of addressees) Object.assign(each, decided);
			expect(mailing.hasNext()).toBe(false);
		}
	});
});

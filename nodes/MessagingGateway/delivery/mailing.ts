import type { Message, Order, Recipient } from './message';
import type { NamedAddressee, Shipment } from './shipment';

/** Who got, or gets, one text through one device: recipient → shipment. */
export class Carriers {
	private byRecipient?: Map<string, Shipment>;

	/** @param earlier returns the shipments of earlier tries of this execution; called once, when needed */
	constructor(private readonly earlier: () => Shipment[]) {}

	/** Returns the shipment that carries the message to this recipient. */
	find({ to, written }: Recipient): Shipment | undefined {
		const all = this.load();
		const known = all.get(to);
		if (known) return known;
		// Settings that were corrected since may have changed how the gateway gets the number.
		const replayed = all.get(written);
		return replayed?.isReplayed ? replayed : undefined;
	}

	add({ to }: Recipient, shipment: Shipment): void {
		this.load().set(to, shipment);
	}

	private load(): Map<string, Shipment> {
		if (this.byRecipient) return this.byRecipient;
		const all = (this.byRecipient = new Map<string, Shipment>());
		for (const shipment of this.earlier()) {
			for (const { to, written } of shipment.recipients) {
				for (const name of [to, written]) {
					if (!all.has(name)) all.set(name, shipment);
				}
			}
		}
		return all;
	}
}

/** A message and everybody who gets it: one parcel for a single message, many for a bulk text. */
export class Mailing {
	private readonly waiting: NamedAddressee[] = [];
	private next = 0;

	/**
	 * @param key of its message in the journal
	 * @param carriers shared by all mailings of one text through one device
	 * @param place in the order of bulk mailings
	 */
	constructor(
		readonly key: string,
		readonly order: Order,
		readonly carriers: Carriers,
		readonly place: number,
	) {}

	get message(): Message {
		return this.order.message;
	}

	/** Messages of one lane go out one after another: those to one recipient, and all bulk texts. */
	get lane(): string {
		const [first] = this.message.recipients;
		return this.message.travels === 'alone' && first ? first.to : '';
	}

	/** Queues somebody who gets the message. */
	add(addressee: NamedAddressee): void {
		this.waiting.push(addressee);
	}

	/** Returns whether somebody has neither a shipment nor a reason why there is none. */
	hasNext(): boolean {
		while (isDecided(this.waiting[this.next])) this.next++;
		return this.next < this.waiting.length;
	}

	/** Returns all who were queued. */
	all(): readonly NamedAddressee[] {
		return this.waiting;
	}

	/** Takes the next addressees, of at most `most` recipients without a shipment, duplicates included. */
	take(most: number): NamedAddressee[] {
		const taken: NamedAddressee[] = [];
		const recipients = new Set<string>();
		for (; this.hasNext(); this.next++) {
			const addressee = this.waiting[this.next] as NamedAddressee;
			const { recipient } = addressee;
			const isNew = !recipients.has(recipient.to) && !this.carriers.find(recipient);
			if (isNew && recipients.size >= most) break;
			if (isNew) recipients.add(recipient.to);
			taken.push(addressee);
		}
		return taken;
	}
}

function isDecided(addressee?: NamedAddressee): boolean {
	return addressee?.shipment !== undefined || addressee?.instead !== undefined;
}

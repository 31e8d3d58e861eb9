import type { Message, ReadyItem, Recipient } from './message';
import type { RecipientRow } from './row';
import type { Shipment } from './shipment';

/** Who got, or gets, one text through one device: recipient → shipment. */
export class ShipmentMap {
	private byRecipient?: Map<string, Shipment>;

	/** @param earlier returns the shipments of earlier tries of this execution; called once, when needed */
	constructor(private readonly earlier: () => Shipment[]) {}

	/** Returns the shipment that carries the message to this recipient. */
	find({ to, asEntered }: Recipient): Shipment | undefined {
		const all = this.load();
		const known = all.get(to);
		if (known) return known;
		// Settings that were corrected since may have changed how the gateway gets the number.
		const entered = all.get(asEntered);
		return entered?.isEarlier ? entered : undefined;
	}

	add({ to }: Recipient, shipment: Shipment): void {
		this.load().set(to, shipment);
	}

	private load(): Map<string, Shipment> {
		if (this.byRecipient) return this.byRecipient;
		const all = (this.byRecipient = new Map<string, Shipment>());
		for (const shipment of this.earlier()) {
			for (const { to, asEntered } of shipment.recipients) {
				for (const name of [to, asEntered]) {
					if (!all.has(name)) all.set(name, shipment);
				}
			}
		}
		return all;
	}
}

/** Rows that are taken at once, so that n8n has a break between them: each may have a key to be recorded. */
const MOST_ROWS = 2_500;

/** A message and everybody who gets it: one shipment for a single message, many for a bulk text. */
export class Mailing {
	private readonly waiting: RecipientRow[] = [];
	private next = 0;

	/**
	 * @param fingerprint of its message in the journal
	 * @param shipments shared by all mailings of one text through one device
	 * @param position among the bulk mailings
	 */
	constructor(
		readonly fingerprint: string,
		readonly ready: ReadyItem,
		readonly shipments: ShipmentMap,
		readonly position: number,
	) {}

	get message(): Message {
		return this.ready.message;
	}

	/** Messages of one lane go out one after another: those to one recipient, and all bulk texts. */
	get lane(): string {
		const [first] = this.message.recipients;
		return this.message.travels === 'single' && first ? first.to : '';
	}

	/** Queues somebody who gets the message. */
	add(row: RecipientRow): void {
		this.waiting.push(row);
	}

	/** Returns whether somebody has neither a shipment nor a reason why there is none. */
	hasNext(): boolean {
		while (isDecided(this.waiting[this.next])) this.next++;
		return this.next < this.waiting.length;
	}

	/** Returns all who were queued. */
	all(): readonly RecipientRow[] {
		return this.waiting;
	}

	/** Takes the next rows, 2,500 at most, of at most `most` recipients without a shipment; duplicates included. */
	take(most: number): RecipientRow[] {
		const taken: RecipientRow[] = [];
		const recipients = new Set<string>();
		for (; taken.length < MOST_ROWS && this.hasNext(); this.next++) {
			const row = this.waiting[this.next] as RecipientRow;
			const { recipient } = row;
			const isNew = !recipients.has(recipient.to) && !this.shipments.find(recipient);
			if (isNew && recipients.size >= most) break;
			if (isNew) recipients.add(recipient.to);
			taken.push(row);
		}
		return taken;
	}
}

function isDecided(row?: RecipientRow): boolean {
	return row?.shipment !== undefined || row?.reason !== undefined;
}

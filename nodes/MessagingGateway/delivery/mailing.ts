import type { Message, ReadyItem, Recipient } from './message';
import type { RecipientRow } from './row';
import type { Shipment } from './shipment';

/** One message for one recipient. */
export interface Copy {
	/** The rows that ask for it. In bulk, several items can. */
	rows: RecipientRow[];
	/** The request that carries it. */
	shipment?: Shipment;
}

/** One text through one device, by recipient. */
export type Copies = Map<Recipient['to'], Copy>;

/** Rows that are taken at once. n8n gets a break in between, because each may have a key to be recorded. */
const MOST_ROWS = 2_500;

/** A message and its recipients: one shipment for a single message, many for a bulk text. */
export class Mailing {
	private readonly waiting: RecipientRow[] = [];
	private next = 0;

	/**
	 * @param copies shared by all mailings of one text through one device
	 * @param position among the bulk mailings
	 */
	constructor(
		readonly ready: ReadyItem,
		private readonly copies: Copies,
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

	/** Queues a recipient. */
	add(row: RecipientRow): void {
		this.waiting.push(row);
		const { to } = row.recipient;
		const known = this.copies.get(to);
		if (known) known.rows.push(row);
		else this.copies.set(to, { rows: [row] });
	}

	/** Returns the message as one recipient that was added gets it. */
	copyFor({ to }: Recipient): Copy {
		return this.copies.get(to) as Copy;
	}

	/** Returns whether a recipient has neither a shipment nor a reason for having none. */
	hasNext(): boolean {
		while (isDecided(this.waiting[this.next])) this.next++;
		return this.next < this.waiting.length;
	}

	/** Returns all queued rows. */
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
			const isNew = !recipients.has(recipient.to) && !this.copyFor(recipient).shipment;
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

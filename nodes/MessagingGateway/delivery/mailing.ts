import type { RecipientEntry } from './ledger';
import type { Message, ReadyItem } from './message';

/** Entries that are taken at once. n8n gets a break in between, because each may have a key to be recorded. */
const MOST_ENTRIES = 2_500;

/** A message and its recipients: one request for a single message, many for a bulk text. */
export class Mailing {
	private readonly entries: RecipientEntry[] = [];
	private next = 0;

	/** @param position among the bulk mailings */
	constructor(
		readonly ready: ReadyItem,
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
	add(entry: RecipientEntry): void {
		this.entries.push(entry);
	}

	/** Returns whether an entry waits for its request. */
	hasNext(): boolean {
		while (this.next < this.entries.length && this.entries[this.next]?.state.is !== 'waiting') {
			this.next++;
		}
		return this.next < this.entries.length;
	}

	/** Returns all queued entries. */
	all(): readonly RecipientEntry[] {
		return this.entries;
	}

	/** Takes the next entries, 2,500 at most, of at most `most` recipients whom no request carries; duplicates included. */
	take(most: number): RecipientEntry[] {
		const taken: RecipientEntry[] = [];
		const recipients = new Set<string>();
		for (; taken.length < MOST_ENTRIES && this.hasNext(); this.next++) {
			const entry = this.entries[this.next] as RecipientEntry;
			const { to } = entry.recipient;
			const isNew = !recipients.has(to) && !entry.copy.request;
			if (isNew && recipients.size >= most) break;
			if (isNew) recipients.add(to);
			taken.push(entry);
		}
		return taken;
	}
}

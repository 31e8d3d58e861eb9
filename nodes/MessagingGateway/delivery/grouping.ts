import { getOrAdd } from '../shared/getOrAdd';
import type { Breather } from '../shared/time';
import { type Copies, Mailing } from './mailing';
import type { Message, ReadyItem, Recipient } from './message';
import { noNumber, type RecipientRow, type Row } from './row';

/**
 * Sorts items into mailings, one item after another. Each single message is a mailing; equal bulk texts share one, except lists.
 */
export class Grouping {
	/** All rows, in the order of the items. */
	readonly rows: Row[] = [];
	/** Bulk texts, in the order in which they go out. */
	readonly bulk: Mailing[] = [];
	/** By text and device: the mailing that further items join. */
	private readonly open = new Map<Message['identity'], Mailing>();
	/** By text and device. */
	private readonly copies = new Map<Message['identity'], Copies>();
	/** By list: the first item that has it, for each text and device. */
	private readonly lists = new Map<readonly Recipient[], Map<Message['identity'], number>>();
	/** By number: the position of the last mailing that it is in. */
	private readonly lastPosition = new Map<string, number>();

	/**
	 * Adds an item, and returns its rows and the mailing that they belong to.
	 *
	 * If an earlier item has the same list and text, they are one message. One row of the later item says so.
	 *
	 * @param mayJoin whether the item may be one message with this earlier item
	 */
	async add(
		ready: ReadyItem,
		breather: Breather,
		mayJoin: (first: number) => boolean,
	): Promise<{ mailing: Mailing; rows: RecipientRow[]; sameAs?: number }> {
		const mailing = this.mailingOf(ready);
		const { index, sendOnceKey, message } = ready;
		const first = this.sameListAs(ready);
		const sameAs = first !== undefined && mayJoin(first) ? first : undefined;
		for (const { asEntered, why } of sameAs === undefined ? message.refusals : []) {
			this.rows.push({ item: index, asEntered, sendOnceKey: '', reason: noNumber(why) });
		}
		const identity = message.travels === 'single' ? message.identity : undefined;
		const recipients = sameAs === undefined ? message.recipients : message.recipients.slice(0, 1);
		const rows: RecipientRow[] = [];
		for (const recipient of recipients) {
			if (breather.isDue()) await breather.breathe();
			const row = { item: index, recipient, sendOnceKey, identity };
			rows.push(row);
			mailing.add(row);
			this.rows.push(row);
			if (message.travels === 'grouped') this.lastPosition.set(row.recipient.to, mailing.position);
		}
		return { mailing, rows, sameAs };
	}

	/** Returns another mailing for rows that could not go out with the first one of their item. */
	again(ready: ReadyItem, rows: readonly RecipientRow[]): Mailing {
		const { message } = ready;
		const isSingle = message.travels === 'single';
		const copies = isSingle ? undefined : this.copies.get(message.identity);
		const mailing = new Mailing(ready, copies ?? new Map(), this.bulk.length);
		for (const row of rows) mailing.add(row);
		if (!isSingle) this.bulk.push(mailing);
		return mailing;
	}

	/** Returns the earlier item with the same list, text and device. A key decides for each item alone. */
	private sameListAs({ index, message, sendOnceKey }: ReadyItem): number | undefined {
		const { travels, identity, recipients } = message;
		if (travels !== 'list' || sendOnceKey !== '') return undefined;
		const byText = getOrAdd(this.lists, recipients, () => new Map<Message['identity'], number>());
		const first = getOrAdd(byText, identity, () => index);
		return first === index ? undefined : first;
	}

	private mailingOf(ready: ReadyItem): Mailing {
		const { message } = ready;
		if (message.travels === 'single') return new Mailing(ready, new Map(), 0);
		const { identity } = message;
		const joined = message.travels === 'grouped' ? this.joinable(message) : undefined;
		if (joined) return joined;
		const copies: Copies = getOrAdd(this.copies, identity, () => new Map());
		const mailing = new Mailing(ready, copies, this.bulk.length);
		this.open.set(identity, mailing);
		this.bulk.push(mailing);
		return mailing;
	}

	/**
	 * Returns the mailing that the message may join. It may join none in which one of its numbers already gets a later
	 * text, because each number gets its texts in the order of the items.
	 */
	private joinable({ identity, recipients }: Message): Mailing | undefined {
		const mailing = this.open.get(identity);
		if (!mailing) return undefined;
		const isLate = recipients.some(({ to }) => (this.lastPosition.get(to) ?? 0) > mailing.position);
		return isLate ? undefined : mailing;
	}
}

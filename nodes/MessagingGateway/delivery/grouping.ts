import { getOrAdd } from '../shared/getOrAdd';
import { Mailing } from './mailing';
import type { Message, ReadyItem, Recipient } from './message';

/**
 * Sorts items into mailings, one item after another. Each single message is a mailing; equal bulk texts share one, except lists.
 */
export class Grouping {
	/** Bulk texts, in the order in which they go out. */
	readonly bulk: Mailing[] = [];
	/** By text and device: the mailing that further items join. */
	private readonly open = new Map<Message['identity'], Mailing>();
	/** By list: the first item that has it, for each text, device and sources. */
	private readonly lists = new Map<readonly Recipient[], Map<string, number>>();
	/** By number: the position of the last mailing that it is in. */
	private readonly lastPosition = new Map<string, number>();

	/** Returns the mailing of the next item. */
	mailingOf(ready: ReadyItem): Mailing {
		const { message } = ready;
		const { travels, identity, recipients } = message;
		if (travels === 'single') return new Mailing(ready, 0);
		const mailing = (travels === 'grouped' && this.joinable(message)) || this.begin(ready);
		if (travels === 'grouped') {
			this.open.set(identity, mailing);
			for (const { to } of recipients) this.lastPosition.set(to, mailing.position);
		}
		return mailing;
	}

	/**
	 * Returns the earlier item with the same list, text, device and time limit: both are one message. A key decides for each item alone.
	 *
	 * @param sources the items whose requests, in earlier tries, were for this one
	 */
	sameListAs(
		{ index, message, sendOnceKey, sendBefore }: ReadyItem,
		sources: readonly number[],
	): number | undefined {
		const { travels, identity, recipients } = message;
		if (travels !== 'list' || sendOnceKey !== '') return undefined;
		const byText = getOrAdd(this.lists, recipients, () => new Map<string, number>());
		const first = getOrAdd(byText, `${sources.join()} ${sendBefore?.at} ${identity}`, () => index);
		return first === index ? undefined : first;
	}

	private begin(ready: ReadyItem): Mailing {
		const mailing = new Mailing(ready, this.bulk.length);
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

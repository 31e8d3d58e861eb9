import { Mailing, ShipmentMap } from './mailing';
import type { EarlierTries } from './memory/earlierTries';
import { LastHash, type Journal } from './memory/journal';
import type { Message, ReadyItem } from './message';
import { noNumber, type RecipientRow, type Row } from './row';

/**
 * Sorts items into mailings, one item after another. A single message is a mailing of its own; equal
 * bulk texts travel together.
 */
export class Grouping {
	/** Everybody who is asked for, in the order of the items. */
	readonly rows: Row[] = [];
	/** Bulk texts, in the order in which they go out. */
	readonly bulk: Mailing[] = [];
	/** By text and device: the mailing that further items join. */
	private readonly open = new Map<string, Mailing>();
	/** By text and device: who got, or gets, it. */
	private readonly shipments = new Map<string, ShipmentMap>();
	/** By number: the position of the last mailing that it is in. */
	private readonly lastPosition = new Map<string, number>();
	private readonly words = new LastHash();

	constructor(
		private readonly journal: Pick<Journal, 'deviceOf'>,
		private readonly earlierTries: Pick<EarlierTries, 'shipmentsOf'>,
	) {}

	/** Adds an item, and returns the mailing that it belongs to. */
	add(ready: ReadyItem, fingerprint: string): Mailing {
		const mailing = this.mailingOf(ready, fingerprint);
		const { index, sendOnceKey, message } = ready;
		for (const { asEntered, why } of message.refusals) {
			this.rows.push({ item: index, asEntered, sendOnceKey: '', reason: noNumber(why) });
		}
		for (const recipient of message.recipients) {
			const row: RecipientRow = { item: index, recipient, sendOnceKey };
			if (message.words !== undefined) row.words = this.words.of(message.words);
			mailing.add(row);
			this.rows.push(row);
			if (message.travels === 'grouped') this.lastPosition.set(recipient.to, mailing.position);
		}
		return mailing;
	}

	private mailingOf(ready: ReadyItem, fingerprint: string): Mailing {
		const { message } = ready;
		const idOf = (device: string) => `${fingerprint} ${device}`;
		const usesDevice = (device: string) => this.shipments.has(idOf(device));
		const earlier = () => this.earlierTries.shipmentsOf(fingerprint, message, usesDevice);
		if (message.travels === 'single') {
			return new Mailing(fingerprint, ready, new ShipmentMap(earlier), 0);
		}
		const id = idOf(this.journal.deviceOf(message));
		const shipments = getOrAdd(this.shipments, id, () => new ShipmentMap(earlier));
		const joined = message.travels === 'grouped' ? this.joinable(id, message) : undefined;
		if (joined) return joined;
		const mailing = new Mailing(fingerprint, ready, shipments, this.bulk.length);
		this.open.set(id, mailing);
		this.bulk.push(mailing);
		return mailing;
	}

	/**
	 * Returns the mailing that the message may join: not where one of its numbers already gets a later
	 * text, as each number gets its texts in the order of the items.
	 */
	private joinable(id: string, { recipients }: Message): Mailing | undefined {
		const mailing = this.open.get(id);
		if (!mailing) return undefined;
		const isLate = recipients.some(({ to }) => (this.lastPosition.get(to) ?? 0) > mailing.position);
		return isLate ? undefined : mailing;
	}
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}

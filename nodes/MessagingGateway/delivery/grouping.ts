import { Mailing, ShipmentMap } from './mailing';
import type { EarlierTries } from './memory/earlierTries';
import { LastHash, type Journal } from './memory/journal';
import type { Order } from './message';
import { noNumber, type RecipientRow, type Row } from './row';

/**
 * Sorts items into mailings, one item after another. A message that travels alone is a mailing of its own; equal
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
	/** By number: the place of the last mailing that it is in. */
	private readonly lastPlace = new Map<string, number>();
	private readonly words = new LastHash();
	/** By text: the devices that it goes through in this run. */
	private readonly devices = new Map<string, Set<string>>();

	constructor(
		private readonly journal: Journal,
		private readonly earlierTries: Pick<EarlierTries, 'shipmentsOf'>,
	) {}

	/** Adds an item, and returns the mailing that it belongs to. */
	add(order: Order): Mailing {
		const mailing = this.mailingOf(order);
		const { index, sendOnceKey, message } = order;
		for (const { asEntered, why } of message.refusals) {
			this.rows.push({ item: index, asEntered, sendOnceKey: '', reason: noNumber(why) });
		}
		for (const recipient of message.recipients) {
			const row: RecipientRow = { item: index, recipient, sendOnceKey };
			if (message.words !== undefined) row.words = this.words.of(message.words);
			mailing.add(row);
			this.rows.push(row);
			if (message.travels === 'grouped') this.lastPlace.set(recipient.to, mailing.place);
		}
		return mailing;
	}

	private mailingOf(order: Order): Mailing {
		const { message, index } = order;
		const fingerprint = this.journal.fingerprintOf(message, index);
		const usesDevice = (device: string) => this.devices.get(fingerprint)?.has(device) === true;
		const earlier = () => this.earlierTries.shipmentsOf(fingerprint, message, usesDevice);
		if (message.travels === 'single') {
			return new Mailing(fingerprint, order, new ShipmentMap(earlier), 0);
		}
		const device = this.journal.deviceOf(message);
		const id = `${fingerprint} ${device}`;
		getOrAdd(this.devices, fingerprint, () => new Set<string>()).add(device);
		const shipments = getOrAdd(this.shipments, id, () => new ShipmentMap(earlier));
		const joined = message.travels === 'grouped' ? this.joinable(id, message) : undefined;
		if (joined) return joined;
		const mailing = new Mailing(fingerprint, order, shipments, this.bulk.length);
		this.open.set(id, mailing);
		this.bulk.push(mailing);
		return mailing;
	}

	/**
	 * Returns the mailing that the message may join: not where one of its numbers already gets a later
	 * text, as each number gets its texts in the order of the items.
	 */
	private joinable(id: string, { recipients }: Order['message']): Mailing | undefined {
		const mailing = this.open.get(id);
		if (!mailing) return undefined;
		const isLate = recipients.some(({ to }) => (this.lastPlace.get(to) ?? 0) > mailing.place);
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

import { Breather } from '../shared/breather';
import type { Journal } from './journal';
import { Carriers, Mailing } from './mailing';
import type { Order } from './message';
import { noNumber, type Addressee, type NamedAddressee, type Shipment } from './shipment';

/** What a plan needs to know of its run. */
export interface PlanOptions {
	items: number;
	journal: Journal;
	/** Returns undefined if the item cannot be sent. */
	read(index: number): Promise<Order | undefined>;
	/** Whether nothing new may begin. */
	isHalted(): boolean;
	/** Returns what earlier tries of this execution sent of a message, which is not sent again. */
	recall(key: string, order: Order): Shipment[];
	/** Called for everybody who is asked for, in the order of the items. */
	onAddressee(addressee: Addressee): void;
}

/**
 * Sorts items into mailings. A message that travels alone is a mailing as soon as it is read. Bulk
 * texts wait until all items are read, so that equal ones travel together and nothing goes out if a
 * wrong item stops the node.
 */
export class Plan {
	private readonly bulk: Mailing[] = [];
	/** By text and device: the mailing that further items join. */
	private readonly open = new Map<string, Mailing>();
	/** By text and device: who got, or gets, it. */
	private readonly carriers = new Map<string, Carriers>();
	/** By number: the place of the last mailing that it is in. */
	private readonly lastPlace = new Map<string, number>();
	/** By text: the devices that it goes through in this run. */
	private readonly devices = new Map<string, Set<string>>();

	constructor(private readonly options: PlanOptions) {}

	async *mailings(): AsyncGenerator<Mailing> {
		const { items, read, isHalted } = this.options;
		const breather = new Breather();
		for (let index = 0; index < items && !isHalted(); index++) {
			if (breather.isDue()) await breather.breathe();
			const order = await read(index);
			const mailing = order && this.mailingOf(order);
			if (!mailing) continue;
			if (mailing.message.travels === 'alone') yield mailing;
		}
		yield* this.bulk;
	}

	/** Returns the bulk mailings of the items that have been read. */
	bulkMailings(): readonly Mailing[] {
		return this.bulk;
	}

	/** Returns whether this run sends the text of a mailing through a device with this hash. */
	usesDevice(key: string, device: string): boolean {
		return this.devices.get(key)?.has(device) === true;
	}

	private mailingOf(order: Order): Mailing {
		const { journal } = this.options;
		const { message, index } = order;
		const key = journal.keyOf(message, index);
		const recall = () => this.options.recall(key, order);
		if (message.travels === 'alone') {
			return this.filled(new Mailing(key, order, new Carriers(recall), 0), order);
		}
		const device = journal.deviceOf(message);
		const id = `${key} ${device}`;
		getOrAdd(this.devices, key, () => new Set<string>()).add(device);
		const carriers = getOrAdd(this.carriers, id, () => new Carriers(recall));
		const joined = message.travels === 'withEqual' ? this.joinable(id, message) : undefined;
		if (joined) return this.filled(joined, order);
		const mailing = new Mailing(key, order, carriers, this.bulk.length);
		this.open.set(id, mailing);
		this.bulk.push(mailing);
		return this.filled(mailing, order);
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

	private filled(mailing: Mailing, { index, sendOnceKey, message }: Order): Mailing {
		for (const entry of message.refused) {
			this.options.onAddressee({ item: index, sendOnceKey: '', instead: noNumber(entry) });
		}
		for (const recipient of message.recipients) {
			const addressee: NamedAddressee = { item: index, recipient, sendOnceKey };
			mailing.add(addressee);
			this.options.onAddressee(addressee);
			if (message.travels === 'withEqual') this.lastPlace.set(recipient.to, mailing.place);
		}
		return mailing;
	}
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}

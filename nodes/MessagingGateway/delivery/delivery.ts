import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import { Breather } from '../shared/breather';
import { bulkEntry } from './memory/entry';
import type { Journal } from './memory/journal';
import { ItemKeys } from './itemKeys';
import { runInLanes, type Job } from './lanes';
import type { Mailing } from './mailing';
import type { Order, Recipient } from './message';
import { Pace } from './pace/pace';
import { Pacer } from './pace/batching';
import { Plan } from './plan';
import { Replays } from './replays';
import { Sender } from './sender';
import type { SendOnce } from './memory/sendOnce';
import type { DeliverySettings } from './deliverySettings';
import { isFailure, keyTaken, NOT_BEGUN, OPTED_OUT, unlessSent } from './shipment';
import type { Addressee, NamedAddressee, Shipment } from './shipment';

/** How often a request is filled up with further recipients after keys turned out to be known. */
const MOST_TOP_UPS = 3;

/** What a delivery needs from outside. */
export interface Surroundings {
	settings: DeliverySettings;
	journal: Journal;
	sendOnce: SendOnce;
	/** Aborts when the execution is canceled. */
	cancelled?: AbortSignal;
	log(message: string): void;
}

/** Sends the messages of one run of the node: plans mailings, fills shipments, sends and settles them. */
export class Delivery {
	private readonly pacer: Pacer;
	private readonly pace: Pace;
	private readonly plan: Plan;
	private readonly halting = new AbortController();
	private readonly keys: ItemKeys;
	private readonly replays: Replays;

	constructor(
		private readonly around: Surroundings,
		private readonly items: number,
		private readonly read: (index: number) => Promise<Order>,
	) {
		const { settings, log, journal } = around;
		this.pacer = new Pacer(settings, this.halt, log);
		this.pace = Pace.join(settings.subscription, settings, this.halt);
		this.replays = new Replays(journal, settings.resendUncertain);
		const { sendOnce, cancelled } = around;
		const { resendUncertain } = settings;
		this.keys = new ItemKeys(journal, sendOnce, resendUncertain, this.halt, cancelled);
		this.plan = new Plan(journal, (key, order) => this.replays.of(key, order, this.plan));
	}

	/** Everybody whom the items ask for, with what became of the message. */
	get addressees(): readonly Addressee[] {
		return this.plan.addressees;
	}

	/** Keys that n8n could not free although their messages were not sent. */
	get stuckKeys(): readonly string[] {
		return this.keys.stuck;
	}

	/** Aborts when nothing new may begin: after a failure that stops the node, or a cancellation. */
	get halt(): AbortSignal {
		return this.halting.signal;
	}

	/** Resolves when everything is sent, or when nothing more may begin and no request is under way. */
	async run(): Promise<void> {
		const { cancelled, settings } = this.around;
		const halt = () => {
			this.halting.abort();
			// n8n stores a canceled execution next; the keys of what has not begun will be free.
			this.around.journal.dropKeysOfUnsent();
		};
		if (cancelled?.aborted) halt();
		cancelled?.addEventListener('abort', halt);
		try {
			await runInLanes(this.jobs(), settings.maxConcurrency);
		} finally {
			cancelled?.removeEventListener('abort', halt);
			this.pace.leave();
		}
		if (cancelled?.aborted) this.tellWhatWasNotBegun();
	}

	/**
	 * A message that travels alone is ready as soon as its item is read. Bulk texts wait until all items are
	 * read, so that equal ones travel together and nothing goes out if a wrong item stops the node.
	 */
	private async *jobs(): AsyncGenerator<Job> {
		const breather = new Breather();
		for (let index = 0; index < this.items && !this.halt.aborted; index++) {
			if (breather.isDue()) await breather.breathe();
			const order = await this.readOrder(index);
			const mailing = order && this.plan.add(order);
			if (mailing?.message.travels === 'alone') yield* this.jobOf(mailing);
		}
		for (const mailing of this.plan.bulk) yield* this.jobOf(mailing);
	}

	private async *jobOf(mailing: Mailing): AsyncGenerator<Job> {
		const breather = new Breather();
		for (const addressee of mailing.all()) {
			if (breather.isDue()) await breather.breathe();
			this.decide(addressee, mailing);
		}
		if (mailing.hasNext()) {
			yield { lane: mailing.lane, run: async () => await this.send(mailing) };
		}
	}

	/** Reads an item. If it cannot be sent, the reason becomes its result. */
	private async readOrder(index: number): Promise<Order | undefined> {
		try {
			const order = await this.read(index);
			const { sendOnce, settings } = this.around;
			// The first item with a key has it, even if its message goes out after those of later items.
			// An item whose recipients have all opted out sends nothing, and leaves the key to others.
			const isSent = order.message.recipients.some((to) => !isOptedOut(to, settings));
			if (isSent) sendOnce.isTaken(order.sendOnceKey, index);
			return order;
		} catch (error) {
			const failure = notSentBecauseOf(error);
			const addressee = this.replays.unlessSentBefore(index, failure);
			this.plan.addressees.push(addressee);
			if (addressee.instead === failure) this.stopAt(failure);
			return undefined;
		}
	}

	/** Writes down what is known of an addressee before anything is sent. */
	private decide(addressee: NamedAddressee, { key, carriers }: Mailing): void {
		const { settings, journal, sendOnce } = this.around;
		const { recipient, sendOnceKey, item } = addressee;
		const heldBack = journal.whyHeldBack();
		const earlier = carriers.find(recipient);
		const isSkipped = isOptedOut(recipient, settings);
		const isTaken = !isSkipped && sendOnce.isTaken(sendOnceKey, item);
		// A bulk request of an earlier try may belong to another item; a request of one message belongs to this item.
		if (earlier?.isReplayed && !(isTaken && earlier.isBulk)) addressee.shipment = earlier;
		else if (isTaken) addressee.instead = keyTaken(sendOnceKey, true);
		else if (isSkipped) addressee.instead = OPTED_OUT;
		else if (heldBack) addressee.instead = heldBack;
		else if (this.replays.goOutAgain(key, [recipient])) addressee.isAgain = true;
	}

	private async send(mailing: Mailing): Promise<void> {
		const isList = mailing.message.travels === 'asList';
		while (!this.halt.aborted && mailing.hasNext()) {
			const turn = await this.pacer.turn();
			const shipment = newShipment(mailing);
			const filled: Addressee[] = [];
			const outcome = await this.ship(shipment, mailing, filled);
			if (outcome === undefined || outcome === NOT_BEGUN) turn.giveBack();
			else shipment.outcome = outcome;
			if (!isList) await this.keys.free(filled, mailing);
			if (shipment.outcome) this.stopAt(shipment.outcome);
		}
		// The one key of a list depends on all of its requests.
		if (isList) await this.keys.free(mailing.all(), mailing);
	}

	/**
	 * Sends one request. It is filled, and its keys are recorded, only when its turn has come, because nobody
	 * knows how long that takes. The journal has it from when it begins.
	 *
	 * @param filled receives the addressees of the request
	 * @returns undefined if nobody is left to send to
	 */
	private async ship(
		shipment: Shipment,
		mailing: Mailing,
		filled: Addressee[],
	): Promise<Outcome | undefined> {
		const { key, message, order } = mailing;
		const { recipients } = shipment;
		const exchange = async (request: GatewayRequest): Promise<Outcome> => {
			let note: ReturnType<Journal['begin']> | undefined;
			const outcome = await order.exchange(request, () => {
				note = this.begin(shipment, mailing, filled);
			});
			note?.(outcome);
			return outcome;
		};
		const sender = new Sender(exchange, this.pace, this.around.settings.maxRetries, this.halt);
		const outcome = await sender.send(async () => {
			await this.fill(shipment, mailing, filled);
			if (this.halt.aborted || recipients.length === 0) return undefined;
			return await message.requestTo(recipients.map(({ to }) => to));
		});
		if (!outcome) return undefined;
		// The gateway asked for such a long pause that the request was not even filled.
		if (recipients.length === 0 && isFailure(outcome)) {
			this.assign(mailing.take(this.roomIn(shipment)), shipment, mailing);
		}
		if (outcome === NOT_BEGUN || outcome.outcome !== 'notSent') return outcome;
		return this.replays.goOutAgain(key, recipients) ? unlessSent(outcome) : outcome;
	}

	/** Writes into the journal that a request begins. */
	private begin(shipment: Shipment, { key, message }: Mailing, filled: Addressee[]) {
		const { journal } = this.around;
		const own = filled.filter((addressee) => addressee.shipment === shipment);
		const items = own.map(({ item }) => item);
		const device = journal.deviceOf(message);
		const entry = shipment.isBulk
			? bulkEntry(shipment.recipients, items, device)
			: journal.entryOf(message);
		return journal.begin(key, entry);
	}

	/** Puts the next recipients into a shipment, once their keys are recorded. */
	private async fill(shipment: Shipment, mailing: Mailing, filled: Addressee[]): Promise<void> {
		for (let calls = 0; calls <= MOST_TOP_UPS && !this.halt.aborted; calls++) {
			const next = mailing.take(this.roomIn(shipment));
			if (next.length === 0) return;
			const failure = await this.keys.claim(next, mailing);
			if (failure) this.stopAt(failure);
			filled.push(...this.assign(next, shipment, mailing));
		}
	}

	private roomIn({ isBulk, recipients }: Shipment): number {
		const most = isBulk ? this.around.settings.numbersPerRequest || Infinity : 1;
		return most - recipients.length;
	}

	/** Links addressees to the shipment that carries their message: this one, or an earlier one. */
	private assign(next: NamedAddressee[], shipment: Shipment, { carriers }: Mailing): Addressee[] {
		const assigned = next.filter(({ instead }) => !instead);
		for (const addressee of assigned) {
			const { recipient } = addressee;
			const earlier = carriers.find(recipient);
			addressee.shipment = earlier ?? shipment;
			if (earlier) continue;
			shipment.recipients.push(recipient);
			carriers.add(recipient, shipment);
		}
		return assigned;
	}

	/** Begins nothing new after a failure that stops the node. */
	private stopAt(outcome: Outcome): void {
		if (!this.around.settings.continueOnFail && isFailure(outcome)) this.halting.abort();
	}

	/** In a canceled run, every item says whether it was begun. */
	private tellWhatWasNotBegun(): void {
		const read = new Set(this.addressees.map(({ item }) => item));
		// A request of this run may have carried the text to the number for another item.
		for (const mailing of this.plan.bulk) {
			for (const addressee of mailing.all()) {
				const carried = mailing.carriers.find(addressee.recipient);
				if (!addressee.instead && carried?.outcome) addressee.shipment ??= carried;
			}
		}
		for (const addressee of this.addressees) {
			if (addressee.shipment?.outcome) continue;
			addressee.instead ??= addressee.isAgain ? unlessSent(NOT_BEGUN) : NOT_BEGUN;
		}
		for (let item = 0; item < this.items; item++) {
			if (read.has(item)) continue;
			this.plan.addressees.push(this.replays.unlessSentBefore(item, NOT_BEGUN));
		}
	}
}

/** A number without its 0 may be that of somebody who opted out with it. */
function isOptedOut({ to, withZero }: Recipient, { skipNumbers }: DeliverySettings): boolean {
	return skipNumbers.has(to) || (withZero !== undefined && skipNumbers.has(withZero));
}

function newShipment({ message }: Mailing): Shipment {
	return { recipients: [], isBulk: message.travels !== 'alone', isReplayed: false };
}

import { notSentBecauseOf, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import { Breather } from '../shared/breather';
import { bulkEntry } from './memory/journalEntry';
import type { Journal } from './memory/journal';
import { RunKeys } from './runKeys';
import { runInLanes, type Job } from './lanes';
import type { Mailing } from './mailing';
import type { Order, Recipient } from './message';
import { Pace } from './pace/pace';
import { Batching } from './pace/batching';
import { Grouping } from './grouping';
import { EarlierTries } from './earlierTries';
import { Sender } from './sender';
import type { KeyHistory } from './memory/keyHistory';
import type { DeliverySettings } from './deliverySettings';
import { isFailure, keyTaken, NOT_BEGUN, OPTED_OUT, unlessSent } from './shipment';
import type { Row, RecipientRow, Shipment } from './shipment';

/** How often a request is filled up with further recipients after keys turned out to be known. */
const MOST_TOP_UPS = 3;

/** What a delivery needs from outside. */
export interface DeliveryOptions {
	settings: DeliverySettings;
	journal: Journal;
	keyHistory: KeyHistory;
	/** Aborts when the execution is canceled. */
	cancelled?: AbortSignal;
	log(message: string): void;
}

/** Sends the messages of one run of the node: plans mailings, fills shipments, sends and settles them. */
export class Delivery {
	private readonly batching: Batching;
	private readonly pace: Pace;
	private readonly plan: Grouping;
	private readonly halting = new AbortController();
	private readonly keys: RunKeys;
	private readonly earlierTries: EarlierTries;

	constructor(
		private readonly around: DeliveryOptions,
		private readonly items: number,
		private readonly read: (index: number) => Promise<Order>,
	) {
		const { settings, log, journal } = around;
		this.batching = new Batching(settings, this.halt, log);
		this.pace = Pace.join(settings.subscription, settings, this.halt);
		this.earlierTries = new EarlierTries(journal, settings.resendUncertain);
		const { keyHistory, cancelled } = around;
		const { resendUncertain } = settings;
		this.keys = new RunKeys(journal, keyHistory, resendUncertain, this.halt, cancelled);
		this.plan = new Grouping(journal, (key, order) =>
			this.earlierTries.shipmentsOf(key, order, this.plan),
		);
	}

	/** Everybody whom the items ask for, with what became of the message. */
	get rows(): readonly Row[] {
		return this.plan.rows;
	}

	/** Keys that n8n could not free although their messages were not sent. */
	get unreleasedKeys(): readonly string[] {
		return this.keys.unreleased;
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
			if (mailing?.message.travels === 'single') yield* this.jobOf(mailing);
		}
		for (const mailing of this.plan.bulk) yield* this.jobOf(mailing);
	}

	private async *jobOf(mailing: Mailing): AsyncGenerator<Job> {
		const breather = new Breather();
		for (const row of mailing.all()) {
			if (breather.isDue()) await breather.breathe();
			this.decide(row, mailing);
		}
		if (mailing.hasNext()) {
			yield { lane: mailing.lane, run: async () => await this.send(mailing) };
		}
	}

	/** Reads an item. If it cannot be sent, the reason becomes its result. */
	private async readOrder(index: number): Promise<Order | undefined> {
		try {
			const order = await this.read(index);
			const { keyHistory, settings } = this.around;
			// The first item with a key has it, even if its message goes out after those of later items.
			// An item whose recipients have all opted out sends nothing, and leaves the key to others.
			const isSent = order.message.recipients.some((to) => !isOptedOut(to, settings));
			if (isSent) keyHistory.isTaken(order.sendOnceKey, index);
			return order;
		} catch (error) {
			const failure = notSentBecauseOf(error);
			const row = this.earlierTries.rowUnlessSent(index, failure);
			this.plan.rows.push(row);
			if (row.reason === failure) this.stopAt(failure);
			return undefined;
		}
	}

	/** Writes down what is known of an row before anything is sent. */
	private decide(row: RecipientRow, { fingerprint, shipments }: Mailing): void {
		const { settings, journal, keyHistory } = this.around;
		const { recipient, sendOnceKey, item } = row;
		const heldBack = journal.whyHeldBack();
		const earlier = shipments.find(recipient);
		const isSkipped = isOptedOut(recipient, settings);
		const isTaken = !isSkipped && keyHistory.isTaken(sendOnceKey, item);
		// A bulk request of an earlier try may belong to another item; a request of one message belongs to this item.
		if (earlier?.isEarlier && !(isTaken && earlier.isBulk)) row.shipment = earlier;
		else if (isTaken) row.reason = keyTaken(sendOnceKey, true);
		else if (isSkipped) row.reason = OPTED_OUT;
		else if (heldBack) row.reason = heldBack;
		else if (this.earlierTries.isResend(fingerprint, [recipient])) row.isResent = true;
	}

	private async send(mailing: Mailing): Promise<void> {
		const isList = mailing.message.travels === 'list';
		while (!this.halt.aborted && mailing.hasNext()) {
			const turn = await this.batching.turn();
			const shipment = newShipment(mailing);
			const filled: Row[] = [];
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
	 * @param filled receives the rows of the request
	 * @returns undefined if nobody is left to send to
	 */
	private async ship(
		shipment: Shipment,
		mailing: Mailing,
		filled: Row[],
	): Promise<Outcome | undefined> {
		const { fingerprint, message, order } = mailing;
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
		return this.earlierTries.isResend(fingerprint, recipients) ? unlessSent(outcome) : outcome;
	}

	/** Writes into the journal that a request begins. */
	private begin(shipment: Shipment, { fingerprint, message }: Mailing, filled: Row[]) {
		const { journal } = this.around;
		const own = filled.filter((row) => row.shipment === shipment);
		const items = own.map(({ item }) => item);
		const device = journal.deviceOf(message);
		const entry = shipment.isBulk
			? bulkEntry(shipment.recipients, items, device)
			: journal.entryOf(message);
		return journal.begin(fingerprint, entry);
	}

	/** Puts the next recipients into a shipment, once their keys are recorded. */
	private async fill(shipment: Shipment, mailing: Mailing, filled: Row[]): Promise<void> {
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

	/** Links rows to the shipment that carries their message: this one, or an earlier one. */
	private assign(next: RecipientRow[], shipment: Shipment, { shipments }: Mailing): Row[] {
		const assigned = next.filter(({ reason }) => !reason);
		for (const row of assigned) {
			const { recipient } = row;
			const earlier = shipments.find(recipient);
			row.shipment = earlier ?? shipment;
			if (earlier) continue;
			shipment.recipients.push(recipient);
			shipments.add(recipient, shipment);
		}
		return assigned;
	}

	/** Begins nothing new after a failure that stops the node. */
	private stopAt(outcome: Outcome): void {
		if (!this.around.settings.continueOnFail && isFailure(outcome)) this.halting.abort();
	}

	/** In a canceled run, every item says whether it was begun. */
	private tellWhatWasNotBegun(): void {
		const read = new Set(this.rows.map(({ item }) => item));
		// A request of this run may have carried the text to the number for another item.
		for (const mailing of this.plan.bulk) {
			for (const row of mailing.all()) {
				const carried = mailing.shipments.find(row.recipient);
				if (!row.reason && carried?.outcome) row.shipment ??= carried;
			}
		}
		for (const row of this.rows) {
			if (row.shipment?.outcome) continue;
			row.reason ??= row.isResent ? unlessSent(NOT_BEGUN) : NOT_BEGUN;
		}
		for (let item = 0; item < this.items; item++) {
			if (read.has(item)) continue;
			this.plan.rows.push(this.earlierTries.rowUnlessSent(item, NOT_BEGUN));
		}
	}
}

/** A number without its 0 may be that of somebody who opted out with it. */
function isOptedOut({ to, withZero }: Recipient, { skipNumbers }: DeliverySettings): boolean {
	return skipNumbers.has(to) || (withZero !== undefined && skipNumbers.has(withZero));
}

function newShipment({ message }: Mailing): Shipment {
	return { recipients: [], isBulk: message.travels !== 'single', isEarlier: false };
}

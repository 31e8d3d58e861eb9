import type { Failure, Outcome } from '../gateway/outcome';
import type { Gateway, GatewayRequest } from '../gateway/request';
import { Breather } from '../shared/time';
import type { DeliverySettings } from './deliverySettings';
import type { Mailing } from './mailing';
import type { Journal } from './memory/journal';
import type { Recipient } from './message';
import type { Pace } from './pace/pace';
import { RequestFile } from './requestFile';
import type { RecipientRow } from './row';
import type { RunKeys } from './runKeys';
import { send } from './sender';
import { failureOf, isFailure, type Shipment } from './shipment';

/** How often a request is topped up with further recipients, in place of those whose keys were already known. */
const MOST_TOP_UPS = 3;

/** What all requests of one run share. */
export interface DispatchOptions {
	settings: Pick<DeliverySettings, 'maxRetries' | 'numbersPerRequest'>;
	journal: Journal;
	keys: RunKeys;
	gateway: Gateway;
	pace: Pace;
	/** Aborts when nothing new may begin. */
	halt: AbortSignal;
	/** Called before the rows of a request are sent. */
	markBegun(rows: readonly RecipientRow[]): Promise<void>;
	/** Called if the keys of a request could not be recorded. */
	onFailure(failure: Failure): void;
}

/** One request of a mailing: is filled with recipients, sent, and written into the journal. */
export class Dispatch {
	/** The rows that were assigned to this request, or whose number an earlier request carries. */
	readonly rows: RecipientRow[] = [];
	private readonly shipment: Shipment;
	/** Whom the request is for. */
	private readonly recipients: Recipient[] = [];
	private readonly file: RequestFile;
	private request?: GatewayRequest;

	constructor(
		private readonly options: DispatchOptions,
		private readonly mailing: Mailing,
	) {
		const isBulk = mailing.message.travels !== 'single';
		this.shipment = { isBulk, isEarlier: false };
		this.file = new RequestFile(mailing.message, options.halt);
	}

	/**
	 * Resolves to the outcome of the request, which its rows then share; to undefined if nobody was left to send to, or
	 * everything had halted. Never throws.
	 *
	 * The request is filled, and its keys are recorded, only when it may begin, because the wait can have any length. If
	 * n8n's database is slow to record them, the request keeps its place in the plan, and delays nobody else.
	 */
	async send(): Promise<Outcome | undefined> {
		const { shipment, file } = this;
		const { pace, settings, halt } = this.options;
		const steps = {
			get isOpen() {
				return file.isOpen;
			},
			open: async () => await file.open(),
			make: async () => await this.make(),
			exchange: async (request: GatewayRequest) => await this.exchange(request),
			close: () => file.release(),
		};
		const outcome = await send(steps, { pace, halt, maxRetries: settings.maxRetries });
		if (!outcome) return undefined;
		// The gateway asked for such a long pause that the request was not even filled.
		if (this.recipients.length === 0 && isFailure(outcome)) this.assign(this.take());
		const isResent = this.rows.some((row) => row.isResent && row.shipment === shipment);
		shipment.outcome = isFailure(outcome) ? failureOf({ isResent }, outcome) : outcome;
		return outcome;
	}

	private async make(): Promise<GatewayRequest | undefined> {
		// When it is opened again for another try, the file may have changed, or be gone.
		if (this.request) await this.file.get();
		return (this.request ??= await this.makeOnce());
	}

	private async makeOnce(): Promise<GatewayRequest | undefined> {
		await this.fill();
		const { halt, markBegun } = this.options;
		if (halt.aborted || this.recipients.length === 0) return undefined;
		const file = await this.file.get();
		await markBegun(this.rows);
		const numbers = this.recipients.map(({ to }) => to);
		return this.mailing.message.requestTo(numbers, file);
	}

	/** Sends the request once. It is in the journal from the moment it begins. */
	private async exchange(request: GatewayRequest): Promise<Outcome> {
		let note: ReturnType<Journal['begin']> | undefined;
		const { timeout } = this.mailing.ready;
		const outcome = await this.options.gateway.exchange(request, timeout, () => {
			note = this.begin();
		});
		note?.(outcome);
		return outcome;
	}

	private begin(): ReturnType<Journal['begin']> {
		const { mailing, recipients } = this;
		// Other items may ask for the same message later, and share it then.
		const rows = recipients.flatMap((each) => mailing.copyFor(each).rows);
		const own = new Set(rows.filter(({ reason }) => !reason));
		return this.options.journal.begin([...own], mailing.message);
	}

	/** Puts the next recipients into the shipment, once their keys are recorded. */
	private async fill(): Promise<void> {
		const { keys, halt, onFailure } = this.options;
		const breather = new Breather();
		for (let topUps = 0; topUps <= MOST_TOP_UPS && !halt.aborted;) {
			const next = this.take();
			if (next.length === 0) return;
			const failure = await keys.claim(next, this.mailing);
			if (failure) onFailure(failure);
			this.assign(next);
			if (next.some(({ reason }) => reason)) topUps++;
			if (breather.isDue()) await breather.breathe();
		}
	}

	private take(): RecipientRow[] {
		const most = this.shipment.isBulk ? this.options.settings.numbersPerRequest || Infinity : 1;
		return this.mailing.take(most - this.recipients.length);
	}

	/** Links rows to the shipment that carries their message: this one, or an earlier one. */
	private assign(next: RecipientRow[]): void {
		const { shipment, mailing } = this;
		for (const row of next) {
			if (row.reason) continue;
			this.rows.push(row);
			const copy = mailing.copyFor(row.recipient);
			if (!copy.shipment) this.recipients.push(row.recipient);
			row.shipment = copy.shipment ??= shipment;
		}
	}
}

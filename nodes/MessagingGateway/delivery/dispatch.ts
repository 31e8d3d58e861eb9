import { type Failure, isFailure, type Outcome } from '../gateway/outcome';
import type { Gateway, GatewayRequest } from '../gateway/request';
import { Breather } from '../shared/time';
import type { DeliverySettings } from './deliverySettings';
import type { Ledger, RecipientEntry, Submission } from './ledger';
import type { Mailing } from './mailing';
import type { Journal } from './memory/journal';
import type { Pace } from './pace/pace';
import { RequestFile } from './requestFile';
import type { RunKeys } from './runKeys';
import { send } from './sender';

/** How often a request is topped up with further recipients, in place of those whose keys were already known. */
const MOST_TOP_UPS = 3;

/** What all requests of one run share. */
export interface DispatchOptions {
	settings: Pick<DeliverySettings, 'maxRetries' | 'numbersPerRequest'>;
	ledger: Ledger;
	journal: Journal;
	keys: RunKeys;
	gateway: Gateway;
	pace: Pace;
	/** Aborts when nothing new may begin. */
	halt: AbortSignal;
	/** Called before the entries of a request are sent. */
	markBegun(entries: readonly RecipientEntry[]): Promise<void>;
	/** Called if the keys of a request could not be recorded. */
	onFailure(failure: Failure): void;
}

/** One request of a mailing: is filled with recipients, sent, and written into the journal. */
export class Dispatch {
	/** The entries that were assigned to this request, or whose number an earlier request carries. */
	readonly entries: RecipientEntry[] = [];
	private readonly submission: Submission;
	/** One for each number that the request is for. */
	private readonly carried: RecipientEntry[] = [];
	private readonly file: RequestFile;
	private request?: GatewayRequest;

	constructor(
		private readonly options: DispatchOptions,
		private readonly mailing: Mailing,
	) {
		this.submission = { isBulk: mailing.message.travels !== 'single', isEarlier: false };
		this.file = new RequestFile(mailing.message, options.halt);
	}

	/**
	 * Resolves to the outcome of the request, which its entries then share; to undefined if nobody was left to send to, or
	 * everything had halted. Never throws.
	 *
	 * The request is filled, and its keys are recorded, only when it may begin, because the wait can have any length. If
	 * n8n's database is slow to record them, the request keeps its place in the plan, and delays nobody else.
	 */
	async send(): Promise<Outcome | undefined> {
		const { file } = this;
		const { pace, settings, halt, ledger } = this.options;
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
		if (this.carried.length === 0 && isFailure(outcome)) this.assign(this.take());
		ledger.settle(this.submission, outcome);
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
		if (halt.aborted || this.carried.length === 0) return undefined;
		const file = await this.file.get();
		await markBegun(this.entries);
		const numbers = this.carried.map(({ recipient }) => recipient.to);
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
		// Other items may ask for the same message later, and share it then.
		const asking = this.carried.flatMap(({ copy }) => copy.entries);
		const own = asking.filter(({ state: { is } }) => is === 'inRequest' || is === 'waiting');
		return this.options.journal.begin(own, this.mailing.message);
	}

	/** Puts the next recipients into the request, once their keys are recorded. */
	private async fill(): Promise<void> {
		const { halt } = this.options;
		const breather = new Breather();
		for (let topUps = 0; topUps <= MOST_TOP_UPS && !halt.aborted;) {
			const next = this.take();
			if (next.length === 0) return;
			await this.claim(next);
			const assigned = this.assign(next);
			if (assigned.length < next.length) topUps++;
			if (breather.isDue()) await breather.breathe();
		}
	}

	/** Claims the keys of the next recipients, and leaves out the items that do not get theirs. */
	private async claim(next: readonly RecipientEntry[]): Promise<void> {
		const { keys, ledger, onFailure } = this.options;
		const { mailing } = this;
		const { refused, failure } = await keys.claim(next);
		if (failure) onFailure(failure);
		if (refused.size === 0) return;
		// The one key of a list decides about all of its numbers.
		for (const entry of mailing.message.travels === 'list' ? mailing.all() : next) {
			const why = refused.get(entry.item);
			if (why) ledger.leaveOut(entry, why);
		}
	}

	private take(): RecipientEntry[] {
		const most = this.submission.isBulk ? this.options.settings.numbersPerRequest || Infinity : 1;
		return this.mailing.take(most - this.carried.length);
	}

	/** Puts those that still wait into the request that carries their message: this one, or an earlier one. */
	private assign(next: readonly RecipientEntry[]): RecipientEntry[] {
		const waiting = next.filter(({ state }) => state.is === 'waiting');
		for (const entry of waiting) {
			this.entries.push(entry);
			if (this.options.ledger.assign(entry, this.submission)) this.carried.push(entry);
		}
		return waiting;
	}
}

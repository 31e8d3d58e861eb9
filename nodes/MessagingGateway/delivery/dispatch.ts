import { type Failure, isFailure, type Outcome } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Upload } from '../shared/file';
import { Breather, unlessStopped } from '../shared/time';
import { leaveOutIfLate } from './late';
import type { Ledger, RecipientEntry, Submission } from './ledger';
import type { Mailing } from './mailing';
import type { Journal } from './memory/journal';
import type { QueueEntry, RateLimiter } from './pace/rateLimiter';
import type { RunContext } from './runContext';
import type { RunKeys } from './runKeys';
import { send } from './sender';

/** How often a request is topped up with further recipients, in place of those whose keys were already known. */
const MOST_TOP_UPS = 3;

/** Milliseconds that are left after the last request of a run that must end, to close it and to free its keys. */
const END_TIME = 3_000;

/** What all requests of one run share. */
export interface DispatchOptions {
	run: RunContext;
	ledger: Ledger;
	keys: RunKeys;
	limiter: RateLimiter;
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
	private carried: RecipientEntry[] = [];
	private file?: Promise<Upload>;
	private request?: GatewayRequest;

	constructor(
		private readonly options: DispatchOptions,
		private readonly mailing: Mailing,
	) {
		this.submission = { isBulk: mailing.message.travels !== 'single', isEarlier: false };
	}

	/**
	 * Resolves to the outcome of the request, which its entries then share; to undefined if nobody was left to send to, or
	 * everything had halted. Never throws.
	 */
	async send(): Promise<Outcome | undefined> {
		const { limiter, run, halt, ledger } = this.options;
		const attempt = async (entry: QueueEntry) => await this.attempt(entry);
		const outcome = await send(attempt, { limiter, halt, maxRetries: run.options.maxRetries });
		if (!outcome) return undefined;
		// The gateway asked for such a long pause that the request was not even filled.
		if (this.entries.length === 0 && isFailure(outcome)) this.assign(this.take());
		// Everybody was too late.
		if (this.carried.length === 0) return undefined;
		ledger.settle(this.submission, outcome);
		return outcome;
	}

	/**
	 * Sends the request once, when its turn has come. Resolves to undefined if there is nothing to send, or everything
	 * halts first.
	 */
	private async attempt(entry: QueueEntry): Promise<Outcome | undefined> {
		const { limiter, run, halt } = this.options;
		// No turn waits for the server of a file. If nobody waits for turns, a message whose key is known needs no file.
		if (!limiter.isFree) await this.openFile().catch(() => undefined);
		for (;;) {
			const permit = await limiter.permit(entry);
			if (!permit || 'outcome' in permit) return permit;
			let outcome: Outcome | undefined;
			try {
				const request = (this.request ??= await this.make());
				if (!request || halt.aborted) return undefined;
				if (this.dropLate()) {
					this.request = undefined;
					continue;
				}
				// The gateway may have become busy since. The request keeps its place in the queue.
				if (!permit.start()) continue;
				let note: ReturnType<Journal['begin']> | undefined;
				outcome = await run.ports.gateway.exchange(request, this.timeout, () => {
					note = this.begin();
				});
				note?.(outcome);
				return outcome;
			} finally {
				permit.end(outcome);
			}
		}
	}

	/** Fetches the file, if there is one, once for all tries. */
	private async openFile(): Promise<Upload | undefined> {
		const { halt, run } = this.options;
		const { message } = this.mailing;
		if (!message.openFile) return undefined;
		const opening = { stopped: halt, isPreview: run.mode !== 'send' };
		this.file ??= unlessStopped(halt, message.openFile(opening));
		return await this.file;
	}

	/**
	 * Fills the request. Its keys are recorded only when it may begin, because the wait can have any length. If n8n's
	 * database is slow to record them, the request keeps its place in the plan, and delays nobody else.
	 */
	private async make(): Promise<GatewayRequest | undefined> {
		await this.fill();
		const { halt, markBegun } = this.options;
		if (halt.aborted || this.carried.length === 0) return undefined;
		const file = await this.openFile();
		await markBegun(this.entries);
		const numbers = this.carried.map(({ recipient }) => recipient.to);
		return this.mailing.message.requestTo(numbers, file);
	}

	/** Leaves out those whose time has passed while the request waited. Returns whether a number left the request. */
	private dropLate(): boolean {
		const dropped = new Set(
			this.entries
				.filter(({ state }) => state.is === 'inRequest' && state.request === this.submission)
				.filter((entry) => leaveOutIfLate(this.options.ledger, entry))
				.map(({ copy }) => copy),
		);
		if (dropped.size > 0) this.carried = this.carried.filter(({ copy }) => !dropped.has(copy));
		return dropped.size > 0;
	}

	/** Milliseconds that the request may take; 0 is no limit. */
	private get timeout(): number {
		const { timeout } = this.mailing.ready;
		const left = this.options.run.n8n.endsAt - performance.now() - END_TIME;
		return left === Infinity ? timeout : Math.min(timeout || Infinity, Math.floor(left));
	}

	/** Writes the request into the journal when it begins. */
	private begin(): ReturnType<Journal['begin']> {
		// Other items may ask for the same message later, and share it then.
		const asking = this.carried.flatMap(({ copy }) => copy.entries);
		const own = asking.filter(({ state: { is } }) => is === 'inRequest' || is === 'waiting');
		return this.options.run.ports.journal.begin(own, this.mailing.message);
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

	/** Leaves out the next recipients who are too late, or whose items do not get their keys. */
	private async claim(next: readonly RecipientEntry[]): Promise<void> {
		const { keys, ledger, onFailure } = this.options;
		const { mailing } = this;
		for (const entry of next) leaveOutIfLate(ledger, entry);
		const { refused, failure } = await keys.claim(next.filter(isWaiting));
		if (failure) onFailure(failure);
		if (refused.size === 0) return;
		// The one key of a list decides about all of its numbers.
		for (const entry of mailing.message.travels === 'list' ? mailing.all() : next) {
			const why = refused.get(entry.item);
			if (why) ledger.leaveOut(entry, why);
		}
	}

	private take(): RecipientEntry[] {
		const most = this.submission.isBulk
			? this.options.run.options.numbersPerRequest || Infinity
			: 1;
		return this.mailing.take(most - this.carried.length);
	}

	/** Puts those that still wait into the request that carries their message: this one, or an earlier one. */
	private assign(next: readonly RecipientEntry[]): RecipientEntry[] {
		const waiting = next.filter(isWaiting);
		for (const entry of waiting) {
			this.entries.push(entry);
			if (this.options.ledger.assign(entry, this.submission)) this.carried.push(entry);
		}
		return waiting;
	}
}

function isWaiting({ state }: RecipientEntry): boolean {
	return state.is === 'waiting';
}

import { type Failure, notSentBecauseOf } from '../gateway/outcome';
import { Breather } from '../shared/time';
import type { EarlierTries } from './memory/earlierTries';
import type { Journal } from './memory/journal';
import type { Mailing } from './mailing';
import { type KeyHistory, StillHeld } from './memory/keyHistory';
import { keyTaken, type Row } from './row';
import { type Shipment, unlessSent } from './shipment';

/** Keys that are freed at once: n8n looks for each of them in its whole history. */
const MOST_FREED = 500;

/** The Send-Once Keys of the items of one run: records them before their messages go out, and frees them. */
export class RunKeys {
	/** Keys that n8n could not free although their messages were not sent. */
	readonly unreleased: string[] = [];
	/** Keys of messages that an earlier try has sent, which n8n could not record. */
	readonly unrecorded: string[] = [];
	/** Keys of messages that an earlier try has sent, or may have sent. */
	private readonly earlier = new Set<string>();
	/** Items whose key this execution has recorded. */
	private readonly claimed = new Set<number>();
	/** By key: the first item of this run that sends with it. */
	private readonly holders = new Map<string, number>();

	/**
	 * @param earlierTries the earlier tries of this execution, whose keys stay taken
	 * @param resendUncertain whether uncertain messages may be sent again
	 * @param halt aborts when nothing new may begin
	 * @param canceled aborts when the execution is canceled
	 */
	constructor(
		private readonly journal: Journal,
		private readonly history: KeyHistory,
		private readonly earlierTries: EarlierTries,
		private readonly resendUncertain: boolean,
		private readonly halt: AbortSignal,
		private readonly canceled?: AbortSignal,
	) {}

	/** Gives a key to an item, unless an earlier item of this run has it; '' is no key. */
	reserve(sendOnceKey: string, item: number): void {
		if (sendOnceKey !== '' && !this.holders.has(sendOnceKey)) this.holders.set(sendOnceKey, item);
	}

	/** Returns whether another item of this run has the key. */
	isReservedByAnother({ sendOnceKey, item }: Row): boolean {
		return this.holderOf(sendOnceKey, item) !== item;
	}

	/** Returns the first item of this run that has the key. */
	holderOf(sendOnceKey: string, item: number): number {
		return this.holders.get(sendOnceKey) ?? item;
	}

	/** Passes a key to another item, because the message of its holder was not sent. */
	handOver(sendOnceKey: string, item: number): void {
		this.holders.set(sendOnceKey, item);
	}

	/**
	 * Records the keys of items. An item whose key was sent before, or cannot be recorded, is left out.
	 *
	 * @returns the reason, if no key could be recorded
	 */
	async claim(rows: Row[], mailing: Mailing): Promise<Failure | undefined> {
		const { journal, history, claimed } = this;
		const asking = new Map<number, string>();
		for (const { item, sendOnceKey } of rows) {
			if (sendOnceKey === '' || claimed.has(item)) continue;
			if (journal.isOwnKey(item, sendOnceKey)) claimed.add(item);
			else asking.set(item, sendOnceKey);
		}
		if (asking.size === 0) return undefined;
		// The one key of a list decides about all of its numbers.
		const everybody = mailing.message.travels === 'list' ? mailing.all() : rows;
		const concerned = everybody.filter(({ item }) => asking.has(item));
		try {
			const known = await history.claim([...asking.values()]);
			for (const [item, sendOnceKey] of asking) {
				if (known.has(sendOnceKey)) continue;
				claimed.add(item);
				// n8n may already have stored a canceled execution, and the key will be free again.
				if (!this.halt.aborted) journal.keepKey(item, sendOnceKey);
			}
			for (const each of concerned.filter(({ sendOnceKey }) => known.has(sendOnceKey))) {
				each.shipment = undefined;
				each.reason ??= keyTaken(each.sendOnceKey, false);
			}
			return undefined;
		} catch (error) {
			const failure = notSentBecauseOf(error);
			// The part of a list that an earlier try sent stays sent.
			for (const each of concerned.filter(({ shipment }) => !shipment)) {
				each.reason ??= each.isResent ? unlessSent(failure) : failure;
			}
			return failure;
		}
	}

	/**
	 * Notes the key of a row that an earlier try has sent, or may have sent. The key may have been added or changed
	 * since, and later executions must find it, too.
	 */
	recordLater({ sendOnceKey, item }: Row): void {
		if (sendOnceKey === '' || this.journal.isOwnKey(item, sendOnceKey)) return;
		this.earlier.add(sendOnceKey);
	}

	/** Records the noted keys. Never throws. */
	async recordEarlier(): Promise<void> {
		try {
			await this.history.claim([...this.earlier]);
		} catch {
			for (const key of this.earlier) this.unrecorded.push(key);
		}
	}

	/** Frees the keys of messages that were certainly not sent, or may be sent again. */
	async free(rows: readonly Row[]): Promise<void> {
		const free = new Map<string, number>();
		const kept = new Set<string>();
		const breather = new Breather();
		for (const { item, sendOnceKey, shipment } of rows) {
			if (breather.isDue()) await breather.breathe();
			if (!this.claimed.has(item) || this.earlierTries.keepsKey(item)) continue;
			if (this.mayBeSentAgain(shipment)) free.set(sendOnceKey, item);
			else kept.add(sendOnceKey);
		}
		const keys = [...free].filter(([sendOnceKey]) => !kept.has(sendOnceKey));
		for (let from = 0; from < keys.length; from += MOST_FREED) {
			await this.freeAll(keys.slice(from, from + MOST_FREED));
		}
	}

	/** @param keys each with the item that it was recorded for */
	private async freeAll(keys: Array<[string, number]>): Promise<void> {
		const { journal, canceled } = this;
		// n8n stored a canceled execution at once: a key in that record is for its retry alone.
		const own = keys.filter(
			([key, item]) => canceled?.aborted !== true || !journal.isOwnKey(item, key),
		);
		// First: once a key is free, another execution may use it, and a retry of this one has to claim it again.
		journal.dropKeys(own.map(([, item]) => item));
		try {
			await this.history.free(own.map(([key]) => key));
		} catch (error) {
			for (const [key, item] of own) {
				this.unreleased.push(key);
				// Otherwise it may be free, and another execution may use it: a retry has to claim it again.
				if (error instanceof StillHeld) journal.keepKey(item, key);
			}
		}
	}

	private mayBeSentAgain(shipment?: Shipment): boolean {
		const outcome = shipment?.outcome?.outcome ?? 'notSent';
		return outcome === 'notSent' || (outcome === 'uncertain' && this.resendUncertain);
	}
}

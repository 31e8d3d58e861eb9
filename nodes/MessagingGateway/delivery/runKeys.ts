import { type Failure, notSentBecauseOf } from '../gateway/outcome';
import { Breather } from '../shared/time';
import type { EarlierTries } from './memory/earlierTries';
import type { Journal } from './memory/journal';
import type { Mailing } from './mailing';
import { type KeyHistory, StillHeld } from './memory/keyHistory';
import type { ReadyItem } from './message';
import { keyTaken, type RecipientRow, type Row, type Skipped } from './row';
import { failureOf, type Shipment } from './shipment';

/** Keys that are freed at once: n8n looks for each of them in its whole history. */
const MOST_FREED = 500;

interface RunKeysOptions {
	journal: Journal;
	history: KeyHistory;
	/** The earlier tries of this execution, whose keys stay taken. */
	earlierTries: EarlierTries;
	/** Whether uncertain messages may be sent again. */
	resendUncertain: boolean;
	/** Aborts when nothing new may begin. */
	halt: AbortSignal;
	/** Aborts when the execution is canceled. */
	canceled?: AbortSignal;
}

/** An item with a key, and its rows. */
interface Keyed {
	ready: ReadyItem;
	rows: readonly RecipientRow[];
}

/**
 * The Send-Once Keys of the items of one run.
 *
 * The first item that sends with a key holds it, even if later items go out earlier; the others with that key wait. The
 * key is recorded just before the message of its holder goes out. If that message was not sent, the key is free again,
 * and the next item holds it once all other items are done; otherwise those that wait stay skipped.
 */
export class RunKeys {
	/** Keys that n8n could not free, of messages that were not sent or may be sent again. */
	readonly unreleased: string[] = [];
	/** Keys that n8n could not record, of messages that an earlier try has sent, or may have sent. */
	readonly unrecorded: string[] = [];
	/** Keys of messages that an earlier try has sent, or may have sent. */
	private readonly earlier = new Set<string>();
	/** Items whose key this execution has recorded. */
	private readonly claimed = new Set<number>();
	/** By key: the item that may send with it. */
	private readonly holders = new Map<string, Keyed>();
	/** Items whose key another item holds. */
	private waiting: Keyed[] = [];

	constructor(private readonly options: RunKeysOptions) {}

	/** Adds the next item. It must be added before its rows are decided. */
	add(ready: ReadyItem, rows: readonly RecipientRow[]): void {
		const { sendOnceKey, message } = ready;
		if (sendOnceKey === '') return;
		const keyed = { ready, rows };
		if (this.holders.has(sendOnceKey)) this.waiting.push(keyed);
		// An item whose recipients have all opted out sends nothing, and leaves the key to others.
		else if (message.recipients.some(({ skip }) => !skip)) this.holders.set(sendOnceKey, keyed);
	}

	/** Returns why a row has to wait: another item of this run holds its key. */
	whyWaiting({ sendOnceKey, item }: Row): Skipped | undefined {
		const holder = this.holders.get(sendOnceKey);
		return holder && holder.ready.index !== item ? keyTaken(sendOnceKey, true) : undefined;
	}

	/** Whether an item waits for the key of another one. */
	get hasWaiting(): boolean {
		return this.waiting.length > 0;
	}

	/**
	 * Passes each key whose holder sent nothing on to the next item, and yields that item with its waiting rows. Call it
	 * until nothing waits. If nothing more may begin, no key changes hands, and all rows behind such a
	 * holder are left without a result.
	 */
	async *next(): AsyncGenerator<{ ready: ReadyItem; rows: RecipientRow[] }> {
		const { halt } = this.options;
		const breather = new Breather();
		const waiting = this.waiting;
		this.waiting = [];
		const given = new Set<string>();
		for (const keyed of waiting) {
			if (breather.isDue()) await breather.breathe();
			const { ready } = keyed;
			const { sendOnceKey } = ready;
			if (!halt.aborted && given.has(sendOnceKey)) {
				this.waiting.push(keyed);
				continue;
			}
			const holder = this.holders.get(sendOnceKey) as Keyed;
			if (holder.rows.some(mayBeSent)) continue;
			const rows = keyed.rows.filter(isSkippedByKey);
			for (const row of rows) row.reason = undefined;
			if (halt.aborted) continue;
			this.holders.set(sendOnceKey, keyed);
			// Its recipients have opted out, or an earlier try has sent it, without the key.
			if (rows.length === 0) continue;
			given.add(sendOnceKey);
			yield { ready, rows };
		}
	}

	/**
	 * Records the keys of items. An item whose key was sent before, or cannot be recorded, is left out.
	 *
	 * @returns the reason, if no key could be recorded
	 */
	async claim(rows: Row[], mailing: Mailing): Promise<Failure | undefined> {
		const { claimed } = this;
		const { journal, history, halt } = this.options;
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
				if (!halt.aborted) journal.keepKey(item, sendOnceKey);
			}
			for (const each of concerned.filter(({ sendOnceKey }) => known.has(sendOnceKey))) {
				if (each.shipment?.isEarlier) continue;
				each.shipment = undefined;
				each.reason ??= keyTaken(each.sendOnceKey, false);
			}
			return undefined;
		} catch (error) {
			const failure = notSentBecauseOf(error);
			// The part of a list that an earlier try sent stays sent.
			for (const each of concerned.filter(({ shipment }) => !shipment)) {
				each.reason ??= failureOf(each, failure);
			}
			return failure;
		}
	}

	/**
	 * Notes the key of a row that an earlier try has sent, or may have sent. The key may have been added or changed
	 * since, and later executions must find it, too.
	 */
	recordLater({ sendOnceKey, item }: Row): void {
		if (sendOnceKey === '' || this.options.journal.isOwnKey(item, sendOnceKey)) return;
		this.earlier.add(sendOnceKey);
	}

	/** Records the noted keys. Never throws. */
	async recordEarlier(): Promise<void> {
		try {
			await this.options.history.claim([...this.earlier]);
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
			if (!this.claimed.has(item) || this.options.earlierTries.keepsKey(item)) continue;
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
		const { journal, history, canceled } = this.options;
		// n8n stored a canceled execution at once: a key in that record is for its retry alone.
		const own = keys.filter(
			([key, item]) => canceled?.aborted !== true || !journal.isOwnKey(item, key),
		);
		// First: once a key is free, another execution may use it, and a retry of this one has to claim it again.
		journal.dropKeys(own.map(([, item]) => item));
		try {
			await history.free(own.map(([key]) => key));
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
		return outcome === 'notSent' || (outcome === 'uncertain' && this.options.resendUncertain);
	}
}

function isSkippedByKey({ reason }: Row): boolean {
	return reason?.outcome === 'skipped' && reason.why === 'sendOnceKey';
}

/** Whether the message went out, or may have, now or earlier: its key stays taken. */
function mayBeSent(row: Row): boolean {
	const outcome = row.shipment?.outcome ?? row.reason;
	return outcome?.outcome === 'accepted' || outcome?.outcome === 'uncertain' || isSkippedByKey(row);
}

import { notSentBecauseOf, type Failure } from '../gateway/outcome';
import type { Journal } from './memory/journal';
import type { Mailing } from './mailing';
import type { KeyHistory } from './memory/keyHistory';
import { keyTaken, unlessSent, type Row, type Shipment } from './shipment';

/** The Send-Once Keys of the items of one run: records them before their messages go out, and frees them. */
export class RunKeys {
	/** Keys that n8n could not free although their messages were not sent. */
	readonly unreleased: string[] = [];
	/** Items whose key this execution has recorded. */
	private readonly claimed = new Set<number>();

	/**
	 * @param resendUncertain whether what is uncertain may be sent again
	 * @param halt aborts when nothing new may begin
	 * @param cancelled aborts when the execution is canceled
	 */
	constructor(
		private readonly journal: Journal,
		private readonly sendOnce: KeyHistory,
		private readonly resendUncertain: boolean,
		private readonly halt: AbortSignal,
		private readonly cancelled?: AbortSignal,
	) {}

	/**
	 * Records the keys of items. An item whose key was sent before, or cannot be recorded, is left out.
	 *
	 * @returns the reason, if no key could be recorded
	 */
	async claim(rows: Row[], mailing: Mailing): Promise<Failure | undefined> {
		const { journal, sendOnce, claimed } = this;
		const asking = new Map<number, string>();
		for (const { item, sendOnceKey } of rows) {
			if (sendOnceKey === '' || claimed.has(item)) continue;
			if (journal.isOwnKey(mailing.fingerprint, sendOnceKey, item)) claimed.add(item);
			else asking.set(item, sendOnceKey);
		}
		// The one key of a list decides about all of its numbers.
		const everybody = mailing.message.travels === 'list' ? mailing.all() : rows;
		const concerned = everybody.filter(({ item }) => asking.has(item));
		try {
			const known = await sendOnce.claim([...asking.values()]);
			for (const [item, sendOnceKey] of asking) {
				if (known.has(sendOnceKey)) continue;
				claimed.add(item);
				// n8n may already have stored a canceled execution, and the key will be free again.
				if (!this.halt.aborted) journal.keepKey(mailing.fingerprint, sendOnceKey, item);
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

	/** Frees the keys of messages that were certainly not sent, or may be sent again. */
	async free(rows: readonly Row[], { fingerprint }: Mailing): Promise<void> {
		const { journal, sendOnce, unreleased } = this;
		const isFree = new Map<string, boolean>();
		// n8n stored a canceled execution at once: a key in that record is for its retry alone.
		const isStored = ({ item, sendOnceKey }: Row) =>
			this.cancelled?.aborted === true && journal.isOwnKey(fingerprint, sendOnceKey, item);
		const own = rows.filter((each) => this.claimed.has(each.item) && !isStored(each));
		for (const { sendOnceKey, shipment } of own) {
			const others = isFree.get(sendOnceKey) ?? true;
			isFree.set(sendOnceKey, others && this.mayBeSentAgain(shipment));
		}
		const keys = [...isFree].filter(([, free]) => free).map(([sendOnceKey]) => sendOnceKey);
		if (keys.length === 0) return;
		// First: once a key is free, another execution may use it, and a retry of this one has to claim it again.
		journal.dropKeys(fingerprint, keys);
		try {
			await sendOnce.free(keys);
		} catch {
			unreleased.push(...keys);
			for (const { item, sendOnceKey } of own) {
				if (isFree.get(sendOnceKey)) journal.keepKey(fingerprint, sendOnceKey, item);
			}
		}
	}

	private mayBeSentAgain(shipment?: Shipment): boolean {
		const outcome = shipment?.outcome?.outcome ?? 'notSent';
		return outcome === 'notSent' || (outcome === 'uncertain' && this.resendUncertain);
	}
}

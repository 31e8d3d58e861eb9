import { type Failure, LOOK_FIRST, type Outcome, uncertain } from '../../gateway/outcome';
import { getOrAdd } from '../../shared/getOrAdd';
import { Breather } from '../../shared/time';
import type { RecipientRow, Row } from '../row';
import type { Shipment } from '../shipment';
import type { Journal } from './journal';
import { itemsOf, type JournalEntry, keysOf, nameOf } from './record';
import { NOT_QUEUED_AGAIN } from './retryGuard';

/** An earlier try began a request, and nobody knows how it ended. */
export const UNKNOWN_END = uncertain({
	what: 'An earlier try of this execution could not find out whether the gateway took this message',
	advice: NOT_QUEUED_AGAIN,
});

/** An earlier execution sent a question, and the reply comes back to that one. */
export const REPLY_ELSEWHERE = uncertain({
	cause: 'replyElsewhere',
	what: 'An earlier execution has asked this question, and the answer to it cannot reach this one',
	fact: 'Nothing was queued this time.',
	advice:
		"To ask again, with a link that works, set the option 'Uncertain Messages on Retry' to 'Send Again'.",
});

/** What earlier tries of this execution have sent, which this one does not send again. */
export class EarlierTries {
	/** By item, and by the keys of a recipient. */
	private readonly tries = new Map<number, Map<string, JournalEntry[]>>();
	private readonly kept = new Map<number, boolean>();
	private readonly shipments = new Map<JournalEntry, Shipment>();

	/** @param resendUncertain whether what is uncertain goes out again */
	constructor(
		private readonly journal: Journal,
		private readonly resendUncertain: boolean,
	) {}

	/** Reads the journal. Must be called first. */
	async read(): Promise<void> {
		const breather = new Breather();
		for (const entry of this.journal.earlier) {
			for (const [item, names] of itemsOf(entry)) {
				const byKey = getOrAdd(this.tries, item, () => new Map<string, JournalEntry[]>());
				for (const name of names) {
					if (breather.isDue()) await breather.breathe();
					for (const key of keysOf(name)) getOrAdd(byKey, key, () => []).push(entry);
				}
			}
		}
	}

	/** Returns the earlier request that sent the message, or may have. Its recipient gets no new one. */
	shipmentOf(row: RecipientRow): Shipment | undefined {
		const done = this.triesOf(row).filter((each) => this.isDone(each));
		const entry = done.find(({ envelope }) => envelope) ?? done[0];
		return entry && this.toShipment(entry);
	}

	/** Returns whether all requests for an item were also for another one. */
	wereAlsoFor(other: number, item: number): boolean {
		const found = this.byKeyOf(other);
		return this.byKeyOf(item).every(
			(byKey) =>
				found.includes(byKey) ||
				[...byKey].every(([key, entries]) =>
					entries.every((entry) => found.some((each) => each.get(key)?.includes(entry))),
				),
		);
	}

	/** Returns whether an earlier try may have sent a message that goes out now. */
	isResend(row: RecipientRow): boolean {
		return this.journal.guard.gap !== undefined || this.triesOf(row).length > 0;
	}

	/** Returns whether the key of an item stays taken: it was sent, or may have been, even to a number that was corrected since. */
	keepsKey(item: number): boolean {
		return getOrAdd(this.kept, item, () =>
			this.triesOfItem(item).some((each) => this.isDone(each)),
		);
	}

	/** Returns the result of an item that this try did not send, but an earlier one may have sent. */
	rowUnlessSent(item: number, failure: Failure): Row {
		const entries = this.triesOfItem(item);
		const accepted = entries.find(({ envelope, isBulk }) => envelope && !isBulk);
		if (accepted) return { item, sendOnceKey: '', shipment: this.toShipment(accepted) };
		const heldBack = this.journal.guard.whyHeldBack();
		if (heldBack || entries.length === 0) {
			return { item, sendOnceKey: '', reason: heldBack ?? failure };
		}
		const what = `${failure.what}; an earlier try of this execution may have queued the message`;
		return {
			item,
			sendOnceKey: '',
			reason: uncertain({ origin: failure.origin, what, advice: LOOK_FIRST }),
		};
	}

	private triesOfItem(item: number): JournalEntry[] {
		return [...(this.tries.get(item)?.values() ?? [])].flat();
	}

	private triesOf({ item, recipient }: RecipientRow): JournalEntry[] {
		const found = this.byKeyOf(item);
		if (found.length === 0) return [];
		const keys = keysOf(nameOf(recipient));
		return found.flatMap((byKey) => keys.flatMap((key) => byKey.get(key) ?? []));
	}

	/** A request for an earlier item with the same list was for this item, too. */
	private byKeyOf(item: number): Array<Map<string, JournalEntry[]>> {
		const items = [item, ...(this.journal.earlierSame[item] ?? [])];
		return items.flatMap((each) => this.tries.get(each) ?? []);
	}

	/** Returns whether a request is not repeated: the gateway took it, or it is uncertain and stays so. */
	private isDone(entry: JournalEntry): boolean {
		const isCertain = entry.envelope !== undefined && !this.journal.isReplyElsewhere(entry);
		return isCertain || !this.resendUncertain || this.journal.guard.whyHeldBack() !== undefined;
	}

	private outcomeOf(entry: JournalEntry): Outcome {
		const { envelope } = entry;
		if (!envelope) return UNKNOWN_END;
		if (!this.journal.isReplyElsewhere(entry)) return { outcome: 'accepted', envelope };
		return this.journal.guard.whyHeldBack() ?? REPLY_ELSEWHERE;
	}

	private toShipment(entry: JournalEntry): Shipment {
		return getOrAdd(this.shipments, entry, () => ({
			isBulk: entry.isBulk === true,
			isEarlier: true,
			outcome: this.outcomeOf(entry),
		}));
	}
}

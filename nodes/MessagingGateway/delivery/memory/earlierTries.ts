import { type Failure, LOOK_FIRST, type Outcome, uncertain } from '../../gateway/outcome';
import { getOrAdd } from '../../shared/getOrAdd';
import { Breather } from '../../shared/time';
import type { State, Submission } from '../ledger';
import type { Journal } from './journal';
import { itemsOf, type JournalEntry, keysOf, nameOf, type Sent } from './record';
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
	private readonly requests = new Map<JournalEntry, Submission>();

	private constructor(
		private readonly journal: Journal,
		private readonly resendUncertain: boolean,
	) {}

	/**
	 * Reads the journal.
	 *
	 * @param resendUncertain whether what is uncertain goes out again
	 */
	static async read(journal: Journal, resendUncertain: boolean): Promise<EarlierTries> {
		const read = new EarlierTries(journal, resendUncertain);
		const breather = new Breather();
		for (const entry of journal.earlier) {
			for (const [item, names] of itemsOf(entry)) {
				for (const name of names) {
					if (breather.isDue()) await breather.breathe();
					read.note(item, name, entry);
				}
			}
		}
		return read;
	}

	private note(item: number, name: string, entry: JournalEntry): void {
		const { tries, journal } = this;
		const same = journal.earlierSame[item] ?? [];
		for (const key of keysOf(name)) {
			// A request for an earlier item with the same list names this one, too, and that says no more.
			if (same.some((each) => tries.get(each)?.get(key)?.includes(entry))) continue;
			const byKey = getOrAdd(tries, item, () => new Map<string, JournalEntry[]>());
			getOrAdd(byKey, key, () => []).push(entry);
		}
	}

	/** Returns the earlier request that sent the message, or may have. Its recipient gets no new one. */
	requestOf(sent: Sent): Submission | undefined {
		const done = this.triesOf(sent).filter((each) => this.isDone(each));
		const entry = done.find(({ envelope }) => envelope) ?? done[0];
		return entry && this.toRequest(entry);
	}

	/** Returns the items whose requests were for this one: itself, and earlier ones with the same list. */
	sourcesOf(item: number): number[] {
		const items = [item, ...(this.journal.earlierSame[item] ?? [])];
		return items.filter((each) => this.tries.has(each)).sort((a, b) => a - b);
	}

	/** Returns whether an earlier try may have sent a message that goes out now. */
	isResend(sent: Sent): boolean {
		return this.journal.guard.gap !== undefined || this.triesOf(sent).length > 0;
	}

	/** Returns whether an item was sent, or may have been, and is not sent again, even to a number that was corrected since. */
	haveSent(item: number): boolean {
		return this.sourcesOf(item).some((source) =>
			this.triesOfItem(source).some((each) => this.isDone(each)),
		);
	}

	/** Returns what becomes of an item that this try did not send, but an earlier one may have sent. */
	unlessSent(item: number, failure: Failure): State {
		const own = this.triesOfItem(item);
		const accepted = own.find(({ envelope, isBulk }) => envelope && !isBulk);
		if (accepted) return { is: 'inRequest', request: this.toRequest(accepted) };
		const heldBack = this.journal.guard.whyHeldBack();
		const isNew = this.sourcesOf(item).length === 0;
		if (heldBack || isNew) return { is: 'leftOut', why: heldBack ?? failure };
		const what = `${failure.what}; an earlier try of this execution may have queued the message`;
		const why = uncertain({ origin: failure.origin, what, advice: LOOK_FIRST });
		return { is: 'leftOut', why };
	}

	private triesOfItem(item: number): JournalEntry[] {
		return [...(this.tries.get(item)?.values() ?? [])].flat();
	}

	private triesOf({ item, recipient }: Sent): JournalEntry[] {
		const sources = this.sourcesOf(item);
		if (sources.length === 0) return [];
		const keys = keysOf(nameOf(recipient));
		return sources.flatMap((each) => keys.flatMap((key) => this.tries.get(each)?.get(key) ?? []));
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

	private toRequest(entry: JournalEntry): Submission {
		return getOrAdd(this.requests, entry, () => ({
			isBulk: entry.isBulk === true,
			isEarlier: true,
			outcome: this.outcomeOf(entry),
		}));
	}
}

import { type Failure, notSentBecauseOf, type Outcome } from '../gateway/outcome';
import { Breather } from '../shared/time';
import { type Entry, resultOf } from './ledger';
import type { EarlierTries } from './memory/earlierTries';
import { OutOfTime, StillHeld } from './memory/keyHistory';
import type { ReadyItem } from './message';
import type { RunContext } from './runContext';
import { keyTaken, type Skipped } from './skipped';

/** Keys that are freed at once: n8n looks for each of them in its whole history. */
const MOST_FREED = 500;

/** What this run does with a key. */
interface KeyUse {
	readonly key: string;
	/** The one item that may send with it. */
	readonly item: number;
	/** `claimed` just before the first message of the item goes out, and then `kept`, or `freed` if nothing was sent. */
	state: 'none' | 'claimed' | 'kept' | 'freed';
}

/** Which items do not get their keys, and why. */
export interface Claimed {
	refused: ReadonlyMap<number, Skipped | Failure>;
	/** Why no key could be recorded. */
	failure?: Failure;
}

/**
 * The Send-Once Keys of the items of one run.
 *
 * The first item that sends with a key holds it, even if later items go out earlier; the others with that key are
 * skipped. The key is recorded just before the message of its holder goes out. If that message was not sent, the key is
 * free again for other executions.
 */
export class RunKeys {
	/** Keys that n8n could not free, of messages that were not sent or may be sent again. */
	readonly unreleased: string[] = [];
	/** Keys that n8n could not record, of messages that an earlier try has sent, or may have sent. */
	readonly unrecorded: string[] = [];
	private readonly uses = new Map<string, KeyUse>();

	/**
	 * @param earlierTries of this execution, whose keys stay taken
	 * @param halt aborts when nothing new may begin
	 */
	constructor(
		private readonly run: RunContext,
		private readonly earlierTries: EarlierTries,
		private readonly halt: AbortSignal,
	) {}

	/** Gives the next item its key. Returns whether an earlier one holds it. */
	hold({ index, sendOnceKey: key, message }: ReadyItem): boolean {
		const use = this.uses.get(key);
		// An item whose recipients have all opted out sends nothing, and leaves the key to others.
		if (key !== '' && !use && message.recipients.some(({ skip }) => !skip))
			this.uses.set(key, { key, item: index, state: 'none' });
		return use !== undefined;
	}

	/** Records the keys of items that are about to be sent, unless they are recorded. */
	async claim(entries: readonly Entry[]): Promise<Claimed> {
		const { halt } = this;
		const { journal, keyHistory } = this.run.ports;
		const asking = new Map<number, KeyUse>();
		for (const { item, sendOnceKey } of entries) {
			const use = this.uses.get(sendOnceKey);
			if (!use || use.state === 'claimed' || use.state === 'kept') continue;
			if (journal.isOwnKey(item, sendOnceKey)) this.noteClaimed(use);
			else asking.set(item, use);
		}
		const refused = new Map<number, Skipped | Failure>();
		try {
			const known = await keyHistory.claim([...asking.values()].map(({ key }) => key));
			for (const [item, use] of asking) {
				if (known.has(use.key)) refused.set(item, keyTaken(use.key, false));
				else {
					this.noteClaimed(use);
					// n8n may already have stored a canceled execution, and the key will be free again.
					if (!halt.aborted) journal.keepKey(item, use.key);
				}
			}
			return { refused };
		} catch (error) {
			// Nothing may begin any more, and the keys will be free.
			if (error instanceof OutOfTime) return { refused };
			const failure = notSentBecauseOf(error);
			for (const item of asking.keys()) refused.set(item, failure);
			return { refused, failure };
		}
	}

	/** An item that was sent before, or may have been, keeps its key, even if its number was corrected since. */
	private noteClaimed(use: KeyUse): void {
		use.state = this.earlierTries.haveSent(use.item) ? 'kept' : 'claimed';
	}

	/**
	 * Records the keys of entries that an earlier try has sent, or may have sent. A key may have been added or changed
	 * since, and later executions must find it, too. Never throws.
	 */
	async recordEarlier(entries: readonly Entry[]): Promise<void> {
		const { journal, keyHistory } = this.run.ports;
		const earlier = entries.filter(
			({ sendOnceKey, item, state }) =>
				sendOnceKey !== '' &&
				!journal.isOwnKey(item, sendOnceKey) &&
				(state.is === 'inRequest'
					? state.request.isEarlier
					: state.is === 'leftOut' && 'cause' in state.why && state.why.cause === 'interrupted'),
		);
		const keys = [...new Set(earlier.map(({ sendOnceKey }) => sendOnceKey))];
		await keyHistory.record(keys).catch(() => void this.unrecorded.push(...keys));
	}

	/** Frees the keys of entries that were certainly not sent, or may be sent again, and keeps the others. */
	async free(entries: readonly Entry[]): Promise<void> {
		const free = new Set<KeyUse>();
		const breather = new Breather();
		for (const entry of entries) {
			if (breather.isDue()) await breather.breathe();
			const use = this.uses.get(entry.sendOnceKey);
			if (use?.item !== entry.item || use.state !== 'claimed') continue;
			if (this.mayBeSentAgain(resultOf(entry))) free.add(use);
			else use.state = 'kept';
		}
		const uses = [...free].filter(({ state }) => state === 'claimed');
		for (let from = 0; from < uses.length; from += MOST_FREED) {
			await this.freeAll(uses.slice(from, from + MOST_FREED));
		}
	}

	private async freeAll(uses: readonly KeyUse[]): Promise<void> {
		const { journal, keyHistory, canceled } = this.run.ports;
		// n8n stored a canceled execution at once: a key in that record is for its retry alone.
		const own = uses.filter(
			({ key, item }) => canceled?.aborted !== true || !journal.isOwnKey(item, key),
		);
		for (const use of uses) use.state = own.includes(use) ? 'freed' : 'kept';
		// First: once a key is free, another execution may use it, and a retry of this one has to claim it again.
		journal.dropKeys(own.map(({ item }) => item));
		try {
			await keyHistory.free(own.map(({ key }) => key));
		} catch (error) {
			for (const { key, item } of own) {
				this.unreleased.push(key);
				// Otherwise it may be free, and another execution may use it: a retry has to claim it again.
				if (error instanceof StillHeld) journal.keepKey(item, key);
			}
		}
	}

	private mayBeSentAgain(result: Outcome | Skipped | undefined): boolean {
		if (result?.outcome === 'uncertain') return this.run.options.resendUncertain;
		return result?.outcome !== 'accepted';
	}
}

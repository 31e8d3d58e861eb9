import type { IExecuteFunctions } from 'n8n-workflow';

import { HistoryLock, isRowThere, type LockHelpers } from './historyLock';

/** Keys that are remembered for one node of one workflow. */
export const MOST_KEYS = 10_000;

/** Keys that this process remembers without n8n: those of the last minute, and at most this many. */
const MOST_RECENT = 1_000;
/** Milliseconds. */
const RECENT = 60_000;

/**
 * Keys that each call records again, to find out whether another worker has overwritten them. Few, as
 * n8n compares each with its whole history: 0.1 ms or more for one key among 10,000.
 */
const PROBES = 5;
/** The same, once another worker has overwritten some. */
const MOST_AGAIN = 200;
/** Milliseconds during which that is expected to happen again. */
const CROWDED = 3_600_000;

/** When another worker last overwrote keys of this process, in any queue. */
let overwrittenAt = -Infinity;

/** The calls of n8n's history that a queue makes. */
export type HistoryHelpers = LockHelpers & Pick<IExecuteFunctions['helpers'], 'removeProcessed'>;

interface Claim {
	keys: string[];
	resolve(known: Set<string>): void;
	reject(error: unknown): void;
}

/** Keys could not be freed, and still belong to those who recorded them. */
export class StillHeld extends Error {}

/** The queues in use, by workflow and node. */
const queues = new Map<string, KeyQueue>();

/**
 * The one queue in which all executions of this process call n8n's history of one node. n8n keeps it
 * in one row and reads and writes all of it in each call, so calls that overlap would overwrite each other,
 * and of two first calls the second would fail: each is made under the workflow's HistoryLock.
 *
 * Workers with an older release know no lock, and there is none while "Remove Duplicates" uses the lock's row. So
 * each call records the last keys again: a few of them, and many once another worker has been noticed. A
 * key that this process has recorded within the last minute is known here, even if the history lacks it.
 */
export class KeyQueue {
	/** Whether the last keys were recorded under the lock, so that no other worker can have got them, too. */
	hasLock = true;
	private users = 0;
	/** Claims that share the next call. */
	private waiting?: Claim[];
	private work: Promise<unknown> = Promise.resolve();
	/** The last keys that this process recorded, the oldest first, with the time. */
	private readonly recent = new Map<string, number>();

	private constructor(
		private readonly workflow: string,
		private readonly name: string,
	) {}

	static join(workflow: string, node: string): KeyQueue {
		const name = `${workflow}:${node}`;
		const queue = queues.get(name) ?? new KeyQueue(workflow, name);
		queues.set(name, queue);
		queue.users++;
		return queue;
	}

	/** How many queues are in use. */
	static get count(): number {
		return queues.size;
	}

	/** Resolves once all calls have ended, and their locks are released. */
	async ended(): Promise<void> {
		await this.work;
	}

	leave(): void {
		this.users--;
		if (this.users === 0) queues.delete(this.name);
	}

	/** Records keys, and resolves to those that had been recorded before, or by an earlier claim. */
	async claim(history: HistoryHelpers, keys: string[]): Promise<Set<string>> {
		return await new Promise((resolve, reject) => {
			const claim = { keys, resolve, reject };
			if (this.waiting) return void this.waiting.push(claim);
			const claims = (this.waiting = [claim]);
			void this.record(history, claims);
		});
	}

	/**
	 * Removes keys from the history.
	 *
	 * @throws StillHeld if that failed, and it is certain that nobody else has got them; another error if it is not
	 */
	async free(history: HistoryHelpers, keys: string[]): Promise<void> {
		// Claims from here on come after the keys are free.
		this.waiting = undefined;
		await this.underLock(history, async (lock) => {
			// Before the call: where that fails, n8n's history alone decides about the key.
			for (const key of keys) this.recent.delete(key);
			await history.removeProcessed(keys, 'node', { mode: 'entries' }).catch(async (error) => {
				if (!lock) throw error as Error;
				// They may be free all the same, but under the lock nobody else has got them yet.
				await recordIn(history, keys, lock);
				lock.check();
				throw new StillHeld();
			});
		});
	}

	/**
	 * Records the last keys again if another worker may have overwritten them; all of them if it has overwritten
	 * the very last.
	 */
	async recordAgain(history: HistoryHelpers): Promise<void> {
		const wasCrowded = isCrowded();
		if (this.hasLock && !wasCrowded) return;
		if (this.pruneRecent().length === 0) return;
		await this.claim(history, []);
		if (isCrowded() && !wasCrowded) await this.claim(history, []);
	}

	/** Makes one call at a time. */
	private async underLock(
		history: HistoryHelpers,
		call: (lock?: HistoryLock) => Promise<void>,
	): Promise<void> {
		const done = HistoryLock.hold(this.workflow, history, call);
		this.work = done.catch(() => undefined);
		await done;
	}

	private async record(history: HistoryHelpers, claims: Claim[]): Promise<void> {
		try {
			await this.underLock(history, async (lock) => {
				this.hasLock = lock !== undefined;
				// Claims that came while this one waited share the call.
				this.closeTo(claims);
				const again = this.pruneRecent();
				// In the first call ever, n8n calls all equal keys new, so each key is in a call only once.
				const keys = new Set([...again, ...claims.flatMap((claim) => claim.keys)]);
				const recorded = await recordIn(history, [...keys], lock);
				lock?.check();
				if (again.some((key) => !recorded.has(key))) overwrittenAt = performance.now();
				for (const claim of claims) {
					claim.resolve(new Set(claim.keys.filter((key) => this.isKnown(key, recorded))));
					// The first claim of a call gets a key as new; for the others it is known.
					for (const key of claim.keys) this.remember(key, recorded);
				}
			});
		} catch (error) {
			this.closeTo(claims);
			for (const { reject } of claims) reject(error);
		}
	}

	private closeTo(claims: Claim[]): void {
		if (this.waiting === claims) this.waiting = undefined;
	}

	private isKnown(key: string, recorded: Set<string>): boolean {
		return recorded.has(key) || this.recent.has(key);
	}

	private remember(key: string, recorded: Set<string>): void {
		if (!this.isKnown(key, recorded)) this.recent.set(key, performance.now());
	}

	/** Forgets keys that are no longer recent, and returns the newest of the others. */
	private pruneRecent(): string[] {
		const oldest = performance.now() - RECENT;
		for (const [key, recorded] of this.recent) {
			if (recorded >= oldest && this.recent.size <= MOST_RECENT) break;
			this.recent.delete(key);
		}
		return [...this.recent.keys()].slice(isCrowded() ? -MOST_AGAIN : -PROBES);
	}
}

function isCrowded(): boolean {
	return performance.now() - overwrittenAt < CROWDED;
}

/** Resolves to those of the keys that n8n had recorded before. */
async function recordIn(
	history: HistoryHelpers,
	keys: string[],
	lock?: HistoryLock,
): Promise<Set<string>> {
	if (keys.length === 0) return new Set();
	const options = {
		mode: 'entries' as const,
		/** n8n reads this when it has read the row and is about to write it: too late, and it writes nothing. */
		get maxEntries() {
			lock?.check();
			return MOST_KEYS;
		},
	};
	const record = async () => await history.checkProcessedAndRecord(keys, 'node', options);
	const { processed } = await record().catch(async (error) => {
		// Try again only if it is certain that nothing was recorded: another worker created the row first.
		// Otherwise keys that this call recorded would be taken for sent.
		return isRowThere(error) ? await record() : await Promise.reject(error as Error);
	});
	return new Set(processed.map(String));
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { getOrAdd } from '../../shared/getOrAdd';
import { InputError } from '../../shared/inputError';
import { endedBy } from '../../shared/time';
import { HistoryLock, isRowThere, type LockHelpers, record } from './historyLock';

/** Keys that are remembered for one node of one workflow. */
export const MOST_KEYS = 10_000;

/** The calls of n8n's history that record and free keys. */
export type HistoryHelpers = LockHelpers & Pick<IExecuteFunctions['helpers'], 'removeProcessed'>;

/** Keys could not be freed, and still belong to those who recorded them. */
export class StillHeld extends Error {}

/** The run has to end before n8n has recorded keys. They will be free. */
export class OutOfTime extends Error {}

/**
 * Which keys were sent, in this and in earlier executions, kept in n8n's own database.
 *
 * A key is recorded just before its message goes out, so a crash costs at most the messages under
 * way: their keys are recorded although nobody can say whether they were sent.
 */
export class KeyHistory {
	/** Undefined in a dry run. */
	private readonly access?: { queue: KeyQueue; history: HistoryHelpers };
	/** The keys that this run has recorded. */
	private readonly own = new Set<string>();

	/**
	 * @param history undefined for a dry run, which neither looks keys up nor records any
	 * @param workflow n8n keeps one history for each node of each workflow
	 * @param endsAt by `performance.now()`: n8n's database is not waited for any longer
	 */
	constructor(
		history: HistoryHelpers | undefined,
		workflow: string,
		node: string,
		private readonly endsAt = Infinity,
	) {
		// A dry run must not join the queue either: other executions would find its keys there.
		if (history) this.access = { queue: KeyQueue.join(workflow, node), history };
	}

	/** Whether keys were recorded without the lock, so that another worker can have got them at the same moment. */
	get lacksLock(): boolean {
		return this.access?.queue.hasLock === false && this.own.size > 0;
	}

	/**
	 * Records keys just before their messages go out, and resolves to those that had been recorded before.
	 *
	 * @throws OutOfTime if the run has to end first; InputError if n8n cannot record them
	 */
	async claim(keys: string[]): Promise<Set<string>> {
		const { access } = this;
		if (!access || keys.length === 0) return new Set();
		const { queue, history } = access;
		const claimed = queue.claim(history, keys).catch(() => undefined);
		const known = await endedBy(this.endsAt, claimed, () => {
			void claimed.then(async (late) => {
				const own = late ? keys.filter((key) => !late.has(key)) : [];
				if (own.length > 0) await queue.free(history, own).catch(() => undefined);
			});
			throw new OutOfTime();
		});
		if (!known) {
			throw new InputError(
				'n8n could not record the Send-Once Key',
				"Check that n8n's database is available. It may have recorded the key all the same: if a later execution skips the message, send it with another key.",
			);
		}
		for (const key of keys) if (!known.has(key)) this.own.add(key);
		return known;
	}

	/**
	 * Records keys of messages that were sent before.
	 *
	 * @throws an error if n8n cannot record them, or the run has to end first
	 */
	async record(keys: string[]): Promise<void> {
		const { access } = this;
		if (!access || keys.length === 0) return;
		await endedBy<unknown>(this.endsAt, access.queue.claim(access.history, keys), () => {
			throw new OutOfTime();
		});
	}

	/** Lets keys be sent again. */
	async free(keys: string[]): Promise<void> {
		const { access } = this;
		if (!access || keys.length === 0) return;
		for (const key of keys) this.own.delete(key);
		// If the run has to end first, the keys will be free a moment later.
		await endedBy(this.endsAt, access.queue.free(access.history, keys), () => undefined);
	}

	/**
	 * Ends the use of the history. Without the lock, another worker may have overwritten keys of this run, so they are
	 * recorded once more. Never throws.
	 */
	async close(): Promise<void> {
		const { access } = this;
		if (!access) return;
		try {
			if (this.lacksLock) await this.record([...this.own].slice(-MOST_RECENT));
		} catch {
			// The keys were recorded when they were claimed; this is only a second record.
		} finally {
			const left = access.queue.ended().then(() => access.queue.leave());
			await endedBy(this.endsAt, left, () => undefined);
		}
	}
}

/** Keys that this process remembers without n8n: those of the last minute, and at most this many. */
const MOST_RECENT = 1_000;
/** Milliseconds. */
const RECENT = 60_000;
/** Recent keys in each call without the lock. Few, as old releases of n8n need 0.1 ms for each. */
const MOST_AGAIN = 50;

interface Claim {
	keys: string[];
	resolve(known: Set<string>): void;
	reject(error: unknown): void;
}

/** The queues in use, by workflow and node. */
const queues = new Map<string, KeyQueue>();

/**
 * The one queue in which all executions of this process call n8n's history of one node. n8n keeps it
 * in one row and reads and writes all of it in each call, so calls that overlap would overwrite each other,
 * and of two first calls the second would fail: each is made under the workflow's HistoryLock.
 *
 * There is no lock while "Remove Duplicates" uses its row. Then workers overwrite each other's keys, and still no worker
 * may send a key twice: each call records the last keys again, and a key that this process has recorded within the
 * last minute is known here, even if the history lacks it.
 */
export class KeyQueue {
	/** Whether the last keys were recorded under the lock, so that no other worker can have got them, too. */
	hasLock?: boolean;
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
		const queue = getOrAdd(queues, name, () => new KeyQueue(workflow, name));
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
				this.forgetOld();
				const again = lock ? [] : [...this.recent.keys()].slice(-MOST_AGAIN);
				// In the first call ever, n8n calls all equal keys new, so each key is in a call only once.
				const keys = new Set([...again, ...claims.flatMap((claim) => claim.keys)]);
				const recorded = await recordIn(history, [...keys], lock);
				lock?.check();
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

	/** Forgets keys that are no longer recent. */
	private forgetOld(): void {
		const oldest = performance.now() - RECENT;
		for (const [key, recorded] of this.recent) {
			if (recorded >= oldest && this.recent.size <= MOST_RECENT) break;
			this.recent.delete(key);
		}
	}
}

/** Resolves to those of the keys that n8n had recorded before. */
async function recordIn(
	history: HistoryHelpers,
	keys: string[],
	lock?: HistoryLock,
): Promise<Set<string>> {
	const beforeWrite = () => {
		lock?.check();
		return MOST_KEYS;
	};
	const call = { scope: 'node', mode: 'entries', beforeWrite } as const;
	const { processed } = await record(history, keys, call).catch(async (error) => {
		// Try again only if it is certain that nothing was recorded: another worker created the row first.
		// Otherwise keys that this call recorded would be taken for sent.
		return isRowThere(error)
			? await record(history, keys, call)
			: await Promise.reject(error as Error);
	});
	return new Set(processed.map(String));
}

import { InputError } from '../../shared/inputError';
import { type HistoryHelpers, KeyQueue } from './keyQueue';

/**
 * Which keys were sent, in this and in earlier executions, kept in n8n's own database.
 *
 * A key is recorded just before its message goes out, so a crash costs at most the messages under
 * way: their keys are recorded although nobody can say whether they were sent.
 */
export class KeyHistory {
	/** Undefined in a dry run. */
	private readonly access?: { queue: KeyQueue; history: HistoryHelpers };
	private hasClaimed = false;

	/**
	 * @param history undefined for a dry run, which neither looks keys up nor records any
	 * @param workflow n8n keeps one history for each node of each workflow
	 */
	constructor(history: HistoryHelpers | undefined, workflow: string, node: string) {
		// A dry run must not join the queue either: other executions would find its keys there.
		if (history) this.access = { queue: KeyQueue.join(workflow, node), history };
	}

	/** Whether keys were recorded without the lock, so that another worker can have got them at the same moment. */
	get lacksLock(): boolean {
		return this.access?.queue.hasLock === false && this.hasClaimed;
	}

	/** Records keys as sent, and resolves to those that had been recorded before. */
	async claim(keys: string[]): Promise<Set<string>> {
		const { access } = this;
		if (!access || keys.length === 0) return new Set();
		const known = await access.queue.claim(access.history, keys).catch(() => undefined);
		if (!known) {
			throw new InputError(
				'n8n could not record the Send-Once Key',
				"Check that n8n's database is available.",
			);
		}
		if (known.size < keys.length) this.hasClaimed = true;
		return known;
	}

	/** Lets keys be sent again: it is certain that their messages were not. */
	async free(keys: string[]): Promise<void> {
		const { access } = this;
		if (access && keys.length > 0) await access.queue.free(access.history, keys);
	}

	/**
	 * Ends the use of the history, with a last record of the keys of this run, as another worker may
	 * have overwritten them. Never throws.
	 */
	async close(): Promise<void> {
		const { access } = this;
		if (!access) return;
		try {
			if (this.hasClaimed) await access.queue.recordAgain(access.history);
		} catch {
			// The keys were recorded when they were claimed; this is only a second record.
		} finally {
			await access.queue.ended();
			access.queue.leave();
		}
	}
}

import { InputError } from '../shared/inputError';
import { KeyLine, type History } from './keyLine';

/** A dry run neither asks n8n for keys nor records any. */
export const NO_HISTORY: History = {
	checkProcessedAndRecord: async (items) => ({ new: items, processed: [] }),
	removeProcessed: async () => undefined,
};

/**
 * Which keys were sent, in this and in earlier executions, kept in n8n's own database.
 *
 * A key is recorded just before its message goes out, so a crash costs at most the messages under
 * way: their keys are known although nobody can tell whether they arrived.
 */
export class SendOnce {
	private readonly inThisRun = new Map<string, number>();
	private readonly line: KeyLine;
	private hasClaimed = false;

	/** @param node the workflow and the node in it, as n8n keeps one history for each */
	constructor(
		private readonly history: History,
		node: string,
	) {
		this.line = KeyLine.join(node);
	}

	/** Whether another item of this run had the key first. */
	isTaken(key: string, itemIndex: number): boolean {
		const first = this.inThisRun.get(key) ?? itemIndex;
		this.inThisRun.set(key, first);
		return first !== itemIndex;
	}

	/** Records keys as sent, and resolves to those that had been recorded before. */
	async claim(keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		const known = await this.line.claim(this.history, keys).catch(() => undefined);
		if (!known) {
			throw new InputError(
				'n8n could not record the Send-Once Key',
				"Check that n8n's database is available.",
			);
		}
		if (known.size < keys.length) this.hasClaimed = true;
		return known;
	}

	/** Records one key, and resolves to whether it was new: of all who claim it, one gets it. */
	async claimOnce(key: string): Promise<boolean> {
		return (await this.claim([key])).size === 0;
	}

	/** Lets keys be sent again: it is certain that their messages were not. */
	async free(keys: string[]): Promise<void> {
		if (keys.length > 0) await this.line.free(this.history, keys);
	}

	/**
	 * Ends the use of the history, with a last record of the keys of this run, as another worker may
	 * have overwritten them. Never throws.
	 */
	async close(): Promise<void> {
		try {
			if (this.hasClaimed) await this.line.recordAgain(this.history);
		} catch {
			// The keys were recorded when they were claimed; nothing is known to be wrong with them.
		} finally {
			this.line.leave();
		}
	}
}

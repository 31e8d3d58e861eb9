import type { IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';

/** Keys that are remembered for one node of one workflow. */
const MOST_KEYS = 10_000;

type History = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** A dry run neither asks n8n for keys nor records any. */
export const NO_HISTORY: History = {
	checkProcessedAndRecord: async (items) => ({ new: items, processed: [] }),
	removeProcessed: async () => undefined,
};

interface Claim {
	keys: string[];
	resolve(known: Set<string>): void;
	reject(error: unknown): void;
}

/**
 * Which keys were sent, in this and in earlier executions, kept in n8n's own database.
 *
 * A key is recorded just before its message goes out, so a crash costs at most the messages under
 * way: their keys are known although nobody can tell whether they arrived. n8n reads and writes the
 * whole history at each call, so claims that come in while one is being recorded share the next.
 */
export class SendOnce {
	private readonly inThisRun = new Map<string, number>();
	private waiting: Claim[] = [];
	private work: Promise<void> = Promise.resolve();

	constructor(private readonly history: History) {}

	/** Whether another item of this run had the key first. */
	isTaken(key: string, itemIndex: number): boolean {
		const first = this.inThisRun.get(key) ?? itemIndex;
		this.inThisRun.set(key, first);
		return first !== itemIndex;
	}

	/** Records keys as sent, and resolves to those that had been recorded before. */
	async claim(keys: string[]): Promise<Set<string>> {
		if (keys.length === 0) return new Set();
		return await new Promise((resolve, reject) => {
			this.waiting.push({ keys, resolve, reject });
			if (this.waiting.length === 1) void this.inTurn(async () => await this.record());
		});
	}

	/** Records a key, and resolves to whether nobody had recorded it; false where n8n cannot tell. */
	async claimOnce(key: string): Promise<boolean> {
		try {
			return (await this.claim([key])).size === 0;
		} catch {
			return false;
		}
	}

	/** Lets keys be sent again: it is certain that their messages were not. */
	async free(keys: string[]): Promise<void> {
		if (keys.length === 0) return;
		await this.inTurn(async () => {
			await this.history.removeProcessed(keys, 'node', { mode: 'entries' });
		});
	}

	/** One call at a time: each reads and writes the whole history. */
	private async inTurn(call: () => Promise<void>): Promise<void> {
		const done = this.work.then(call);
		this.work = done.catch(() => undefined);
		await done;
	}

	private async record(): Promise<void> {
		const claims = this.waiting;
		this.waiting = [];
		try {
			const { processed } = await this.history.checkProcessedAndRecord(
				claims.flatMap(({ keys }) => keys),
				'node',
				{ mode: 'entries', maxEntries: MOST_KEYS },
			);
			const known = new Set(processed.map(String));
			for (const { keys, resolve } of claims) {
				resolve(new Set(keys.filter((key) => known.has(key))));
			}
		} catch {
			// Not tried again: had n8n recorded the keys all the same, they would count as sent.
			const error = new InputError(
				'n8n could not record the Send-Once Key',
				'Run this again. It happens where executions of this workflow overlap while the node has no record of keys yet.',
			);
			for (const { reject } of claims) reject(error);
		}
	}
}

import { createHash } from 'crypto';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Outcome } from '../gateway/outcome';
import type { Message } from './message';

/**
 * What became of a message in an earlier try of the same execution. A type, not an interface, as it
 * is stored as JSON: `envelope` where the gateway took it; without one it may have been queued.
 */
export type Entry = { envelope?: IDataObject; numbers?: string[] };

/** What is kept of one run of the node. */
interface Run {
	/** By message: one entry a request. */
	requests: Record<string, Entry[]>;
	/** By message: Send-Once Keys that were recorded, each with its item. */
	sendOnceKeys: Record<string, Record<string, number>>;
	/** Where n8n itself tries again: the execution, and by item the message of its last try. */
	tries?: { execution: string; messages: Record<string, string> };
}

/**
 * Remembers, inside n8n's own record of the execution, what has gone out, so that neither Retry On
 * Fail nor Retry Execution sends it again. An entry is written before its request begins: whatever
 * interrupts the node, what was under way counts as uncertain.
 *
 * Keyed by run, as a loop runs the node several times in one execution, and by what is sent, as a
 * corrected message has not been sent. Costs about 40 bytes a message and its envelope, or in bulk
 * 16 bytes a number and its key, and is gone once the run has succeeded.
 */
export class Journal {
	private readonly run: Run;
	private readonly before: Set<string>;
	private hashed = { identity: '', hash: '' };

	/** @param execution where n8n itself tries again: the execution that these tries belong to */
	constructor(
		private readonly context: IContextObject,
		private readonly runKey: string,
		execution?: string,
	) {
		const runs = (context.journal ??= {}) as unknown as Record<string, Run>;
		this.run = runs[runKey] ??= { requests: {}, sendOnceKeys: {} };
		this.before = new Set(Object.keys(this.run.requests));
		if (!execution) delete this.run.tries;
		else if (this.run.tries?.execution !== execution) this.run.tries = { execution, messages: {} };
	}

	/**
	 * What a message is remembered by: a hash of what is sent, and its item where it has a request of
	 * its own. Where n8n itself tries again, it is that of the try that sent it: nobody can have
	 * corrected the item since, and a text that holds the time reads differently each time.
	 */
	keyOf({ kind, identity }: Message, itemIndex: number): string {
		const hash = this.hashOf(identity);
		const key = kind === 'bulk' ? hash : `${itemIndex}:${hash}`;
		const { tries, requests, sendOnceKeys } = this.run;
		if (!tries) return key;
		const earlier = tries.messages[itemIndex];
		if (earlier && (requests[earlier] || sendOnceKeys[earlier])) return earlier;
		return (tries.messages[itemIndex] = key);
	}

	/** What earlier tries did with this message: one entry a request. */
	recall(key: string): readonly Entry[] {
		return this.run.requests[key] ?? [];
	}

	/** What earlier ones of n8n's own tries did with the message of an item that this try cannot read. */
	recallItem(itemIndex: number): readonly Entry[] {
		const key = this.run.tries?.messages[itemIndex];
		return key !== undefined && this.before.has(key) ? this.recall(key) : [];
	}

	/** Notes that a request begins, and returns the note of its end. */
	begin(key: string, numbers?: string[]): (outcome: Outcome) => void {
		const entry: Entry = numbers ? { numbers } : {};
		const entries = (this.run.requests[key] ??= []);
		entries.push(entry);
		return (outcome) => {
			if (outcome.outcome === 'accepted') entry.envelope = outcome.envelope;
			if (outcome.outcome === 'notSent') this.forget(key, entry);
		};
	}

	/** Whether this run recorded the Send-Once Key for the item itself, which may then go on with it. */
	isOwnKey(key: string, sendOnceKey: string, itemIndex: number): boolean {
		return this.run.sendOnceKeys[key]?.[sendOnceKey] === itemIndex;
	}

	keepKey(key: string, sendOnceKey: string, itemIndex: number): void {
		(this.run.sendOnceKeys[key] ??= {})[sendOnceKey] = itemIndex;
	}

	dropKeys(key: string, sendOnceKeys: string[]): void {
		const kept = this.run.sendOnceKeys[key] ?? {};
		for (const each of sendOnceKeys) delete kept[each];
		if (Object.keys(kept).length === 0) delete this.run.sendOnceKeys[key];
	}

	/** The run needs no memory any more. */
	close(): void {
		const runs = this.context.journal as unknown as Record<string, Run>;
		delete runs[this.runKey];
		if (Object.keys(runs).length === 0) delete this.context.journal;
	}

	private forget(key: string, entry: Entry): void {
		const left = this.recall(key).filter((each) => each !== entry);
		if (left.length > 0) this.run.requests[key] = left;
		else delete this.run.requests[key];
	}

	/** Items with one text come one after another: it is hashed once. */
	private hashOf(identity: string): string {
		if (this.hashed.identity !== identity) {
			const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 16);
			this.hashed = { identity, hash };
		}
		return this.hashed.hash;
	}
}

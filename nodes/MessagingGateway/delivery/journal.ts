import { createHash } from 'crypto';
import type { IContextObject, IDataObject } from 'n8n-workflow';

import type { Outcome } from '../gateway/outcome';
import type { Message } from './message';

/**
 * What became of a message in an earlier try of the same execution. A type, not an interface, as it
 * is stored as JSON: `envelope` where the gateway took it; without one it may have been queued.
 */
export type Entry = { envelope?: IDataObject; numbers?: string[] };

type Run = { [key: string]: Entry[] };

/**
 * Remembers, inside n8n's own record of the execution, what has gone out, so that neither Retry On
 * Fail nor Retry Execution sends it again. An entry is written before its request begins: whatever
 * interrupts the node, what was under way counts as uncertain.
 *
 * Keyed by run, as a loop runs the node several times in one execution, and by what is sent, as a
 * corrected message has not been sent. Costs about 40 bytes a message and its envelope, or in bulk
 * 16 bytes a number, and is gone once the run has succeeded.
 */
export class Journal {
	private readonly run: Run;

	constructor(
		private readonly context: IContextObject,
		private readonly runKey: string,
	) {
		const runs = (context.journal ??= {}) as Record<string, Run>;
		this.run = runs[runKey] ??= {};
	}

	static keyOf(message: Message, itemIndex: number): string {
		const hash = createHash('sha256').update(message.identity).digest('base64url').slice(0, 16);
		return message.kind === 'bulk' ? hash : `${itemIndex}:${hash}`;
	}

	/** What earlier tries did with this message: one entry a request. */
	recall(key: string): readonly Entry[] {
		return this.run[key] ?? [];
	}

	/** Notes that a request begins, and returns the note of its end. */
	begin(key: string, numbers?: string[]): (outcome: Outcome) => void {
		const entry: Entry = numbers ? { numbers } : {};
		const entries = (this.run[key] ??= []);
		entries.push(entry);
		return (outcome) => {
			if (outcome.outcome === 'accepted') entry.envelope = outcome.envelope;
			if (outcome.outcome === 'notSent') this.forget(key, entry);
		};
	}

	forget(key: string, entry: Entry): void {
		const left = this.recall(key).filter((each) => each !== entry);
		if (left.length > 0) this.run[key] = left;
		else delete this.run[key];
	}

	/** The run needs no memory any more. */
	close(): void {
		const runs = this.context.journal as Record<string, Run>;
		delete runs[this.runKey];
		if (Object.keys(runs).length === 0) delete this.context.journal;
	}
}

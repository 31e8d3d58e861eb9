import { type Failure, uncertain } from '../../gateway/outcome';
import { hashOf } from '../../shared/text';
import type { KeyHistory } from './keyHistory';
import type { ExecutionRecord, RecordOptions } from './record';

export const NOT_QUEUED_AGAIN = "It was not queued again. Check the gateway's outbox.";

/** The newest retry may itself show this error, and n8n may have deleted the one to retry. */
export const NEWEST_RETRY =
	'Wait until all retries of this execution have ended. Then retry the most recent one that does not show this error; if that one succeeded, you are done.';

/** A retry of an execution that another retry has continued. */
export const OUTDATED = uncertain({
	cause: 'outdated',
	what: 'A newer retry of this execution exists and may have queued this message',
	advice: 'This retry leaves it out, so that nobody gets it twice.',
	step: NEWEST_RETRY,
});

/** A retry of which n8n could not say whether it is the only one. */
export const UNCLAIMED = uncertain({
	cause: 'unclaimed',
	what: 'n8n could not find out whether another retry of this execution has queued this message',
	advice: "This retry did not send it. Check that n8n's database is available.",
});

/** A retry of an execution during which n8n shut down: nothing records what had been sent. */
export const INTERRUPTED = uncertain({
	cause: 'interrupted',
	what: 'n8n shut down while this execution was sending, or it is still sending. This message may be queued',
	advice: `${NOT_QUEUED_AGAIN} If that execution is still running, wait until it has ended.`,
});

/** A retry of an execution whose record another release has written, in a form that this one does not read. */
export const OTHER_FORMAT = uncertain({
	cause: 'outOfReach',
	what: 'Another release of this node has run this execution. This message may be queued',
	advice: NOT_QUEUED_AGAIN,
});

/** A retry by a node that has replaced the sender under the same name, and cannot read its history. */
export const REPLACED = uncertain({
	cause: 'outOfReach',
	what: 'This node has taken the place of another one, which may have queued this message',
	advice: NOT_QUEUED_AGAIN,
});

type History = Pick<KeyHistory, 'claim' | 'free'>;

/** Records whose mark is that of this process. After a wait, n8n reads what it has stored. */
const marked = new WeakSet<ExecutionRecord>();

/**
 * Lets one of all retries of an execution send. Every copy of the record that n8n keeps knows what was sent so
 * far, but not what another retry sends next; n8n's history of keys tells which retry came first.
 */
export class RetryGuard {
	/** n8n could not say if this retry is the only one. */
	private isUnclaimed = false;
	private marking?: Promise<void>;

	constructor(
		private readonly record: ExecutionRecord,
		private readonly options: RecordOptions & { resendUncertain: boolean },
	) {}

	/** The entry in the history which says that this execution has begun or continued to send since n8n stored its record. */
	private get mark(): string | undefined {
		const { token } = this.options;
		if (token === undefined) return undefined;
		const { marks = 0 } = this.record;
		return `begun ${hashOf(token)}${marks > 0 ? `:${marks}` : ''}`;
	}

	private noteMark(): void {
		const { record } = this;
		record.marks = (record.marks ?? 0) + 1;
		marked.add(record);
	}

	/**
	 * Continues the record if no other retry has. Must be called before anything is sent.
	 *
	 * @param canceled aborts when the execution is canceled
	 */
	async continue(history: History, canceled?: AbortSignal): Promise<void> {
		const { record, mark } = this;
		const { execution } = this.options;
		if (record.execution === execution) return;
		if (!record.isOutdated) {
			const name = `retry ${record.id}:${record.generation}`;
			const names = mark === undefined ? [name] : [name, mark];
			const known = await history.claim(names).catch(() => undefined);
			// An agent uses its tools at once: another one has continued the record for this execution.
			if (record.execution === execution) return;
			this.isUnclaimed = known === undefined;
			// Nothing is sent, and the next retry claims the name.
			if (!known) return;
			if (!known.has(name) && canceled?.aborted) {
				const own = names.filter((each) => !known.has(each));
				return await history.free(own).catch(() => undefined);
			}
			if (known.has(name)) record.isOutdated = true;
			else record.generation++;
			if (mark !== undefined) {
				if (known.has(mark)) record.isInterrupted = true;
				this.noteMark();
			}
		}
		record.execution = execution;
	}

	/**
	 * Writes into n8n's history that this execution has begun to send: if n8n ends before the execution does, n8n
	 * keeps no record of it, and offers to retry it. Takes the lock once in an execution, or once in a run if n8n stores the
	 * execution after each node, and not for each request. Never throws.
	 */
	async markBegun(history: History): Promise<void> {
		const { mark, options } = this;
		if (mark === undefined || (marked.has(this.record) && !options.savesProgress)) return;
		await (this.marking ??= history.claim([mark]).then(
			() => this.noteMark(),
			() => undefined,
		));
	}

	/** Returns why only what is recorded is certain; undefined if the record knows everything. */
	get gap(): Failure | undefined {
		const { isOutdated, isOfOtherFormat, isInterrupted } = this.record;
		if (this.isUnclaimed) return UNCLAIMED;
		if (isOutdated) return OUTDATED;
		if (isOfOtherFormat) return OTHER_FORMAT;
		if (this.record.node !== this.options.node) return REPLACED;
		return isInterrupted ? INTERRUPTED : undefined;
	}

	/** Returns why this run must not send what is not recorded. */
	whyHeldBack(): Failure | undefined {
		const { gap } = this;
		// Another retry or another node knows for certain; only this one does not.
		return gap?.cause === 'interrupted' && this.options.resendUncertain ? undefined : gap;
	}
}

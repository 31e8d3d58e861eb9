import type { IExecuteFunctions } from 'n8n-workflow';

import { followersOf, unlessStopped } from '../shared/stop';

/**
 * The connection of one request. It ends with the execution, and can be closed before.
 *
 * n8n ends a request only when its execution ends, and overwrites any other signal. So each connection has
 * a context of its own, whose execution seems to end with the connection:
 * https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/core/src/execution-engine/node-execution-context/utils/request-helpers/authentication.ts#L35-L37
 */
export class Connection {
	/** Call n8n's request helper with this context. */
	readonly context: IExecuteFunctions;
	private readonly ending = new AbortController();
	private readonly followers: Set<AbortController> | undefined;

	constructor(context: IExecuteFunctions) {
		const stopped = context.getExecutionCancelSignal?.();
		this.followers = stopped && followersOf(stopped);
		this.followers?.add(this.ending);
		if (stopped?.aborted) this.ending.abort();
		this.context = Object.create(context, {
			getExecutionCancelSignal: { value: () => this.ending.signal },
		}) as IExecuteFunctions;
	}

	/** Aborts when the execution is stopped. */
	get signal(): AbortSignal {
		return this.ending.signal;
	}

	/**
	 * Resolves to the value of `work`, which comes before the request. Closes a value that comes too late.
	 *
	 * @throws InputError as soon as the execution is stopped
	 */
	async prepare<T extends { close(): void }>(work: Promise<T>): Promise<T> {
		return await unlessStopped(this.signal, work, (late) => late.close());
	}

	/** Releases the connection after a complete answer, and ends it otherwise. */
	close(isOver: boolean): void {
		this.followers?.delete(this.ending);
		if (!isOver) this.ending.abort();
	}
}

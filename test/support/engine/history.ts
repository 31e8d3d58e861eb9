import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

const hash = (value: DeduplicationItemTypes) =>
	createHash('md5').update(value.toString()).digest('base64');

/**
 * What `checkProcessedAndRecord` remembers across executions. Behaves like n8n's own database table:
 * it reads a whole row, changes it and writes it back without a lock, so executions that overlap
 * overwrite each other.
 */
export class History implements IDataDeduplicator {
	/** Milliseconds that the database takes for one read or one write. */
	latency = 0;
	/** How often a node read or changed this history. */
	calls = 0;

	private readonly rows = new Map<string, string>();

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ mode, maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		this.calls++;
		if (mode !== 'entries')
			throw new Error(`This history supports the mode "entries", not "${mode}"`);

		const stored = await this.read(scope, context);
		const entries = stored ?? [];
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			const entry = hash(item);
			// Without a row, n8n compares nothing: equal keys in the very first call all count as new.
			const known = stored !== undefined && entries.includes(entry);
			output[known ? 'processed' : 'new'].push(item);
			if (!known) entries.push(entry);
		}
		if (maxEntries) entries.splice(0, entries.length - maxEntries);
		await (stored ? this.update(scope, context, entries) : this.insert(scope, context, entries));
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		this.calls++;
		const entries = await this.read(scope, context);
		if (!entries) return;
		for (const item of items) {
			const index = entries.indexOf(hash(item));
			if (index !== -1) entries.splice(index, 1);
		}
		await this.update(scope, context, entries);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		this.calls++;
		await this.lag();
		this.rows.delete(key(scope, context));
	}

	async getProcessedDataCount(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		this.calls++;
		return (await this.read(scope, context))?.length ?? 0;
	}

	private async read(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		await this.lag();
		const row = this.rows.get(key(scope, context));
		return row === undefined ? undefined : (JSON.parse(row) as string[]);
	}

	/** The table has one row per node: if two executions both find none, the slower one fails. */
	private async insert(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		entries: string[],
	) {
		await this.lag();
		if (this.rows.has(key(scope, context))) {
			throw new Error(
				'UNIQUE constraint failed: processed_data.context, processed_data.workflowId',
			);
		}
		this.rows.set(key(scope, context), JSON.stringify(entries));
	}

	private async update(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		entries: string[],
	) {
		await this.lag();
		this.rows.set(key(scope, context), JSON.stringify(entries));
	}

	private async lag() {
		if (this.latency > 0) await sleep(this.latency);
	}
}

function key(scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData) {
	if (scope === 'workflow') return workflow.id;
	if (!node) throw new Error("Without a node there is no scope 'node'");
	return `${workflow.id} ${node.id}`;
}

/**
 * Passes each call on to the history of its engine's workflow, because n8n-core has one
 * deduplicator per process.
 */
export class HistoryRegistry implements IDataDeduplicator {
	private readonly byWorkflow = new Map<string, History>();

	add(workflowId: string, history: History) {
		this.byWorkflow.set(workflowId, history);
	}

	remove(workflowId: string) {
		this.byWorkflow.delete(workflowId);
	}

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = (...args) =>
		this.of(args[2]).checkProcessedAndRecord(...args);

	removeProcessed: IDataDeduplicator['removeProcessed'] = (items, scope, context) =>
		this.of(context).removeProcessed(items, scope, context);

	clearAllProcessedItems: IDataDeduplicator['clearAllProcessedItems'] = (scope, context) =>
		this.of(context).clearAllProcessedItems(scope, context);

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = (scope, context) =>
		this.of(context).getProcessedDataCount(scope, context);

	private of({ workflow }: ICheckProcessedContextData): History {
		const history = this.byWorkflow.get(workflow.id);
		if (!history) throw new Error(`No open engine has the workflow "${workflow.id}"`);
		return history;
	}
}

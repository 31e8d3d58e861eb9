/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
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

import type { HistoryHelpers } from '../../../nodes/MessagingGateway/delivery/memory/keyHistory';

const hash = (value: DeduplicationItemTypes) =>
	createHash('md5').update(value.toString()).digest('base64');

interface Row {
	mode: string;
	entries: string[];
}

const MISMATCH =
	'Deduplication data was originally saved with an incompatible setting of the ‘Keep Items Where’ parameter.';

/**
 * What `checkProcessedAndRecord` remembers across executions. Behaves like n8n's own database table:
 * it reads a whole row, changes it and writes it back without a lock, so executions that overlap
 * overwrite each other.
 */
export class History implements IDataDeduplicator {
	/** Milliseconds that the database takes for one read or one write. */
	latency = 0;
	/** How often a node read or changed its history. */
	calls = 0;

	constructor(readonly rows = new Map<string, string>()) {}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		options: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		this.count(scope);
		const { mode } = options;
		const stored = await this.read(scope, context);
		if (stored && stored.mode !== mode) throw new Error(MISMATCH);
		const entries = stored?.entries ?? [];
		const before = new Set(entries);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			const entry = hash(item);
			// Equal keys of one call all count as new.
			const isKnown = before.has(entry);
			output[isKnown ? 'processed' : 'new'].push(item);
			if (!isKnown) entries.push(entry);
		}
		// As in n8n, read only now.
		const { maxEntries } = options;
		if (maxEntries) entries.splice(0, entries.length - maxEntries);
		const row = { mode, entries };
		await (stored ? this.update(scope, context, row) : this.insert(scope, context, row));
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		this.count(scope);
		const row = await this.read(scope, context);
		if (!row) return;
		for (const item of items) {
			const index = row.entries.indexOf(hash(item));
			if (index !== -1) row.entries.splice(index, 1);
		}
		await this.update(scope, context, row);
	}

	async clearAllProcessedItems(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		this.count(scope);
		await this.statement(() => this.rows.delete(key(scope, context)));
	}

	/** n8n counts the entries of any row, but only for a call of the mode "entries". */
	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
		{ mode }: ICheckProcessedOptions,
	) {
		this.count(scope);
		const row = await this.read(scope, context);
		return mode === 'entries' ? (row?.entries.length ?? 0) : 0;
	}

	/** One statement of the database, which is atomic. */
	protected async statement<T>(effect: () => T): Promise<T> {
		if (this.latency > 0) await sleep(this.latency);
		return effect();
	}

	private count(scope: DeduplicationScope): void {
		if (scope === 'node') this.calls++;
	}

	private async read(scope: DeduplicationScope, context: ICheckProcessedContextData) {
		return await this.statement(() => {
			const row = this.rows.get(key(scope, context));
			return row === undefined ? undefined : (JSON.parse(row) as Row);
		});
	}

	/** The table has one row per node: if two executions both find none, the slower one fails. */
	private async insert(scope: DeduplicationScope, context: ICheckProcessedContextData, row: Row) {
		await this.statement(() => {
			const name = key(scope, context);
			if (this.rows.has(name)) {
				throw new Error(
					'UNIQUE constraint failed: processed_data.context, processed_data.workflowId',
				);
			}
			this.rows.set(name, JSON.stringify(row));
		});
	}

	private async update(scope: DeduplicationScope, context: ICheckProcessedContextData, row: Row) {
		await this.statement(() => {
			const name = key(scope, context);
			if (this.rows.has(name)) this.rows.set(name, JSON.stringify(row));
		});
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

	getProcessedDataCount: IDataDeduplicator['getProcessedDataCount'] = (scope, context, options) =>
		this.of(context).getProcessedDataCount(scope, context, options);

	private of({ workflow }: ICheckProcessedContextData): History {
		const history = this.byWorkflow.get(workflow.id);
		if (!history) throw new Error(`No open engine has the workflow "${workflow.id}"`);
		return history;
	}
}

/** The calls that n8n offers to a node of the one workflow. */
export function helpersOf(history: History, node = 'n'): HistoryHelpers {
	const context = { workflow: { id: 'w' }, node: { id: node } } as never;
	return {
		checkProcessedAndRecord: async (items, scope, options) =>
			await history.checkProcessedAndRecord(items, scope, context, options),
		removeProcessed: async (items, scope) => await history.removeProcessed(items, scope, context),
		clearAllProcessedItems: async (scope) => await history.clearAllProcessedItems(scope, context),
		getProcessedDataCount: async (scope, options) =>
			await history.getProcessedDataCount(scope, context, options),
	};
}

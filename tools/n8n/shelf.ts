/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { N8nApi } from './server/api';
import type { NewWorkflow, SavedWorkflow } from './server/types';

/** A workflow as it was put into n8n. */
interface Shipped {
	/** n8n gives a workflow another one each time somebody saves it. */
	versionId: string;
	hash: string;
}

type Api = Pick<N8nApi, 'createWorkflow' | 'getWorkflow' | 'listWorkflows' | 'updateWorkflow'>;

/**
 * Puts this project's workflows into an n8n that keeps them from one time to the next. A workflow that
 * nobody has edited follows the project; one that somebody has edited stays as it is.
 */
export class Shelf {
	/** The names of workflows that are not the project's newest, because somebody may have edited them. */
	readonly outdated: string[] = [];
	private readonly shipped: Record<string, Shipped | undefined>;

	/** @param file where to remember what was put into n8n */
	constructor(
		private readonly api: Api,
		private readonly file: string,
	) {
		this.shipped = existsSync(file)
			? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Shipped>)
			: {};
	}

	/** Resolves to the workflow as n8n has it now. */
	async put(workflow: NewWorkflow): Promise<SavedWorkflow> {
		const { name } = workflow;
		const hash = hashOf(workflow);
		const existing = (await this.api.listWorkflows()).find((each) => each.name === name);
		if (!existing) return this.remember(await this.api.createWorkflow(workflow), hash);

		const saved = await this.api.getWorkflow(existing.id);
		const shipped = this.shipped[name];
		if (shipped?.hash === hash) return saved;
		if (shipped?.versionId !== saved.versionId) {
			this.outdated.push(name);
			return saved;
		}
		return this.remember(await this.api.updateWorkflow(saved.id, workflow), hash);
	}

	private remember(saved: SavedWorkflow, hash: string): SavedWorkflow {
		this.shipped[saved.name] = { versionId: saved.versionId, hash };
		writeFileSync(this.file, JSON.stringify(this.shipped));
		return saved;
	}
}

/** The IDs of nodes do not count: some are made at each start. */
function hashOf(workflow: NewWorkflow): string {
	const text = JSON.stringify(workflow, (key, value: unknown) => (key === 'id' ? '' : value));
	return createHash('sha256').update(text).digest('hex');
}

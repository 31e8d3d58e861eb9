/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredExecution } from '../engine/engine';
import { decodeFlatted } from '../n8n/flatted';
import type { N8nPaths, NewWorkflow } from '../n8n/index';
import { inDatabase, insert, type Row, type Statement } from './database';

/** In the order in which rows may refer to others. */
export const TABLES = [
	'workflow_entity',
	'execution_entity',
	'execution_data',
	'processed_data',
] as const;

/** What n8n kept of an execution, and what the gateway had queued by then. */
export interface RecordedScene {
	executionId: string;
	queued: string[];
	/** The link of a question. */
	link?: string;
}

/** What one release of the node has left in n8n's database. */
export interface Release {
	node: string;
	n8n: string;
	scenes: Record<string, RecordedScene>;
	tables: Record<(typeof TABLES)[number], Row[]>;
}

/** Returns the releases of which there are records. */
export function readReleases(): Release[] {
	const files = readdirSync(__dirname).filter((name) => name.endsWith('.json'));
	return files.sort().map((name) => {
		return JSON.parse(readFileSync(join(__dirname, name), 'utf8')) as Release;
	});
}

/** Returns what n8n had stored of a scene, to be retried in n8n's engine. */
export function storedOf({ scenes, tables }: Release, name: string): StoredExecution {
	const id = Number(scenes[name]?.executionId);
	const row = tables.execution_data.find(({ executionId }) => executionId === id);
	const status = tables.execution_entity.find((each) => each.id === id)?.status;
	if (!row || !status) throw new Error(`There is no record of ${name}`);
	const { nodes, connections, settings, ...workflow } = JSON.parse(
		String(row.workflowData),
	) as NewWorkflow & { id: string };
	const keys: StoredExecution['keys'] = {};
	for (const { workflowId, context, value } of tables.processed_data) {
		if (workflowId !== workflow.id) continue;
		const { mode, data } = JSON.parse(String(value)) as { mode: string; data: string[] };
		keys[String(context).replace('n:', '')] = { mode, entries: data };
	}
	const data = JSON.stringify(decodeFlatted(String(row.data)));
	const found = { nodes, connections, settings: settings as StoredExecution['settings'] };
	return { ...found, status: status as StoredExecution['status'], data, keys };
}

/** Puts the records of a release into the database of an n8n that does not run. */
export function restore(n8n: N8nPaths, userFolder: string, { tables }: Release): void {
	const share: Statement = {
		sql: `INSERT INTO shared_workflow ("workflowId", "projectId", role)
			SELECT workflow_entity.id, project.id, 'workflow:owner' FROM workflow_entity, project
			WHERE workflow_entity.id NOT IN (SELECT "workflowId" FROM shared_workflow)`,
	};
	const rows = TABLES.flatMap((table) => tables[table].map((row) => insert(table, row)));
	inDatabase(n8n, userFolder, [...rows, share]);
}

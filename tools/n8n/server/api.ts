/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** A small client for the API of n8n's editor, signed in with the owner account. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';
import { eventually } from '../../../test/support/until';
import { decodeFlatted } from './flatted';
import type {
	CredentialTestResult,
	Execution,
	ExecutionStatus,
	ExecutionSummary,
	NewWorkflow,
	SavedCredential,
	SavedDataTable,
	SavedWorkflow,
} from './types';

export const OWNER = { email: 'owner@example.com', password: 'Gateway2026' };

const FINISHED: ExecutionStatus[] = ['success', 'error', 'canceled', 'crashed', 'unknown'];
const POLL_INTERVAL_MS = 100;
/** n8n gives no more rows of a data table at once, however many are asked for. */
const MOST_ROWS = 250;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export class N8nApi {
	private readonly browserId = randomUUID();

	private cookie = '';

	constructor(private readonly url: string) {}

	/** Logs in as the owner, and creates the owner account first on a fresh n8n. */
	async logIn(): Promise<void> {
		const { email, password } = OWNER;
		const refusal = await this.call('POST', 'login', { emailOrLdapLoginId: email, password }).then(
			() => undefined,
			(error: Error) => error,
		);
		if (!refusal) return;
		const owner = { ...OWNER, firstName: 'Olga', lastName: 'Owner' };
		await this.call('POST', 'owner/setup', owner).catch(() => {
			// An n8n that has an owner already says only so.
			throw refusal;
		});
	}

	async createCredential(name: string, type: string, data: IDataObject): Promise<SavedCredential> {
		return await this.call('POST', 'credentials', { name, type, data });
	}

	async updateCredential(credential: SavedCredential, data: IDataObject): Promise<SavedCredential> {
		const { id, name, type } = credential;
		return await this.call('PATCH', `credentials/${id}`, { name, type, data });
	}

	async listCredentials(): Promise<SavedCredential[]> {
		return await this.call('GET', 'credentials');
	}

	/** Tests a saved credential, with `data` instead of the saved data. */
	async testCredential(
		credential: SavedCredential,
		data: IDataObject,
	): Promise<CredentialTestResult> {
		const { id, name, type } = credential;
		return await this.call('POST', 'credentials/test', { credentials: { id, name, type, data } });
	}

	async createWorkflow(workflow: NewWorkflow): Promise<SavedWorkflow> {
		return await this.call('POST', 'workflows', {
			active: false,
			settings: { executionOrder: 'v1' },
			...workflow,
		});
	}

	async getWorkflow(id: string): Promise<SavedWorkflow> {
		return await this.call('GET', `workflows/${id}`);
	}

	async updateWorkflow(id: string, changes: Partial<NewWorkflow>): Promise<SavedWorkflow> {
		const { versionId } = await this.getWorkflow(id);
		return await this.call('PATCH', `workflows/${id}`, { ...changes, versionId });
	}

	async listWorkflows(): Promise<Array<{ id: string; name: string }>> {
		return await this.call('GET', 'workflows');
	}

	/** Waits until n8n has let go of addresses that a workflow had which was deactivated just now. */
	async activate(workflow: SavedWorkflow): Promise<SavedWorkflow> {
		const { id, versionId } = workflow;
		return await eventually(
			async () => await this.call('POST', `workflows/${id}/activate`, { versionId }),
		);
	}

	async deactivate(workflowId: string): Promise<void> {
		await this.call('POST', `workflows/${workflowId}/deactivate`, {});
	}

	/** Starts a workflow as the editor's button does. Resolves to the execution's ID at once. */
	async run(workflow: SavedWorkflow, trigger = firstTrigger(workflow)): Promise<string> {
		const body = { triggerToStartFrom: { name: trigger } };
		const { executionId } = await this.call<{ executionId: string }>(
			'POST',
			`workflows/${workflow.id}/run`,
			body,
		);
		return executionId;
	}

	async runToEnd(workflow: SavedWorkflow, trigger?: string): Promise<Execution> {
		return await this.waitForEnd(await this.run(workflow, trigger));
	}

	async waitForEnd(executionId: string, timeoutMs = 400_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const execution = await this.getExecution(executionId);
			if (FINISHED.includes(execution.status)) return execution;
			if (Date.now() > deadline) {
				throw new Error(
					`Execution ${executionId} is still "${execution.status}" after ${timeoutMs} ms.`,
				);
			}
			await sleep(POLL_INTERVAL_MS);
		}
	}

	async getExecution(id: string): Promise<Execution> {
		const stored = await this.call<ExecutionSummary & { data: string }>('GET', `executions/${id}`);
		return { ...stored, data: decodeFlatted(stored.data) as IRunExecutionData };
	}

	/** All its columns hold text. */
	async createDataTable(name: string, columns: string[]): Promise<SavedDataTable> {
		const tables = await this.pathOfDataTables();
		const { id } = await this.call<{ id: string }>('POST', tables, {
			name,
			columns: columns.map((column) => ({ name: column, type: 'string' })),
		});
		return { id, path: `${tables}/${id}` };
	}

	async dataTable(name: string): Promise<SavedDataTable> {
		const tables = await this.pathOfDataTables();
		const { data } = await this.call<{ data: Array<{ id: string; name: string }> }>('GET', tables);
		const found = data.find((table) => table.name === name);
		if (!found) throw new Error(`n8n has no data table ${name}.`);
		return { id: found.id, path: `${tables}/${found.id}` };
	}

	private async pathOfDataTables(): Promise<string> {
		const { id } = await this.call<{ id: string }>('GET', 'projects/personal');
		return `projects/${id}/data-tables`;
	}

	async insertRows({ path }: SavedDataTable, data: IDataObject[]): Promise<void> {
		await this.call('POST', `${path}/insert`, { data, returnType: 'count' });
	}

	/** Changes all rows that have these words in a column. */
	async updateRows(
		{ path }: SavedDataTable,
		[columnName, value]: [column: string, words: string],
		data: IDataObject,
	): Promise<void> {
		const filters = [{ columnName, condition: 'eq', value }];
		await this.call('PATCH', `${path}/rows`, { data, filter: { type: 'and', filters } });
	}

	async rowsOf({ path }: SavedDataTable): Promise<IDataObject[]> {
		const rows: IDataObject[] = [];
		for (;;) {
			const page = `${path}/rows?sortBy=id:asc&skip=${rows.length}&take=${MOST_ROWS}`;
			const { data } = await this.call<{ data: IDataObject[] }>('GET', page);
			rows.push(...data);
			if (data.length < MOST_ROWS) return rows;
		}
	}

	/** Resolves to the newest executions, 100 at most. */
	async listExecutions(
		workflowId?: string,
		status?: ExecutionStatus[],
	): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const { results } = await this.call<{ results: ExecutionSummary[] }>(
			'GET',
			`executions?limit=100&filter=${filter}`,
		);
		return results;
	}

	/**
	 * Resolves to the newest execution of a workflow, once n8n lists one. It reads those that run apart from
	 * the others, and misses one that ends or begins to wait in between.
	 */
	async newestExecution(workflowId: string): Promise<ExecutionSummary> {
		return await eventually(async () => {
			const [newest] = await this.listExecutions(workflowId);
			if (!newest) throw new Error(`n8n lists no execution of workflow ${workflowId}.`);
			return newest;
		}, 60_000);
	}

	/**
	 * Resolves to the ID of the new execution. With `loadWorkflow`, it uses the currently saved
	 * workflow.
	 */
	async retry(executionId: string, { loadWorkflow = false } = {}): Promise<string> {
		await this.call('POST', `executions/${executionId}/retry`, { loadWorkflow });
		const retries = (await this.listExecutions()).filter(({ retryOf }) => retryOf === executionId);
		const newest = retries.sort((a, b) => Number(b.id) - Number(a.id))[0];
		if (!newest) throw new Error(`n8n lists no retry of execution ${executionId}.`);
		return newest.id;
	}

	async stop(executionId: string): Promise<void> {
		await this.call('POST', `executions/${executionId}/stop`, {});
	}

	async deleteExecution(executionId: string): Promise<void> {
		await this.call('POST', 'executions/delete', { ids: [executionId] });
	}

	private async call<T>(method: Method, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.url}/rest/${path}`, {
			method,
			headers: {
				accept: 'application/json',
				'content-type': 'application/json',
				'browser-id': this.browserId,
				cookie: this.cookie,
			},
			body: body && JSON.stringify(body),
		});
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
		if (cookies.length > 0) this.cookie = cookies.join('; ');
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${messageIn(text)}`);
		}
		return (JSON.parse(text) as { data: T }).data;
	}
}

/** Returns only the message of an answer, which also has n8n's whole call stack. */
function messageIn(answer: string): string {
	try {
		return (JSON.parse(answer) as { message?: string }).message ?? answer;
	} catch {
		return answer;
	}
}

function firstTrigger({ nodes }: SavedWorkflow): string {
	const triggers = nodes.filter(({ type }) => /trigger$/i.test(type));
	// The examples' “Set up once” stands before the trigger of the workflow itself.
	const trigger = triggers.find(({ name }) => !/^Set up/.test(name)) ?? triggers[0];
	if (!trigger) throw new Error('The workflow has no trigger to start from.');
	return trigger.name;
}

/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type {
	ExecutionStatus,
	IConnections,
	ICredentialsHelper,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IRunExecutionData,
	ITaskData,
	IVersionedNodeType,
	IWorkflowBase,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { Host } from './host';
import { nodeTypesOf } from './package';

export const NODE_NAME = 'Messaging Gateway';
const URL_OF_N8N = 'http://127.0.0.1:5678';

/** Everything that is needed to run the same workflow again. */
export interface Plan {
	workflowId: string;
	nodes: INode[];
	connections: IConnections;
	settings: IWorkflowSettings;
	nodeTypes: ReadonlyMap<string, INodeType | IVersionedNodeType>;
}

export interface Run {
	executionId: string;
	status: ExecutionStatus;
	/** Output items of the node's last run: `output[0]`, and `output[1]` for the error output. */
	output: INodeExecutionData[][];
	/** All runs of the node in this execution; in a loop there are several. */
	runs: ITaskData[];
	/** What the node threw, or what else stopped the execution. */
	error: ITaskData['error'];
	hints: NodeExecutionHint[];
	/** All data that n8n keeps about the execution. */
	data: IRunExecutionData;
	/** Everything that n8n logged during the execution, at any level. */
	logs: string[];
	plan: Plan;
	/**
	 * Returns the execution as n8n's database stores it, as JSON from the moment when n8n would write
	 * it.
	 */
	stored: () => string;
}

export interface ExecutionOptions {
	executionId: string;
	mode: WorkflowExecuteMode;
	credentials: ICredentialsHelper;
	running: Set<{ cancel(): void }>;
	signal?: AbortSignal;
}

/** Runs the execution stack of `data` to the end, as n8n's own workflow runner does. */
export async function execute(
	host: Host,
	plan: Plan,
	data: IRunExecutionData,
	options: ExecutionOptions,
): Promise<Run> {
	const { core, n8n } = host;
	const base = workflowBase(plan);
	const nodeTypes = nodeTypesOf(host, plan.nodeTypes);
	const hooks = new core.ExecutionLifecycleHooks(options.mode, options.executionId, base);
	let storedAtCancel: string | undefined;
	hooks.addHandler('workflowExecuteAfter', async (run) => {
		// n8n stores a canceled execution at once, before its node has finished.
		if (run.status === 'canceled') storedAtCancel ??= stringify(run.data);
	});
	const additionalData = createAdditionalData(plan, options, hooks);
	const logs: string[] = [];
	const result = await host.logging(logs, async () => {
		const execution = new core.WorkflowExecute(additionalData, options.mode, data);
		const workflow = new n8n.Workflow({ ...base, nodeTypes });
		return await supervise(execution.processRunExecutionData(workflow), plan, options);
	});
	const stored = () => storedAtCancel ?? stringify(result.data);
	return { ...outcome(result), executionId: options.executionId, logs, plan, stored };
}

function outcome({ status, data }: IRun) {
	const runs = data.resultData.runData[NODE_NAME] ?? [];
	const last = runs.at(-1);
	return {
		status,
		data,
		runs,
		output: (last?.data?.main ?? []).map((items) => items ?? []),
		error: last?.error ?? data.resultData.error,
		hints: runs.flatMap(({ hints = [] }) => hints),
	};
}

/** Lets the caller, a signal or the workflow's timeout cancel the execution. */
async function supervise(
	execution: PromiseLike<IRun> & { cancel(): void },
	{ settings: { executionTimeout = 0 } }: Plan,
	{ running, signal }: ExecutionOptions,
): Promise<IRun> {
	const cancel = () => execution.cancel();
	const timer = executionTimeout > 0 && setTimeout(cancel, executionTimeout * 1000);
	running.add(execution);
	signal?.addEventListener('abort', cancel);
	if (signal?.aborted) cancel();
	try {
		return await execution;
	} finally {
		if (timer) clearTimeout(timer);
		signal?.removeEventListener('abort', cancel);
		running.delete(execution);
	}
}

function workflowBase({ workflowId, nodes, connections, settings }: Plan): IWorkflowBase {
	const now = new Date();
	return {
		id: workflowId,
		name: 'Engine test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: now,
		updatedAt: now,
		nodes,
		connections,
		settings,
	};
}

/** The parts of n8n that a node can reach. */
function createAdditionalData(
	{ workflowId, settings: { executionTimeout = 0 } }: Plan,
	{ executionId, credentials }: ExecutionOptions,
	hooks: IWorkflowExecuteAdditionalData['hooks'],
) {
	return {
		credentialsHelper: credentials,
		executionId,
		workflowId,
		hooks,
		currentNodeExecutionIndex: 0,
		variables: {},
		executionTimeoutTimestamp:
			executionTimeout > 0 ? Date.now() + executionTimeout * 1000 : undefined,
		instanceBaseUrl: `${URL_OF_N8N}/`,
		restApiUrl: `${URL_OF_N8N}/rest`,
		webhookBaseUrl: `${URL_OF_N8N}/webhook`,
		webhookTestBaseUrl: `${URL_OF_N8N}/webhook-test`,
		webhookWaitingBaseUrl: `${URL_OF_N8N}/webhook-waiting`,
		formBaseUrl: `${URL_OF_N8N}/form`,
		formWaitingBaseUrl: `${URL_OF_N8N}/form-waiting`,
	} as Partial<IWorkflowExecuteAdditionalData> as IWorkflowExecuteAdditionalData;
}

/** Returns run data as JSON without circular references, as n8n's database stores it. */
export function stringify(data: IRunExecutionData): string {
	const ancestors: unknown[] = [];
	return JSON.stringify(data, function (this: unknown, _key, value: unknown) {
		if (typeof value !== 'object' || value === null) return value;
		while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
		if (ancestors.includes(value)) return undefined;
		ancestors.push(value);
		return value;
	});
}

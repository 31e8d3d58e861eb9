/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IConnections,
	INode,
	INodeParameters,
	INodeType,
	IRunExecutionData,
	IVersionedNodeType,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CredentialStore } from './credentials';
import { execute, NODE_NAME, type Plan, type Run } from './execution';
import { History } from './history';
import { loadHost, type Host } from './host';
import { prepareItems, type ItemInput } from './items';
import { itemsNode, loopNode } from './nodes';
import { loadPackage, type LoadedTypes } from './package';

export { NODE_NAME, type Run } from './execution';
export type { FileInput, ItemInput } from './items';

type BinaryMode = 'default' | 'filesystem';

export interface EngineOptions {
	/** Where n8n keeps files: in memory (`default`), or on disk as most installations do. */
	binaryMode?: BinaryMode;
	/** The built package to load: the checkout's own if left out, none if `null`. */
	packageDir?: string | null;
	/** Additional node types, by their full name. */
	nodeTypes?: Record<string, INodeType | IVersionedNodeType>;
	/** Additional credential types. */
	credentialTypes?: Record<string, ICredentialType>;
}

export interface RunOptions {
	parameters?: INodeParameters;
	/** Input items, or the number of plain items. */
	items?: ItemInput[] | number;
	/** The credential's fields; later runs without any use the same ones. */
	credential?: object;
	/** Settings of the node, such as `onError` and `retryOnFail`, or another `type`. */
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
	mode?: WorkflowExecuteMode;
	/** Cancels the execution, as n8n's stop button does. */
	signal?: AbortSignal;
}

/** With `parameters` or `node`, the retry is n8n's "Retry with currently saved workflow". */
export type RetryOptions = Omit<RunOptions, 'items' | 'settings' | 'mode'>;

const NODE_TYPE = 'n8n-nodes-messaging-gateway.messagingGateway';
const CREDENTIAL = { id: 'credential', name: 'Gateway account' };

let workflows = 0;
let executions = 0;

/** An engine is one workflow on one n8n. Engines share n8n's settings: run one at a time. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
	const host = await loadHost();
	const directory = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
	const types: LoadedTypes =
		options.packageDir === null
			? { nodes: new Map(), credentials: new Map() }
			: await loadPackage(host, directory, options.packageDir);
	for (const [name, type] of Object.entries(options.nodeTypes ?? {})) types.nodes.set(name, type);
	for (const [name, type] of Object.entries(options.credentialTypes ?? {})) {
		types.credentials.set(name, type);
	}
	return new Engine(host, types, directory, options.binaryMode ?? 'default');
}

export class Engine {
	/** What the node remembers across executions. */
	readonly history = new History();

	readonly workflowId = `workflow-${++workflows}`;
	private readonly credentials: CredentialStore;
	private readonly running = new Set<{ cancel(): void }>();

	constructor(
		private readonly host: Host,
		private readonly types: LoadedTypes,
		private readonly directory: string,
		private readonly binaryMode: BinaryMode,
	) {
		this.credentials = new CredentialStore(host.n8n, types.credentials);
		host.histories.add(this.workflowId, this.history);
	}

	/** How often the credential was read and decrypted so far. */
	get credentialReads(): number {
		return this.credentials.reads;
	}

	/** Whether a node can read the workflow's settings in this version of n8n. */
	get tellsWorkflowSettings(): boolean {
		return 'getWorkflowSettings' in this.host.core.ExecuteContext.prototype;
	}

	/** Whether the retries of an execution have a token in common in this version of n8n. */
	get keepsToken(): boolean {
		return this.host.n8n.createRunExecutionData({}).resumeToken !== undefined;
	}

	/** Runs items → node. */
	async run(options: RunOptions): Promise<Run> {
		return await this.start(options, { Items: to(NODE_NAME) });
	}

	/** Runs items → Loop Over Items ⇄ node, so that the node runs once for each batch. */
	async runLoop({ batchSize = 1, ...options }: RunOptions & { batchSize?: number }): Promise<Run> {
		const connections = {
			Items: to('Loop'),
			Loop: { main: [[], ...to(NODE_NAME).main] },
			[NODE_NAME]: to('Loop'),
		};
		return await this.start(options, connections, batchSize);
	}

	/** Runs items → Loop Over Items → node for one batch, and then the branch items → node. */
	async runBranches({
		batchSize = 1,
		...options
	}: RunOptions & { batchSize?: number }): Promise<Run> {
		const both = [...to(NODE_NAME).main.flat(), ...to('Loop').main.flat()];
		const connections = { Items: { main: [both] }, Loop: { main: [[], ...to(NODE_NAME).main] } };
		return await this.start(options, connections, batchSize);
	}

	/** n8n's "Retry execution": continues a failed execution from the data that n8n stored. */
	async retry(run: Run, options: RetryOptions = {}): Promise<Run> {
		if (run.status === 'success') throw new Error('The execution succeeded: nothing to retry.');
		const data = JSON.parse(run.stored()) as IRunExecutionData;
		dropFailure(data);
		const plan = { ...run.plan, nodes: run.plan.nodes.map((node) => edited(node, options)) };
		if (options.parameters ?? options.node) {
			for (const entry of data.executionData?.nodeExecutionStack ?? []) {
				entry.node = plan.nodes.find(({ name }) => name === entry.node.name) ?? entry.node;
			}
		}
		await this.makeCurrent();
		return await this.execute(plan, data, { ...options, mode: 'retry' });
	}

	/** Cancels the running executions, as n8n's stop button does. */
	cancel() {
		for (const execution of this.running) execution.cancel();
	}

	async close() {
		this.cancel();
		this.host.histories.remove(this.workflowId);
		rmSync(this.directory, { recursive: true, force: true });
	}

	private async start(options: RunOptions, connections: IConnections, batchSize = 1): Promise<Run> {
		const { host, types, workflowId } = this;
		await this.makeCurrent();
		const executionId = String(++executions);
		const items = await prepareItems(host, options.items ?? 1, { workflowId, executionId });
		const start = nodeOf('Items', 'engine.items');
		const plan: Plan = {
			workflowId,
			nodes: [start, nodeOf('Loop', 'engine.loop'), edited(nodeOf(NODE_NAME, NODE_TYPE), options)],
			connections,
			settings: { executionOrder: 'v1', ...options.settings },
			nodeTypes: new Map([
				...types.nodes,
				['engine.items', itemsNode(items)],
				['engine.loop', loopNode(batchSize)],
			]),
		};
		const entry = { node: start, data: { main: [[{ json: {} }]] }, source: null };
		const data = host.n8n.createRunExecutionData({
			executionData: { nodeExecutionStack: [entry] },
		});
		return await this.execute(plan, data, options, executionId);
	}

	private async execute(
		plan: Plan,
		data: IRunExecutionData,
		{ mode = 'manual', credential, signal }: RunOptions,
		executionId = String(++executions),
	): Promise<Run> {
		if (credential) {
			this.credentials.save(CREDENTIAL.id, credential as ICredentialDataDecryptedObject);
		}
		const { credentials, running } = this;
		return await execute(this.host, plan, data, {
			executionId,
			mode,
			credentials,
			running,
			signal,
		});
	}

	/** n8n has one binary mode per process, so each engine sets its own before it runs. */
	private async makeCurrent() {
		const { container, core } = this.host;
		const config = container.get(core.BinaryDataConfig);
		if (config.localStoragePath === this.directory) return;
		config.mode = this.binaryMode;
		config.availableModes = ['filesystem'];
		config.localStoragePath = this.directory;
		await container.get(core.BinaryDataService).init();
	}
}

const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

const nodeOf = (name: string, type: string): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	...(type === NODE_TYPE && { credentials: { messagingGatewayApi: CREDENTIAL } }),
});

function edited(node: INode, { parameters, node: settings }: RetryOptions): INode {
	if (node.name !== NODE_NAME) return node;
	return { ...node, parameters: parameters ?? node.parameters, ...settings };
}

/** Removes the failed run from the data, as n8n does; the execution stack says what runs next. */
function dropFailure({ resultData }: IRunExecutionData) {
	const { lastNodeExecuted, runData } = resultData;
	if (lastNodeExecuted === undefined) return;
	delete resultData.error;
	const runs = runData[lastNodeExecuted];
	if (runs?.at(-1)?.error !== undefined) runs.pop();
}

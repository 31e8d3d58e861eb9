/** Runs the same work in a real n8n server, and takes the node's time from n8n's own record. */
import type { INode, IRunData } from 'n8n-workflow';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	node,
	readFiles,
	removeUserFolder,
	startN8n,
	trigger,
	workflow,
	type N8nServer,
} from '../n8n/server/index';
import { resetPeak, peakMb, residentMb } from './memory';
import type { Measured, Work } from './work';

const TYPES = {
	ours: ['n8n-nodes-messaging-gateway.messagingGateway', 1],
	httpRequest: ['n8n-nodes-base.httpRequest', 4.2],
	telegram: ['n8n-nodes-base.telegram', 1.2],
	set: ['n8n-nodes-base.set', 3.4],
} as const;

export class RealN8n {
	private constructor(
		private readonly server: N8nServer,
		private readonly userFolder: string,
	) {}

	/** @param files the folder that the work may read files from */
	static async start(files: string): Promise<RealN8n> {
		const userFolder = await createUserFolder();
		return new RealN8n(await startN8n({ userFolder, files }), userFolder);
	}

	async measure(work: Work): Promise<Measured> {
		const { api, pid } = this.server;
		const nodes = [trigger('Start'), ...itemNodes(work), await this.measured(work)];
		const names = nodes.map(({ name }) => name);
		const arrows = names.slice(1).map((to, index): [string, string] => [names[index] ?? '', to]);
		const saved = await api.createWorkflow(workflow('Benchmark', nodes, arrows));
		resetPeak(pid);
		const before = residentMb(pid);
		const execution = await api.waitForEnd(await api.run(saved), 900_000);
		const runData: IRunData = execution.data.resultData.runData;
		const [task] = runData.Measured ?? [];
		if (!task || task.error) throw new Error(`${work.node} failed: ${task?.error?.message}`);
		const outputs = task.data?.main?.[0]?.length ?? 0;
		return { ms: task.executionTime, peakMb: peakMb(pid) - before, blockedMs: NaN, outputs };
	}

	async stop(): Promise<void> {
		await this.server.stop();
		removeUserFolder(this.userFolder);
	}

	private async measured({ node: name, parameters, baseUrl }: Work): Promise<INode> {
		const [type, version] = TYPES[name as keyof typeof TYPES];
		const { api } = this.server;
		const [credentialType, data] =
			name === 'telegram'
				? ['telegramApi', { accessToken: 'bench-token', baseUrl }]
				: [CREDENTIAL_TYPE, { baseUrl, accessToken: 'bench-token', deviceId: 'device' }];
		const { id } = await api.createCredential(`Bench ${name}`, credentialType, data);
		const credentials = { [credentialType]: { id, name: `Bench ${name}` } };
		return node('Measured', type, version, parameters, { credentials });
	}
}

/** The nodes that make the items: a list, and a file for each item if the work has one. */
function itemNodes({ items: count, file }: Work): INode[] {
	const list = `={{ Array.from({ length: ${count} }, (_, index) => ({ index, phone: '62812' + (1000000 + index) })) }}`;
	const assignments = { assignments: [{ id: 'a', name: 'items', type: 'array', value: list }] };
	return [
		node('List', 'n8n-nodes-base.set', 3.4, { assignments, options: {} }),
		node('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
		...(file ? [readFiles('Files', file)] : []),
	];
}

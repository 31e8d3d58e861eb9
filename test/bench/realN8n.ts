/** The same work in a real n8n server: how long the node took, as n8n itself records it. */
import type { INode, IRunData } from 'n8n-workflow';
import {
	createUserFolder,
	CREDENTIAL_TYPE,
	node,
	removeUserFolder,
	startN8n,
	trigger,
	workflow,
	type N8nServer,
} from '../n8n';
import type { Work } from './work';

const TYPES = {
	ours: ['n8n-nodes-messaging-gateway.messagingGateway', 1],
	httpRequest: ['n8n-nodes-base.httpRequest', 4.2],
	telegram: ['n8n-nodes-base.telegram', 1.2],
} as const;

export class RealN8n {
	private constructor(
		private readonly server: N8nServer,
		private readonly userFolder: string,
	) {}

	static async start(): Promise<RealN8n> {
		const userFolder = await createUserFolder();
		return new RealN8n(await startN8n({ userFolder }), userFolder);
	}

	/** Milliseconds. */
	async measure(work: Work): Promise<number> {
		const { api } = this.server;
		const saved = await api.createWorkflow(
			workflow(
				'Benchmark',
				[trigger(), ...itemNodes(work.items), await this.measured(work)],
				[
					['Start', 'List'],
					['List', 'Items'],
					['Items', 'Measured'],
				],
			),
		);
		const execution = await api.waitForEnd(await api.run(saved), 600_000);
		const runData: IRunData = execution.data.resultData.runData;
		const [task] = runData.Measured ?? [];
		if (!task || task.error) throw new Error(`${work.node} failed: ${task?.error?.message}`);
		return task.executionTime;
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

function itemNodes(count: number): [INode, INode] {
	const list = `={{ Array.from({ length: ${count} }, (_, index) => ({ index, phone: '62812' + (1000000 + index) })) }}`;
	const assignments = { assignments: [{ id: 'a', name: 'items', type: 'array', value: list }] };
	return [
		node('List', 'n8n-nodes-base.set', 3.4, { assignments, options: {} }),
		node('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
	];
}

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	IPairedItemData,
	ISourceData,
} from 'n8n-workflow';

const description = (displayName: string): INodeType['description'] => ({
	displayName,
	name: displayName.toLowerCase(),
	group: ['transform'],
	version: 1,
	description: displayName,
	defaults: { name: displayName },
	inputs: ['main' as const],
	outputs: ['main' as const],
	properties: [],
});

/** The first node of a workflow, which outputs the items of a run. */
export const itemsNode = (items: INodeExecutionData[]): INodeType => ({
	description: { ...description('Items'), inputs: [] },
	execute: async () => [items],
});

interface LoopState extends IDataObject {
	waiting: INodeExecutionData[] & IDataObject[];
	done: INodeExecutionData[] & IDataObject[];
	source: ISourceData & IDataObject;
}

/** Like n8n's Loop Over Items: output 1 is the next batch, output 0 all items that came back. */
export const loopNode = (batchSize: number): INodeType => ({
	description: { ...description('Loop'), outputs: ['main' as const, 'main' as const] },
	async execute(this: IExecuteFunctions) {
		const state = this.getContext('node') as Partial<LoopState>;
		const items = this.getInputData() as LoopState['waiting'];
		state.source ??= { ...this.getInputSourceData() } as LoopState['source'];
		if (state.waiting === undefined) {
			state.waiting = items;
			state.done = [] as unknown as LoopState['done'];
		} else {
			state.done?.push(...items);
		}
		const batch = state.waiting.splice(0, batchSize);
		if (batch.length === 0) return [state.done ?? [], []];
		return [[], batch.map((item) => withLineage(item, state.source as ISourceData))];
	},
});

/** Later batches are not the loop's current input, so each link names the source of its item. */
function withLineage(item: INodeExecutionData, sourceOverwrite: ISourceData): INodeExecutionData {
	const pairedItem = item.pairedItem as IPairedItemData;
	return { ...item, pairedItem: { ...pairedItem, sourceOverwrite } };
}

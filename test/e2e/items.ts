import type { IDataObject, INodeExecutionData, IRunData } from 'n8n-workflow';

/** The items of one output of a node; of its first output, if none is named. */
export function itemsOf(runData: IRunData, node: string, output = 0): INodeExecutionData[] {
	return runData[node]?.[0]?.data?.main?.[output] ?? [];
}

export function jsonOf(items: INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}

/** n8n writes a link to an input item as a number, as { item }, or as a list of them. */
export function linksOf(items: INodeExecutionData[]): number[][] {
	return items.map(({ pairedItem = [] }) =>
		[pairedItem].flat().map((link) => (typeof link === 'number' ? link : link.item)),
	);
}

export function oneToOne(count: number): number[][] {
	return Array.from({ length: count }, (_, index) => [index]);
}

import type { IDataObject, INodeExecutionData, IRunData } from 'n8n-workflow';

/** Returns the items of one output of a node, by default the first one. */
export function itemsOf(runData: IRunData, node: string, output = 0): INodeExecutionData[] {
	return runData[node]?.[0]?.data?.main?.[output] ?? [];
}

export function jsonOf(items: INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}

/**
 * Returns the input items that each item is linked to. n8n writes a link as a number, { item } or a
 * list.
 */
export function linksOf(items: INodeExecutionData[]): number[][] {
	return items.map(({ pairedItem = [] }) =>
		[pairedItem].flat().map((link) => (typeof link === 'number' ? link : link.item)),
	);
}

export function oneToOne(count: number): number[][] {
	return Array.from({ length: count }, (_, index) => [index]);
}

import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { DeliverySettings } from './delivery/settings';

/** n8n marks a node that an AI agent runs as a tool in these ways, the first since 2.x. */
type NodeOfTool = INode & { rewireOutputLogTo?: string };

/** Reads, from the first item, what holds for the whole run. */
export function readSettings(context: IExecuteFunctions): DeliverySettings {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const { batch = {} } = (options.batching ?? {}) as { batch?: IDataObject };
	return {
		maxConcurrency: Math.max(1, whole(options.maxConcurrency, 5)),
		batchSize: batch.batchSize === undefined ? 0 : batchSizeOf(batch.batchSize),
		batchInterval: Math.max(0, whole(batch.batchInterval, 1_000)),
		randomDelay: Math.max(0, whole(options.randomDelay, 0)),
		maxRetries: Math.max(0, whole(options.maxRetries, 3)),
		numbersPerRequest: Math.max(0, whole(options.numbersPerRequest, 500)),
		resendUncertain: options.onUncertain === 'resend',
		// A model reads an output whole, but of a node that fails a sentence or nothing, and might send again.
		continueOnFail: context.continueOnFail() || isTool(context),
		retriedByHost: context.getNode().retryOnFail === true,
	};
}

export function isTool(context: IExecuteFunctions): boolean {
	const { rewireOutputLogTo, type }: NodeOfTool = context.getNode();
	return (
		rewireOutputLogTo === 'ai_tool' || type.endsWith('Tool') || context.isToolExecution?.() === true
	);
}

/** As in n8n's HTTP Request node: -1 is no batches, 0 counts as 1. */
function batchSizeOf(value: unknown): number {
	const size = whole(value, 50);
	return size < 0 ? 0 : Math.max(1, size);
}

function whole(value: unknown, fallback: number): number {
	const number = Math.floor(Number(value ?? fallback));
	return Number.isFinite(number) ? number : fallback;
}

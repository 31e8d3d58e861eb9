import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { DeliverySettings } from './delivery/settings';
import { toWholeNumber } from './input/number';

/** n8n marks a node that an AI agent runs as a tool in these ways, the first since 2.x. */
type NodeOfTool = INode & { rewireOutputLogTo?: string };

/**
 * Reads, from the first item, what holds for the whole run. Each option by itself: the expression of
 * another one may fail for the first item, and concerns that item only.
 */
export function readSettings(context: IExecuteFunctions): DeliverySettings {
	return settingsOf(context, (name) => context.getNodeParameter(`options.${name}`, 0, null));
}

export function defaultSettings(context: IExecuteFunctions): DeliverySettings {
	return settingsOf(context, () => null);
}

function settingsOf(
	context: IExecuteFunctions,
	option: (name: string) => unknown,
): DeliverySettings {
	const { batch = {} } = (option('batching') ?? {}) as { batch?: IDataObject };
	return {
		maxConcurrency: Math.max(1, toWholeNumber(option('maxConcurrency'), 5)),
		batchSize: batch.batchSize === undefined ? 0 : batchSizeOf(batch.batchSize),
		batchInterval: Math.max(0, toWholeNumber(batch.batchInterval, 1_000)),
		randomDelay: Math.max(0, toWholeNumber(option('randomDelay'), 0)),
		maxRetries: Math.max(0, toWholeNumber(option('maxRetries'), 3)),
		numbersPerRequest: Math.max(0, toWholeNumber(option('numbersPerRequest'), 500)),
		resendUncertain: option('onUncertain') === 'resend',
		// A model reads an output whole, but of a node that fails a sentence or nothing, and might send again.
		continueOnFail: context.continueOnFail() || isTool(context),
		retriedByHost: context.getNode().retryOnFail === true,
	};
}

export function isTool(context: IExecuteFunctions): boolean {
	const { rewireOutputLogTo, type }: NodeOfTool = context.getNode();
	// n8n takes whatever a human review step gives for the person's answer: it has to fail instead.
	if (type.endsWith('HitlTool')) return false;
	return (
		rewireOutputLogTo === 'ai_tool' || type.endsWith('Tool') || context.isToolExecution?.() === true
	);
}

/** As in n8n's HTTP Request node: -1 is no batches, 0 counts as 1. */
function batchSizeOf(value: unknown): number {
	const size = toWholeNumber(value, 50);
	return size < 0 ? 0 : Math.max(1, size);
}

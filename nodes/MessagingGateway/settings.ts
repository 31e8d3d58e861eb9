import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { DeliverySettings } from './delivery/deliverySettings';
import type { GatewayClient } from './gateway/client';
import { toWholeNumber } from './input/number';
import { parseSwitch } from './input/switch';
import { readDryRun } from './operations/dryRun';
import { givenBy, type GivenOptions } from './operations/givenOptions';

/** n8n marks a node that an AI agent runs as a tool in these ways, the first since 2.x. */
type NodeOfTool = INode & { rewireOutputLogTo?: string };

/** Returns the value of an option, or what stands for one that is absent. */
type ReadOption = (name: string, absent?: number | null) => unknown;

/**
 * Reads the options that hold for the whole run, from the first item. It reads them one by one, because
 * the expression of another option may fail for the first item, and that concerns this item only.
 */
export function readSettings(
	context: IExecuteFunctions,
	given: GivenOptions,
	{ requestsPerMinute, subscription }: Pick<GatewayClient, 'requestsPerMinute' | 'subscription'>,
): DeliverySettings {
	const option: ReadOption = (name, absent = null) =>
		context.getNodeParameter(`options.${name}`, 0, absent);
	const dryRun = readDryRun(given, () => option('dryRun'));
	return { ...settingsOf(context, option, dryRun), requestsPerMinute, subscription };
}

/** Returns the settings of a run in which nothing can be sent: those that say how its errors come out. */
export function defaultSettings(context: IExecuteFunctions): DeliverySettings {
	const option: ReadOption = (name, absent = null) => {
		if (name !== 'dryRun' && name !== 'output') return absent;
		return givenBy(() => context.getNodeParameter(`options.${name}`, 0, absent)) ?? absent;
	};
	return settingsOf(context, option, parseSwitch(option('dryRun')) === true);
}

/** Returns the settings of a dry run whose first message goes to a number after all. */
export function withTest(settings: DeliverySettings, testNumber: string): DeliverySettings {
	// A dry run stays one: nobody who wants to be safe gets a message.
	if (testNumber === '' || settings.dryRun) return settings;
	return { ...settings, dryRun: true, continueOnFail: true, testNumber };
}

/** Returns the settings of a run that never waits, because it sends nothing. */
export function withoutWaits(settings: DeliverySettings): DeliverySettings {
	return { ...settings, batchSize: 0, randomDelay: 0, requestsPerMinute: 0, subscription: '' };
}

function settingsOf(
	context: IExecuteFunctions,
	option: ReadOption,
	dryRun: boolean,
): DeliverySettings {
	const { batch = {} } = (option('batching') ?? {}) as { batch?: IDataObject };
	return {
		maxConcurrency: Math.max(1, toWholeNumber(option('maxConcurrency'), 5)),
		batchSize: batch.batchSize === undefined ? 0 : batchSizeOf(batch.batchSize),
		batchInterval: Math.max(0, toWholeNumber(batch.batchInterval, 1_000)),
		randomDelay: Math.max(0, toWholeNumber(option('randomDelay'), 0)),
		// Whoever sets it to what is no number has no retries, which is safe.
		maxRetries: Math.max(0, toWholeNumber(option('maxRetries', 3), 0)),
		numbersPerRequest: Math.max(0, toWholeNumber(option('numbersPerRequest'), 500)),
		resendUncertain: option('onUncertain') === 'resend',
		// A model reads the whole output, but little or nothing of a failed node, and might send again.
		continueOnFail: context.continueOnFail() || isTool(context) || dryRun,
		retriedByHost: context.getNode().retryOnFail === true,
		subscription: '',
		requestsPerMinute: 0,
		dryRun,
		testNumber: '',
		perRecipient: option('output') === 'perRecipient',
	};
}

export function isTool(context: IExecuteFunctions): boolean {
	const { rewireOutputLogTo, type }: NodeOfTool = context.getNode();
	// n8n reads any output of a human review step as the person's reply, so the step has to fail instead.
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

import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { DeliverySettings } from './delivery/deliverySettings';
import type { GatewayClient } from './gateway/client';
import { toWholeNumber } from './input/number';
import { parseSwitch } from './input/switch';
import { readDryRun } from './operations/dryRun';
import { GivenOptions } from './operations/givenOptions';

/** n8n marks a node that an AI agent runs as a tool in these ways, the first since 2.x. */
type NodeOfTool = INode & { rewireOutputLogTo?: string };

/**
 * Reads the options that hold for the whole run, from the first item. It reads them one by one, because
 * the expression of another option may fail for the first item, and that concerns this item only.
 */
export function readSettings(
	context: IExecuteFunctions,
	{ requestsPerMinute, subscription }: Pick<GatewayClient, 'requestsPerMinute' | 'subscription'>,
): DeliverySettings {
	const option = (name: string) => context.getNodeParameter(`options.${name}`, 0, null);
	const given = new GivenOptions(context);
	const dryRun = readDryRun(given, () => option('dryRun'));
	const settings = settingsOf(context, option, dryRun);
	// Whoever sets it to what is no number has no retries, which is safe.
	if (given.has('maxRetries')) settings.maxRetries = retriesOf(option('maxRetries'), 0);
	return { ...settings, requestsPerMinute, subscription };
}

/** Returns the settings of a run in which nothing can be sent: those that say how its errors come out. */
export function defaultSettings(context: IExecuteFunctions): DeliverySettings {
	const option = (name: string) => {
		try {
			const isTold = name === 'dryRun' || name === 'output';
			return isTold ? context.getNodeParameter(`options.${name}`, 0, null) : null;
		} catch {
			return null;
		}
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
	option: (name: string) => unknown,
	dryRun: boolean,
): DeliverySettings {
	const { batch = {} } = (option('batching') ?? {}) as { batch?: IDataObject };
	return {
		maxConcurrency: Math.max(1, toWholeNumber(option('maxConcurrency'), 5)),
		batchSize: batch.batchSize === undefined ? 0 : batchSizeOf(batch.batchSize),
		batchInterval: Math.max(0, toWholeNumber(batch.batchInterval, 1_000)),
		randomDelay: Math.max(0, toWholeNumber(option('randomDelay'), 0)),
		maxRetries: retriesOf(option('maxRetries'), 3),
		numbersPerRequest: Math.max(0, toWholeNumber(option('numbersPerRequest'), 500)),
		resendUncertain: option('onUncertain') === 'resend',
		// A model reads the whole output, but little or nothing of a failed node, and might send again.
		continueOnFail: context.continueOnFail() || isTool(context) || dryRun,
		retriedByHost: context.getNode().retryOnFail === true,
		subscription: '',
		requestsPerMinute: 0,
		skipNumbers: new Set(),
		dryRun,
		testNumber: '',
		perRecipient: option('output') === 'perRecipient',
	};
}

export function isTool(context: IExecuteFunctions): boolean {
	const { rewireOutputLogTo, type }: NodeOfTool = context.getNode();
	// n8n reads any output of a human review step as the person's answer, so the step has to fail instead.
	if (type.endsWith('HitlTool')) return false;
	return (
		rewireOutputLogTo === 'ai_tool' || type.endsWith('Tool') || context.isToolExecution?.() === true
	);
}

const retriesOf = (value: unknown, fallback: number) => Math.max(0, toWholeNumber(value, fallback));

/** As in n8n's HTTP Request node: -1 is no batches, 0 counts as 1. */
function batchSizeOf(value: unknown): number {
	const size = toWholeNumber(value, 50);
	return size < 0 ? 0 : Math.max(1, size);
}

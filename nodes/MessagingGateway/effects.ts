/**
 * What a run acts on besides its output items: what a dry run leaves out, and what the one message of the option 'Test
 * Number' leaves out.
 */

import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Ask } from './ask/ask';
import type { DeliveryOptions } from './delivery/delivery';
import type { DeliverySettings } from './delivery/deliverySettings';
import { KeyHistory } from './delivery/memory/keyHistory';
import type { ExecutionRecord } from './delivery/memory/record';
import { isRetry, journalOf } from './execution';
import type { Accepted } from './gateway/outcome';
import type { FileField, Gateway, GatewayRequest } from './gateway/request';
import { count } from './shared/text';

/** What a run acts on. Its `keyHistory` must be closed. */
export interface Effects extends DeliveryOptions {
	/** Opens the page of the question, and waits for the reply. */
	ask?: Ask;
}

/** Returns what a run acts on: the gateway, n8n's record and the history of keys, or stand-ins for a dry run. */
export function effectsOf(
	context: IExecuteFunctions,
	settings: DeliverySettings,
	gateway: Gateway,
	ask?: Ask,
): Effects {
	if (settings.dryRun) return effectsOfDryRun(context, settings);
	const record = context.getContext('node');
	return { ...opened(context, settings, gateway, record, context.helpers), ask };
}

/**
 * Nothing leaves, nobody waits, no Send-Once Key is looked up or recorded, no page opens, and nothing is kept with the
 * execution. In a retry, the run knows what was sent.
 */
function effectsOfDryRun(context: IExecuteFunctions, settings: DeliverySettings): Effects {
	const noWaits = { batchSize: 0, randomDelay: 0, requestsPerMinute: 0, subscription: '' };
	return opened(context, { ...settings, ...noWaits }, PREVIEW, copiedRecord(context));
}

/**
 * Returns what the message to the test number acts on: it leaves, at the pace of the subscription. No key and no record is
 * kept of it, so that the message itself can still go out.
 */
export function effectsOfTest(
	context: IExecuteFunctions,
	settings: DeliverySettings,
	gateway: Gateway,
): Effects {
	return opened(context, settings, gateway, {});
}

/** The link in the question of a dry run. */
export const NO_LINK = '(the link to the page with the question goes here)';

/** @param history keeps the Send-Once Keys; if undefined, none is looked up or recorded */
function opened(
	context: IExecuteFunctions,
	settings: DeliverySettings,
	gateway: Gateway,
	record: IContextObject,
	history?: IExecuteFunctions['helpers'],
): Effects {
	return {
		settings,
		gateway,
		journal: journalOf(context, record, settings.resendUncertain),
		canceled: context.getExecutionCancelSignal?.(),
		log: (message) => context.logger.debug(message),
		keyHistory: new KeyHistory(history, context.getWorkflow().id ?? '', context.getNode().id),
	};
}

/** Returns the record of a retry, so that a dry run can show what was sent, without a way to change it. */
function copiedRecord(context: IExecuteFunctions): IContextObject {
	const record = context.getContext('node').journal as unknown as
		Partial<ExecutionRecord> | undefined;
	if (!isRetry(context) || !record?.runs) return {};
	const runs = Object.entries(record.runs).map(([key, run]) => [
		key,
		{ ...run, sameAs: { ...run.sameAs }, sendOnceKeys: {} },
	]);
	return { journal: { ...record, runs: Object.fromEntries(runs) as unknown } as IDataObject };
}

/** Nothing leaves, and the outcome shows the text and the file exactly as they would be sent. */
export const PREVIEW: Gateway = {
	isPreview: true,
	exchange: async (request) => await Promise.resolve(previewOf(request)),
};

function previewOf({ fields, file }: GatewayRequest): Accepted {
	const text = fields.message ?? fields.caption;
	return {
		outcome: 'accepted',
		envelope: {},
		preview: {
			...(typeof text === 'string' && { text }),
			...(file && { file: shownFile(file.content) }),
		},
	};
}

function shownFile({ name, size }: FileField['content']): string {
	return size > 0 ? `${name} (${count(size, 'byte')})` : name;
}

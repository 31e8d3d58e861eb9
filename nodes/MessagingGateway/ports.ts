/** What each kind of run acts on. */

import type { IContextObject, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { KeyHistory } from './delivery/memory/keyHistory';
import type { ExecutionRecord } from './delivery/memory/record';
import type { Ports, RunFacts } from './delivery/runContext';
import { journalOf } from './execution';
import type { Accepted } from './gateway/outcome';
import type { FileField, Gateway, GatewayRequest } from './gateway/request';
import { count } from './shared/text';

/**
 * Returns what a run acts on. In a dry run and in a test, nothing leaves, no Send-Once Key is looked up or recorded, and
 * nothing is kept with the execution; in a retry, they know what was sent.
 *
 * @param gateway absent if nothing can be sent
 * @param endsAt when the run must have ended, by `performance.now()`
 */
export function portsOf(
	context: IExecuteFunctions,
	mode: RunFacts['mode'],
	resendUncertain: boolean,
	gateway: Gateway = PREVIEW,
	endsAt = Infinity,
): Ports {
	const { helpers } = context;
	return mode === 'send'
		? opened(context, gateway, context.getContext('node'), resendUncertain, { helpers, endsAt })
		: opened(context, PREVIEW, copiedRecord(context), resendUncertain);
}

/** Returns what the message to the test number acts on. Neither a key nor a record is kept, so that it can still go out. */
export function portsOfTest(context: IExecuteFunctions, gateway: Gateway): Ports {
	return opened(context, gateway, {}, false);
}

/** @param history keeps the Send-Once Keys; if undefined, none is looked up or recorded */
function opened(
	context: IExecuteFunctions,
	gateway: Gateway,
	record: IContextObject,
	resendUncertain: boolean,
	history?: { helpers: IExecuteFunctions['helpers']; endsAt: number },
): Ports {
	const workflow = context.getWorkflow().id ?? '';
	const { id: node } = context.getNode();
	return {
		gateway,
		journal: journalOf(context, record, resendUncertain),
		keyHistory: new KeyHistory(history?.helpers, workflow, node, history?.endsAt),
		canceled: context.getExecutionCancelSignal?.(),
		log: (message) => context.logger.debug(message),
	};
}

/** Returns the record of a retry, so that a dry run can show what was sent, without a way to change it. */
function copiedRecord(context: IExecuteFunctions): IContextObject {
	const record = context.getContext('node').journal as unknown as
		Partial<ExecutionRecord> | undefined;
	if (context.getMode() !== 'retry' || !record?.runs) return {};
	const runs = Object.entries(record.runs).map(([key, run]) => [
		key,
		{ ...run, sameAs: { ...run.sameAs }, sendOnceKeys: {} },
	]);
	return { journal: { ...record, runs: Object.fromEntries(runs) as unknown } as IDataObject };
}

/** Nothing leaves, and the outcome shows the text and the file exactly as they would be sent. */
const PREVIEW: Gateway = {
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

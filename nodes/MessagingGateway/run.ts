/**
 * What happens to the items of one run of the node, from top to bottom:
 *
 *     readRun           the credential, the options that hold for all items, and what the run acts on
 *     itemsOf           one item after another: its parameters become a message
 *     Delivery.run      whether a retry may go on; messages become requests; each request has an outcome
 *     sendTest          with Test Number: sends the first message to that number
 *     showHints         shows the hints
 *     throwIfStopped    throws the error that stops the node
 *     toRows, toItems   make the output items
 *     ask.wait          after a question: holds the execution until the reply
 */
import {
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Ask } from './ask/ask';
import { Delivery } from './delivery/delivery';
import { byRecipient, byRequest, firstFailure, type Result } from './delivery/result';
import { isLaterRun, isRetry } from './execution';
import { hintsOf } from './output/hints';
import { dryRunOfRetry, toError } from './output/nodeError';
import type { FaultReport } from './operations/missingValues';
import { toItems } from './output/items';
import { itemsOf, type ReadRun, readRun } from './readRun';
import { type RowOptions, toRows } from './output/rows';
import { sendTest } from './testRun';

/** Sends the messages of one run, and returns its output items. */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const ask = isQuestion(context) ? new Ask(context) : undefined;
	// In a retry of what follows the question, n8n gives the reply as the input.
	if (ask?.isAnswered) return context.getInputData();
	const began = Date.now();
	// A question is asked once, with the first item, as in n8n's own nodes.
	const count = ask ? 1 : context.getInputData().length;
	const read = await readRun(context, ask);
	const { settings, effects } = read;
	const { journal, keyHistory } = effects;
	const delivery = await Delivery.run(effects, count, itemsOf(read, count)).finally(
		async () => await keyHistory.close(),
	);

	const requests = await byRequest(delivery.entries);
	const inDelivery = await byRecipient(delivery.entries);
	const recipients =
		settings.testNumber === '' ? inDelivery : await sendTest(context, read, inDelivery);
	await showHints(context, { read, delivery, requests, recipients, began });
	throwIfStopped(context, { read, requests, recipients, count });
	const output =
		settings.dryRun || settings.perRecipient
			? await toRows(recipients, rowOptionsOf(context, read))
			: await toItems(requests);
	if (requests[0]?.outcome.outcome === 'accepted') await effects.ask?.wait(output[0]);
	// With Retry On Fail, n8n runs the node again if its first output item has a field `error`, even an empty one that is
	// the gateway's own. That run needs the journal.
	if (!settings.retryOnFail || output[0]?.json.error === undefined) journal.close();
	return output;
}

/** The results of a run. */
interface Results {
	read: ReadRun;
	/** The results by request, and by recipient. */
	requests: Result[];
	recipients: Result[];
}

/** Shows the hints of the run in the output panel. */
async function showHints(
	context: IExecuteFunctions,
	{ read, delivery, requests, recipients, began }: Results & { delivery: Delivery; began: number },
): Promise<void> {
	const { settings, effects, operation, given, warnings, localOptOuts } = read;
	const { entries, keys } = delivery;
	const hints = await hintsOf({
		entries,
		requests,
		recipients,
		keys,
		settings,
		duration: Date.now() - began,
		timeLimit: Number(context.getWorkflowSettings?.().executionTimeout ?? 0),
		lacksLock: effects.keyHistory.lacksLock,
		hasFixedKey: given.has('sendOnceKey') && !given.isExpression('sendOnceKey'),
		warnings,
		localOptOuts,
		missing: await reportsOf(read),
		hasNumbers: operation?.recipient !== 'groupId',
		canBeBulk: operation?.resource === 'text' && operation.operation === 'send',
		wouldStop: settings.dryRun && !context.continueOnFail(),
	});
	context.addExecutionHints?.(...hints);
}

/**
 * Throws the error that stops the node: of a failed message, or of a dry run in a retry. The latter must not succeed,
 * because n8n would show the failed execution as repaired.
 */
function throwIfStopped(
	context: IExecuteFunctions,
	{ read, requests, recipients, count }: Results & { count: number },
): void {
	const { settings } = read;
	const node = context.getNode();
	const failure = settings.continueOnFail ? undefined : firstFailure(requests);
	if (failure) {
		throw toError(node, failure, requests, {
			items: count,
			recipients,
			resendsUncertain: settings.resendUncertain,
			isManual: context.getMode() === 'manual',
			isRetry: isRetry(context),
			isLaterRun: isLaterRun(context),
			execution: context.getExecutionId(),
			isSubWorkflow: context.getMode() === 'integrated',
		});
	}
	if (settings.dryRun && isRetry(context) && !context.continueOnFail()) {
		throw dryRunOfRetry(node, settings.testNumber);
	}
}

async function reportsOf({ missing }: ReadRun): Promise<FaultReport[]> {
	const reports = await Promise.all(
		Object.values(missing ?? {}).map(async (each) => await each.report()),
	);
	return reports.flat();
}

function rowOptionsOf(
	context: IExecuteFunctions,
	{ settings, operation, missing, showRecipient }: ReadRun,
): RowOptions {
	const { resource } = operation ?? {};
	return {
		isDryRun: settings.dryRun,
		hasErrorOutput: context.getNode().onError === 'continueErrorOutput',
		hasText: resource !== 'document',
		hasFile: resource !== 'text',
		hasQueueId: resource !== 'text' && operation?.operation === 'send',
		faultIn: (index) => missing?.text.ofItem(index),
		showRecipient,
	};
}

function isQuestion(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('operation', 0, '') === SEND_AND_WAIT_OPERATION;
}

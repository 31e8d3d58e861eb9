import {
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Ask } from './ask/ask';
import { Delivery } from './delivery/delivery';
import { byRecipient, byRequest } from './delivery/result';
import { KeyHistory } from './delivery/memory/keyHistory';
import type { DeliverySettings } from './delivery/deliverySettings';
import { hintsOf } from './hints/hints';
import type { GivenOptions } from './operations/givenOptions';
import { Item, type RunParameters } from './operations/item';
import type { HoleReport } from './operations/holes';
import { open, operationOf } from './open';
import { dryRunOfRetry, firstFailure, toError } from './nodeError';
import { toItems } from './output';
import { type RowOptions, toRows } from './rows';
import { adviceFor, isRetry, journalOf } from './run';
import { withoutWaits } from './settings';
import { sendTest } from './testRun';

/** Sends the messages of one run: item, operation, delivery, gateway, outcome, output item. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const ask = isQuestion(context) ? new Ask(context) : undefined;
	if (ask?.isAnswered) return context.getInputData();
	const began = Date.now();
	// A question is asked once, with the first item, as in n8n's own nodes.
	const items = ask ? 1 : context.getInputData().length;
	const opened = await open(context, ask);
	const { settings, shared, read, warnings, localOptOuts } = opened;
	const journal = journalOf(context, settings);
	const keyHistory = new KeyHistory(
		settings.dryRun ? undefined : context.helpers,
		context.getWorkflow().id ?? '',
		context.getNode().id,
	);

	const canceled = context.getExecutionCancelSignal?.();
	const delivery = new Delivery(
		{
			settings: settings.dryRun ? withoutWaits(settings) : settings,
			journal,
			keyHistory,
			canceled,
			log: (message) => context.logger.debug(message),
		},
		items,
		read,
	);
	try {
		await journal.guard.continue(keyHistory, canceled);
		await delivery.run();
	} finally {
		await keyHistory.close();
	}

	const { rows, unreleasedKeys, unrecordedKeys } = delivery;
	const requests = await byRequest(rows);
	const { dryRun, perRecipient, testNumber } = settings;
	const found = await byRecipient(rows);
	const recipients =
		testNumber === '' ? found : await sendTest(context, settings, found, opened.readToSend);
	const { resource, operation, recipient } = operationOf(context) ?? {};
	const hints = await hintsOf({
		rows,
		requests,
		recipients,
		unreleasedKeys,
		unrecordedKeys,
		settings,
		duration: Date.now() - began,
		timeLimit: Number(context.getWorkflowSettings?.().executionTimeout ?? 0),
		lacksLock: keyHistory.lacksLock,
		hasFixedKey: hasFixedKey(shared.given),
		warnings,
		localOptOuts,
		holes: await reportsOf(shared),
		hasNumbers: recipient !== 'groupId',
		hasBulk: resource === 'text' && operation === 'send',
		wouldStop: dryRun && !context.continueOnFail(),
	});
	context.addExecutionHints?.(...hints);
	const failure = settings.continueOnFail ? undefined : firstFailure(requests);
	if (failure)
		throw toError(
			context.getNode(),
			failure,
			requests,
			adviceFor(context, items, recipients, settings),
		);
	if (dryRun && isRetry(context) && !context.continueOnFail()) {
		throw dryRunOfRetry(context.getNode(), testNumber);
	}
	const output =
		dryRun || perRecipient
			? await toRows(recipients, rowOptionsOf(context, settings, shared))
			: await toItems(requests);
	if (requests[0]?.outcome.outcome === 'accepted' && !dryRun) await ask?.wait(output[0]);
	// Where the first item has an error, even an empty one of the gateway's own, n8n tries again.
	if (!settings.retriedByHost || output[0]?.json.error === undefined) journal.close();
	return output;
}

async function reportsOf({ holes }: RunParameters): Promise<HoleReport[]> {
	if (!holes) return [];
	const reports = await Promise.all(Object.values(holes).map(async (each) => await each.report()));
	return reports.flat();
}

function rowOptionsOf(
	context: IExecuteFunctions,
	{ dryRun }: DeliverySettings,
	shared: RunParameters,
): RowOptions {
	const { resource, operation, recipient } = operationOf(context) ?? {};
	return {
		isDryRun: dryRun,
		hasErrorOutput: context.getNode().onError === 'continueErrorOutput',
		hasText: resource !== 'document',
		hasFile: resource !== 'text',
		hasQueueId: resource !== 'text' && operation === 'send',
		holeIn: (index) => shared.holes?.text.ofItem(index),
		asEntered: (index) =>
			recipient ? new Item(context, index, shared).showRecipient(recipient) : '',
	};
}

/** Whether the Send-Once Key is a text without an expression: the same for all items and executions. */
function hasFixedKey(given: GivenOptions): boolean {
	return given.has('sendOnceKey') && !given.isExpression('sendOnceKey');
}

function isQuestion(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('operation', 0, 'send') === SEND_AND_WAIT_OPERATION;
}

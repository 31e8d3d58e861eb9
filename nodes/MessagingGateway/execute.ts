import {
	NodeOperationError,
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Ask } from './ask/ask';
import { deliverBulk } from './delivery/bulk';
import { Journal } from './delivery/journal';
import { Notices } from './delivery/notices';
import { Pacer } from './delivery/pacer';
import { isStop, NOT_BEGUN, type Result } from './delivery/result';
import { DeliveryRun, type Order } from './delivery/run';
import { SendOnce } from './delivery/sendOnce';
import type { DeliverySettings } from './delivery/settings';
import { deliverSingles } from './delivery/singles';
import { GatewayClient } from './gateway/client';
import type { Failure } from './gateway/outcome';
import { findOperation } from './operations';
import { Item, type RunParameters } from './operations/item';
import type { Operation } from './operations/operation';
import { defaultSettings, isTool, readSettings } from './settings';
import { inItemOrder, toError, toItems } from './output';
import { InputError } from './shared/inputError';

/** The way of all messages of one run: item, operation, delivery, gateway, outcome, output item. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const ask = new Ask(context);
	const items = isQuestion(context) ? 1 : context.getInputData().length;
	const notices = new Notices();
	const { settings, read, deliver } = await opened(context, notices, ask);
	const runKey = String(context.getWorkflowDataProxy(0).$runIndex);
	const execution = settings.retriedByHost ? context.getExecutionId() : undefined;
	const journal = new Journal(context.getContext('node'), runKey, execution);
	const cancelled = context.getExecutionCancelSignal?.();
	const run = new DeliveryRun({
		settings,
		journal,
		notices,
		sendOnce: new SendOnce(context.helpers),
		cancelled,
		log: (message) => context.logger.debug(message),
	});

	warnOfLongPauses(context, settings, deliver === deliverBulk, notices);
	await deliver(run, items, read);

	const results = [...run.results, ...notBegun(run, items)];
	context.addExecutionHints?.(...notices.toHints());
	throwIfStopped(context, settings, results, items, run.results);
	const output = toItems(results, items);
	// Where the first item has an error, even an empty one of the gateway's own, n8n tries again.
	if (!settings.retriedByHost || output[0]?.json.error === undefined) journal.close();
	if (isQuestion(context) && results[0]?.outcome.outcome === 'accepted') await ask.wait();
	return output;
}

/** Opens the credential once, and makes each item exact when its turn comes. */
async function opened(
	context: IExecuteFunctions,
	notices: Notices,
	ask: Ask,
): Promise<{
	settings: DeliverySettings;
	read: (index: number) => Order;
	deliver: typeof deliverSingles;
}> {
	try {
		const settings = readSettings(context);
		const operation = operationOf(context);
		const deliver = operation.operation === 'sendBulk' ? deliverBulk : deliverSingles;
		return { settings, read: await reader(context, operation, notices, ask), deliver };
	} catch (error) {
		// What is wrong for all items is said for each: a node that throws while it is set to
		// continue on fail would hand its input on as if it had been sent.
		const read = () => {
			throw new NodeOperationError(context.getNode(), error as Error);
		};
		return { settings: defaultSettings(context), read, deliver: deliverSingles };
	}
}

/** A question is asked once, with the first item, as in n8n's own nodes. */
function isQuestion(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('operation', 0, 'send') === SEND_AND_WAIT_OPERATION;
}

function operationOf(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0, 'text') as string;
	const name = context.getNodeParameter('operation', 0, 'send') as string;
	const operation = findOperation(resource, name);
	if (operation) return operation;
	throw new InputError(
		`There is no operation “${name}” for the resource “${resource}”`,
		'Open the node and choose the operation again.',
	);
}

async function reader(
	context: IExecuteFunctions,
	operation: Operation,
	notices: Notices,
	ask: Ask,
): Promise<(index: number) => Order> {
	const client = await GatewayClient.open(context);
	const once = (name: string, fallback: string) =>
		String(context.getNodeParameter(name, 0, fallback));
	const shared: RunParameters = {
		credentialDeviceId: client.deviceId,
		recipientSource:
			once('recipientSource', 'list') === 'items' && !isTool(context) ? 'items' : 'list',
		phoneNumberField: once('phoneNumberField', 'phone'),
		notices,
		linkTo: (question, limit) => ask.linkTo(question, limit),
	};
	return (index) => {
		const item = new Item(context, index, shared);
		const { timeout, sendOnceKey } = item;
		return {
			index,
			sendOnceKey,
			message: operation.toMessage(item),
			exchange: async (request) => await client.exchange(request, timeout),
		};
	};
}

/** A cancelled run says of each item that it did not come to that it was not begun. */
function notBegun(run: DeliveryRun, items: number): Result[] {
	if (!run.isCancelled) return [];
	const begun = new Set(run.results.flatMap((result) => result.items));
	const indexes = Array.from({ length: items }, (_, index) => index);
	return indexes
		.filter((index) => !begun.has(index))
		.map((index) => ({ items: [index], outcome: run.unlessSentBefore(index, NOT_BEGUN) }));
}

function throwIfStopped(
	context: IExecuteFunctions,
	settings: DeliverySettings,
	results: Result[],
	items: number,
	begun: Result[],
): void {
	const stopped = inItemOrder(results).find((result): result is Result & { outcome: Failure } =>
		isStop(result.outcome, settings),
	);
	if (stopped) throw toError(context.getNode(), stopped, begun, items);
}

function warnOfLongPauses(
	context: IExecuteFunctions,
	settings: DeliverySettings,
	isBulk: boolean,
	notices: Notices,
): void {
	const items = context.getInputData().length;
	const timeout = Number(context.getWorkflowSettings?.().executionTimeout ?? -1);
	const perRequest = isBulk ? settings.numbersPerRequest || items : 1;
	const pauses = Pacer.pausesOf(settings, Math.ceil(items / perRequest)) / 1000;
	if (timeout <= 0 || pauses <= timeout) return;
	notices.say(
		`The pauses of the option Batching add up to ${Math.ceil(pauses)} seconds, and n8n stops this workflow after ${timeout} seconds. Raise the timeout in the workflow's settings, or send fewer items at once.`,
	);
}

import {
	NodeOperationError,
	SEND_AND_WAIT_OPERATION,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Ask } from './ask/ask';
import { Delivery } from './delivery/delivery';
import type { Order } from './delivery/message';
import { byRecipient, byRequest } from './delivery/result';
import { KeyHistory } from './delivery/memory/keyHistory';
import type { DeliverySettings } from './delivery/deliverySettings';
import { GatewayClient } from './gateway/client';
import { previewOf } from './gateway/preview';
import { hintsOf } from './hints';
import { parseCountryCode } from './input/countryCode';
import { findOperation } from './operations';
import { checkDryRun } from './operations/dryRun';
import { GivenOptions } from './operations/givenOptions';
import { Item, type RunParameters } from './operations/item';
import { readSkipNumbers } from './operations/skipNumbers';
import type { Operation } from './operations/operation';
import { dryRunOfRetry, firstFailure, toError } from './nodeError';
import { toItems } from './output';
import { toRows, type RowOptions } from './rows';
import { adviceFor, isRetry, journalOf } from './run';
import { defaultSettings, isTool, readSettings, withoutWaits } from './settings';
import { InputError } from './shared/inputError';
import { quote } from './shared/quote';

/** What is known of a run that cannot even read what holds for all of its items. */
const UNREAD: Omit<RunParameters, 'given'> = {
	credentialDeviceId: '',
	credentialCountryCode: '',
	recipientSource: 'list',
	phoneNumberField: 'phone',
	linkTo: () => '(here is the link to the page with the question)',
};

/** Sends the messages of one run: item, operation, delivery, gateway, outcome, output item. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const ask = isQuestion(context) ? new Ask(context) : undefined;
	// A question is asked once, with the first item, as in n8n's own nodes.
	const items = ask ? 1 : context.getInputData().length;
	const { settings, shared, read, warnings, localOptOuts } = await open(context, ask);
	const journal = journalOf(context, settings);
	const keyHistory = new KeyHistory(
		settings.dryRun ? undefined : context.helpers,
		context.getWorkflow().id ?? '',
		context.getNode().id,
	);

	const cancelled = context.getExecutionCancelSignal?.();
	const delivery = new Delivery(
		{
			settings: settings.dryRun ? withoutWaits(settings) : settings,
			journal,
			keyHistory,
			cancelled,
			log: (message) => context.logger.debug(message),
		},
		items,
		read,
	);
	try {
		if (!settings.dryRun) await journal.guard.continue(keyHistory, cancelled);
		await delivery.run();
	} finally {
		await keyHistory.close();
	}

	const { rows, unreleasedKeys, unrecordedKeys } = delivery;
	const requests = await byRequest(rows);
	const recipients = await byRecipient(rows);
	const { dryRun, perRecipient } = settings;
	const hints = await hintsOf({
		rows,
		requests,
		recipients,
		unreleasedKeys,
		unrecordedKeys,
		settings,
		timeLimit: Number(context.getWorkflowSettings?.().executionTimeout ?? 0),
		lacksLock: keyHistory.lacksLock,
		hasFixedKey: hasFixedKey(new GivenOptions(context)),
		warnings,
		localOptOuts,
	});
	context.addExecutionHints?.(...hints);
	const failure = settings.continueOnFail ? undefined : firstFailure(requests);
	if (failure) throw toError(context.getNode(), failure, requests, adviceFor(context, items));
	if (dryRun && isRetry(context) && !context.continueOnFail()) {
		throw dryRunOfRetry(context.getNode());
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

function rowOptionsOf(
	context: IExecuteFunctions,
	{ dryRun }: DeliverySettings,
	shared: RunParameters,
): RowOptions {
	const { resource, operation, recipient } = operationOf(context) ?? {};
	return {
		isDryRun: dryRun,
		hasErrorOutput: context.getNode().onError === 'continueErrorOutput',
		hasText: resource !== undefined && resource !== 'document',
		hasFile: resource !== undefined && resource !== 'text',
		hasQueueId: resource !== 'text' && operation === 'send',
		asEntered: (index) =>
			recipient ? new Item(context, index, shared).showRecipient(recipient) : '',
	};
}

/** Whether the Send-Once Key is a text without an expression: the same for all items and executions. */
function hasFixedKey(given: GivenOptions): boolean {
	return given.has('sendOnceKey') && !given.isExpression('sendOnceKey');
}

/** What a run begins with. */
interface Opened {
	settings: DeliverySettings;
	shared: RunParameters;
	read: (index: number) => Promise<Order>;
	/** What a person should know of the options. */
	warnings: string[];
	localOptOuts: number;
}

/** Opens the credential and reads what holds for the whole run. */
async function open(context: IExecuteFunctions, ask?: Ask): Promise<Opened> {
	const shared: RunParameters = { ...UNREAD, given: new GivenOptions(context) };
	try {
		Object.assign(shared, readRunParameters(context));
		const client = await GatewayClient.open(context);
		const countryCode = parseCountryCode(client.defaultCountryCode, 'in the credential');
		shared.credentialDeviceId = client.deviceId;
		shared.credentialCountryCode = countryCode;
		const { optOuts, warnings } = await readSkipNumbers(context, countryCode);
		const settings = { ...readSettings(context, client), skipNumbers: optOuts.readings };
		// A dry run asks nobody, and no page waits for an answer.
		if (!settings.dryRun && ask) {
			shared.linkTo = (question, limit) => ask.linkTo(question, limit);
		}
		const read = readerOf(context, client, settings, shared);
		return { settings, shared, read, warnings, localOptOuts: optOuts.withoutCode };
	} catch (error) {
		// An error that concerns all items becomes the error of each: a node that throws while it is set to
		// continue on errors would pass its input on as if it had been sent.
		// Older releases of n8n lose what an error was made from.
		const failure =
			error instanceof InputError
				? Object.assign(error, { isOfWholeRun: true })
				: new NodeOperationError(context.getNode(), error as Error);
		const read = async () => {
			throw failure;
		};
		return { settings: defaultSettings(context), shared, read, warnings: [], localOptOuts: 0 };
	}
}

/** Returns a function that makes an item exact when its turn has come. */
function readerOf(
	context: IExecuteFunctions,
	client: GatewayClient,
	{ dryRun }: DeliverySettings,
	shared: RunParameters,
): (index: number) => Promise<Order> {
	const operation = knownOperationOf(context);
	const isDryRunByItem = shared.given.isExpression('dryRun');
	return async (index) => {
		if (isDryRunByItem && index > 0) {
			checkDryRun(() => context.getNodeParameter('options.dryRun', index, null), dryRun);
		}
		const item = new Item(context, index, shared);
		const timeout = item.readTimeout();
		return {
			index,
			sendOnceKey: item.readSendOnceKey(),
			message: await operation.toMessage(item),
			exchange: dryRun
				? async (request) => previewOf(request)
				: async (request, onLeaving) => await client.exchange(request, timeout, onLeaving),
		};
	};
}

function isQuestion(context: IExecuteFunctions): boolean {
	return context.getNodeParameter('operation', 0, 'send') === SEND_AND_WAIT_OPERATION;
}

/** Returns where all items have their phone numbers. */
function readRunParameters(
	context: IExecuteFunctions,
): Pick<RunParameters, 'recipientSource' | 'phoneNumberField'> {
	const once = (name: string, fallback: string) =>
		String(context.getNodeParameter(name, 0, fallback));
	const isByItem = once('recipientSource', UNREAD.recipientSource) === 'items' && !isTool(context);
	return {
		recipientSource: isByItem ? 'items' : 'list',
		phoneNumberField: once('phoneNumberField', UNREAD.phoneNumberField),
	};
}

function chosenBy(context: IExecuteFunctions): [resource: string, operation: string] {
	const once = (name: string, fallback: string) =>
		String(context.getNodeParameter(name, 0, fallback));
	return [once('resource', 'text'), once('operation', 'send')];
}

function operationOf(context: IExecuteFunctions): Operation | undefined {
	return findOperation(...chosenBy(context));
}

function knownOperationOf(context: IExecuteFunctions): Operation {
	const [resource, name] = chosenBy(context);
	if (name === SEND_AND_WAIT_OPERATION && isTool(context)) {
		throw new InputError(
			'An AI agent cannot wait for a response with this tool',
			'Choose another operation, or add this node as a human review step of another tool.',
		);
	}
	const operation = operationOf(context);
	if (operation) return operation;
	throw new InputError(
		`There is no operation ${quote(name)} for the resource ${quote(resource)}`,
		'Open the node and choose the operation again.',
	);
}

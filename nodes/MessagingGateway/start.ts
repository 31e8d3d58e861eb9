/** Starts a run: reads the credential and the options that hold for all items. Then its items can be read one by one. */

import {
	type IDataObject,
	type IExecuteFunctions,
	NodeOperationError,
	SEND_AND_WAIT_OPERATION,
} from 'n8n-workflow';

import type { Ask } from './ask/ask';
import type { ReadItem, ReadyItem } from './delivery/message';
import type { RunContext, RunFacts, RunOptions } from './delivery/runContext';
import { factsOf, isCalledByModel } from './execution';
import { GatewayClient } from './gateway/client';
import { type Failure, notSentBecauseOf } from './gateway/outcome';
import type { Gateway } from './gateway/request';
import { parseSwitch, toWholeNumber } from './input/optionValue';
import { unfilledIn } from './input/expression';
import { parseCountryCode } from './numbers/countryCode';
import { findOperation } from './operations';
import { checkDryRun, readDryRun, readTestNumber } from './operations/dryRunOptions';
import { givenBy, GivenOptions } from './operations/givenOptions';
import { Item, type RunParameters } from './operations/item';
import { MissingValues } from './operations/missingValues';
import { checkList, ownCountryCode, readNumberLists, SameList } from './operations/numberLists';
import type { Operation } from './operations/operation';
import { portsOf } from './ports';
import { InputError } from './shared/inputError';
import { quote } from './shared/text';

/** A run that has started. Its `ports.keyHistory` must be closed. */
export interface StartedRun extends RunContext {
	operation: Operation;
	/** What its items share. */
	shared: RunParameters;
	/** Sends the message of a test. */
	client: Gateway;
	/** Warnings about the options, for the output panel. */
	warnings: string[];
}

/** A run that cannot start, so that every item gets the same failure. */
export interface FailedStart extends RunFacts {
	failure: Failure;
	/** Undefined if there is none of the name. */
	operation?: Operation;
	/** What the recipients of its items are read with. */
	shared: RunParameters;
}

/** The link in the question of a dry run. */
const NO_LINK = '(the link to the page with the question goes here)';

/** Starts a run. Never throws. */
export async function start(
	context: IExecuteFunctions,
	ask?: Ask,
): Promise<StartedRun | FailedStart> {
	const facts = outputFactsOf(context);
	let countryCode = '';
	try {
		const client = await GatewayClient.open(context);
		countryCode = parseCountryCode(client.defaultCountryCode, 'in the credential');
		return await startWith(context, facts, client, countryCode, ask);
	} catch (error) {
		return {
			...facts,
			failure: ofWholeRun(context, error),
			operation: givenBy(() => findOperation(...chosenBy(context))),
			shared: unreadShared(context, countryCode),
		};
	}
}

/**
 * Returns the failure of every item. An InputError is not wrapped: older releases of n8n lose an error that another one
 * wraps.
 */
function ofWholeRun(context: IExecuteFunctions, error: unknown): Failure {
	if (isInvalidUrl(error)) return ofWholeRun(context, invalidAddress());
	return notSentBecauseOf(
		error instanceof InputError
			? Object.assign(error, { isOfWholeRun: true })
			: new NodeOperationError(context.getNode(), error as Error),
	);
}

/**
 * n8n adds its own address to what expressions can use, and reads no parameter of any node if it cannot parse that:
 * https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/core/src/execution-engine/node-execution-context/utils/get-additional-keys.ts
 */
function isInvalidUrl(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_URL';
}

function invalidAddress(): InputError {
	return new InputError(
		'n8n cannot read the parameters of its nodes, because its own address is not a web address',
		"Set n8n's environment variable N8N_WEBHOOK_URL, or WEBHOOK_URL if that is not set, to an address that starts with https://, such as https://n8n.example.com/, and restart n8n.",
	);
}

/** Returns how the results of a run come out, as far as n8n can say. Never throws. */
export function outputFactsOf(context: IExecuteFunctions): RunFacts {
	const option = (name: string) =>
		givenBy(() => context.getNodeParameter(`options.${name}`, 0, null));
	return {
		mode: parseSwitch(option('dryRun')) === true ? 'dryRun' : 'send',
		perRecipient: option('output') === 'perRecipient',
		n8n: factsOf(context),
	};
}

/** @throws InputError, or an error of n8n, if nothing can be sent */
async function startWith(
	context: IExecuteFunctions,
	facts: RunFacts,
	client: GatewayClient,
	countryCode: string,
	ask?: Ask,
): Promise<StartedRun> {
	const given = new GivenOptions(context);
	const operation = knownOperation(context, facts);
	const source = recipientsFrom(context, (name) => readOnce(context, name));
	const { optOuts, allowed, warnings } = await readNumberLists(
		context,
		given,
		countryCode,
		isCalledByModel(context),
	);
	const warning = facts.n8n.isTool ? undefined : checkList(context, given);
	if (warning !== undefined) warnings.push(warning);
	const option = (name: string) => context.getNodeParameter(`options.${name}`, 0, null);
	const isDry = given.has('dryRun') && readDryRun(() => option('dryRun'));
	const code = ownCountryCode(context, given) || countryCode;
	const testNumber = given.has('testNumber')
		? readTestNumber(given, () => option('testNumber'), code, allowed)
		: '';
	// With both options, it stays a dry run, to be safe.
	const mode = isDry ? 'dryRun' : testNumber === '' ? 'send' : 'test';
	const { message, caption } = context.getNode().parameters;
	const [textName, text] =
		operation.resource === 'image' ? (['caption', caption] as const) : (['text', message] as const);
	const fileName = given.expressionOf('fileName');
	const isPreview = mode !== 'send';
	const options = readOptions(context);
	return {
		...facts,
		mode,
		account: { subscription: client.subscription, requestsPerMinute: client.requestsPerMinute },
		options,
		testNumber,
		operation,
		client,
		warnings,
		shared: {
			...source,
			credentialDeviceId: client.deviceId,
			credentialCountryCode: countryCode,
			given,
			optOuts,
			allowed,
			lists: new SameList(),
			unfilled: unfilledIn(text),
			missing: {
				text: new MissingValues(context, textName, text, isPreview),
				fileName: new MissingValues(context, 'file name', fileName, isPreview),
			},
			openPage: (question, limit) =>
				ask && mode === 'send' ? ask.openPage(question, limit) : NO_LINK,
		},
		// Last, because the history of keys must be closed.
		ports: portsOf(context, mode, options.resendUncertain, client, facts.n8n.endsAt),
	};
}

/** Reads the items of a run, lazily. Never throws. */
export async function* itemsOf(
	context: IExecuteFunctions,
	run: StartedRun,
	count: number,
): AsyncGenerator<ReadItem> {
	for (let index = 0; index < count; index++) {
		yield await readItem(context, run, index).catch((error: unknown) => {
			return { index, failure: notSentBecauseOf(error) };
		});
	}
}

async function readItem(
	context: IExecuteFunctions,
	{ operation, shared, mode }: StartedRun,
	index: number,
): Promise<ReadyItem> {
	if (shared.given.isExpression('dryRun')) {
		checkDryRun(() => context.getNodeParameter('options.dryRun', index, null), mode === 'dryRun');
	}
	const item = new Item(context, index, shared);
	return {
		index,
		timeout: item.readTimeout(),
		sendBefore: item.readSendBefore(),
		sendOnceKey: item.readSendOnceKey(),
		message: await operation.toMessage(item),
	};
}

/**
 * Returns the recipient of an item without a message: the number as it would be sent, or else the item's text; '' if it
 * has none. Never throws.
 */
export function shownRecipient(
	context: IExecuteFunctions,
	{ operation, shared }: StartedRun | FailedStart,
	index: number,
): string {
	return operation ? new Item(context, index, shared).showRecipient(operation.recipient) : '';
}

/** Returns what items share if nothing could be read for certain. */
function unreadShared(context: IExecuteFunctions, countryCode: string): RunParameters {
	return {
		...recipientsFrom(context, (name) => String(givenBy(() => readOnce(context, name)))),
		credentialDeviceId: '',
		credentialCountryCode: countryCode,
		given: new GivenOptions(context),
		lists: new SameList(),
		openPage: () => NO_LINK,
	};
}

/** Returns where a bulk text finds its recipients. */
function recipientsFrom(
	context: IExecuteFunctions,
	read: (name: string) => string,
): Pick<RunParameters, 'recipientSource' | 'phoneNumberField'> {
	const isItems = read('recipientSource') === 'items' && !factsOf(context).isTool;
	return {
		recipientSource: isItems ? 'items' : 'list',
		phoneNumberField: read('phoneNumberField'),
	};
}

/** Returns a parameter that holds for the whole run; '' if n8n does not show it for the chosen operation. */
function readOnce(context: IExecuteFunctions, name: string): string {
	return String(context.getNodeParameter(name, 0, ''));
}

function chosenBy(context: IExecuteFunctions): [resource: string, operation: string] {
	return [readOnce(context, 'resource'), readOnce(context, 'operation')];
}

function knownOperation(context: IExecuteFunctions, { n8n }: RunFacts): Operation {
	const [resource, name] = chosenBy(context);
	const found = findOperation(resource, name);
	if (found?.operation === SEND_AND_WAIT_OPERATION && n8n.isTool) {
		throw new InputError(
			'An AI agent cannot wait for a response with this tool',
			'Choose another operation, or add this node as a human review step of another tool.',
		);
	}
	if (found) return found;
	throw new InputError(
		`There is no operation ${quote(name)} for the resource ${quote(resource)}`,
		'Open the node and choose the operation again.',
	);
}

/**
 * Reads the options that hold for the whole run, from the first item. It reads them one by one, because
 * the expression of another option may fail for the first item, and that concerns the first item only.
 */
export function readOptions(context: IExecuteFunctions): RunOptions {
	const option = (name: string, absent: number | null = null): unknown =>
		context.getNodeParameter(`options.${name}`, 0, absent);
	const { batch = {} } = (option('batching') ?? {}) as { batch?: IDataObject };
	return {
		maxConcurrency: Math.max(1, toWholeNumber(option('maxConcurrency'), 5)),
		batchSize: 'batchSize' in batch ? batchSizeOf(batch.batchSize) : 0,
		batchInterval: Math.max(0, toWholeNumber(batch.batchInterval, 1_000)),
		randomDelay: Math.max(0, toWholeNumber(option('randomDelay'), 0)),
		// If it is not a number: no retries, the safe choice.
		maxRetries: Math.max(0, toWholeNumber(option('maxRetries', 3), 0)),
		numbersPerRequest: Math.max(0, toWholeNumber(option('numbersPerRequest'), 500)),
		resendUncertain: option('onUncertain') === 'resend',
	};
}

/** As in n8n's HTTP Request node: -1 turns batches off, 0 counts as 1. */
function batchSizeOf(value: unknown): number {
	const size = toWholeNumber(value, 50);
	return size < 0 ? 0 : Math.max(1, size);
}

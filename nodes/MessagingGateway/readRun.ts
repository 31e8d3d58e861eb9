/** Reads the settings of a whole run, and then its items one after another. */

import {
	type IDataObject,
	type IExecuteFunctions,
	NodeOperationError,
	SEND_AND_WAIT_OPERATION,
} from 'n8n-workflow';

import type { Ask } from './ask/ask';
import type { DeliverySettings } from './delivery/deliverySettings';
import type { ReadItem, ReadyItem } from './delivery/message';
import { type Effects, effectsOf, NO_LINK, PREVIEW } from './effects';
import { isCalledByModel, isTool } from './execution';
import { GatewayClient } from './gateway/client';
import { notSentBecauseOf } from './gateway/outcome';
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
import { InputError } from './shared/inputError';
import { quote } from './shared/text';

/** What is known of a run before its items are read. */
export interface ReadRun {
	settings: DeliverySettings;
	/** What it acts on. */
	effects: Effects;
	/** Sends requests, including the one to a test number. */
	gateway: Gateway;
	/** Undefined if there is no such operation. */
	operation?: Operation;
	given: GivenOptions;
	/** Warnings about the options, for the output panel. */
	warnings: string[];
	/** If no Default Country Code is set: how many numbers to skip have no country code. */
	localOptOuts: number;
	/** What is missing in the texts and file names. */
	missing?: RunParameters['missing'];
	/** Reads and checks one item. Never throws. */
	read(index: number): Promise<ReadItem>;
	/**
	 * Returns the recipient of an item that could not be read: the number as it would be sent, or else the item's text; '' if
	 * it has none.
	 */
	showRecipient(index: number): string;
}

/** Returns the value of an option, or `absent` if the node does not have it. */
type ReadOption = (name: string, absent?: number | null) => unknown;

/** Opens the credential, and reads the settings for all items. If that fails, every item gets the error. */
export async function readRun(context: IExecuteFunctions, ask?: Ask): Promise<ReadRun> {
	const given = new GivenOptions(context);
	let countryCode = '';
	try {
		const client = await GatewayClient.open(context);
		countryCode = parseCountryCode(client.defaultCountryCode, 'in the credential');
		return await readForAll(context, given, client, countryCode, ask);
	} catch (error) {
		return failedRun(context, given, countryCode, error);
	}
}

/** Reads the items of a run, lazily. */
export async function* itemsOf({ read }: ReadRun, count: number): AsyncGenerator<ReadItem> {
	for (let index = 0; index < count; index++) yield await read(index);
}

/** @throws InputError, or an error of n8n, if nothing can be sent */
async function readForAll(
	context: IExecuteFunctions,
	given: GivenOptions,
	client: GatewayClient,
	countryCode: string,
	ask?: Ask,
): Promise<ReadRun> {
	const source = recipientsFrom(context, (name) => readOnce(context, name));
	const { optOuts, allowed, warnings } = await readNumberLists(
		context,
		given,
		countryCode,
		isCalledByModel(context),
	);
	const operation = knownOperation(context);
	const warning = isTool(context) ? undefined : checkList(context, given);
	if (warning !== undefined) warnings.push(warning);
	const own = readSettings(context, given, client);
	const readTest = () =>
		readTestNumber(
			given,
			() => context.getNodeParameter('options.testNumber', 0, null),
			ownCountryCode(context, given) || countryCode,
			allowed,
		);
	const settings = given.has('testNumber') ? withTest(own, readTest()) : own;
	const effects = effectsOf(context, settings, client, ask);
	const { message, caption } = context.getNode().parameters;
	const [textName, text] =
		operation.resource === 'image' ? (['caption', caption] as const) : (['text', message] as const);
	const run: RunParameters = {
		...source,
		credentialDeviceId: client.deviceId,
		credentialCountryCode: countryCode,
		given,
		optOuts,
		allowed,
		lists: new SameList(),
		unfilled: unfilledIn(text),
		missing: {
			text: new MissingValues(context, textName, text, settings.dryRun),
			fileName: new MissingValues(
				context,
				'file name',
				given.expressionOf('fileName'),
				settings.dryRun,
			),
		},
		openPage: (question, limit) => effects.ask?.openPage(question, limit) ?? NO_LINK,
	};
	return {
		settings,
		effects,
		gateway: client,
		operation,
		given,
		warnings,
		localOptOuts: optOuts?.withoutCode ?? 0,
		missing: run.missing,
		read: async (index) => {
			try {
				if (given.isExpression('dryRun')) {
					const read = () => context.getNodeParameter('options.dryRun', index, null);
					checkDryRun(read, own.dryRun);
				}
				return await readItem(new Item(context, index, run), operation);
			} catch (error) {
				return { index, failure: notSentBecauseOf(error) };
			}
		},
		showRecipient: (index) => new Item(context, index, run).showRecipient(operation.recipient),
	};
}

/** Returns a run whose items all have the same error. */
function failedRun(
	context: IExecuteFunctions,
	given: GivenOptions,
	countryCode: string,
	error: unknown,
): ReadRun {
	const operation = findOperation(...chosenBy(context));
	// Not thrown: a node that is set to continue would pass its input on as if it had been sent.
	// An InputError is not wrapped: older releases of n8n lose an error that another one wraps.
	const failure = notSentBecauseOf(
		error instanceof InputError
			? Object.assign(error, { isOfWholeRun: true })
			: new NodeOperationError(context.getNode(), error as Error),
	);
	const settings = unreadSettings(context);
	// The rows of a run that failed name its recipients, too.
	const run: RunParameters = {
		...recipientsFrom(context, (name) => String(givenBy(() => readOnce(context, name)))),
		credentialDeviceId: '',
		credentialCountryCode: countryCode,
		given,
		lists: new SameList(),
		openPage: () => NO_LINK,
	};
	return {
		settings,
		effects: effectsOf(context, settings, PREVIEW),
		gateway: PREVIEW,
		operation,
		given,
		warnings: [],
		localOptOuts: 0,
		read: async (index) => await Promise.resolve({ index, failure }),
		showRecipient: (index) =>
			operation ? new Item(context, index, run).showRecipient(operation.recipient) : '',
	};
}

async function readItem(item: Item, operation: Operation): Promise<ReadyItem> {
	return {
		index: item.index,
		timeout: item.readTimeout(),
		sendBefore: item.readSendBefore(),
		sendOnceKey: item.readSendOnceKey(),
		message: await operation.toMessage(item),
	};
}

/** Returns where a bulk text finds its recipients. */
function recipientsFrom(
	context: IExecuteFunctions,
	read: (name: string) => string,
): Pick<RunParameters, 'recipientSource' | 'phoneNumberField'> {
	const isItems = read('recipientSource') === 'items' && !isTool(context);
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

function knownOperation(context: IExecuteFunctions): Operation {
	const [resource, name] = chosenBy(context);
	const found = findOperation(resource, name);
	if (found?.operation === SEND_AND_WAIT_OPERATION && isTool(context)) {
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
export function readSettings(
	context: IExecuteFunctions,
	given: GivenOptions,
	{ requestsPerMinute, subscription }: Pick<GatewayClient, 'requestsPerMinute' | 'subscription'>,
): DeliverySettings {
	const option: ReadOption = (name, absent = null) =>
		context.getNodeParameter(`options.${name}`, 0, absent);
	const dryRun = given.has('dryRun') && readDryRun(() => option('dryRun'));
	return { ...settingsOf(context, option, dryRun), requestsPerMinute, subscription };
}

/** Returns the settings of a run in which nothing can be sent. They only decide what its errors look like. */
export function unreadSettings(context: IExecuteFunctions): DeliverySettings {
	const option: ReadOption = (name, absent = null) => {
		if (name !== 'dryRun' && name !== 'output') return absent;
		return givenBy(() => context.getNodeParameter(`options.${name}`, 0, absent)) ?? absent;
	};
	return settingsOf(context, option, parseSwitch(option('dryRun')) === true);
}

/** Returns the settings of a run with a test number: a dry run, of which one message goes out. */
function withTest(settings: DeliverySettings, testNumber: string): DeliverySettings {
	// With both options, it stays a dry run, to be safe.
	if (settings.dryRun) return settings;
	return { ...settings, dryRun: true, continueOnFail: true, testNumber };
}

function settingsOf(
	context: IExecuteFunctions,
	option: ReadOption,
	dryRun: boolean,
): DeliverySettings {
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
		// A model reads the whole output, but little or nothing of a failed node, and might send again.
		continueOnFail: context.continueOnFail() || isTool(context) || dryRun,
		retryOnFail: context.getNode().retryOnFail === true,
		subscription: '',
		requestsPerMinute: 0,
		dryRun,
		testNumber: '',
		perRecipient: option('output') === 'perRecipient',
	};
}

/** As in n8n's HTTP Request node: -1 turns batches off, 0 counts as 1. */
function batchSizeOf(value: unknown): number {
	const size = toWholeNumber(value, 50);
	return size < 0 ? 0 : Math.max(1, size);
}

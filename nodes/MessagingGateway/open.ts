import { NodeOperationError, SEND_AND_WAIT_OPERATION, type IExecuteFunctions } from 'n8n-workflow';

import { Ask } from './ask/ask';
import type { ReadyItem } from './delivery/message';
import type { DeliverySettings } from './delivery/deliverySettings';
import { GatewayClient } from './gateway/client';
import { previewOf } from './gateway/request';
import { unfilledIn } from './input/expressionParts';
import { parseCountryCode } from './numbers/countryCode';
import { findOperation } from './operations';
import { checkDryRun, readTestNumber } from './operations/dryRun';
import { GivenOptions } from './operations/givenOptions';
import { Item, type RunParameters } from './operations/item';
import { Holes, type TextName } from './operations/holes';
import { listWarning, ownCountryCode, readNumberLists, SameList } from './operations/numberLists';
import type { Operation } from './operations/operation';
import { defaultSettings, isTool, readSettings, withTest } from './settings';
import { InputError, naming } from './shared/inputError';
import { quote } from './shared/text';

/** What is known of a run that cannot even read what holds for all of its items. */
const UNREAD: Omit<RunParameters, 'given' | 'lists'> = {
	credentialDeviceId: '',
	credentialCountryCode: '',
	recipientSource: 'list',
	phoneNumberField: 'phone',
	openPage: () => '(here is the link to the page with the question)',
};

/** What a run begins with. */
export interface Opened {
	settings: DeliverySettings;
	shared: RunParameters;
	read: (index: number) => Promise<ReadyItem>;
	/** Reads an item of a dry run so that it goes out after all. */
	readToSend: (index: number) => Promise<ReadyItem>;
	/** What a person should know of the options. */
	warnings: string[];
	localOptOuts: number;
}

/** Opens the credential and reads what holds for the whole run. */
export async function open(context: IExecuteFunctions, ask?: Ask): Promise<Opened> {
	const shared: RunParameters = {
		...UNREAD,
		given: new GivenOptions(context),
		lists: new SameList(),
	};
	try {
		Object.assign(shared, readRunParameters(context));
		const client = await GatewayClient.open(context);
		const countryCode = parseCountryCode(client.defaultCountryCode, 'in the credential');
		shared.credentialDeviceId = client.deviceId;
		shared.credentialCountryCode = countryCode;
		const { optOuts, allowed, warnings } = await readNumberLists(
			context,
			shared.given,
			countryCode,
		);
		Object.assign(shared, { optOuts, allowed });
		const operation = knownOperationOf(context);
		const isList = operation.operation === 'sendBulk' && shared.recipientSource === 'list';
		const partial = isList && !isTool(context) ? listWarning(context) : undefined;
		if (partial !== undefined) warnings.push(partial);
		const asked = readSettings(context, shared.given, client);
		const testNumber = readTestNumber(
			shared.given,
			() => context.getNodeParameter('options.testNumber', 0, null),
			ownCountryCode(context, shared.given) || countryCode,
			allowed,
		);
		const settings = withTest(asked, testNumber);
		// A dry run asks nobody, and no page waits for a reply.
		if (!settings.dryRun && ask) {
			shared.openPage = (question, limit) => ask.openPage(question, limit);
		}
		const { message, caption } = context.getNode().parameters;
		const holesIn = (name: TextName, parameter: unknown) => new Holes(context, name, parameter);
		const isImage = operation.resource === 'image';
		shared.unfilled = unfilledIn(isImage ? caption : message);
		shared.holes = settings.dryRun
			? {
					text: isImage ? holesIn('caption', caption) : holesIn('text', message),
					fileName: holesIn('file name', shared.given.expressionOf('fileName')),
				}
			: undefined;
		const readerFor = (isDryRun: boolean, run: RunParameters) =>
			readerOf(context, operation, client, { isDryRun, isAsked: asked.dryRun }, run);
		return {
			settings,
			shared,
			read: readerFor(settings.dryRun, shared),
			// Its text was looked at before.
			readToSend: readerFor(false, { ...shared, holes: undefined }),
			warnings,
			localOptOuts: optOuts?.withoutCode ?? 0,
		};
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
		const settings = defaultSettings(context);
		return { settings, shared, read, readToSend: read, warnings: [], localOptOuts: 0 };
	}
}

/** Returns a function that reads and checks an item when it is to be sent. */
function readerOf(
	context: IExecuteFunctions,
	operation: Operation,
	client: GatewayClient,
	{ isDryRun, isAsked }: { isDryRun: boolean; isAsked: boolean },
	shared: RunParameters,
): (index: number) => Promise<ReadyItem> {
	const isDryRunByItem = shared.given.isExpression('dryRun');
	return async (index) => {
		if (isDryRunByItem && index > 0) {
			const read = () => context.getNodeParameter('options.dryRun', index, null);
			naming('options.dryRun', () => checkDryRun(read, isAsked));
		}
		const item = new Item(context, index, shared);
		const timeout = item.readTimeout();
		return {
			index,
			sendOnceKey: item.readSendOnceKey(),
			message: await operation.toMessage(item),
			exchange: isDryRun
				? async (request) => previewOf(request)
				: async (request, onLeaving) => await client.exchange(request, timeout, onLeaving),
		};
	};
}

/** Returns where all items have their phone numbers. */
function readRunParameters(
	context: IExecuteFunctions,
): Pick<RunParameters, 'recipientSource' | 'phoneNumberField'> {
	const source = readOnce(context, 'recipientSource', UNREAD.recipientSource);
	return {
		recipientSource: source === 'items' && !isTool(context) ? 'items' : 'list',
		phoneNumberField: readOnce(context, 'phoneNumberField', UNREAD.phoneNumberField),
	};
}

function readOnce(context: IExecuteFunctions, name: string, fallback: string): string {
	return String(context.getNodeParameter(name, 0, fallback));
}

function chosenBy(context: IExecuteFunctions): [resource: string, operation: string] {
	return [readOnce(context, 'resource', 'text'), readOnce(context, 'operation', 'send')];
}

export function operationOf(context: IExecuteFunctions): Operation | undefined {
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

/** Reads items with the real parameters, resolved by n8n itself. */
import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import type { Message } from '../../../nodes/MessagingGateway/delivery/message';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';
import { findOperation, properties } from '../../../nodes/MessagingGateway/operations/index';
import { Item } from '../../../nodes/MessagingGateway/operations/item';
import type { RunParameters } from '../../../nodes/MessagingGateway/operations/item';
import { SameList } from '../../../nodes/MessagingGateway/operations/numberLists';
import type { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import type { Question } from '../../../nodes/MessagingGateway/shared/question';
import { BEGINNINGS } from '../../support/beginnings';
import type { ItemInput } from '../../support/engine/engine';
import { inNode, inputErrorFrom } from '../../support/rooms';

export const NUMBER = '6281234567890';
export const PHOTO = {
	fileName: 'a.png',
	mimeType: 'image/png',
	content: BEGINNINGS.png,
};

const OPENING = { stopped: new AbortController().signal, isPreview: false };

export const runOf = (context: IExecuteFunctions): RunParameters => ({
	given: new GivenOptions(context),
	lists: new SameList(),
	credentialDeviceId: 'device-1',
	credentialCountryCode: '',
	recipientSource: 'list',
	phoneNumberField: 'phone',
	openPage: () => '',
});

export interface Given {
	parameters: INodeParameters;
	item?: ItemInput;
	device?: string;
	/** Called with the question of the item. */
	onQuestion?: (question: Question) => void;
}

/** Resolves to what `use` makes of an item. */
export const readItem = async <T>(
	use: (item: Item, context: IExecuteFunctions) => Promise<T> | T,
	{ parameters, item = {} }: Given,
	run: Partial<RunParameters> = {},
): Promise<T> =>
	await inNode(
		async (context) => await use(new Item(context, 0, { ...runOf(context), ...run }), context),
		{ parameters, properties, items: [item] },
	);

/** Resolves to what `use` makes of the message that an operation makes of one item. */
async function read<T>(
	{ parameters, item, device = 'device-1', onQuestion }: Given,
	use: (message: Message) => Promise<T> | T,
): Promise<T> {
	const once = (name: string, otherwise: string) => String(parameters[name] ?? otherwise);
	const run = {
		credentialDeviceId: device,
		recipientSource: once('recipientSource', 'list') === 'items' ? 'items' : 'list',
		phoneNumberField: once('phoneNumberField', 'phone'),
		openPage: (question) => {
			onQuestion?.(question);
			return `https://n8n.example/${question.kind}`;
		},
	} satisfies Partial<RunParameters>;
	return await readItem(
		async (each) => {
			const operation = findOperation(once('resource', 'text'), once('operation', 'send'));
			if (!operation) throw new Error('There is no such operation');
			return await use(await operation.toMessage(each));
		},
		{ parameters, item },
		run,
	);
}

export const messageOf = async (given: Given): Promise<Message> =>
	await read(given, (message) => message);
export const toOf = ({ recipients }: Message): string[] => recipients.map(({ to }) => to);
export const requestOf = async (given: Given): Promise<GatewayRequest> =>
	await read(given, async (message) =>
		message.requestTo(toOf(message), await message.openFile?.(OPENING)),
	);
export const refusal = async (given: Given): Promise<InputError> =>
	await inputErrorFrom(messageOf(given));

import type { INodeProperties } from 'n8n-workflow';

import type { Message, Recipient } from '../delivery/message';
import type { GatewayRequest } from '../gateway/request';
import { hashOf } from '../shared/text';
import type { Item, ItemFile, RecipientParameter } from './item';
import type { CommonOptionName, OptionName } from './options';

/** One operation of the node: its fields, and the message that an item's parameters describe. */
export interface Operation {
	resource: 'text' | 'image' | 'document';
	operation: 'send' | 'sendAndWait' | 'sendBulk' | 'sendToGroup';
	/** Shown in the list of operations. */
	name: string;
	/** Shown in n8n's node panel. */
	action: string;
	description: string;
	/** The parameter with the recipient. */
	recipient: RecipientParameter;
	/** Shown for this operation only: first the recipient, then the content. */
	fields: INodeProperties[];
	options: OptionName[];
	/** Options without an effect. Saved workflows that hold them stay valid. */
	unusedOptions?: CommonOptionName[];
	/** @throws InputError if the item cannot be sent as it is */
	toMessage(item: Item): Message | Promise<Message>;
}

/** The parts of a single message. */
interface Single {
	recipient: Recipient;
	/** The text that tells it from others, if no file goes with it. */
	text?: string;
	/** Returns the request without the file, to this recipient or to the number of a test. */
	requestTo: (to: string) => GatewayRequest;
	attached?: ItemFile;
	expectsReply?: boolean;
}

/** Returns a single message. Its file is opened shortly before it goes out. */
export function single({ recipient, text, requestTo, attached, expectsReply }: Single): Message {
	return {
		travels: 'single',
		expectsReply,
		identity: text === undefined ? undefined : hashOf(text),
		recipients: [recipient],
		refusals: [],
		...(attached && { openFile: attached.open }),
		requestTo: ([to], content) => ({
			...requestTo(to as string),
			...(attached && content && { file: { field: attached.field, content } }),
		}),
	};
}

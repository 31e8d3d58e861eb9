import type { INodeProperties } from 'n8n-workflow';

import type { Message } from '../delivery/message';
import type { Item } from './item';
import type { OptionName } from './options';

/** One thing that the node can do: its fields, and what an item's parameters ask for. */
export interface Operation {
	resource: 'text' | 'image' | 'document';
	operation: 'send' | 'sendAndWait' | 'sendBulk' | 'sendToGroup';
	/** As the operation selector shows it. */
	name: string;
	/** As n8n's node panel lists it. */
	action: string;
	description: string;
	/** In the order of thought: to whom, then what. Shown for this operation only. */
	fields: INodeProperties[];
	options: OptionName[];
	/** @throws InputError where the item cannot be sent as it is */
	toMessage(item: Item): Message;
}

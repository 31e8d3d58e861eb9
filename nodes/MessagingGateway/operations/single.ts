import type { Message, Recipient } from '../delivery/message';
import type { GatewayRequest } from '../gateway/request';
import type { ItemFile } from './item';

/** The parts of a single message. */
export interface Single {
	recipient: Recipient;
	/** What it says, besides the file. */
	words: string[];
	/** Without the file. */
	request: GatewayRequest;
	attached?: { field: string; file: ItemFile };
	expectsReply?: boolean;
}

/** Returns a single message. Its file is opened shortly before it goes out. */
export function single({ recipient, words, request, attached, expectsReply }: Single): Message {
	return {
		travels: 'single',
		expectsReply,
		words: JSON.stringify(words),
		device: '',
		recipients: [recipient],
		refusals: [],
		...(attached && { openFile: async () => await attached.file.open() }),
		requestTo: (_, content) =>
			attached && content ? { ...request, file: { field: attached.field, content } } : request,
	};
}

import type { Message, Recipient } from '../delivery/message';
import type { GatewayRequest } from '../gateway/request';
import type { ItemFile } from './item';

/** The parts of a message that has a request of its own. */
export interface Alone {
	recipient: Recipient;
	/** The item's own words, besides recipient and file. */
	words: string[];
	/** Without the file. */
	request: GatewayRequest;
	attached?: { field: string; file: ItemFile };
	expectsAnswer?: boolean;
}

/** Returns a message in a request of its own. Its file is opened when its turn has come. */
export function alone({ recipient, words, request, attached, expectsAnswer }: Alone): Message {
	return {
		travels: 'alone',
		expectsAnswer,
		identity: JSON.stringify([
			request.path.join('/'),
			recipient.written,
			...words,
			attached?.file.identity ?? '',
		]),
		device: '',
		recipients: [recipient],
		refused: [],
		requestTo: async () =>
			attached
				? { ...request, file: { field: attached.field, content: await attached.file.open() } }
				: request,
	};
}

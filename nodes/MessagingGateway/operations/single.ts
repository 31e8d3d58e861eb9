import type { SingleMessage } from '../delivery/message';
import type { GatewayRequest } from '../gateway/request';
import type { ItemFile } from './item';

/** A message in one request, whole from the start or with a file that is opened when its turn comes. */
export function single(
	recipient: string,
	request: GatewayRequest,
	attached?: { field: string; file: ItemFile },
): SingleMessage {
	return {
		kind: 'single',
		recipient,
		identity: JSON.stringify([request.path, request.fields, attached?.file.identity]),
		prepare: async () =>
			attached
				? { ...request, file: { field: attached.field, content: await attached.file.open() } }
				: request,
	};
}

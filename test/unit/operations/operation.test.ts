import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import { single } from '../../../nodes/MessagingGateway/operations/operation';
import type { Upload } from '../../../nodes/MessagingGateway/shared/file';

const requestTo = (to: string): GatewayRequest => ({
	path: ['api', 'v1', 'message', 'send'],
	format: 'form',
	fields: { number: to },
	answer: 'envelope',
});
const OPENING = { stopped: new AbortController().signal, isPreview: false };
const RECIPIENT = { to: '62812', asEntered: '0812' };

it('a message in a request of its own is told from others by its text, and has no identity with a file', () => {
	const message = single({ recipient: RECIPIENT, text: 'Halo', requestTo });
	expect(message).toEqual({
		travels: 'single',
		identity: expect.any(String),
		recipients: [RECIPIENT],
		refusals: [],
		requestTo: expect.any(Function),
	});
	const identityOf = (text?: string) => single({ recipient: RECIPIENT, text, requestTo }).identity;
	expect(identityOf('Halo')).toBe(message.identity);
	expect(identityOf('halo')).not.toBe(message.identity);
	expect(identityOf()).toBeUndefined();
});

it('a message in a request of its own has its file fetched shortly before it goes out', async () => {
	const content = { name: 'a.png' } as Upload;
	const open = jest.fn(async () => await Promise.resolve(content));
	const attached = { field: 'image', open } as const;
	const message = single({ recipient: RECIPIENT, requestTo, attached });
	expect(open).not.toHaveBeenCalled();
	const file = await message.openFile?.(OPENING);
	expect(message.requestTo(['62813'])).toEqual(requestTo('62813'));
	expect(message.requestTo(['62813'], file)).toEqual({
		...requestTo('62813'),
		file: { field: 'image', content },
	});
});

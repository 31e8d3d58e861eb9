import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';
import { alone } from '../../../nodes/MessagingGateway/operations/alone';
import type { Upload } from '../../../nodes/MessagingGateway/shared/file';

const REQUEST: GatewayRequest = {
	path: ['api', 'v1', 'message', 'send'],
	format: 'form',
	fields: { number: '62812' },
	answer: 'envelope',
};
const RECIPIENT = { to: '62812', written: '0812' };

describe('a message in a request of its own', () => {
	it('has the same identity in every release, as a Retry after an update goes by it', () => {
		expect(alone({ recipient: RECIPIENT, words: ['Halo', 'b'], request: REQUEST })).toEqual({
			travels: 'alone',
			identity: '["api/v1/message/send","0812","Halo","b",""]',
			device: '',
			recipients: [RECIPIENT],
			refused: [],
			requestTo: expect.any(Function),
		});
	});

	it('is another message with another file, which is opened when its turn has come', async () => {
		const content = { name: 'a.png' } as Upload;
		const open = jest.fn(async () => await Promise.resolve(content));
		const attached = { field: 'image', file: { identity: 'picture', open } };
		const message = alone({ recipient: RECIPIENT, words: [], request: REQUEST, attached });
		expect(message.identity).toBe('["api/v1/message/send","0812","picture"]');
		expect(open).not.toHaveBeenCalled();
		expect(await message.requestTo([])).toEqual({ ...REQUEST, file: { field: 'image', content } });
	});
});

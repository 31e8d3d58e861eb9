import { previewOf } from '../../../nodes/MessagingGateway/gateway/preview';
import type { GatewayRequest } from '../../../nodes/MessagingGateway/gateway/request';

const fileOf = (size: number): GatewayRequest['file'] => ({
	field: 'file',
	content: { name: 'a.pdf', contentType: 'application/pdf', size, open: async () => Buffer.of() },
});

it.each<[string, Partial<GatewayRequest>, object]>([
	['a text', { fields: { message: 'Halo', number: '62' } }, { text: 'Halo' }],
	['no text', { fields: { message: ['a'] } }, {}],
	['a file', { file: fileOf(1) }, { file: 'a.pdf (1 byte)' }],
	[
		'a file with a caption',
		{ fields: { caption: 'Look' }, file: fileOf(1_234) },
		{ text: 'Look', file: 'a.pdf (1,234 bytes)' },
	],
])('a dry run accepts and shows %s', (_, request, preview) => {
	const accepted = previewOf({ path: [], fields: {}, answer: 'envelope', ...request });
	expect(accepted).toStrictEqual({ outcome: 'accepted', envelope: {}, preview });
});

import type { Accepted } from './outcome';
import type { GatewayRequest } from './request';

/** Returns what a dry run has in place of an answer: text and file of the request, exactly as they would be sent. */
export function previewOf({ fields, file }: GatewayRequest): Accepted {
	const text = fields.message ?? fields.caption;
	return {
		outcome: 'accepted',
		envelope: {},
		preview: {
			...(typeof text === 'string' && { text }),
			...(file && { file: `${file.content.name} (${bytes(file.content.size)})` }),
		},
	};
}

function bytes(size: number): string {
	return `${size.toLocaleString('en-US')} ${size === 1 ? 'byte' : 'bytes'}`;
}

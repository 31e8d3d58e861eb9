/** What an operation asks the gateway to send. How it travels is decided in `client.ts`. */

import type { Upload } from '../shared/file';
import type { Accepted } from './outcome';

/** The path, fields and file of one request. */
export interface GatewayRequest {
	/** The segments of the path below the Base URL, not encoded. */
	path: string[];
	/** The format of the fields in a request without a file. */
	format?: 'form' | 'json';
	fields: Record<string, string | string[]>;
	file?: FileField;
	/** `anyJson` if the API does not show the answer (the v2 group sends). */
	answer: 'envelope' | 'anyJson';
	/** Added to the advice if the gateway does not know the path. */
	pathAdvice?: string;
}

export interface FileField {
	field: string;
	content: Upload;
}

/** Returns the outcome of a request in a dry run: its text and file, exactly as they would be sent. */
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

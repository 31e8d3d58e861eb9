import type { Upload } from '../shared/file';

/** What an operation sends to the gateway, but not how. */
export interface GatewayRequest {
	/** Segments below the Base URL, not encoded. */
	path: string[];
	/** How the fields are written if no file goes with them. */
	format?: 'form' | 'json';
	fields: Record<string, string | string[]>;
	file?: FileField;
	/** `anyJson` if the API does not show the answer (the v2 group sends). */
	answer: 'envelope' | 'anyJson';
	/** What to add to the advice when the gateway does not know the path. */
	pathAdvice?: string;
}

export interface FileField {
	field: string;
	content: Upload;
}

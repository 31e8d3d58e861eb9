/** The request that an operation describes. `client.ts` decides how it travels. */

import type { Upload } from '../shared/file';
import type { Outcome } from './outcome';

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

/** Where requests go. */
export interface Gateway {
	/** Nothing leaves n8n: requests are only shown. */
	/**
	 * Sends a request once. Never throws.
	 *
	 * @param timeout in milliseconds; 0 is none
	 * @param onLeaving called before anything of it can reach the gateway
	 */
	exchange(request: GatewayRequest, timeout: number, onLeaving: () => void): Promise<Outcome>;
}

export interface FileField {
	field: string;
	content: Upload;
}

/** What the operations ask of the gateway, without how it travels. */
export interface GatewayRequest {
	/** Segments below the Base URL, not encoded. */
	path: string[];
	/** How the fields travel where no file goes with them. */
	format?: 'form' | 'json';
	fields: Record<string, string | string[]>;
	file?: FileField;
	/** `anyJson` where the API does not show the answer (the v2 group sends). */
	answer: 'envelope' | 'anyJson';
	/** What to say besides when the gateway does not know the path. */
	pathAdvice?: string;
}

export interface FileField {
	field: string;
	content: Upload;
}

/** A file on its way to the gateway. */
export interface Upload {
	/** The name that the recipient sees: safe in a header, ending in an allowed extension. */
	name: string;
	contentType: string;
	/** Bytes. */
	size: number;
	/** Opened anew for each try, as a request uses its body up. */
	open(): Promise<ByteStream | Buffer>;
	/** Lets go of what was opened to look at the file and never read. */
	release?(): void;
}

/** A readable stream of bytes, as n8n's helpers give it. */
export type ByteStream = NodeJS.ReadableStream &
	AsyncIterable<Buffer | string> & {
		readonly readableEnded?: boolean;
		destroy(error?: Error): void;
	};

export function isStream(value: unknown): value is ByteStream {
	return typeof (value as ByteStream | undefined)?.pipe === 'function';
}

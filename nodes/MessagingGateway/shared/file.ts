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

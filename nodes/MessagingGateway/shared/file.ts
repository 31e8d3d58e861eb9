/** A file to be sent to the gateway. */
export interface Upload {
	/** The name that the recipient sees: safe in a header, with an extension that the gateway accepts. */
	name: string;
	contentType: string;
	/** Bytes. */
	size: number;
	/**
	 * Opens the file for one try; the next try opens it again, because a request uses up its body.
	 * `stopped` ends a download that is under way.
	 */
	open(stopped?: AbortSignal): Promise<ByteStream | Buffer>;
	/** Closes what was opened to look at the file, if nobody has read it. */
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

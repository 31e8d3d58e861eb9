/** The types of a file on its way: `files/` opens it, `delivery/` opens it again for each try, `gateway/` sends it. */

/** A file to be sent to the gateway. */
export interface Upload {
	/** The name that the recipient sees: safe in a header, with an extension that the gateway accepts. */
	name: string;
	contentType: string;
	/** Bytes. */
	size: number;
	/** Opens the file for the next try before its turn, unless it is open. Absent if the file is in memory. */
	openAhead?(stopped?: AbortSignal): Promise<void>;
	/** Whether the file is open, and can still be sent. */
	isOpen?(): boolean;
	/**
	 * Resolves to the content for one try. The next try opens the file again, because a request uses up its body.
	 * `stopped` ends a download.
	 */
	open(stopped?: AbortSignal): Promise<ByteStream | Buffer>;
	/** Closes an open file that nobody has read. */
	release?(): void;
}

/** A readable stream of bytes, as n8n's helpers return it. */
export type ByteStream = NodeJS.ReadableStream &
	AsyncIterable<Buffer | string> & {
		readonly readableEnded?: boolean;
		readonly destroyed?: boolean;
		destroy(error?: Error): void;
	};

export function isStream(value: unknown): value is ByteStream {
	return typeof (value as ByteStream | undefined)?.pipe === 'function';
}

/** The types of a file on its way: `files/` finds and stores it, `delivery/` decides when, `gateway/` sends it. */

/** How a file is opened. */
export interface Opening {
	/** Aborts when nothing new may begin. */
	stopped: AbortSignal;
	/** In a dry run, the file is only looked at: it is neither stored nor sent. */
	isPreview: boolean;
}

/** A file that n8n holds, ready to be sent. */
export interface Upload {
	/** The name that the recipient sees: safe in a header, with an extension that the gateway accepts. */
	name: string;
	contentType: string;
	/** Bytes. In a dry run, 0 if its server does not announce it. */
	size: number;
	/** Resolves to the content for one try, which uses it up. */
	open(): Promise<ByteStream | Buffer>;
}

/** A readable stream of bytes, as n8n's helpers return it. */
export type ByteStream = NodeJS.ReadableStream &
	AsyncIterable<Buffer | string> & {
		readonly readableEnded?: boolean;
		destroy(error?: Error): void;
	};

export function isStream(value: unknown): value is ByteStream {
	return typeof (value as ByteStream | undefined)?.pipe === 'function';
}

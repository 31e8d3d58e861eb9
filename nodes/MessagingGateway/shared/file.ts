/** A file to be sent to the gateway. */
export interface Upload {
	/** The name that the recipient sees: safe in a header, with an extension that the gateway accepts. */
	name: string;
	contentType: string;
	/** Bytes. */
	size: number;
	/** Opens the file for the next try before its turn, unless it is open. Absent if it lies in memory. */
	openAhead?(stopped?: AbortSignal): Promise<void>;
	/** Returns whether the file is open, and can still be sent like that. */
	isOpen?(): boolean;
	/**
	 * Resolves to the file for one try; the next try opens it again, because a request uses up its body.
	 * `stopped` ends a download that is under way.
	 */
	open(stopped?: AbortSignal): Promise<ByteStream | Buffer>;
	/** Closes what was opened, if nobody has read it. */
	release?(): void;
}

/** A readable stream of bytes, as n8n's helpers give it. */
export type ByteStream = NodeJS.ReadableStream &
	AsyncIterable<Buffer | string> & {
		readonly readableEnded?: boolean;
		readonly destroyed?: boolean;
		destroy(error?: Error): void;
	};

export function isStream(value: unknown): value is ByteStream {
	return typeof (value as ByteStream | undefined)?.pipe === 'function';
}

/** A file that is open and waits for the turn of its request. */
export interface WaitingFile {
	/** Returns whether it can still be sent. */
	isGood(): boolean;
	/** Returns it, once, to be sent. */
	take(): ByteStream | Buffer;
}

/**
 * Returns how a file is opened that has to be opened for each try.
 *
 * @param openAnew opens it
 * @param first what is open already
 * @param watch takes care of it while it waits
 */
export function openedForEachTry(
	openAnew: (stopped?: AbortSignal) => Promise<ByteStream>,
	first?: ByteStream,
	watch: (stream: ByteStream) => WaitingFile = unwatched,
): Required<Pick<Upload, 'isOpen' | 'open' | 'openAhead' | 'release'>> {
	let unread = first;
	let waiting: WaitingFile | undefined;
	const isOpen = () => unread !== undefined && (waiting ?? unwatched(unread)).isGood();
	const release = () => {
		unread?.destroy();
		unread = waiting = undefined;
	};
	const find = async (stopped?: AbortSignal) => {
		if (unread && isOpen()) return unread;
		release();
		return (unread = await openAnew(stopped));
	};
	return {
		isOpen,
		release,
		openAhead: async (stopped) => {
			const stream = await find(stopped);
			waiting ??= watch(stream);
		},
		open: async (stopped) => {
			const stream = await find(stopped);
			const content = waiting?.take() ?? stream;
			unread = waiting = undefined;
			return content;
		},
	};
}

function unwatched(stream: ByteStream): WaitingFile {
	return { isGood: () => stream.destroyed !== true, take: () => stream };
}

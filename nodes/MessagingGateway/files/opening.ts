/** Opens a file for each try of its request, and reads a download ahead while its request waits. */

import type { ByteStream, Upload } from '../shared/file';
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { unlessStopped, withTimeout } from '../shared/time';

/** An open file whose request waits for its turn. */
interface WaitingFile {
	/**
	 * Resolves when enough of it was read, or its connection broke.
	 *
	 * @throws InputError if it cannot be sent
	 */
	ready(): Promise<void>;
	/** Whether it can still be sent. */
	isGood(): boolean;
	/**
	 * Returns its content. Called once.
	 *
	 * @throws InputError if its connection broke
	 */
	take(): ByteStream | Buffer;
}

/**
 * Returns the methods of a file that is opened for each try.
 *
 * @param openAnew opens it
 * @param first the stream that is already open, if there is one
 * @param watch watches an open file while its request waits
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
	const prepare = async (stopped?: AbortSignal) => {
		if (!isOpen()) {
			release();
			unread = await openAnew(stopped);
			// Without a listener, a connection that breaks while the file waits would stop n8n.
			unread.on('error', () => undefined);
		}
		waiting ??= watch(unread as ByteStream);
		await unlessStopped(stopped, waiting.ready());
		return waiting;
	};
	const prepareTwice = async (stopped?: AbortSignal) => {
		const file = await prepare(stopped);
		return file.isGood() ? file : await prepare(stopped);
	};
	return {
		isOpen,
		release,
		openAhead: async (stopped) => void (await prepareTwice(stopped)),
		open: async (stopped) => {
			const content = (await prepareTwice(stopped)).take();
			unread = waiting = undefined;
			return content;
		},
	};
}

function unwatched(stream: ByteStream): WaitingFile {
	return {
		ready: async () => undefined,
		isGood: () => stream.destroyed !== true,
		take: () => stream,
	};
}

/** Bytes that are read ahead. Most files are smaller. */
export const MOST_AHEAD = 1024 * 1024;

/**
 * Milliseconds that a larger file may wait. Most servers close an idle connection after a minute, and Node.js notices
 * that only while it reads.
 */
const LONGEST_WAIT = 30_000;

/**
 * A download whose request waits for its turn. It keeps the bytes that arrive, so a broken connection is noticed, and
 * a small file no longer needs the connection.
 */
export class ReadAhead implements WaitingFile {
	private idleSince = performance.now();
	private readonly chunks: Buffer[] = [];
	private length = 0;
	private hasEnded = false;
	private finish: () => void = () => undefined;
	private readonly finished = new Promise<void>((resolve) => {
		this.finish = () => {
			this.idleSince = performance.now();
			resolve();
		};
	});

	/**
	 * @param size bytes of the whole file, as its server announced
	 * @param timeout milliseconds until enough of it must be read; 0 is no limit
	 */
	constructor(
		private readonly stream: ByteStream,
		private readonly name: string,
		private readonly size: number,
		private readonly timeout: number,
	) {
		stream.on('readable', this.read);
		stream.on('end', this.end);
		stream.on('close', this.finish);
	}

	/**
	 * n8n's HTTP client decompresses a file and removes its Content-Encoding. Only its length then shows that its server
	 * has compressed it:
	 * https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1030-L1072
	 */
	async ready(): Promise<void> {
		await withTimeout(this.timeout || Infinity, this.finished, () => {
			throw unfinished(this.name);
		});
		if (this.length <= this.size) return;
		throw new InputError(
			`The file ${quote(this.name)} is longer than its server announced`,
			'The server probably compresses it. Download the file with the HTTP Request node first and send it from the binary field.',
		);
	}

	isGood(): boolean {
		if (this.hasEnded) return this.length === this.size;
		return this.stream.destroyed !== true && performance.now() - this.idleSince < LONGEST_WAIT;
	}

	take(): ByteStream | Buffer {
		this.stop();
		if (!this.isGood()) throw unfinished(this.name);
		const read = Buffer.concat(this.chunks);
		if (this.hasEnded) return read;
		this.stream.unshift(read);
		return this.stream;
	}

	private readonly read = () => {
		while (this.length < MOST_AHEAD && this.length <= this.size) {
			const chunk = this.stream.read() as Buffer | null;
			if (chunk === null) return;
			this.chunks.push(chunk);
			this.length += chunk.length;
		}
		this.stop();
		this.finish();
	};

	private readonly end = () => {
		this.hasEnded = true;
		this.finish();
	};

	private stop(): void {
		this.stream.off('readable', this.read);
		this.stream.off('end', this.end);
		this.stream.off('close', this.finish);
	}
}

export function unfinished(name: string): InputError {
	return new InputError(
		`The file ${quote(name)} could not be downloaded: its server stopped, or took too long`,
		"Check the server of the file, or increase the option 'Timeout'.",
	);
}

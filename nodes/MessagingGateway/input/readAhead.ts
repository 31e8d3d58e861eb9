import type { ByteStream, WaitingFile } from '../shared/file';

/** Bytes of a file that are read while it waits. Most files are smaller. */
export const MOST_AHEAD = 1024 * 1024;

/**
 * Milliseconds for which a larger file may wait. Most servers close a connection on which nothing moves after a
 * minute, and Node.js notices that only while it reads.
 */
const LONGEST_WAIT = 30_000;

/**
 * A file from the web whose request waits for its turn. What comes is kept, so that a connection that breaks
 * meanwhile is noticed, and a small file needs it no longer.
 */
export class ReadAhead implements WaitingFile {
	private readonly since = performance.now();
	private readonly chunks: Buffer[] = [];
	private length = 0;
	private hasEnded = false;

	/** @param size bytes of the whole file */
	constructor(
		private readonly stream: ByteStream,
		private readonly size: number,
	) {
		stream.on('readable', this.read);
		stream.on('end', this.end);
	}

	isGood(): boolean {
		if (this.hasEnded) return this.length === this.size;
		return this.stream.destroyed !== true && performance.now() - this.since < LONGEST_WAIT;
	}

	take(): ByteStream | Buffer {
		this.stop();
		const read = Buffer.concat(this.chunks);
		if (this.hasEnded) return read;
		this.stream.unshift(read);
		return this.stream;
	}

	private readonly read = () => {
		while (this.length < MOST_AHEAD) {
			const chunk = this.stream.read() as Buffer | null;
			if (chunk === null) return;
			this.chunks.push(chunk);
			this.length += chunk.length;
		}
		this.stop();
	};

	private readonly end = () => {
		this.hasEnded = true;
	};

	private stop(): void {
		this.stream.off('readable', this.read);
		this.stream.off('end', this.end);
	}
}

import type FormData from 'form-data';
import { sleep } from 'n8n-workflow';

/** Milliseconds between two checks of a request whose answer came early. */
const CHECK_INTERVAL = 100;

/** The part of Node.js's ClientRequest that tells how much of a body has left n8n. */
export interface OutgoingRequest {
	readonly writableFinished: boolean;
	readonly destroyed: boolean;
	readonly socket: {
		readonly writableLength: number;
		on(event: 'drain', listener: () => void): unknown;
	} | null;
	once(event: 'finish' | 'close', listener: () => void): unknown;
	emit(event: 'drain'): unknown;
	destroy(): unknown;
}

interface Piped {
	pipe?(target: Piped, options?: object): unknown;
	once?(event: 'end', listener: () => void): unknown;
	end?(): unknown;
}

/**
 * Calls `found` with the request that a body flows into.
 *
 * n8n exposes neither the request nor its socket, and axios puts a stream of its own between the body
 * and the request, so only the pipes lead to the request:
 * https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1306-L1336
 */
export function patchPipe(body: FormData, found: (request: OutgoingRequest) => void): void {
	patch(body as Piped);

	function patch(stream: Piped): void {
		const { pipe } = stream;
		stream.pipe = (target, options) => {
			if (isRequest(target)) found(target);
			else if (typeof target.pipe === 'function') patch(target);
			// A form without streams ends while it is piped, before axios listens, and its request would never end:
			// https://github.com/felixge/node-combined-stream/blob/v1.0.8/lib/combined_stream.js#L64-L68
			let isOver = false;
			if (stream === body) stream.once?.('end', () => (isOver = true));
			const piped = pipe?.call(stream, target, options);
			if (isOver) target.end?.();
			return piped;
		};
	}
}

function isRequest(target: object): target is OutgoingRequest {
	return 'setHeader' in target && 'writableFinished' in target;
}

/**
 * Resolves when the whole request has left n8n, or can no longer leave it. Tells the request when its socket
 * can take more, because Node.js stops doing so once the answer has come, and a file would wait forever:
 * https://github.com/nodejs/node/blob/v20.20.2/lib/_http_client.js#L592-L603
 */
export async function untilOver(request: OutgoingRequest): Promise<void> {
	const over = new Promise<void>((resolve) => {
		request.once('finish', resolve);
		request.once('close', resolve);
	});
	const goOn = () => request.emit('drain');
	request.socket?.on('drain', goOn);
	while (!request.writableFinished && !request.destroyed) {
		// The socket may have had its last “drain” before anyone listened.
		if (request.socket?.writableLength === 0) goOn();
		await Promise.race([over, sleep(CHECK_INTERVAL)]);
	}
}

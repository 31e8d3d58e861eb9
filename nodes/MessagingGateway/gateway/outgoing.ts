import type FormData from 'form-data';

/** The part of Node.js' ClientRequest that tells how far a body has left n8n. */
export interface OutgoingRequest {
	readonly writableFinished: boolean;
	readonly destroyed: boolean;
	once(event: 'finish' | 'close', listener: () => void): unknown;
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
 * n8n hands out neither the request nor its socket, axios puts a stream of its own between the body
 * and the request, and makes another of the answer, so that only the pipes lead there:
 * https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1306-L1336
 */
export function patchPipe(body: FormData, found: (request: OutgoingRequest) => void): void {
	patch(body as Piped);

	function patch(stream: Piped): void {
		const { pipe } = stream;
		stream.pipe = (target, options) => {
			if (isRequest(target)) found(target);
			else if (typeof target.pipe === 'function') patch(target);
			// A form without streams ends while it is piped, before axios listens, and its request never would:
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

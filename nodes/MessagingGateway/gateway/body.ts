/**
 * Writes the body of a request: form, JSON, or multipart with a file. Knows whether the file was sent whole, for which it
 * follows the body into n8n's HTTP client.
 */

import { randomUUID } from 'crypto';
import FormData from 'form-data';
import { type IDataObject, sleep } from 'n8n-workflow';

import { type ByteStream, isStream } from '../shared/file';
import { type Failure, LOOK_FIRST, uncertain } from './outcome';
import type { FileField, GatewayRequest } from './request';

/** The body of one request, for one try. */
export interface Body {
	content: string | FormData;
	headers: IDataObject;
	/** Whether the whole body has left n8n. */
	isSent(): boolean;
	/** Resolves when the whole body has left n8n, or can no longer leave it. */
	untilSent(): Promise<void>;
	/** Returns the failure if the file made the request break. */
	readFileFault(): Failure | undefined;
	/** Closes the file, and the connection if the body has not left n8n whole. */
	close(): void;
}

/** @throws InputError if the file cannot be opened */
export async function bodyOf(
	{ format, fields, file }: GatewayRequest,
	stopped: AbortSignal,
): Promise<Body> {
	if (file) return await multipartBody(fields, file, stopped);
	const isForm = format === 'form';
	return {
		content: isForm ? formEncoded(fields) : JSON.stringify(fields),
		headers: {
			'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
		},
		isSent: () => true,
		untilSent: async () => undefined,
		readFileFault: () => undefined,
		close: () => undefined,
	};
}

/** Writes a list the way PHP and most frameworks read it: `number[]=…&number[]=…`. */
function formEncoded(fields: GatewayRequest['fields']): string {
	const form = new URLSearchParams();
	for (const [name, value] of Object.entries(fields)) {
		if (typeof value === 'string') form.append(name, value);
		else for (const entry of value) form.append(`${name}[]`, entry);
	}
	return form.toString();
}

async function multipartBody(
	fields: GatewayRequest['fields'],
	{ field, content }: FileField,
	stopped: AbortSignal,
): Promise<Body> {
	const form = new FormData();
	// In older releases of n8n, form-data draws the boundary with Math.random. Anyone who guesses it can add fields:
	// https://github.com/form-data/form-data/security/advisories/GHSA-fjxv-7rqg-78g4
	form.setBoundary(randomUUID());
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	const { name, contentType, size } = content;
	const source = await content.open(stopped);
	form.append(field, source, { filename: name, contentType, knownLength: size });
	const file = isStream(source) ? patchEmit(source, size) : undefined;
	let request: OutgoingRequest | undefined;
	patchPipe(form, (found) => {
		request = found;
	});
	// If a release of n8n sends the form in some other way, all that is known is the end of the file.
	const isSent = () => (request ? request.writableFinished : (file?.isRead() ?? true));
	return {
		content: form,
		headers: form.getHeaders() as IDataObject,
		isSent,
		untilSent: async () => {
			if (request) await untilOver(request);
		},
		readFileFault: () => file?.readFault(),
		close: () => {
			if (isStream(source)) source.destroy();
			// Otherwise, a server that neither reads nor closes would keep the connection open.
			if (!isSent()) request?.destroy();
		},
	};
}

/**
 * n8n's scan does not let a node import `stream`, so `emit` of the file is patched to count its bytes.
 *
 * Lets a file through only if it has exactly `size` bytes. A file of any other length must not look complete to the
 * gateway: the request has announced the length, and never ends.
 */
function patchEmit(
	source: ByteStream,
	size: number,
): { isRead(): boolean; readFault(): Failure | undefined } {
	let left = size;
	let isRead = false;
	let what: string | undefined;
	const { emit } = source;
	const fail = (why: string) => {
		what ??= why;
		source.destroy(new Error(why));
		return false;
	};
	source.emit = (event, ...args: unknown[]) => {
		if (event === 'data') left -= (args[0] as Buffer).length;
		if (event === 'data' && left < 0) return fail('The file is longer than its server announced');
		if (event === 'end' && left > 0) return fail('The file is shorter than its server announced');
		if (event === 'end') isRead = true;
		if (event === 'error') what ??= 'The file transfer to the gateway was interrupted';
		return emit.call(source, event, ...args);
	};
	return {
		isRead: () => isRead,
		readFault: () => (what === undefined ? undefined : fileFault(what)),
	};
}

function fileFault(what: string): Failure {
	return uncertain({
		what,
		advice: `${LOOK_FIRST} If this happens again, download the file with the HTTP Request node first and send it from the binary field.`,
	});
}

/** Milliseconds between two checks of a request whose answer came early. */
const CHECK_INTERVAL = 100;

/** The part of Node.js's ClientRequest that shows how much of a body has left n8n. */
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
 * n8n exposes neither the request nor its socket, and axios puts a stream of its own between the body and the request.
 * Only the pipes lead to the request:
 * https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1306-L1336
 *
 * Calls `found` with the request that a body flows into.
 */
export function patchPipe(body: FormData, found: (request: OutgoingRequest) => void): void {
	patch(body as Piped);

	function patch(stream: Piped): void {
		const { pipe } = stream;
		stream.pipe = (target, options) => {
			if (isRequest(target)) found(target);
			else if (typeof target.pipe === 'function') patch(target);
			// A form without streams ends while it is being piped, before axios listens. Its request would never end:
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
 * Node.js no longer tells a request that its socket can take more once the answer has come. The rest of a file would
 * wait forever, so this function tells the request:
 * https://github.com/nodejs/node/blob/v20.20.2/lib/_http_client.js#L592-L603
 *
 * Resolves when the whole request has left n8n, or can no longer leave it.
 */
export async function untilOver(request: OutgoingRequest): Promise<void> {
	const over = new Promise<void>((resolve) => {
		request.once('finish', resolve);
		request.once('close', resolve);
	});
	const goOn = () => request.emit('drain');
	request.socket?.on('drain', goOn);
	while (!request.writableFinished && !request.destroyed) {
		// The last “drain” of the socket may have come before the listener above.
		if (request.socket?.writableLength === 0) goOn();
		await Promise.race([over, sleep(CHECK_INTERVAL)]);
	}
}

import { randomUUID } from 'crypto';
import FormData from 'form-data';
import type { IDataObject } from 'n8n-workflow';

import { isStream, type ByteStream } from '../shared/file';
import { LOOK_FIRST, uncertain, type Failure } from './outcome';
import { patchPipe, untilOver, type OutgoingRequest } from './outgoing';
import type { FileField, GatewayRequest } from './request';

/** The body of one request, for one try. */
export interface Body {
	content: string | FormData;
	headers: IDataObject;
	/** Returns whether the whole body has left n8n. */
	isSent(): boolean;
	/** Resolves when the whole body has left n8n, or can no longer leave it. */
	untilSent(): Promise<void>;
	/** Returns the failure of a message whose file made its request break. */
	readFileFault(): Failure | undefined;
	/** Closes the file, and the connection of a body that has not left n8n whole. */
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

/** Writes a list as PHP and most frameworks read it: `number[]=…&number[]=…`. */
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
	// In older releases of n8n, form-data makes the boundary with Math.random, and whoever guesses it can
	// add fields: https://github.com/form-data/form-data/security/advisories/GHSA-fjxv-7rqg-78g4
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
	// If a release of n8n sends the form in another way, only the end of the file is known.
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
			// A server that neither reads nor closes would keep the connection open.
			if (!isSent()) request?.destroy();
		},
	};
}

/**
 * Lets a file through only if it has exactly `size` bytes. A file that breaks off, or has another
 * length because n8n decompressed it, must not look complete to the gateway: the request has announced
 * the length, and never ends.
 *
 * A patch, because n8n's scan does not let a node import the streams of Node.js, which could count.
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

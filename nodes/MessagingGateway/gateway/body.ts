/** Writes the body of a request: form, JSON, or multipart with a file. Knows whether n8n has passed on the whole file. */

import { randomUUID } from 'crypto';
import FormData from 'form-data';
import type { IDataObject } from 'n8n-workflow';

import { isStream } from '../shared/file';
import { type Failure, LOOK_FIRST, uncertain } from './outcome';
import type { FileField, GatewayRequest } from './request';

/** The body of one request, for one try. */
export interface Body {
	content: string | FormData;
	headers: IDataObject;
	/** Whether the whole file was read, and passed on to the connection. */
	isPassedOn(): boolean;
	/** Returns the failure if the file made the request break. */
	readFileFault(): Failure | undefined;
	/** Closes the file. Ends the connection, too, unless the request was accepted. */
	close(isAccepted: boolean): void;
}

/** @throws InputError if the file cannot be opened */
export async function bodyOf({ format, fields, file }: GatewayRequest): Promise<Body> {
	if (file) return await multipartBody(fields, file);
	const isForm = format === 'form';
	return {
		content: isForm ? formEncoded(fields) : JSON.stringify(fields),
		headers: {
			'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
		},
		isPassedOn: () => true,
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
): Promise<Body> {
	const form = new FormData();
	// In older releases of n8n, form-data draws the boundary with Math.random. Anyone who guesses it can add fields:
	// https://github.com/form-data/form-data/security/advisories/GHSA-fjxv-7rqg-78g4
	form.setBoundary(randomUUID());
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	const { name, contentType, size } = content;
	const source = await content.open();
	const stream = isStream(source) ? source : undefined;
	let hasBroken = false;
	stream?.on('error', () => (hasBroken = true));
	// Without a listener, the error in `close` would stop n8n.
	form.on('error', () => undefined);
	form.append(field, stream ?? later(source), { filename: name, contentType, knownLength: size });
	return {
		content: form,
		headers: form.getHeaders() as IDataObject,
		isPassedOn: () => stream?.readableEnded !== false,
		readFileFault: () => (hasBroken ? uncertain(FILE_BROKE) : undefined),
		close: (isAccepted) => {
			stream?.destroy();
			// axios ends a request whose body fails. Otherwise, a gateway that neither reads on nor closes would keep the
			// connection open: https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1291-L1293
			if (!isAccepted) form.emit('error', new Error('The request is over'));
		},
	};
}

/**
 * A form without streams ends while it is being piped, before axios listens. Its request would never end:
 * https://github.com/felixge/node-combined-stream/blob/v1.0.8/lib/combined_stream.js#L64-L68
 *
 * Returns a part that gives the form its value a little later.
 */
function later<T>(value: T): (give: (value: T) => void) => void {
	return (give) => void Promise.resolve(value).then(give);
}

const FILE_BROKE = {
	what: 'n8n could not read the whole file from its storage',
	advice: LOOK_FIRST,
};

import { randomUUID } from 'crypto';
import FormData from 'form-data';
import type { IDataObject } from 'n8n-workflow';

import type { Failure } from './outcome';
import { type FileField, type GatewayRequest } from './request';
import { isStream, type ByteStream } from '../shared/file';

/** The body of one request, for one try. */
export interface Body {
	content: string | FormData;
	headers: IDataObject;
	/** What became of the message where its file is to blame that the request broke. */
	fileFault(): Failure | undefined;
	close(): void;
}

/** @throws InputError where its file cannot be opened */
export async function bodyOf({ format, fields, file }: GatewayRequest): Promise<Body> {
	if (file) return await multipartBody(fields, file);
	const isForm = format === 'form';
	return {
		content: isForm ? formEncoded(fields) : JSON.stringify(fields),
		headers: {
			'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
		},
		fileFault: () => undefined,
		close: () => undefined,
	};
}

/** A list is written as PHP and most frameworks read it: `number[]=…&number[]=…`. */
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
	// Older hosts bring a form-data that draws it with Math.random: whoever foresees it can add fields.
	form.setBoundary(randomUUID());
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	const { name, contentType, size } = content;
	const source = await content.open();
	form.append(field, source, { filename: name, contentType, knownLength: size });
	const headers = form.getHeaders() as IDataObject;
	if (!isStream(source)) {
		return { content: form, headers, fileFault: () => undefined, close: () => undefined };
	}
	const fileFault = guarded(source, size);
	return { content: form, headers, fileFault, close: () => source.destroy() };
}

/**
 * Lets a file pass that has exactly `size` bytes. One that breaks off, or has another length, as n8n
 * unpacks what a server of files has packed, must not look whole to the gateway: its request has said
 * how long it is, and never comes to its end.
 */
function guarded(source: ByteStream, size: number): Body['fileFault'] {
	let left = size;
	let what: string | undefined;
	const { emit } = source;
	const fail = (why: string) => {
		what ??= why;
		source.destroy(new Error(why));
		return false;
	};
	source.emit = (event, ...args: unknown[]) => {
		if (event === 'data') left -= (args[0] as Buffer).length;
		if (event === 'data' && left < 0) return fail('The file is longer than its server said');
		if (event === 'end' && left > 0) return fail('The file is shorter than its server said');
		if (event === 'error') what ??= 'The file broke off while it was on its way to the gateway';
		return emit.call(source, event, ...args);
	};
	return () =>
		what === undefined
			? undefined
			: {
					outcome: 'uncertain',
					origin: 'gateway',
					what,
					advice:
						"Look into the gateway's outbox before you send it again. If this happens again, download the file with the HTTP Request node first and send it from the binary field.",
				};
}

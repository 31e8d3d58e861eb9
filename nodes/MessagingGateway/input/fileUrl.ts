import type { IBinaryData, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { webAddress } from '../shared/webAddress';
import { within } from '../shared/time';
import { InputError } from '../shared/inputError';
import type { ByteStream, Upload } from '../shared/file';
import { excerpt, quote } from '../shared/quote';
import { checkedSize, openBinary } from './binaryFile';
import { nameAndType, type FileKind } from './fileType';

type Helpers = IExecuteFunctions['helpers'];
type Headers = IN8nHttpFullResponse['headers'];

const MOST_REDIRECTS = 5;

/** Types of what a server shows in place of a file: a sign-in, an error. */
const PAGE = /^\s*(text\/html|application\/(xhtml\+xml|json))\s*(;|$)/i;

/** Endings of programs on a server, which tell nothing of the file that they give. */
const PROGRAM = /\.(php\d?|aspx?|ashx|jsp|do|cgi)$/i;

const OPEN_IT =
	'Open the address in a browser without being signed in: it has to give the file itself.';

/** Bytes of a file whose server does not say its length, as n8n may store it in memory. */
export const LARGEST_OF_UNKNOWN_LENGTH = 64 * 1024 * 1024;

/**
 * A file from the web. It is asked for without the gateway's token, and streamed through where its
 * server says the length; where not, n8n stores it first, as the gateway wants to know the length.
 *
 * @throws InputError where it cannot be had, or the gateway does not take such a file
 */
export async function openUrl(
	helpers: Helpers,
	kind: FileKind,
	address: string,
	options: { fileName: string; timeout: number },
): Promise<Upload> {
	const url = checkedUrl(address);
	const response = await download(helpers, url, options.timeout);
	const stream = response.body as ByteStream;
	try {
		const { headers } = response;
		const mimeType = header(headers, 'content-type');
		const given = nameInHeader(headers);
		if (given === '' && PAGE.test(mimeType)) throw page(url);
		const named = nameAndType(kind, {
			name: options.fileName || given || nameInUrl(url),
			mimeType,
		});
		const length = header(headers, 'content-length');
		if (length === '') {
			const binary = await stored(helpers, stream, named, options.timeout);
			return await openBinary(helpers, kind, binary, named.name);
		}
		const size = checkedSize(Number(length), named.name);
		return { ...named, size, ...streamedFrom(stream, async () => await again(size)) };
	} catch (error) {
		stream.destroy();
		throw toInputError(error, url);
	}

	async function again(size: number): Promise<ByteStream> {
		const { headers, body } = await download(helpers, url, options.timeout);
		if (header(headers, 'content-length') === String(size)) return body as ByteStream;
		(body as ByteStream).destroy();
		throw new InputError(
			`The file at ${quote(shown(url))} changed while it was being sent`,
			'Run this again.',
		);
	}
}

/** The stream that was opened to look at the file serves the first try; a later one asks anew. */
function streamedFrom(
	first: ByteStream,
	again: () => Promise<ByteStream>,
): Pick<Upload, 'open' | 'release'> {
	let unread: ByteStream | undefined = first;
	return {
		open: async () => {
			const stream = unread ?? (await again());
			unread = undefined;
			return stream;
		},
		release: () => unread?.destroy(),
	};
}

/** Has n8n store a file whose server does not say how long it is: on disk or in memory, as it is set. */
async function stored(
	helpers: Helpers,
	stream: ByteStream,
	{ name, contentType }: { name: string; contentType: string },
	timeout: number,
): Promise<IBinaryData> {
	const refused = new Promise<never>((_, refuse) => {
		let length = 0;
		stream.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length > LARGEST_OF_UNKNOWN_LENGTH) refuse(tooLong(name));
		});
	});
	// Whoever listens for data starts the flow, and the first bytes would be gone before n8n reads them.
	stream.pause();
	stream.on('newListener', (event) => event === 'data' && stream.resume());
	const content = stream as Parameters<Helpers['prepareBinaryData']>[0];
	try {
		const storing = helpers.prepareBinaryData(content, name, contentType);
		return await within(timeout || Infinity, Promise.race([storing, refused]), () => {
			throw unfinished(name);
		});
	} catch (error) {
		throw error instanceof InputError ? error : unfinished(name);
	}
}

function unfinished(name: string): InputError {
	return new InputError(
		`The file ${quote(name)} could not be downloaded: its server broke off, or did not come to an end in time`,
		'Check the server of the file, or raise the option Timeout, and run this again.',
	);
}

function page(url: URL): InputError {
	return new InputError(
		`The server of ${quote(shown(url))} says that this is a page, not a file`,
		`${OPEN_IT} If it does, download it with the HTTP Request node first and send it from the binary field.`,
	);
}

function tooLong(name: string): InputError {
	return new InputError(
		`The server of the file ${quote(name)} does not say how long it is, and it is longer than ${LARGEST_OF_UNKNOWN_LENGTH / 1024 / 1024} MB`,
		'Download it with the HTTP Request node first and send it from the binary field.',
	);
}

async function download(
	helpers: Helpers,
	url: URL,
	timeout: number,
): Promise<IN8nHttpFullResponse> {
	const connection = new AbortController();
	let response: IN8nHttpFullResponse;
	try {
		response = (await helpers.httpRequest({
			method: 'GET',
			url: url.href,
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			maxRedirects: MOST_REDIRECTS,
			timeout,
			abortSignal: connection.signal,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		throw toInputError(error, url);
	}
	const body = response.body as ByteStream;
	endWith(body, connection);
	if (response.statusCode < 300) return response;
	body.destroy();
	throw new InputError(
		`The file at ${quote(shown(url))} cannot be had (status ${response.statusCode})`,
		OPEN_IT,
	);
}

/** n8n hands out streams that, when destroyed, keep the connection until its server sends something more. */
function endWith(stream: ByteStream, connection: AbortController): void {
	const destroy = stream.destroy.bind(stream);
	stream.destroy = (error) => {
		// First, as older hosts tell of the end of a connection to a stream that is not destroyed yet.
		destroy(error);
		if (!stream.readableEnded) connection.abort();
	};
	// That the connection was ended is told to a stream that nobody listens to any more.
	stream.on('error', () => undefined);
}

function checkedUrl(address: string): URL {
	const url = webAddress(address);
	if (url) return url;
	throw new InputError(
		`${quote(withoutSecrets(address))} is not the address of a file`,
		'Enter an address that begins with https://.',
	);
}

function toInputError(error: unknown, url: URL): InputError {
	if (error instanceof InputError) return error;
	const { message } = error as Error;
	const why = /SSL routines/.test(message) ? 'the connection could not be secured' : message;
	return new InputError(
		`The file at ${quote(shown(url))} could not be downloaded: ${excerpt(why)}`,
		'Check the address and the server that it leads to, and run this again.',
	);
}

function withoutSecrets(address: string): string {
	return address.replace(/[?#;,].*/s, '').replace(/^.*@/s, '');
}

/** An address without what may be secret in it. */
function shown({ origin, pathname }: URL): string {
	return origin + pathname;
}

/** The name that the server gives the file (RFC 6266). */
function nameInHeader(headers: Headers): string {
	const disposition = header(headers, 'content-disposition');
	const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(disposition)?.[1];
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition);
	return encoded ? decoded(encoded) : (plain?.[1]?.replace(/\\(["\\])/g, '$1') ?? plain?.[2] ?? '');
}

function nameInUrl({ pathname }: URL): string {
	return decoded(pathname.replace(/.*\//, '').replace(PROGRAM, ''));
}

function decoded(name: string): string {
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

function header(headers: Headers, name: string): string {
	return String(headers[name] ?? '');
}

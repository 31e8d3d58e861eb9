/** Opens a file from the web, and refuses everything but the file itself before anything is sent. */

import type { IBinaryData, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { openedForEachTry, ReadAhead, unfinished } from './opening';
import type { ByteStream, Upload } from '../shared/file';
import { InputError } from '../shared/inputError';
import { excerpt, quote, webAddress } from '../shared/text';
import { followersOf, stoppedError, unlessStopped, withTimeout } from '../shared/time';
import { checkedSize, openBinary } from './binaryField';
import { fileNameIn } from './contentDisposition';
import { type FileKind, nameAndType, PAGE } from './nameAndType';

type Helpers = IExecuteFunctions['helpers'];
type Headers = IN8nHttpFullResponse['headers'];

/** The limits of a download. */
interface Download {
	/** Milliseconds; 0 is no limit. */
	timeout: number;
	/** Aborts when the execution is stopped. */
	stopped?: AbortSignal;
}

const MOST_REDIRECTS = 5;

/** Extensions of programs on a server. They say nothing about the type of the file. */
const PROGRAM = /\.(php\d?|aspx?|ashx|jsp|do|cgi)$/i;

/** The status of a part of a file, which was not asked for. */
const PARTIAL_CONTENT = 206;

/** The headers that tell one version of a file from another. */
const VERSION = ['content-length', 'content-type', 'etag', 'last-modified'];

const OPEN_IT = 'Open the address in a private browser window: it must open the file itself.';
const DOWNLOAD_FIRST =
	'download it with the HTTP Request node first and send it from the binary field.';

/** Bytes. A file whose server does not announce its length may be stored in memory. */
export const LARGEST_OF_UNKNOWN_LENGTH = 64 * 1024 * 1024;

/**
 * Opens a file from the web. It is requested without the gateway's token. If its server announces the length, the file
 * is streamed. Otherwise, n8n stores it first, because the gateway needs the length.
 *
 * @throws InputError if it cannot be downloaded, or the gateway does not accept such a file
 */
export async function openUrl(
	helpers: Helpers,
	kind: FileKind,
	address: string,
	{ fileName, ...how }: Download & { fileName: string },
): Promise<Upload> {
	const url = checkedUrl(address);
	const { headers, stream } = await download(helpers, url, how);
	try {
		const mimeType = header(headers, 'content-type');
		const given = fileNameIn(header(headers, 'content-disposition'));
		const named = nameAndType(kind, { name: given || nameInUrl(url), chosen: fileName, mimeType });
		if (header(headers, 'content-length') === '') {
			const binary = await store(helpers, stream, named, how);
			return await openBinary(helpers, kind, binary, named.name);
		}
		const size = checkedSize(Number(header(headers, 'content-length')), named.name);
		const watch = (waiting: ByteStream) => new ReadAhead(waiting, named.name, size, how.timeout);
		return { ...named, size, ...openedForEachTry(reopen, stream, watch) };
	} catch (error) {
		stream.destroy();
		throw toInputError(error, url);
	}

	async function reopen(stopped?: AbortSignal): Promise<ByteStream> {
		const again = await download(helpers, url, { ...how, stopped: stopped ?? how.stopped });
		const isSame = VERSION.every((name) => header(again.headers, name) === header(headers, name));
		if (isSame) return again.stream;
		again.stream.destroy();
		throw new InputError(
			`The file at ${quote(shown(url))} changed while it was being sent`,
			`Check that the address always gives the same file, or ${DOWNLOAD_FIRST}`,
		);
	}
}

/** Stores a file whose server does not announce its length, on disk or in memory, as n8n is set up. */
async function store(
	helpers: Helpers,
	stream: ByteStream,
	{ name, contentType }: { name: string; contentType: string },
	{ timeout, stopped }: Download,
): Promise<IBinaryData> {
	const refused = new Promise<never>((_, refuse) => {
		let length = 0;
		stream.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length > LARGEST_OF_UNKNOWN_LENGTH) refuse(tooLong(name));
		});
	});
	// A listener for data starts the flow. The first bytes would be gone before n8n reads them.
	stream.pause();
	stream.on('newListener', (event) => event === 'data' && stream.resume());
	const content = stream as Parameters<Helpers['prepareBinaryData']>[0];
	try {
		const storing = helpers.prepareBinaryData(content, name, contentType);
		return await withTimeout(
			timeout || Infinity,
			unlessStopped(stopped, Promise.race([storing, refused])),
			() => {
				throw unfinished(name);
			},
		);
	} catch (error) {
		throw error instanceof InputError ? error : unfinished(name);
	}
}

function pageError(url: URL): InputError {
	return new InputError(
		`This address leads to a web page, not to a file: ${quote(shown(url))}`,
		`${OPEN_IT} Google Drive and Dropbox sharing links usually open a page. If the file opens, ${DOWNLOAD_FIRST}`,
	);
}

function tooLong(name: string): InputError {
	return new InputError(
		`The server of the file ${quote(name)} does not announce its length, and the file is larger than ${LARGEST_OF_UNKNOWN_LENGTH / 1024 / 1024} MB`,
		DOWNLOAD_FIRST.replace('d', 'D'),
	);
}

/** Requests the file and resolves to its headers and its content. Destroying the content closes the connection. */
async function download(
	helpers: Helpers,
	url: URL,
	{ timeout, stopped }: Download,
): Promise<{ headers: Headers; stream: ByteStream }> {
	if (stopped?.aborted) throw stoppedError();
	const connection = new AbortController();
	const followers = stopped && followersOf(stopped);
	followers?.add(connection);
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
		throw stopped?.aborted ? stoppedError() : toInputError(error, url);
	} finally {
		followers?.delete(connection);
	}
	const { headers, statusCode } = response;
	const stream = response.body as ByteStream;
	patchDestroy(stream, connection);
	const refusal = refusalOf(url, statusCode, headers);
	if (!refusal) return { headers, stream };
	stream.destroy();
	throw refusal;
}

function refusalOf(url: URL, status: number, headers: Headers): InputError | undefined {
	if (status >= 300 || status === PARTIAL_CONTENT) {
		const what = `The file at ${quote(shown(url))} could not be downloaded (status ${status})`;
		return new InputError(what, OPEN_IT);
	}
	// Only encodings that n8n does not decompress are still in the header.
	if (!['', 'identity'].includes(header(headers, 'content-encoding').toLowerCase())) {
		return new InputError(
			`The server of the file at ${quote(shown(url))} compresses it`,
			DOWNLOAD_FIRST.replace('d', 'D'),
		);
	}
	const isNamed = fileNameIn(header(headers, 'content-disposition')) !== '';
	return !isNamed && PAGE.test(header(headers, 'content-type')) ? pageError(url) : undefined;
}

/**
 * A stream of axios, even if destroyed, keeps its connection open until the server sends more:
 * https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1090-L1107
 *
 * Ends the connection together with the stream.
 */
function patchDestroy(stream: ByteStream, connection: AbortController): void {
	const destroy = stream.destroy.bind(stream);
	stream.destroy = (error) => {
		// Comes first: older releases of n8n report the end of the connection to a stream that is still open.
		destroy(error);
		if (!stream.readableEnded) connection.abort();
	};
	// The end of the connection is an error of the stream. Without a listener it would stop n8n.
	stream.on('error', () => undefined);
}

function checkedUrl(address: string): URL {
	const url = webAddress(address);
	if (url) return url;
	throw new InputError(
		`${quote(withoutSecrets(address))} is not the address of a file`,
		'Enter an address that starts with https://.',
	);
}

function toInputError(error: unknown, url: URL): InputError {
	if (error instanceof InputError) return error;
	const { message } = error as Error;
	const why = /SSL routines/.test(message) ? 'the connection could not be secured' : message;
	return new InputError(
		`The file at ${quote(shown(url))} could not be downloaded: ${excerpt(why)}`,
		'Check the address and its server.',
	);
}

function withoutSecrets(address: string): string {
	return address.replace(/^.*@/s, '').replace(/[?#;,].*/s, '');
}

/** Returns the server and the file of an address. User name, password, query and folders may be secret. */
function shown({ origin, pathname }: URL): string {
	return origin + pathname.replace(/^\/.*(?=\/[^/])/, '/…');
}

function nameInUrl({ pathname }: URL): string {
	const name = pathname.replace(/.*\//, '').replace(PROGRAM, '');
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

function header(headers: Headers, name: string): string {
	return String(headers[name] ?? '');
}

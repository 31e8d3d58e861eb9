/** Downloads a file from the web, and refuses everything but the file itself before anything is sent. */

import type { IBinaryData, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { ByteStream, Opening, Upload } from '../shared/file';
import { adviceOnBlocked, adviceOnDocker, BLOCKED } from '../shared/host';
import { InputError } from '../shared/inputError';
import { excerpt, quote, sentences, webAddress } from '../shared/text';
import { followersOf, stoppedError, unlessStopped, withTimeout } from '../shared/time';
import { checkedSize, openBinary } from './binaryField';
import { fileNameIn } from './contentDisposition';
import { type FileKind, nameAndType, PAGE } from './nameAndType';

type Helpers = IExecuteFunctions['helpers'];
type Headers = IN8nHttpFullResponse['headers'];

/** The limits of a download. */
interface Limits extends Pick<Opening, 'stopped'> {
	/** Milliseconds; 0 is no limit. */
	timeout: number;
}

const MOST_REDIRECTS = 5;

/** Extensions of programs on a server. They say nothing about the type of the file. */
const PROGRAM = /\.(php\d?|aspx?|ashx|jsp|do|cgi)$/i;

/** The status of a part of a file, which was not asked for. */
const PARTIAL_CONTENT = 206;

const OPEN_IT = 'Open the address in a private browser window: it must open the file itself.';
const WITH_HTTP_REQUEST = 'it with the HTTP Request node first and send it from the binary field.';

/** Bytes of a file in memory, or of one whose server does not announce so many. */
export const LARGEST = 64 * 1024 * 1024;
const MEGABYTES = `${LARGEST / 1024 / 1024} MB`;

/**
 * Downloads a file from the web into n8n's storage, on disk or in memory, as n8n is set up. It is requested without the
 * gateway's token.
 *
 * @throws InputError if it cannot be downloaded, or the gateway does not accept such a file
 */
export async function openUrl(
	helpers: Helpers,
	kind: FileKind,
	address: string,
	{ fileName, isPreview, ...limits }: Opening & Limits & { fileName: string },
): Promise<Upload> {
	const url = checkedUrl(address);
	const { headers, stream } = await request(helpers, url, limits);
	try {
		const mimeType = header(headers, 'content-type');
		const given = fileNameIn(header(headers, 'content-disposition'));
		const named = nameAndType(kind, { name: given || nameInUrl(url), chosen: fileName, mimeType });
		const length = header(headers, 'content-length');
		const announced = length === '' ? 0 : checkedSize(Number(length), named.name);
		if (isPreview) return { ...named, size: announced, open: notInPreview };
		const binary = await store(helpers, stream, { ...named, announced }, limits);
		const file = await openBinary(helpers, kind, binary, named.name);
		// A file that its server compresses despite the request is longer than announced.
		if (file.size < announced) throw unfinished(named.name);
		return file;
	} catch (error) {
		throw toInputError(error, url);
	} finally {
		stream.destroy();
	}
}

async function notInPreview(): Promise<never> {
	return await Promise.reject(new Error('A dry run sends no file'));
}

/** Resolves to the file as n8n has stored it. */
async function store(
	helpers: Helpers,
	stream: ByteStream,
	{ name, contentType, announced }: { name: string; contentType: string; announced: number },
	{ timeout, stopped }: Limits,
): Promise<IBinaryData> {
	if (announced > LARGEST && (await keepsFilesInMemory(helpers))) throw tooLargeForMemory(name);
	let hasBroken = false;
	stream.on('error', () => (hasBroken = true));
	const refused = new Promise<never>((_, refuse) => {
		let length = 0;
		stream.on('data', (chunk: Buffer) => {
			length += chunk.length;
			if (length > Math.max(announced, LARGEST)) refuse(tooLarge(name));
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
		const failure = hasBroken ? unfinished(name) : notStored(name, error);
		throw error instanceof InputError ? error : failure;
	}
}

/** n8n does not tell a node where it keeps files, except in a file that it has stored. */
async function keepsFilesInMemory(helpers: Helpers): Promise<boolean> {
	const { id } = await helpers.prepareBinaryData(Buffer.from(' '), 'a.txt', 'text/plain');
	return id === undefined;
}

function pageError(url: URL): InputError {
	return new InputError(
		`This address leads to a web page, not to a file: ${quote(shown(url))}`,
		`${OPEN_IT} Google Drive and Dropbox sharing links usually open a page. If the file opens, download ${WITH_HTTP_REQUEST}`,
	);
}

function tooLarge(name: string): InputError {
	return new InputError(
		`The file ${quote(name)} is larger than ${MEGABYTES}, and its server does not announce its length`,
		`Download ${WITH_HTTP_REQUEST}`,
	);
}

function tooLargeForMemory(name: string): InputError {
	return new InputError(
		`The file ${quote(name)} is larger than ${MEGABYTES}, and n8n keeps files in memory`,
		'Ask the administrator of n8n to keep files on disk: N8N_DEFAULT_BINARY_DATA_MODE=filesystem.',
	);
}

function notStored(name: string, error: unknown): InputError {
	return new InputError(
		`n8n could not store the file ${quote(name)}: ${excerpt((error as Error).message)}`,
		"Check the storage of n8n's files.",
	);
}

function unfinished(name: string): InputError {
	return new InputError(
		`The file ${quote(name)} could not be downloaded: its server stopped, or took too long`,
		"Check the server of the file, or increase the option 'Timeout'.",
	);
}

/** Requests the file and resolves to its headers and its content. Destroying the content closes the connection. */
async function request(
	helpers: Helpers,
	url: URL,
	{ timeout, stopped }: Limits,
): Promise<{ headers: Headers; stream: ByteStream }> {
	if (stopped.aborted) throw stoppedError();
	const connection = new AbortController();
	const followers = followersOf(stopped);
	followers.add(connection);
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
		throw stopped.aborted ? stoppedError() : toInputError(error, url);
	} finally {
		followers.delete(connection);
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
			`Download ${WITH_HTTP_REQUEST}`,
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
	if (causesOf(error).some(({ name }) => BLOCKED.test(name))) {
		return new InputError(
			`n8n's protection of internal addresses blocked the file at ${quote(shown(url))}`,
			adviceOnBlocked(url.hostname),
		);
	}
	const why = /SSL routines/.test(message) ? 'the connection could not be secured' : message;
	return new InputError(
		`The file at ${quote(shown(url))} could not be downloaded: ${excerpt(why)}`,
		sentences('Check the address and its server.', adviceOnDocker(url.hostname)),
	);
}

/** Each release of n8n wraps errors in its own way. */
function causesOf(error: unknown): Error[] {
	const causes: Error[] = [];
	for (let each = error; each instanceof Error && causes.length < 6; each = each.cause)
		causes.push(each);
	return causes;
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

/** Downloads a file from the web, and refuses everything but the file itself before anything is sent. */

import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { ByteStream, Opening, Upload } from '../shared/file';
import { adviceOnBlocked, adviceOnDocker, BLOCKED } from '../shared/host';
import { InputError } from '../shared/inputError';
import { excerpt, quote, sentences, webAddress } from '../shared/text';
import { followersOf, stoppedError, unlessStopped, withTimeout } from '../shared/time';
import { checkedSize, isFileContent, stored, TO_FILE } from './binaryField';
import { decodedName, fileNameIn } from './contentDisposition';
import { beginningOf } from './format';
import { type FileKind, isPage, nameAndType } from './nameAndType';

type Helpers = IExecuteFunctions['helpers'];
type Headers = IN8nHttpFullResponse['headers'];

/** The limits of a download. */
interface Limits extends Pick<Opening, 'stopped'> {
	/** Milliseconds; 0 is no limit. */
	timeout: number;
}

/** A download that broke off. Another one may not. */
class BrokenDownload extends InputError {}

/** The status of a part of a file, which was not asked for. */
const PARTIAL_CONTENT = 206;

const WITH_HTTP_REQUEST = 'it with the HTTP Request node and send it from the binary field';

/** What helps if a server answers with one of these statuses. */
const ADVICE: Array<[number[], string]> = [
	[[401, 407], `The server requires a sign-in: download ${WITH_HTTP_REQUEST}.`],
	[
		[403, 406],
		`The server refuses programs, or the address has expired. Download ${WITH_HTTP_REQUEST}, with a header 'User-Agent' such as Mozilla/5.0.`,
	],
	[[404, 410], 'Correct the address: its server has no file there, or no longer has it.'],
	[[408, 425, 429, 503], 'Its server is busy: wait a while.'],
];
const WAIT = 'Its server has a problem: wait until it works again, or ask the people who run it.';
const OPEN_IT = 'Open the address in a private browser window: it must open the file itself.';

/** Bytes of a file whose server does not announce more. */
export const LARGEST = 64 * 1024 * 1024;

/** Bytes of a file in memory. A message under way takes four times as much. */
export const LARGEST_IN_MEMORY = 16 * 1024 * 1024;

/**
 * Downloads a file from the web into n8n's storage, on disk or in memory, as n8n is set up. It is requested without the
 * gateway's token, and once more if the download breaks off.
 *
 * @throws InputError if it cannot be downloaded, or the gateway does not accept such a file
 */
export async function openUrl(
	helpers: Helpers,
	kind: FileKind,
	address: string,
	{ fileName, isPreview, stopped, timeout }: Opening & Limits & { fileName: string },
): Promise<Upload> {
	const url = checkedUrl(address);
	const deadline = Date.now() + (timeout || Infinity);
	const download = async (): Promise<Upload> => {
		const left = timeout && Math.max(1, deadline - Date.now());
		const { headers, stream } = await request(helpers, url, { stopped, timeout: left });
		try {
			const mimeType = header(headers, 'content-type');
			const given = fileNameIn(header(headers, 'content-disposition'));
			const length = header(headers, 'content-length');
			const announced = length === '' ? 0 : checkedSize(Number(length), shown(url));
			const known = {
				name: given || decodedName(url.pathname.replace(/.*\//, '')),
				chosen: fileName,
				mimeType,
			};
			const looking = isPreview
				? look(stream, announced, url)
				: store(helpers, stream, announced, url);
			const inTime = withTimeout(deadline - Date.now(), looking, () => {
				throw broken(url);
			});
			const { size, beginning, open } = await unlessStopped(stopped, inTime);
			if (given === '' && isPage(mimeType, beginning)) throw pageError(url);
			return { ...nameAndType(kind, { ...known, beginning }), size, open };
		} finally {
			stream.destroy();
		}
	};
	const first = await download().catch(async (error: unknown) => {
		const isWorthIt = error instanceof BrokenDownload && Date.now() < deadline;
		return isWorthIt ? undefined : await Promise.reject(error);
	});
	return first ?? (await download());
}

/** Looks at the first bytes of a file for a dry run. */
async function look(stream: ByteStream, announced: number, url: URL): ReturnType<typeof stored> {
	const beginning = await beginningOf(stream).catch(() => {
		throw broken(url);
	});
	checkedSize(beginning.length, shown(url));
	const open = async () => await Promise.reject<never>(new Error('A dry run sends no file'));
	return { beginning, size: announced, open };
}

/** Resolves to the file as n8n has stored it. */
async function store(
	helpers: Helpers,
	stream: ByteStream,
	announced: number,
	url: URL,
): ReturnType<typeof stored> {
	let hasBroken = false;
	stream.on('error', () => (hasBroken = true));
	try {
		let isChecked = announced > LARGEST_IN_MEMORY;
		if (isChecked) await checkMemory(helpers, url);
		const refused = new Promise<never>((_, refuse) => {
			let length = 0;
			stream.on('data', (chunk: Buffer) => {
				length += chunk.length;
				if (length > Math.max(announced, LARGEST)) refuse(tooLarge(url));
				if (isChecked || length <= LARGEST_IN_MEMORY) return;
				isChecked = true;
				checkMemory(helpers, url).catch(refuse);
			});
		});
		// A listener for data starts the flow. The first bytes would be gone before n8n reads them.
		stream.pause();
		stream.on('newListener', (event) => event === 'data' && stream.resume());
		const content = stream as Parameters<Helpers['prepareBinaryData']>[0];
		const storing = helpers.prepareBinaryData(content, 'file', 'application/octet-stream');
		const file = await stored(helpers, await Promise.race([storing, refused]), shown(url));
		if (file.size < announced) throw broken(url);
		return file;
	} catch (error) {
		const failure = hasBroken ? broken(url) : notStored(url, error);
		throw error instanceof InputError ? error : failure;
	}
}

/** n8n does not tell a node where it keeps files, except in a file that it has stored. */
async function checkMemory(helpers: Helpers, url: URL): Promise<void> {
	const { id } = await helpers.prepareBinaryData(Buffer.from(' '), 'a.txt', 'text/plain');
	if (id !== undefined) return;
	throw new InputError(
		`The file at ${quote(shown(url))} is larger than 16 MB, and n8n keeps files in memory`,
		'Ask the administrator of n8n to keep files on disk: N8N_DEFAULT_BINARY_DATA_MODE=filesystem.',
	);
}

function pageError(url: URL): InputError {
	return new InputError(
		`This address leads to a web page, not to a file: ${quote(shown(url))}`,
		`${OPEN_IT} Google Drive and Dropbox sharing links usually open a page. If the file opens, download ${WITH_HTTP_REQUEST}.`,
	);
}

function tooLarge(url: URL): InputError {
	return new InputError(
		`The file at ${quote(shown(url))} is larger than 64 MB, and its server does not announce its length`,
		`Download ${WITH_HTTP_REQUEST}.`,
	);
}

function notStored(url: URL, error: unknown): InputError {
	return new InputError(
		`n8n could not store the file at ${quote(shown(url))}: ${excerpt((error as Error).message)}`,
		"Check the storage of n8n's files.",
	);
}

function broken(url: URL): InputError {
	return new BrokenDownload(
		`The file at ${quote(shown(url))} could not be downloaded: its server stopped, or took too long`,
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
			maxRedirects: 5,
			timeout,
			abortSignal: connection.signal,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		throw stopped.aborted ? stoppedError() : connectionError(error, url);
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
		const [, advice] = ADVICE.find(([statuses]) => statuses.includes(status)) ?? [];
		return new InputError(what, advice ?? (status >= 500 ? WAIT : OPEN_IT));
	}
	// Only encodings that n8n does not decompress are still in the header.
	if (['', 'identity'].includes(header(headers, 'content-encoding').toLowerCase()))
		return undefined;
	return new InputError(
		`The server of the file at ${quote(shown(url))} compresses it`,
		`Download ${WITH_HTTP_REQUEST}.`,
	);
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
	const isContent = isFileContent(address);
	throw new InputError(
		isContent
			? "'File URL' has the content of a file, not an address"
			: `${quote(withoutSecrets(address))} is not the address of a file`,
		isContent ? TO_FILE : 'Enter an address that starts with https://.',
	);
}

/** Another try may help, except against a rule or a certificate. */
function connectionError(error: unknown, url: URL): InputError {
	const { message } = error as Error;
	if (causesOf(error).some(({ name }) => BLOCKED.test(name))) {
		return new InputError(
			`n8n's protection of internal addresses blocked the file at ${quote(shown(url))}`,
			adviceOnBlocked(url.hostname),
		);
	}
	const what = `The file at ${quote(shown(url))} could not be downloaded`;
	if (/certificate|altnames/i.test(message)) {
		return new InputError(
			`${what}: n8n does not trust the certificate of its server (${excerpt(message)})`,
			`Ask for a valid certificate. If you trust the server, download ${WITH_HTTP_REQUEST}, with its option 'Ignore SSL Issues (Insecure)'.`,
		);
	}
	const why = /SSL routines/.test(message) ? 'the connection could not be secured' : message;
	return new BrokenDownload(
		`${what}: ${excerpt(why)}`,
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

function header(headers: Headers, name: string): string {
	return String(headers[name] ?? '');
}

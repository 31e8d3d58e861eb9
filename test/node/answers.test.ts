/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/**
 * Checks that the node accepts the right envelope from old and new servers, whatever bytes they
 * send.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { errorOf, file, CONTINUE_ON_FAIL, jsonOf, text, withFile } from '../support/harness';
import { createEngine, type Engine, type Run } from '../support/engine/engine';
import { ENVELOPE, startRawServer, type RawServer } from '../support/rawServer';
import { DEVICE, TOKEN } from '../support/everySend';

let server: RawServer;
let engine: Engine;

beforeAll(async () => {
	server = await startRawServer();
	engine = await createEngine({ binaryMode: 'filesystem' });
});
afterAll(async () => {
	await engine.close();
	await server.close();
});

const sends = {
	'a text': { parameters: text() },
	'a document': { parameters: file('document', 'send'), items: [withFile('document.pdf')] },
};

async function answered(send: keyof typeof sends, answer: RawServer['answer']): Promise<Run> {
	server.answer = answer;
	const { baseUrl } = server;
	const credential = { baseUrl, accessToken: TOKEN, deviceId: DEVICE };
	return await engine.run({ ...sends[send], node: CONTINUE_ON_FAIL, credential });
}

type Bytes = string | Buffer;

/** Sends each piece in a packet of its own. The connection stays open: the answer itself has to say where it ends. */
const keepOpen =
	(...pieces: Bytes[]) =>
	async (socket: Socket) => {
		socket.setNoDelay(true);
		for (const piece of pieces) {
			socket.write(piece);
			await sleep(5);
		}
	};

/** Does the same, then closes the connection. */
const thenClose =
	(...pieces: Bytes[]) =>
	async (socket: Socket) => {
		await keepOpen(...pieces)(socket);
		socket.end();
	};

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const chunk = (bytes: Bytes) =>
	Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), CRLF]);
const CRLF = Buffer.from('\r\n');
const LENGTH = `Content-Length: ${ENVELOPE.length}`;
const TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const zipped = gzipSync(ENVELOPE);

const RIGHT: Record<string, RawServer['answer']> = {
	'HTTP/1.0 without a length': thenClose(head('HTTP/1.0 200 OK', TYPE), ENVELOPE),
	'HTTP/1.0 without any header': thenClose(head('HTTP/1.0 200 OK'), ENVELOPE),
	'HTTP/1.0 in one packet': thenClose(head('HTTP/1.0 200 OK', TYPE) + ENVELOPE),
	'HTTP/1.0 with a length': thenClose(head('HTTP/1.0 200 OK', TYPE, LENGTH), ENVELOPE),
	'HTTP/1.0 that is kept alive': keepOpen(
		head('HTTP/1.0 200 OK', LENGTH, 'Connection: keep-alive'),
		ENVELOPE,
	),
	'HTTP/1.1 ended by closing': thenClose(head('HTTP/1.1 200 OK', 'Connection: close'), ENVELOPE),
	'HTTP/1.1 kept alive': keepOpen(head('HTTP/1.1 200 OK', LENGTH), ENVELOPE),
	'a status without words': keepOpen(head('HTTP/1.1 200 ', LENGTH), ENVELOPE),
	'lower-case headers': keepOpen(
		head('HTTP/1.1 200 OK', TYPE.toLowerCase(), LENGTH.toLowerCase(), 'connection: close'),
		ENVELOPE,
	),
	'upper-case headers': keepOpen(head('HTTP/1.1 200 OK', LENGTH.toUpperCase()), ENVELOPE),
	'one chunk': keepOpen(head('HTTP/1.1 200 OK', CHUNKED), chunk(ENVELOPE), chunk('')),
	'a chunk for each byte, and trailers': keepOpen(
		head('HTTP/1.1 200 OK', CHUNKED, 'Trailer: X-Took'),
		...[...ENVELOPE].map(chunk),
		'0\r\nX-Took: 3\r\n\r\n',
	),
	'chunks with extensions': keepOpen(
		head('HTTP/1.1 200 OK', CHUNKED),
		`${ENVELOPE.length.toString(16)};a=b\r\n${ENVELOPE}\r\n0\r\n\r\n`,
	),
	'a header broken over packets': thenClose('HTTP/1.1 2', '00 OK\r', '\n\r', `\n${ENVELOPE}`),
	'gzip in chunks': keepOpen(
		head('HTTP/1.1 200 OK', CHUNKED, 'Content-Encoding: gzip'),
		chunk(zipped.subarray(0, 9)),
		chunk(zipped.subarray(9)),
		chunk(''),
	),
	'gzip ended by closing': thenClose(head('HTTP/1.0 200 OK', 'Content-Encoding: gzip'), zipped),
	'100 Continue before it': keepOpen(
		head('HTTP/1.1 100 Continue'),
		head('HTTP/1.1 200 OK', LENGTH),
		ENVELOPE,
	),
	'103 Early Hints before it': keepOpen(
		head('HTTP/1.1 103 Early Hints', 'Link: </a.css>; rel=preload'),
		head('HTTP/1.1 200 OK', LENGTH),
		ENVELOPE,
	),
	'JSON called a page': keepOpen(
		head('HTTP/1.1 200 OK', LENGTH, 'Content-Type: text/html; charset=UTF-8'),
		ENVELOPE,
	),
	'empty lines around the JSON': thenClose(head('HTTP/1.0 200 OK', TYPE), `\n\n ${ENVELOPE}\r\n\n`),
	'a byte order mark before the JSON': thenClose(
		head('HTTP/1.0 200 OK', TYPE),
		`\uFEFF${ENVELOPE}`,
	),
	'many cookies': keepOpen(
		head('HTTP/1.1 200 OK', LENGTH, ...Array.from({ length: 50 }, (_, n) => `Set-Cookie: c${n}=1`)),
		ENVELOPE,
	),
};

const names = Object.keys(sends) as Array<keyof typeof sends>;
const forEach = <T extends unknown[]>(rows: T[]) =>
	names.flatMap((send) => rows.map((row) => [send, ...row] as const));

it.each(forEach(Object.entries(RIGHT)))(
	'the node accepts %s for this answer: %s',
	async (send, _, answer) => {
		const run = await answered(send, answer);

		expect(jsonOf(run)).toEqual([JSON.parse(ENVELOPE)]);
	},
);

const WRONG: Array<[string, RawServer['answer'], RegExp]> = [
	['ends within its length', thenClose(head('HTTP/1.1 200 OK', LENGTH), '{"code":200,'), /cut off/],
	[
		'ends within its chunks',
		thenClose(head('HTTP/1.1 200 OK', CHUNKED), chunk('{"code":200,'), chunk('"message":"q"}')),
		/cut off/,
	],
	['ends within its JSON', thenClose(head('HTTP/1.0 200 OK'), '{"code":200,'), /not JSON/],
	['ends within its head', thenClose('HTTP/1.1 200 OK\r\nContent-Le'), /connection broke/],
	['has no HTTP', thenClose('queued\n'), /connection broke/],
	['has nothing', thenClose(), /connection broke/],
];

it.each(forEach(WRONG))('%s is uncertain if the answer %s', async (send, _, answer, says) => {
	const run = await answered(send, answer);

	const message = expect.stringMatching(says) as string;
	expect(errorOf(run)).toMatchObject({ outcome: 'uncertain', message });
});

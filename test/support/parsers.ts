/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
/** How common JavaScript servers read an upload, each set up as its own documentation shows. */
import multipart from '@fastify/multipart';
import busboy from 'busboy';
import fastify from 'fastify';
import { formidable } from 'formidable';
import multer from 'multer';
import { Form } from 'multiparty';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { sha256 } from './harness';

export type Part =
	| { field: string; value: string }
	| { field: string; name: string; type: string; size: number; sha256: string };

/** Resolves to the parts in the parser's order. */
type Parser = (request: IncomingMessage, response: ServerResponse) => Promise<Part[]>;

/** busboy, and multer, which uses it, read names as Latin-1 unless this is set. */
const UTF_8 = { defParamCharset: 'utf8' };

const filePart = (field: string, name: string, type: string, bytes: Buffer): Part => ({
	field,
	name,
	type,
	size: bytes.length,
	sha256: sha256(bytes),
});

const withBusboy =
	(options: { defParamCharset?: string }): Parser =>
	async (request) => {
		const parts: Array<Part | Promise<Part>> = [];
		const form = busboy({ headers: request.headers, ...options });
		form.on('field', (field, value) => parts.push({ field, value }));
		form.on('file', (field, content, { filename, mimeType }) => {
			parts.push(buffer(content).then((bytes) => filePart(field, filename ?? '', mimeType, bytes)));
		});
		request.pipe(form);
		await once(form, 'close');
		return await Promise.all(parts);
	};

/** multer separates fields from files, so their order relative to each other is lost. */
const withMulter =
	(options: { defParamCharset?: string }): Parser =>
	async (request, response) => {
		const read = multer({ storage: multer.memoryStorage(), ...options }).any();
		const seen = request as Parameters<typeof read>[0];
		await new Promise<void>((resolve, reject) => {
			const answer = response as Parameters<typeof read>[1];
			read(seen, answer, (error: unknown) => (error ? reject(error as Error) : resolve()));
		});
		const fields = Object.entries(seen.body as Record<string, string>);
		return [
			...fields.map(([field, value]) => ({ field, value })),
			...(seen.files as Express.Multer.File[]).map((file) =>
				filePart(file.fieldname, file.originalname, file.mimetype, file.buffer),
			),
		];
	};

const withFastify: Parser = async (request, response) => {
	const app = fastify();
	await app.register(multipart);
	const parts: Part[] = [];
	app.post('*', async (incoming) => {
		for await (const part of incoming.parts()) {
			const { fieldname } = part;
			if (part.type === 'field') parts.push({ field: fieldname, value: String(part.value) });
			else parts.push(filePart(fieldname, part.filename, part.mimetype, await part.toBuffer()));
		}
		return parts;
	});
	await app.ready();
	app.routing(request, response);
	await once(response, 'finish');
	return parts;
};

const withFormidable: Parser = async (request) => {
	const uploadDir = await mkdtemp(join(tmpdir(), 'formidable-'));
	const parts: Array<Part | Promise<Part>> = [];
	const form = formidable({ uploadDir });
	form.on('field', (field, value) => parts.push({ field, value }));
	form.on('file', (field, { originalFilename, mimetype, filepath }) => {
		const content = buffer(createReadStream(filepath));
		const toPart = (bytes: Buffer) =>
			filePart(field, originalFilename ?? '', mimetype ?? '', bytes);
		parts.push(content.then(toPart));
	});
	await form.parse(request);
	return await Promise.all(parts).finally(
		async () => await rm(uploadDir, { recursive: true, force: true }),
	);
};

const withMultiparty: Parser = async (request) => {
	const parts: Array<Promise<Part>> = [];
	const form = new Form();
	form.on('part', (part) => {
		const { name: field, filename } = part;
		const { 'content-type': type } = part.headers as Record<string, string>;
		parts.push(
			typeof filename === 'string'
				? buffer(part).then((bytes) => filePart(field, filename, type ?? '', bytes))
				: text(part).then((value) => ({ field, value })),
		);
	});
	form.parse(request);
	await once(form, 'close');
	return await Promise.all(parts);
};

/** What fetch and most newer servers use: undici, as it comes with Node.js. */
const withFormData: Parser = async (request) => {
	const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
	const body = Readable.toWeb(request) as ReadableStream<Uint8Array>;
	const form = await new Response(body, { headers }).formData();
	const parts = [...form].map(async ([field, value]) =>
		typeof value === 'string'
			? { field, value }
			: filePart(field, value.name, value.type, Buffer.from(await value.arrayBuffer())),
	);
	return await Promise.all(parts);
};

export const parsers: Record<string, Parser> = {
	busboy: withBusboy(UTF_8),
	multer: withMulter(UTF_8),
	'@fastify/multipart': withFastify,
	formidable: withFormidable,
	multiparty: withMultiparty,
	'Response.formData': withFormData,
};

/** The parsers with their default configuration, not set up for UTF-8 names. */
export const latin1Parsers: Record<string, Parser> = {
	busboy: withBusboy({}),
	multer: withMulter({}),
};

/** Sends the raw bytes to a server with this parser. */
export async function parse(raw: Buffer, parser: Parser): Promise<Part[]> {
	const server = createServer();
	const parsing = new Promise<Part[]>((resolve, reject) => {
		server.on('request', (request, response) => {
			parser(request, response)
				.then(resolve, reject)
				.finally(() => response.end());
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
	socket.resume().write(raw);
	try {
		return await parsing;
	} finally {
		socket.destroy();
		server.close();
	}
}

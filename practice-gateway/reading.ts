import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { ReceivedFile } from './types';

/** Largest file that is kept for the outbox page; larger files are only hashed. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** A request's body, in any of its encodings. */
export interface Body {
	fields: Record<string, unknown>;
	file?: ReceivedFile;
	format: 'json' | 'form' | 'multipart';
}

export async function readBody(request: FastifyRequest, keepBytes: boolean): Promise<Body> {
	if (request.isMultipart()) return await readMultipart(request, keepBytes);
	const fields = (request.body ?? {}) as Record<string, unknown>;
	const type = request.headers['content-type'] ?? '';
	return { fields, format: type.includes('json') ? 'json' : 'form' };
}

async function readMultipart(request: FastifyRequest, keepBytes: boolean): Promise<Body> {
	const body: Body = { fields: {}, format: 'multipart' };
	for await (const part of request.parts()) {
		if (part.type === 'file') body.file = await readFile(part, keepBytes);
		else body.fields[part.fieldname] = part.value;
	}
	return body;
}

async function readFile(part: MultipartFile, keepBytes: boolean): Promise<ReceivedFile> {
	const hash = createHash('sha256');
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of part.file as AsyncIterable<Buffer>) {
		hash.update(chunk);
		size += chunk.length;
		if (!keepBytes) continue;
		if (size <= MAX_KEPT_BYTES) chunks.push(chunk);
		else chunks.length = 0;
	}
	return {
		field: part.fieldname,
		name: part.filename,
		contentType: part.mimetype,
		size,
		sha256: hash.digest('hex'),
		...(keepBytes && size <= MAX_KEPT_BYTES ? { bytes: Buffer.concat(chunks) } : {}),
	};
}

/** Reads `number`, `number[]` or a JSON array, because the API's examples use all three. */
export function numbersOf(fields: Record<string, unknown>): string[] {
	const value = fields['number[]'] ?? fields.number;
	if (value === undefined) return [];
	return (Array.isArray(value) ? value : [value]).map(String);
}

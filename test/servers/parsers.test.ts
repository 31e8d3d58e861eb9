/** The bytes of an upload, read by the parsers that most servers on npm use: all see the same. */
import busboy from 'busboy';
import formidable from 'formidable';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { INodeParameters } from 'n8n-workflow';
import multiparty from 'multiparty';
import { file, jsonOf, NUMBER, sample, sha256, withFile, withServer } from '../behaviour/world';
import { createEngine, type Engine } from '../engine/engine';

interface Seen {
	fields: Record<string, string>;
	file: { field: string; name: string; type: string; sha256: string };
}

interface Upload {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

let engine: Engine;
beforeAll(async () => {
	engine = await createEngine();
});
afterAll(async () => await engine.close());

/** What the node writes on the wire. */
async function upload(
	parameters: INodeParameters,
	name: string,
	fileName: string,
): Promise<Upload> {
	const uploads: Upload[] = [];
	await withServer(
		(request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				uploads.push({ headers: request.headers, body: Buffer.concat(chunks) });
				response.end('{ "code": 200 }');
			});
		},
		async (baseUrl) => {
			const credential = { baseUrl, accessToken: 'token-of-the-test' };
			const run = await engine.run({ credential, parameters, items: [withFile(name, fileName)] });
			expect(jsonOf(run)).toEqual([{ code: 200 }]);
		},
	);
	return uploads[0] as Upload;
}

function requestOf({ headers, body }: Upload): IncomingMessage {
	return Object.assign(Readable.from([body], { objectMode: false }), {
		headers,
	}) as IncomingMessage;
}

const readers: Record<string, (sent: Upload) => Promise<Seen>> = {
	/** Behind multer, Fastify and Nest. File names are UTF-8 there only where it is told so. */
	busboy: async (sent) => {
		const fields: Seen['fields'] = {};
		let seen: Seen['file'] | undefined;
		const parser = busboy({ headers: sent.headers, defParamCharset: 'utf8' });
		parser.on('field', (name, value) => (fields[name] = value));
		parser.on('file', (field, stream, { filename: name, mimeType: type }) => {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				seen = { field, name, type, sha256: sha256(Buffer.concat(chunks)) };
			});
		});
		await new Promise((resolve, reject) => {
			parser.once('close', resolve).once('error', reject);
			requestOf(sent).pipe(parser);
		});
		return { fields, file: seen as Seen['file'] };
	},
	formidable: async (sent) => {
		const [fields, files] = await formidable({}).parse(requestOf(sent));
		const [[field, [parsed] = []] = ['']] = Object.entries(files);
		return {
			fields: firstOfEach(fields),
			file: {
				field,
				name: parsed?.originalFilename ?? '',
				type: parsed?.mimetype ?? '',
				sha256: sha256(readFileSync(parsed?.filepath ?? '')),
			},
		};
	},
	multiparty: async (sent) => {
		const { fields, files } = await new Promise<{
			fields: Record<string, string[]>;
			files: Record<string, multiparty.File[]>;
		}>((resolve, reject) => {
			new multiparty.Form().parse(requestOf(sent), (error, parsedFields, parsedFiles) => {
				if (error) reject(error);
				else resolve({ fields: parsedFields as never, files: parsedFiles as never });
			});
		});
		const [[field, [parsed] = []] = ['']] = Object.entries(files);
		return {
			fields: firstOfEach(fields),
			file: {
				field,
				name: parsed?.originalFilename ?? '',
				type: String((parsed?.headers as Record<string, string>)['content-type']),
				sha256: sha256(readFileSync(parsed?.path ?? '')),
			},
		};
	},
	/** Of Node.js itself, and so of Hono, Remix and Next. */
	formData: async ({ headers, body }) => {
		const type = String(headers['content-type']);
		const form = await new Response(body, { headers: { 'content-type': type } }).formData();
		const seen: Seen = { fields: {}, file: { field: '', name: '', type: '', sha256: '' } };
		for (const [field, value] of form) {
			if (typeof value === 'string') {
				seen.fields[field] = value;
				continue;
			}
			const hash = sha256(Buffer.from(await value.arrayBuffer()));
			seen.file = { field, name: value.name, type: value.type, sha256: hash };
		}
		return seen;
	},
};

function firstOfEach(fields: Record<string, string[] | undefined>): Seen['fields'] {
	return Object.fromEntries(
		Object.entries(fields).map(([name, [first = ''] = []]) => [name, first]),
	);
}

const CAPTION = 'Grüße & 100 % = “ok”?\n+1 😀\r\n--boundary';

describe.each(Object.entries(readers))('%s', (_, read) => {
	it.each([
		'plain.pdf',
		'My report (final) v1.2.pdf',
		'Übersicht – 日本語 😀.pdf',
		"it's 100 %.pdf",
	])('reads a document with the name %s', async (name) => {
		const seen = await read(await upload(file('document', 'send'), 'document.pdf', name));
		expect(seen).toEqual({
			fields: { phone: NUMBER },
			file: {
				field: 'document',
				name,
				type: 'application/pdf',
				sha256: sha256(sample('document.pdf')),
			},
		});
	});

	it('reads an image to a group with its caption', async () => {
		const parameters = file('image', 'sendToGroup', { caption: CAPTION });
		const seen = await read(await upload(parameters, 'photo.jpg', 'photo.jpg'));
		expect(seen.fields).toEqual({ phone: NUMBER, groupid: 'team', caption: CAPTION });
		expect(seen.file).toMatchObject({ field: 'image', sha256: sha256(sample('photo.jpg')) });
	});
});

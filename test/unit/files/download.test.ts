/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import {
	LARGEST,
	LARGEST_IN_MEMORY,
	openUrl,
} from '../../../nodes/MessagingGateway/files/download';
import { isStream, type Upload } from '../../../nodes/MessagingGateway/shared/file';
import { followersOf } from '../../../nodes/MessagingGateway/shared/time';
import { inNode, inputErrorFrom, serve, TOKEN, type RunningServer } from '../../support/rooms';
import { until } from '../../support/until';

type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

const NEVER = new AbortController().signal;
const PDF = Buffer.from('%PDF-1.7 of a test');
/** A PDF of so many bytes. */
const pdfOf = (length: number, fill = 0) => Buffer.alloc(length, fill).fill(PDF, 0, PDF.length);
const give =
	(headers: Record<string, string> = {}, body: Buffer = PDF): Behaviour =>
	(response) => {
		response.writeHead(200, { 'Content-Length': String(body.length), ...headers }).end(body);
	};
const chunked =
	(headers: Record<string, string> = {}, ...chunks: Array<Buffer | string>): Behaviour =>
	(response) => {
		response.writeHead(200, headers);
		for (const chunk of chunks) response.write(chunk);
		response.end();
	};

let server: RunningServer;
let behave: Behaviour = give();
let asked: IncomingMessage[] = [];
beforeAll(async () => {
	server = await serve((request, response) => {
		asked.push(request);
		behave(response, request);
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	behave = give();
	asked = [];
});

interface Given {
	path?: string;
	address?: string;
	fileName?: string;
	kind?: 'image' | 'document';
	timeout?: number;
	stopped?: AbortSignal;
	isPreview?: boolean;
	/** Where n8n keeps files. */
	binaryMode?: 'default' | 'filesystem';
}

/** Opens a file of the server in a real n8n, and lets `use` read it. */
async function withFile<T>(
	given: Given,
	use: (file: Upload, helpers: IExecuteFunctions['helpers']) => Promise<T> | T,
): Promise<T> {
	const { path = '/files/a.pdf', kind = 'document', fileName = '', timeout = 2_000 } = given;
	const { binaryMode = 'filesystem', stopped = NEVER, isPreview = false } = given;
	return await inNode(
		async ({ helpers }) => {
			const address = given.address ?? server.url + path;
			const how = { fileName, timeout, stopped, isPreview };
			return await use(await openUrl(helpers, kind, address, how), helpers);
		},
		{ credential: { baseUrl: server.url, accessToken: TOKEN }, binaryMode },
	);
}

const refusal = async (given: Given = {}) => await inputErrorFrom(withFile(given, () => undefined));

async function read(file: Upload): Promise<Buffer> {
	const content = await file.open();
	if (!isStream(content)) return content;
	const chunks: Buffer[] = [];
	for await (const chunk of content) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}
describe.each(['filesystem', 'default'] as const)(
	'a file that is stored, in %s mode',
	(binaryMode) => {
		it.each<[string, () => Behaviour]>([
			['announces', () => give({ 'Content-Type': 'application/octet-stream' })],
			['does not announce', () => chunked({}, PDF.subarray(0, 5), PDF.subarray(5))],
		])(
			'a file whose server %s its length is stored once, and has its name, type, length and bytes in each try',
			async (_, behaviour) => {
				behave = behaviour();
				await withFile({ binaryMode }, async (file) => {
					const { name, contentType, size } = file;
					expect([name, contentType, size]).toEqual(['a.pdf', 'application/pdf', PDF.length]);
					behave = (response) => response.writeHead(404).end();
					expect(await read(file)).toEqual(PDF);
					expect(await read(file)).toEqual(PDF);
				});
				expect(asked).toHaveLength(1);
				await until(() => server.sockets.size === 0, 'no connection stays');
			},
		);

		it.each<[string, Behaviour]>([
			['announces', (response) => response.writeHead(200, { 'Content-Length': 18 })],
			['does not announce', (response) => response.writeHead(200)],
		])('a file whose server %s its length is not sent if it breaks off', async (_, begin) => {
			behave = (response, request) => {
				begin(response, request);
				response.write('a', () => response.socket?.destroy());
			};
			expect((await refusal({ binaryMode })).what).toBe(
				`The file at “${server.url}/…/a.pdf” could not be downloaded: its server stopped, or took too long`,
			);
			expect(asked).toHaveLength(2);
		});
	},
);

it('a file that n8n cannot store is not sent, and its server is not blamed', async () => {
	const helpers = {
		httpRequest: async () => ({ headers: {}, statusCode: 200, body: new PassThrough() }),
		prepareBinaryData: async () => await Promise.reject(new Error('ENOSPC: no space left')),
	} as unknown as IExecuteFunctions['helpers'];
	const file = openUrl(helpers, 'document', 'https://a.example/a.pdf', HOW);
	expect((await inputErrorFrom(file)).what).toBe(
		'n8n could not store the file at “https://a.example/a.pdf”: ENOSPC: no space left',
	);
});

it.each([
	['gzip', gzipSync],
	['br', brotliCompressSync],
])('a file that its server compresses (%s) is stored as it was', async (name, pack) => {
	const csv = Buffer.from('a,b\n'.repeat(1_000));
	behave = give({ 'Content-Encoding': name }, pack(csv));
	await withFile({ path: '/a.csv' }, async (file) => {
		expect([file.size, (await read(file)).equals(csv)]).toEqual([csv.length, true]);
	});
});

it.each([1, 2])('a file that is cut short without an error is not sent (%s)', async (missing) => {
	const body = new PassThrough().end(PDF);
	const headers = { 'content-length': String(PDF.length + missing) };
	const file = openUrl(slowN8n(body, 200, headers), 'document', 'https://a.example/a.pdf', HOW);
	expect((await inputErrorFrom(file)).what).toContain('could not be downloaded');
});

it.each(['announces', 'does not announce'])(
	'a large file whose server %s its length is stored on disk, and refused in memory',
	async (how) => {
		const size = (how === 'announces' ? LARGEST : LARGEST_IN_MEMORY) + 1024 * 1024;
		let poured = 0;
		behave = (response) => {
			response.writeHead(200, how === 'announces' ? { 'Content-Length': size } : {});
			const pour = () => {
				while (poured < size && !response.destroyed) {
					const chunk = poured === 0 ? pdfOf(1024 * 1024) : Buffer.alloc(1024 * 1024);
					poured += chunk.length;
					if (!response.write(chunk)) return void response.once('drain', pour);
				}
				response.end();
			};
			pour();
		};
		expect(await refusal({ binaryMode: 'default', timeout: 20_000 })).toMatchObject({
			what: `The file at “${server.url}/…/a.pdf” is larger than 16 MB, and n8n keeps files in memory`,
			advice: expect.stringContaining('on disk'),
		});
		expect(asked).toHaveLength(1);
		await until(() => server.sockets.size === 0, 'the connection was closed');
		poured = 0;
		await withFile({ timeout: 20_000 }, (file) => expect(file.size).toBe(size));
	},
);

it.each<[string, Behaviour]>([
	['before its server answers', (response) => response.destroy()],
	[
		'while its server sends it',
		(response) => {
			response.writeHead(200, { 'Content-Length': PDF.length });
			response.write(PDF.subarray(0, 9), () => response.destroy());
		},
	],
])('a file that breaks off %s is asked for once more', async (_, breakOff) => {
	for (const isPreview of [true, false]) {
		asked.length = 0;
		behave = (response, request) => (asked.length === 1 ? breakOff : give())(response, request);
		await withFile({ isPreview }, async (file) => {
			if (!isPreview) expect(await read(file)).toEqual(PDF);
		});
		// A dry run has seen enough.
		expect(asked.length).toBeGreaterThanOrEqual(isPreview ? 1 : 2);
	}
});

it.each<[string, Record<string, string>, number]>([
	['announces', { 'Content-Length': '100000000' }, 100_000_000],
	['does not announce', {}, 0],
])(
	'a dry run looks at a file whose server %s its length, and closes it',
	async (_, headers, size) => {
		behave = (response) => {
			response.writeHead(200, headers);
			response.write(pdfOf(100_000));
		};
		await withFile({ isPreview: true, timeout: 60_000 }, async (file) => {
			expect(file).toMatchObject({ name: 'a.pdf', contentType: 'application/pdf', size });
			await expect(file.open()).rejects.toThrow('A dry run sends no file');
		});
		await until(() => server.sockets.size === 0, 'the connection was closed');
	},
);

it.each([true, false])(
	'a file is what its first bytes say, not its address (dry run: %s)',
	async (isPreview) => {
		behave = give({ 'Content-Type': 'application/pdf' }, Buffer.from('quota exceeded'));
		expect((await refusal({ isPreview })).what).toBe(
			'The content of “a.pdf” does not match its name: it seems to be plain text',
		);
		behave = give({ 'Content-Type': 'application/octet-stream' });
		const names: Array<[string, string]> = [
			['/invoice/1042.html', '1042.pdf'],
			['/x.axd?id=1', 'x.pdf'],
			['/Quote.v2', 'Quote.v2.pdf'],
			['/uploads%2F2026%2Finv.pdf', 'inv.pdf'],
		];
		for (const [path, name] of names) {
			expect(await withFile({ path, isPreview }, (file) => file.name)).toBe(name);
		}
		await until(() => server.sockets.size === 0, 'no connection stays');
	},
);

it('a file whose length is known is asked for without the token of the gateway', async () => {
	await withFile({}, () => undefined);
	expect(asked[0]?.headers.authorization).toBeUndefined();
	expect(JSON.stringify(asked[0]?.headers)).not.toContain(TOKEN);
	expect(asked[0]?.headers['accept-encoding']).toBe('identity');
});

it('a file is refused if its server compresses it in a way that n8n does not undo', async () => {
	behave = give({ 'Content-Encoding': 'x-unknown' });
	expect(await refusal()).toMatchObject({
		what: `The server of the file at “${server.url}/…/a.pdf” compresses it`,
		advice: 'Download it with the HTTP Request node and send it from the binary field.',
	});
	behave = give({ 'Content-Encoding': 'Identity' });
	await withFile({}, async (file) => expect(await read(file)).toEqual(PDF));
});

it('a file whose length is known is refused if it is blank', async () => {
	behave = give({}, Buffer.alloc(0));
	for (const isPreview of [true, false]) {
		expect((await refusal({ isPreview })).what).toContain('/…/a.pdf” is empty');
	}
	await until(() => server.sockets.size === 0, 'no connection stays');
});

describe.each(['filesystem', 'default'] as const)(
	'a file of unknown length, in %s mode',
	(binaryMode) => {
		it('a file of unknown length is stored whole even if it is long and slow', async () => {
			const pieces = Array.from({ length: 50 }, (_, index) => pdfOf(100_000, index));
			behave = (response) => {
				response.writeHead(200);
				const pour = (left: Buffer[]): void => {
					const [next, ...rest] = left;
					if (next) response.write(next, () => setTimeout(pour, 5, rest));
					else response.end();
				};
				pour(pieces);
			};
			await withFile({ binaryMode, timeout: 20_000 }, async (file) => {
				expect(file.size).toBe(5_000_000);
				expect((await read(file)).equals(Buffer.concat(pieces))).toBe(true);
				const content = await file.open();
				expect(isStream(content)).toBe(binaryMode === 'filesystem');
				if (isStream(content)) content.destroy();
			});
		});

		it.each<[string, Behaviour]>([
			['stops in the middle and holds the line', (response) => response.writeHead(200).write('a')],
			[
				'lets it drip',
				(response) => {
					const timer = setInterval(() => response.write('a'), 50);
					response.on('close', () => clearInterval(timer));
				},
			],
		])('a file of unknown length is refused if its server %s', async (_name, misbehave) => {
			behave = misbehave;
			const error = await refusal({ binaryMode, timeout: 1_000 });
			expect(error.what).toContain('its server stopped, or took too long');
			expect(error.advice).toContain("increase the option 'Timeout'");
			await until(() => server.sockets.size === 0, 'the connection was closed');
		});

		it('a file of unknown length is refused if it is blank', async () => {
			behave = chunked({});
			expect((await refusal({ binaryMode })).what).toContain('is empty');
		});

		it('a file of unknown length is refused if it has no end', async () => {
			let poured = 0;
			behave = (response) => {
				response.writeHead(200);
				const chunk = Buffer.alloc(1024 * 1024);
				const pour = () => {
					while (!response.destroyed && response.write(chunk)) poured += chunk.length;
					if (!response.destroyed) response.once('drain', pour);
				};
				pour();
			};
			const error = await refusal({ binaryMode, timeout: 20_000 });
			const limit =
				binaryMode === 'default'
					? '16 MB, and n8n keeps files in memory'
					: '64 MB, and its server does not announce its length';
			expect(error.what).toContain(`/…/a.pdf” is larger than ${limit}`);
			expect(poured).toBeLessThan(90 * 1024 * 1024);
			await until(() => server.sockets.size === 0, 'the connection was closed');
		});
	},
);

/** An n8n that begins to read a file later than it looks at it. */
const slowN8n = (body: PassThrough, statusCode = 200, headers = {}) =>
	({
		httpRequest: async () => ({ headers, statusCode, body }),
		prepareBinaryData: async (stream: PassThrough | Buffer) => {
			if (Buffer.isBuffer(stream)) return { id: 'on disk' };
			stream.on('close', () => undefined);
			await new Promise(setImmediate);
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			await new Promise((resolve) => stream.on('end', resolve));
			return { data: Buffer.concat(chunks).toString('base64'), mimeType: '' };
		},
	}) as unknown as IExecuteFunctions['helpers'];
const HOW = { fileName: '', timeout: 2_000, stopped: NEVER, isPreview: false };

it('a file of unknown length may be as large as 64 MB, and is whole even if n8n reads it later', async () => {
	const body = new PassThrough().end(pdfOf(LARGEST));
	const { size } = await openUrl(slowN8n(body), 'document', 'https://a.example/a.pdf', HOW);
	expect(size).toBe(64 * 1024 * 1024);
});

it('a file that was refused may break off without a word', async () => {
	const body = new PassThrough();
	const file = openUrl(slowN8n(body, 404), 'document', 'https://a.example/a.pdf', HOW);
	expect((await inputErrorFrom(file)).what).toContain('(status 404)');
	expect(() => body.emit('error', new Error('aborted'))).not.toThrow();
});

const nameOf = async (disposition: string, given: Given = {}) => {
	behave = give({ 'Content-Disposition': disposition });
	return await withFile({ path: '/download', ...given }, ({ name }) => name);
};

it.each([
	['attachment; filename="Invoice 7.pdf"', 'Invoice 7.pdf'],
	['attachment; filename="say \\"hi\\".pdf"', "say 'hi'.pdf"],
	['attachment; filename="C:\\docs\\new.pdf"', 'new.pdf'],
	['attachment; filename=invoice.pdf', 'invoice.pdf'],
	['attachment;filename=invoice.pdf;size=5', 'invoice.pdf'],
	["attachment; filename*=UTF-8''Fakt%C3%BCr%20%E6%BC%A2.pdf", 'Faktür 漢.pdf'],
	['attachment; filename="plain.pdf"; filename*=utf-8\'en\'better.pdf', 'better.pdf'],
	["attachment; filename*=UTF-8''100%.pdf", '100%.pdf'],
	["attachment; filename * = x; filename* = utf-8''spaced.pdf ; size=5", 'spaced.pdf'],
	['attachment; filename=  spaced.pdf ; size=5', 'spaced.pdf'],
	['inline; FILENAME="UPPER.PDF"', 'UPPER.PDF'],
	['attachment; filename="../../x.pdf"', 'x.pdf'],
])('the name of a file is the one that the server gives: %s', async (disposition, expected) => {
	expect(await nameOf(disposition)).toBe(expected);
});

it('the name of a file is the one that the person enters, if there is one', async () => {
	expect(await nameOf('attachment; filename="a.pdf"', { fileName: 'Mine.pdf' })).toBe('Mine.pdf');
});

it('the name of a file is the end of the address, if nobody says another', async () => {
	const path = '/x/My%20file.pdf?secret=1#part';
	expect(await withFile({ path }, ({ name }) => name)).toBe('My file.pdf');
	expect(await withFile({ path: '/100%25%.pdf' }, ({ name }) => name)).toMatch(/\.pdf$/);
});

it('the name of a file is found even with spaces around the address', async () => {
	const address = ` \u200B${server.url}/files/a.pdf\n`;
	expect(await withFile({ address }, ({ name }) => name)).toBe('a.pdf');
});

it('the name of a file gets its ending from its format, and from its type if formats begin alike', async () => {
	behave = give({ 'Content-Type': 'application/pdf; q=1' });
	expect(await withFile({ path: '/' }, ({ name }) => name)).toBe('document.pdf');
	behave = give({ 'Content-Type': 'text/csv; header=present' }, Buffer.from('a,b'));
	for (const path of ['/download.php?id=5', '/download.aspx', '/download.DO', '/download']) {
		expect(await withFile({ path }, ({ name }) => name)).toBe('download.csv');
	}
});

it('a redirect to the file is followed, without the token', async () => {
	behave = (response, { url }) => {
		if (url === '/a') response.writeHead(302, { Location: '/b' }).end();
		else if (url === '/b') response.writeHead(301, { Location: '/c.pdf' }).end();
		else give()(response, undefined as never);
	};
	await withFile({ path: '/a', fileName: 'c.pdf' }, async (file) => {
		expect(await read(file)).toEqual(PDF);
	});
	expect(asked.map(({ url }) => url)).toEqual(['/a', '/b', '/c.pdf']);
	expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
});

it('a redirect to the file is not followed forever', async () => {
	behave = (response) => response.writeHead(302, { Location: '/again.pdf' }).end();
	expect((await refusal()).what).toContain('could not be downloaded');
	expect(asked.length).toBeLessThan(13);
});

it('a file that cannot be downloaded is named without its folders, as some are a token', async () => {
	behave = (response) => response.writeHead(404).end();
	expect((await refusal({ path: '/file/bot1:secret/photos/a.jpg' })).what).toBe(
		`The file at “${server.url}/…/a.jpg” could not be downloaded (status 404)`,
	);
	expect((await refusal({ path: '/files/' })).what).toContain(`“${server.url}/files/”`);
});

it.each([
	[206, 'private browser window'],
	[300, 'private browser window'],
	[304, 'private browser window'],
	[401, 'HTTP Request node'],
	[403, 'User-Agent'],
	[404, 'Correct the address'],
	[406, 'User-Agent'],
	[410, 'Correct the address'],
	[429, 'wait'],
	[500, 'wait'],
	[502, 'wait'],
	[503, 'wait'],
	[599, 'wait'],
])(
	'a file that cannot be downloaded with the status %s is named with it, and with what helps: %s',
	async (status, advice) => {
		behave = (response) => response.writeHead(status).end(status === 304 ? undefined : 'x');
		expect(await refusal({ path: '/a.pdf?token=secret' })).toMatchObject({
			what: `The file at “${server.url}/a.pdf” could not be downloaded (status ${status})`,
			advice: expect.stringContaining(advice),
		});
		expect(asked).toHaveLength(1);
		await until(() => server.sockets.size === 0, 'no connection stays');
	},
);

it('a file that cannot be downloaded is closed, however long the answer is', async () => {
	behave = (response) => void response.writeHead(404).write(Buffer.alloc(100_000));
	expect((await refusal({ timeout: 60_000 })).what).toContain('(status 404)');
	await until(() => server.sockets.size === 0, 'the connection was closed');
});

it('a file that cannot be downloaded because it is a sign-in page is refused', async () => {
	behave = give({ 'Content-Type': 'text/html' }, Buffer.from('<html>'));
	expect(await refusal({ path: '/download' })).toMatchObject({
		what: `This address leads to a web page, not to a file: “${server.url}/download”`,
		advice: expect.stringMatching(
			/^Open the address in a private browser window.* Google Drive and Dropbox sharing links usually open a page\./,
		),
	});
	await until(() => server.sockets.size === 0, 'no connection stays');
});

it.each([
	['text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'],
	['Application/JSON', '{"error":"no"}'],
	[' application/xhtml+xml', '<?xml version="1.0"?><html>'],
])(
	'a page (%s) in the place of a spreadsheet is refused, unless its server gives it a name',
	async (type, page) => {
		behave = give({ 'Content-Type': type }, Buffer.from(page));
		for (const given of [{ path: '/a.xls' }, { path: '/download', fileName: 'a.xls' }]) {
			expect((await refusal(given)).what).toContain('leads to a web page, not to a file');
		}
		behave = give(
			{ 'Content-Type': type, 'Content-Disposition': 'filename=a.xls' },
			Buffer.from(page),
		);
		expect(await withFile({}, ({ name }) => name)).toBe('a.xls');
	},
);

it('a file whose server calls it a page is sent if it is none', async () => {
	behave = give({ 'Content-Type': 'text/html' });
	expect(await withFile({ path: '/invoice' }, ({ name }) => name)).toBe('invoice.pdf');
});

it.each([
	['self-signed certificate in certificate chain', 'Error'],
	["Hostname/IP does not match certificate's altnames: Host: a.example", 'Error'],
	['certificate has expired', 'AxiosError'],
])(
	'a file from a server with a certificate that n8n does not trust says so: %s',
	async (message, name) => {
		const httpRequest = jest.fn(
			async () => await Promise.reject(Object.assign(new Error(message), { name })),
		);
		const helpers = { httpRequest } as unknown as IExecuteFunctions['helpers'];
		const error = await inputErrorFrom(
			openUrl(helpers, 'document', 'https://a.example/a.pdf', HOW),
		);
		expect(error.what).toContain('does not trust the certificate of its server');
		expect(error.advice).toContain("'Ignore SSL Issues (Insecure)'");
		expect(httpRequest).toHaveBeenCalledTimes(1);
	},
);

it.each([
	`data:application/pdf;base64,${PDF.toString('base64')}`,
	PDF.toString('base64').repeat(9),
])('the content of a file is not its address: %s', async (address) => {
	expect(await refusal({ address })).toMatchObject({
		what: "'File URL' has the content of a file, not an address",
		advice: expect.stringContaining("'Convert to File'"),
	});
});

it('a file from a server that does not answer is refused with an error that shows no secrets', async () => {
	const address = 'http://127.0.0.1:1/a.pdf?token=secret';
	const error = await refusal({ address });
	expect(error.what).toContain('The file at “http://127.0.0.1:1/a.pdf” could not be downloaded');
	expect(error.what + error.advice).not.toContain('secret');
	expect(error.advice).toContain('Check the address');
});

it('a file whose address n8n blocks is refused with the name of the setting', async () => {
	const cause = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
	const httpRequest = async () => await Promise.reject(new Error('outer', { cause }));
	const how = { fileName: '', timeout: 0, stopped: NEVER, isPreview: false };
	const helpers = { httpRequest } as unknown as IExecuteFunctions['helpers'];
	const opened = openUrl(helpers, 'document', 'http://files.local/a.pdf', how);
	expect(await inputErrorFrom(opened)).toMatchObject({
		what: "n8n's protection of internal addresses blocked the file at “http://files.local/a.pdf”",
		advice: 'Ask the administrator of n8n to add files.local to N8N_SSRF_ALLOWED_HOSTNAMES.',
	});
});

it('a file from a server that speaks no TLS is refused with an error that says so', async () => {
	const address = server.url.replace('http:', 'https:') + '/a.pdf';
	expect((await refusal({ address })).what).toBe(
		`The file at “${address}” could not be downloaded: the connection could not be secured`,
	);
});

it('a file from a silent server is waited for no longer than the timeout', async () => {
	behave = () => undefined;
	expect((await refusal({ timeout: 200 })).what).toContain('could not be downloaded');
});

it('an address that is none is shown without secrets', async () => {
	const tails = ['', '?secret', '#secret', ';token=secret', ',secret'];
	const heads = [
		'ftp://user:secret@',
		'htps://user:se/cret@',
		'user:secret@',
		'ftp://user:?secret@',
	];
	for (const address of heads.flatMap((head) => tails.map((tail) => `${head}a.example/a${tail}`))) {
		expect((await refusal({ address })).what).toBe('“a.example/a” is not the address of a file');
	}
});

it.each([
	'',
	'a.pdf',
	'ftp://a/a.pdf',
	'xhttps://a/a.pdf',
	'file:///etc/passwd',
	'data:,x',
	'javascript:1',
	'http://',
])(
	'a file that cannot be downloaded because “%s” is not a web address, is refused before any request',
	async (address) => {
		expect(await refusal({ address })).toMatchObject({
			what: expect.stringContaining('is not the address of a file'),
			advice: 'Enter an address that starts with https://.',
		});
		expect(asked).toHaveLength(0);
	},
);
const STOPPED = 'The execution was stopped before this message was queued';

it.each<[string, Behaviour]>([
	['before its server answers', () => undefined],
	['while its server sends it', (response) => response.writeHead(200).write('a')],
])('an execution that is stopped ends a download %s', async (_name, misbehave) => {
	behave = misbehave;
	const stop = new AbortController();
	const refused = refusal({ timeout: 600_000, stopped: stop.signal });
	await until(() => asked.length === 1, 'the file was requested');
	setTimeout(() => stop.abort(), 50);
	expect(await refused).toMatchObject({
		what: STOPPED,
		advice: expect.stringContaining('time limit'),
	});
	await until(() => server.sockets.size === 0, 'the connection was closed');
});

it('an execution that is stopped is not followed any longer once the file has been requested', async () => {
	const { signal } = new AbortController();
	await withFile({ stopped: signal }, () => undefined);
	expect(followersOf(signal).size).toBe(0);
});

it('an execution that is stopped requests nothing more', async () => {
	expect((await refusal({ stopped: AbortSignal.abort() })).what).toBe(STOPPED);
	expect(asked).toEqual([]);
});

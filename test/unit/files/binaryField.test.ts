/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs outside of n8n */
import type { Readable } from 'node:stream';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { findBinary, openBinary } from '../../../nodes/MessagingGateway/files/binaryField';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { isStream, type Upload } from '../../../nodes/MessagingGateway/shared/file';
import { inNode, inputErrorFrom, inputErrorOf } from '../../support/rooms';
import { BEGINNINGS } from '../../support/beginnings';
import type { FileInput } from '../../support/engine/engine';

const PNG = BEGINNINGS.png;
const FILE: FileInput = { fileName: 'Photo.PNG', mimeType: 'image/png', content: PNG };

type Open = (fileName?: string, kind?: 'image' | 'document') => Promise<Upload>;

async function withBinary<T>(
	file: FileInput | IBinaryData | undefined,
	use: (open: Open, binary: IBinaryData, helpers: IExecuteFunctions['helpers']) => Promise<T>,
	binaryMode: 'default' | 'filesystem' = 'default',
	property: string | IBinaryData = 'data',
	fields: string[] = ['data'],
): Promise<T> {
	const items = [file ? { binary: { data: file } } : {}];
	return await inNode(
		async ({ helpers }) => {
			const binary = findBinary(helpers, 0, property, fields);
			return await use(
				async (fileName = '', kind = 'image') => await openBinary(helpers, kind, binary, fileName),
				binary,
				helpers,
			);
		},
		{ items, binaryMode },
	);
}

async function read(file: Upload): Promise<Buffer> {
	const content = await file.open();
	if (!isStream(content)) return content;
	const chunks: Buffer[] = [];
	for await (const chunk of content) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}

describe.each(['default', 'filesystem'] as const)('a file that n8n keeps (%s)', (mode) => {
	it('a file that n8n keeps has its name, type, size and bytes, as often as it is opened', async () => {
		await withBinary(
			FILE,
			async (open) => {
				const file = await open();
				expect(file).toMatchObject({
					name: 'Photo.PNG',
					contentType: 'image/png',
					size: PNG.length,
				});
				expect(await read(file)).toEqual(PNG);
				expect(await read(file)).toEqual(PNG);
			},
			mode,
		);
	});

	it('a file that n8n keeps on disk is streamed from there', async () => {
		await withBinary(
			FILE,
			async (open) => {
				const content = await (await open()).open();
				expect(isStream(content)).toBe(mode === 'filesystem');
				if (isStream(content)) content.destroy();
			},
			mode,
		);
	});

	it('a file that n8n keeps may get another name', async () => {
		const name = await withBinary(FILE, async (open) => (await open('Mine.png')).name, mode);
		expect(name).toBe('Mine.png');
	});

	it('a file that n8n keeps is refused if it is empty', async () => {
		const empty = { ...FILE, content: Buffer.alloc(0) };
		const error = await inputErrorFrom(withBinary(empty, async (open) => await open(), mode));
		expect(error).toMatchObject({
			what: 'The file “Photo.PNG” is empty',
			advice: 'Check where it comes from.',
		});
	});

	it('a file that n8n keeps is refused if the gateway does not accept its format', async () => {
		const pdf = { ...FILE, fileName: 'a.pdf', content: BEGINNINGS.pdf };
		const error = await inputErrorFrom(withBinary(pdf, async (open) => await open(), mode));
		expect(error.what).toContain('as an image');
	});

	it.each([
		['text/html', '<!doctype html><title>Sign in</title>'],
		['text/html; charset=utf-8', '\uFEFF\r\n<html>'],
		['application/json', '{"error":"not found"}'],
		['application/json', '[]'],
		['text/html', '<!-- x --><p>'],
		['text/html', '\n<HEAD>'],
		['text/html', '<body>'],
		['application/json', '[ {'],
		['application/json', '["no"]'],
		['application/json', '[[1]]'],
	])(
		'a file that n8n keeps is refused if a server sent a page instead, as %s: %j',
		async (type, page) => {
			const file = { fileName: 'a.png', mimeType: type, content: Buffer.from(page) };
			const error = await inputErrorFrom(withBinary(file, async (open) => await open(), mode));
			expect(error).toMatchObject({
				what: '“a.png” is a web page or an error message, not the file',
				advice:
					'Check the node that downloaded it: the server may require a sign-in, or have returned an error.',
			});
		},
	);

	it.each([
		['text/html', 'a,b'],
		['text/html', '<DATE>,<OPEN>'],
		['application/json', '[id],name'],
		['text/html', '<table>'],
		['application/vnd.ms-excel', '<html>'],
		['application/msword', '{"a":1}'],
	])(
		'a file that n8n keeps is whole if only its type, or only its beginning, calls it a page: %s %s',
		async (mimeType, text) => {
			const file = { fileName: 'a.xls', mimeType, content: Buffer.from(text) };
			const whole = async (open: Open) => String(await read(await open('', 'document')));
			expect(await withBinary(file, whole, mode)).toBe(text);
		},
	);

	it('only the first bytes of a file that n8n keeps are read, and it is closed', async () => {
		const content = Buffer.concat([PNG, Buffer.alloc(5_000_000)]);
		await withBinary(
			{ ...FILE, content },
			async (open, _, helpers) => {
				const getBinaryStream = jest.spyOn(helpers, 'getBinaryStream');
				expect((await open()).size).toBe(content.length);
				for (const { value } of getBinaryStream.mock.results) {
					const stream = (await value) as Readable & { bytesRead: number };
					expect([stream.destroyed, stream.bytesRead < 200_000]).toEqual([true, true]);
				}
				expect(getBinaryStream).toHaveBeenCalledTimes(mode === 'filesystem' ? 1 : 0);
			},
			mode,
		);
	});

	it.each([
		['uploads%2F2026%2Finv.png', 'inv.png'],
		['=?UTF-8?B?TcOkcnoucG5n?=', 'März.png'],
	])('a file that n8n keeps as %s is called %s', async (fileName, expected) => {
		const file = { ...FILE, fileName };
		expect(await withBinary(file, async (open) => (await open()).name, mode)).toBe(expected);
	});

	it('a file that n8n keeps without a name has one from its type', async () => {
		const nameless = { ...FILE, fileName: undefined };
		expect(await withBinary(nameless, async (open) => (await open()).name, mode)).toBe('image.png');
	});
});

it('a value that is not a file is distinguished from a file that n8n keeps elsewhere, or in the item', () => {
	for (const binary of [
		{ id: 'filesystem:1', data: 'filesystem-v2' },
		{ data: 'YQ==' },
		{ data: 'YWJj\r\nZA==' },
		{ data: '_-8' },
	]) {
		const helpers = { assertBinaryData: () => binary };
		expect(findBinary(helpers as never, 0, 'data', ['data'])).toBe(binary);
	}
});

it.each<[string, string]>([
	['a property that every object has', '__proto__'],
	['another one', 'constructor'],
	['an object without data', 'empty'],
	['data that is not a text', 'wrong'],
])('a value that is not a file is refused: %s', async (_, property) => {
	const binary = { empty: { mimeType: 'image/png' }, wrong: { data: 5, mimeType: 'image/png' } };
	const helpers = { assertBinaryData: (__: number, name: string) => Reflect.get(binary, name) };
	expect(() => findBinary(helpers as never, 0, property, [])).toThrow(InputError);
});

it.each([
	null,
	{},
	Buffer.from('%PDF'),
	'JVBERi0=',
	{ data: 'filesystem-v2', mimeType: 'application/pdf' },
	{ data: 'database', mimeType: 'application/pdf' },
	{ data: 'A letter, not base64', mimeType: 'text/plain' },
])('a value that is not a file is not proposed as one: %j', (value) => {
	const helpers = { assertBinaryData: () => value };
	expect(inputErrorOf(() => findBinary(helpers as never, 0, 'data', ['a', 'data']))).toMatchObject({
		what: '“data” of the item is not an n8n file',
		advice:
			"Create it with 'Convert to File', or in a Code node with this.helpers.prepareBinaryData().",
	});
});

it('a file in memory gets its ending from n8n if it has no name', async () => {
	const data = BEGINNINGS.jpeg.toString('base64');
	const binary: IBinaryData = { data, mimeType: 'x/y', fileExtension: 'jpg' };
	expect(await withBinary(binary, async (open) => (await open()).name)).toBe('file.jpg');
	const object = { ...binary, fileName: { a: 1 } as unknown as string };
	const error = await inputErrorFrom(withBinary(object, async (open) => await open()));
	expect(error.what).toBe('The file name is an object, not text');
});
const missing = async (property: string | IBinaryData, fields: string[]) =>
	await inputErrorFrom(withBinary(FILE, async () => undefined, 'default', property, fields));

it.each([
	[['data'], "It has a file in “data”: enter that name in 'Input Binary Field'."],
	[
		['data', 'scan'],
		"It has files in: data, scan. Enter one of these names in 'Input Binary Field'. An item sends only that one.",
	],
	[
		[],
		"The item has no files at all. Check the previous node, or choose 'URL' in 'File From'. Is the file base64 text in a field? Turn it into a file first: in 'Convert to File', choose 'Move Base64 String to File'.",
	],
])(
	'a file that is not there is named by its field, with those that the item has: %j',
	async (fields, advice) => {
		expect(await missing('photo', fields)).toMatchObject({
			what: 'The item has no file in “photo”',
			advice,
		});
	},
);

it('a file that is not there does not fill the message with a thousand fields', async () => {
	const fields = Array.from({ length: 1_000 }, (_, i) => `attachment_${i}`);
	const { advice } = await missing('photo', fields);
	expect(advice).toContain('attachment_0, attachment_1');
	expect(advice.length).toBeLessThan(400);
});

it('a file that is not there is missing from an item without files', async () => {
	const error = await inputErrorFrom(withBinary(undefined, async () => undefined));
	expect(error.what).toBe('The item has no file in “data”');
});

it.each([' ', {} as IBinaryData])('a file has no field to be named by in %j', async (property) => {
	expect((await missing(property, ['data'])).what).toBe("'Input Binary Field' is empty");
});

it.each([BEGINNINGS.pdf.toString('base64').repeat(10), 'data:application/pdf;base64,JVBERi0='])(
	'the content of a file is not the name of a field: %s',
	async (property) => {
		expect(await missing(property, [])).toMatchObject({
			what: "'Input Binary Field' has the content of a file, not the name of a field",
			advice: expect.stringContaining("'Convert to File'"),
		});
	},
);

it('a file that is not there any more says so', async () => {
	const binary: IBinaryData = {
		data: 'filesystem-v2',
		id: 'filesystem-v2:workflows/1/executions/1/binary_data/gone',
		mimeType: 'image/png',
		fileName: 'a.png',
	};
	const error = await inputErrorFrom(
		withBinary(binary, async (open) => await open(), 'filesystem'),
	);
	expect(error).toMatchObject({
		what: 'n8n can no longer read the file “a.png” from its storage',
		advice: 'n8n may have deleted it together with an old execution.',
	});
});

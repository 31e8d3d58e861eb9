/** Opens a file that a previous node put into a binary field. */

import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { ByteStream, Upload } from '../shared/file';
import { excerpt, quote } from '../shared/text';
import { type FileKind, nameAndType, PAGE } from './nameAndType';
import { isBlank } from '../input/text';

type BinaryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'
>;

/** The beginning of a web page, or of an error in JSON. */
const BEGINNING_OF_PAGE = /^\s*(?:<(?:!doctype|!--|html|head|body)|\{|\[\s*[[{"\]])/i;

/** https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/core/src/binary-data/utils.ts */
const STORAGES = ['filesystem', 'filesystem-v2', 's3', 'azure', 'database'];

/**
 * Returns the file in a binary field of an item.
 *
 * @param property the field's name, or the file itself if an expression provides it
 * @param fields the binary fields that the item has
 * @throws InputError if the item has no such file; the advice names the fields that have one
 */
export function findBinary(
	helpers: BinaryHelpers,
	itemIndex: number,
	property: string | IBinaryData,
	fields: string[],
): IBinaryData {
	let binary: IBinaryData | null;
	try {
		binary = helpers.assertBinaryData(itemIndex, property);
	} catch {
		throw missing(property, fields);
	}
	if (typeof binary?.id === 'string' || isContent(binary?.data)) return binary;
	const field = fields.find((each) => each === property);
	throw field === undefined ? missing(property, fields) : notAFile(field);
}

/** Whether it is base64. Without its ID, a file that n8n stores elsewhere has only the name of that storage. */
function isContent(data: unknown): boolean {
	if (typeof data !== 'string' || STORAGES.includes(data)) return false;
	return /^[\w+/=\r\n-]*$/.test(data.slice(0, 1_000));
}

/**
 * Resolves to a file from a previous node. A file that n8n stores outside memory is streamed from there. Its size comes
 * from n8n's own record.
 *
 * @param fileName the name that the recipient sees, '' for the file's own
 * @throws InputError if the file is empty or a web page, or the gateway does not accept its type
 */
export async function openBinary(
	helpers: BinaryHelpers,
	kind: FileKind,
	binary: IBinaryData,
	fileName: string,
): Promise<Upload> {
	const { id } = binary;
	const name = binary.fileName || extensionOnly(binary);
	const named = nameAndType(kind, { name, chosen: fileName, mimeType: binary.mimeType });
	// Some servers label every file as a page.
	const isPage = PAGE.test(binary.mimeType);
	if (id === undefined) {
		const content = Buffer.from(binary.data, 'base64');
		if (isPage) checkBeginning(content, named.name);
		return { ...named, size: checkedSize(content.length, named.name), open: async () => content };
	}
	const { fileSize } = await readable(named.name, async () => await helpers.getBinaryMetadata(id));
	const size = checkedSize(fileSize, named.name);
	const open = async () =>
		await readable(named.name, async () => await helpers.getBinaryStream(id));
	if (isPage) checkBeginning(await beginningOf(await open(), named.name), named.name);
	return { ...named, size, open };
}

/** @throws InputError if the file is empty */
export function checkedSize(size: number, name: string): number {
	if (size > 0) return size;
	throw new InputError(`The file ${quote(name)} is empty`, 'Check the node that created it.');
}

/** @throws InputError if a node downloaded a sign-in page or an error instead of the file */
function checkBeginning(beginning: Buffer, name: string): void {
	if (!BEGINNING_OF_PAGE.test(beginning.toString('utf8', 0, 100))) return;
	throw new InputError(
		`${quote(name)} is a web page or an error message, not the file`,
		'Check the node that downloaded it: the server may require a sign-in, or have returned an error.',
	);
}

async function beginningOf(file: ByteStream, name: string): Promise<Buffer> {
	return await readable(name, async () => {
		for await (const chunk of file) return Buffer.from(chunk as Buffer);
		return Buffer.alloc(0);
	});
}

function extensionOnly({ fileExtension }: IBinaryData): string {
	return fileExtension ? `file.${fileExtension}` : '';
}

async function readable<T>(name: string, read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch {
		throw unreadable(name);
	}
}

function missing(property: string | IBinaryData, fields: string[]): InputError {
	const name = typeof property === 'string' && !isBlank(property) ? property : '';
	return new InputError(
		name === '' ? "'Input Binary Field' is empty" : `The item has no file in ${quote(name)}`,
		fieldAdvice(fields),
	);
}

function notAFile(field: string): InputError {
	return new InputError(
		`${quote(field)} of the item is not an n8n file`,
		"Create it with 'Convert to File', or in a Code node with this.helpers.prepareBinaryData().",
	);
}

function fieldAdvice(fields: string[]): string {
	const [only] = fields;
	if (only === undefined) {
		return "The item has no files at all. Check the previous node, or choose 'URL' in 'File From'.";
	}
	return fields.length === 1
		? `It has a file in ${quote(only)}: enter that name in 'Input Binary Field'.`
		: `It has files in: ${excerpt(fields.join(', '))}. Enter one of these names in 'Input Binary Field'. An item sends only that one.`;
}

function unreadable(name: string): InputError {
	return new InputError(
		`n8n can no longer read the file ${quote(name)} from its storage`,
		'n8n may have deleted it together with an old execution.',
	);
}

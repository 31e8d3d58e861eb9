/** Opens a file that a previous node put into a binary field. */

import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { Upload } from '../shared/file';
import { excerpt, quote } from '../shared/text';
import { decodedName } from './contentDisposition';
import { beginningOf } from './format';
import { type FileKind, isPage, nameAndType } from './nameAndType';
import { isBlank, toText } from '../input/text';

type BinaryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'
>;

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
 * Resolves to a file that n8n holds. One that n8n stores outside memory is streamed from there. Its size comes from n8n's
 * own record.
 *
 * @param chosen the name that the recipient sees, '' for the file's own
 * @throws InputError if the file is empty, a web page, or not what its name says, or the gateway does not accept it
 */
export async function openBinary(
	helpers: BinaryHelpers,
	kind: FileKind,
	binary: IBinaryData,
	chosen: string,
): Promise<Upload> {
	const { fileName, fileExtension, mimeType } = binary;
	const own = fileName || (fileExtension && `file.${fileExtension}`);
	const name = decodedName(toText(own, 'file name'));
	const { size, beginning, open } = await stored(helpers, binary, name || 'file');
	if (isPage(mimeType, beginning)) throw pageInPlaceOf(name);
	return { ...nameAndType(kind, { name, chosen, mimeType, beginning }), size, open };
}

/** Resolves to the content of a file that n8n holds, and its first bytes. */
export async function stored(
	helpers: BinaryHelpers,
	{ id, data }: IBinaryData,
	shown: string,
): Promise<Pick<Upload, 'size' | 'open'> & { beginning: Buffer }> {
	if (id === undefined) {
		const content = Buffer.from(data, 'base64');
		const size = checkedSize(content.length, shown);
		return { size, beginning: content, open: async () => await Promise.resolve(content) };
	}
	const read = async <T>(reading: Promise<T>) =>
		await reading.catch(() => {
			throw unreadable(shown);
		});
	const { fileSize } = await read(helpers.getBinaryMetadata(id));
	const size = checkedSize(fileSize, shown);
	const open = async () => await read(helpers.getBinaryStream(id));
	return { size, beginning: await read(beginningOf(await open())), open };
}

/** @throws InputError if the file is empty */
export function checkedSize(size: number, name: string): number {
	if (size > 0) return size;
	throw new InputError(`The file ${quote(name)} is empty`, 'Check where it comes from.');
}

function pageInPlaceOf(name: string): InputError {
	return new InputError(
		`${quote(name)} is a web page or an error message, not the file`,
		'Check the node that downloaded it: the server may require a sign-in, or have returned an error.',
	);
}

/** The next step if a file is only text. */
export const TO_FILE =
	"Turn it into a file first: in 'Convert to File', choose 'Move Base64 String to File'.";

/** Whether a text is a file, as base64 or as a data: address, where the name of a field or an address belongs. */
export function isFileContent(text: string): boolean {
	return /^\s*(data:[\w.+-]+\/|[\w+/=\r\n-]{200})/i.test(text);
}

function missing(property: string | IBinaryData, fields: string[]): InputError {
	const name = typeof property === 'string' && !isBlank(property) ? property : '';
	if (isFileContent(name)) {
		return new InputError(
			"'Input Binary Field' has the content of a file, not the name of a field",
			TO_FILE,
		);
	}
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
		return `The item has no files at all. Check the previous node, or choose 'URL' in 'File From'. Is the file base64 text in a field? ${TO_FILE}`;
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

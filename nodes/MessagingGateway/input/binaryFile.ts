import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { InputError } from '../shared/inputError';
import type { Upload } from '../shared/file';
import { quote } from '../shared/quote';
import { nameAndType, type FileKind } from './fileType';
import { isBlank } from './text';

type BinaryHelpers = Pick<
	IExecuteFunctions['helpers'],
	'assertBinaryData' | 'getBinaryMetadata' | 'getBinaryStream'
>;

/** @throws InputError where the item has no such binary field */
export function findBinary(
	helpers: BinaryHelpers,
	itemIndex: number,
	property: string | IBinaryData,
): IBinaryData {
	let binary: IBinaryData | undefined;
	try {
		binary = helpers.assertBinaryData(itemIndex, property);
	} catch {
		throw missing(property);
	}
	if (typeof binary.id === 'string' || typeof binary.data === 'string') return binary;
	throw missing(property);
}

/**
 * A file that an earlier node put into n8n. What n8n stores outside memory is streamed from there;
 * its size in bytes comes from n8n's own record of it.
 *
 * @param fileName what the recipient is to see, where it differs from the file's own name
 * @throws InputError where the gateway does not take such a file, or it is empty
 */
export async function openBinary(
	helpers: BinaryHelpers,
	kind: FileKind,
	binary: IBinaryData,
	fileName: string,
): Promise<Upload> {
	const { id } = binary;
	const name = fileName || binary.fileName || extensionOnly(binary);
	const named = nameAndType(kind, { name, mimeType: binary.mimeType });
	if (id === undefined) {
		const content = Buffer.from(binary.data, 'base64');
		return { ...named, size: checkedSize(content.length, named.name), open: async () => content };
	}
	const { fileSize } = await readable(named.name, async () => await helpers.getBinaryMetadata(id));
	return {
		...named,
		size: checkedSize(fileSize, named.name),
		open: async () => await readable(named.name, async () => await helpers.getBinaryStream(id)),
	};
}

/** What tells one file from another without reading it: n8n never changes a stored file. */
export function identityOfBinary(binary: IBinaryData): string {
	return binary.id ?? createHash('sha256').update(binary.data).digest('base64');
}

/** @throws InputError where there is nothing in the file */
export function checkedSize(size: number, name: string): number {
	if (size > 0) return size;
	throw new InputError(
		`The file ${quote(name)} is empty`,
		'Check the node that made it, and run this again.',
	);
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

function missing(property: string | IBinaryData): InputError {
	const name = typeof property === 'string' && !isBlank(property) ? property : '';
	return new InputError(
		name === ''
			? 'The name of the binary field is missing'
			: `The item has no file in the binary field ${quote(name)}`,
		'Set Input Binary Field to the field that an earlier node put the file in, often “data”; the Binary tab of its output shows the name.',
	);
}

function unreadable(name: string): InputError {
	return new InputError(
		`n8n can no longer read the file ${quote(name)} from its storage`,
		'Run the workflow again from the node that made the file.',
	);
}

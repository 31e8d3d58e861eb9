import { InputError } from '../shared/inputError';
import { quote } from '../shared/quote';
import { toText } from './text';

export type FileKind = 'image' | 'document';

/** The extensions of the API's sections 4.1 and 4.3, each with the content type it is sent with. */
const IMAGE_TYPES: Record<string, string> = {
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
};
const DOCUMENT_TYPES: Record<string, string> = {
	...IMAGE_TYPES,
	pdf: 'application/pdf',
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	xls: 'application/vnd.ms-excel',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	ppt: 'application/vnd.ms-powerpoint',
	pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	csv: 'text/csv',
};
const TYPES: Record<FileKind, Record<string, string>> = {
	image: IMAGE_TYPES,
	document: DOCUMENT_TYPES,
};

/** Other names of the same types. */
const OTHER_MIME_TYPES: Record<string, string> = {
	'image/jpg': 'jpg',
	'application/csv': 'csv',
	'application/x-pdf': 'pdf',
};

const LONGEST_NAME = 150;

/**
 * Returns the name that the recipient sees and the content type that follows from it. The name is
 * safe in a multipart header: it has no quotes, line breaks, control characters or folders.
 *
 * @throws InputError if the gateway does not accept such a file
 */
export function nameAndType(
	kind: FileKind,
	given: { name: unknown; mimeType?: unknown },
): { name: string; contentType: string } {
	const name = safeName(toText(given.name, 'file name'));
	const types = TYPES[kind];
	const extension = extensionOf(name);
	if (Object.hasOwn(types, extension))
		return { name: shortened(name), contentType: types[extension] as string };

	const known = extensionOfMimeType(String(given.mimeType), types);
	if (extension === '' && known) {
		return { name: shortened(`${name || kind}.${known}`), contentType: types[known] as string };
	}
	throw notAccepted(kind, name, extensionOf(name) || documentOf(given.mimeType));
}

function notAccepted(kind: FileKind, name: string, extension: string): InputError {
	const endings = Object.keys(TYPES[kind]).map((each) => `.${each}`);
	const accepted = `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
	let advice = `Use a file that ends in ${accepted}.`;
	if (kind === 'image' && Object.hasOwn(DOCUMENT_TYPES, extension)) {
		advice = `To send this file as it is, choose the resource 'Document'. An image ends in ${accepted}.`;
	} else if (extension === '') {
		advice += " If only the name lacks the ending, set the option 'File Name'.";
	}
	return new InputError(
		name === ''
			? `The ${kind} has no file name, and the gateway does not accept its type`
			: `The gateway does not accept ${quote(name)} as ${kind === 'image' ? 'an image' : 'a document'}`,
		advice,
	);
}

/** The extension of a document with this MIME type; '' if no document has it. */
function documentOf(mimeType: unknown): string {
	return extensionOfMimeType(String(mimeType), DOCUMENT_TYPES) ?? '';
}

function safeName(text: string): string {
	return text
		.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
		.replace(/["“”]/g, "'")
		.split(/[\\/]/)
		.join('_')
		.replace(/\s+/g, ' ')
		.trim();
}

/** In lower case, without the dot; '' if there is none, as in “Invoice No.5”. */
function extensionOf(name: string): string {
	return /^\.*[^.].*\.((?=\d*[a-z])[a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function extensionOfMimeType(mimeType: string, types: Record<string, string>): string | undefined {
	const type = mimeType.replace(/;.*/s, '').trim().toLowerCase();
	return (
		Object.keys(types).find((extension) => types[extension] === type) ??
		Object.keys(types).find((extension) => extension === OTHER_MIME_TYPES[type])
	);
}

function shortened(name: string): string {
	const characters = [...name];
	if (characters.length <= LONGEST_NAME) return name;
	const ending = `.${extensionOf(name)}`;
	return characters.slice(0, LONGEST_NAME - ending.length).join('') + ending;
}

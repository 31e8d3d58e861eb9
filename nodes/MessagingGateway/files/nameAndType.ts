/** Decides under which name and content type a file is sent, and refuses files that the gateway does not accept. */

import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { toText } from '../input/text';

export type FileKind = 'image' | 'document';

/** The extensions in sections 4.1 and 4.3 of the API, and the content type for each. */
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
	'image/pjpeg': 'jpg',
	'image/x-png': 'png',
};

/** Types that are certainly not a document, whatever the name of the file. */
const OTHER_KIND = /^(?:(?:audio|image|video)\/\w|text\/html\b)/i;

/** Types of pages that servers send instead of a file, such as a sign-in page or an error. */
export const PAGE = /^\s*(text\/html|application\/(xhtml\+xml|json))\s*(;|$)/i;

/** Including the extension. File systems accept 255 bytes. */
const LONGEST_NAME = { characters: 150, bytes: 255 };

/** Characters of a longer name that are read, at its beginning and, for the extension, at its end. */
const LONGEST_READ = 1_000;
const LONGEST_ENDING = 20;

/** The facts about a file before it is read. */
interface Known {
	/** Its own name. */
	name: unknown;
	/** The name that a person chose instead; '' if none. */
	chosen?: string;
	mimeType?: unknown;
}

/**
 * Returns the name that the recipient sees, and the content type that follows from it. The name is safe in a multipart
 * header: it has no quotation marks, line breaks, control characters or folders. A chosen name without an extension that
 * the gateway accepts gets the extension of the file.
 *
 * @throws InputError if the gateway does not accept such a file
 */
export function nameAndType(
	kind: FileKind,
	{ name, chosen = '', mimeType }: Known,
): { name: string; contentType: string } {
	const types = TYPES[kind];
	const stem = safeName(chosen);
	const ownName = safeName(toText(name, 'file name'));
	const extension = extensionOf(stem);
	const own = extensionOf(ownName);
	const byType = extensionOfMimeType(String(mimeType), types);
	const ownExtension = own === '' ? byType : own;
	const isGood = Object.hasOwn(types, ownExtension);
	const asDocument = extensionOfMimeType(String(mimeType), DOCUMENT_TYPES);
	const isOther =
		!isGood && byType === '' && (asDocument !== '' || OTHER_KIND.test(String(mimeType)));
	if (Object.hasOwn(types, extension) && !isOther) return named(stem, extension);
	if (!isGood) {
		const shown = own === '' ? stem || ownName : ownName;
		const type = isOther && asDocument === '' ? String(mimeType) : '';
		throw notAccepted(kind, shown, extensionOf(shown) || asDocument, type);
	}
	const hasEnding = stem === '' && own !== '';
	return named(hasEnding ? ownName : `${stem || ownName || kind}.${ownExtension}`, ownExtension);

	function named(whole: string, ending: string) {
		return { name: shortened(whole, ending), contentType: types[ending] as string };
	}
}

/** @param type a type that overrides the name; '' if there is none */
function notAccepted(kind: FileKind, name: string, extension: string, type: string): InputError {
	const endings = Object.keys(TYPES[kind]).map((each) => `.${each}`);
	const accepted = `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`;
	let advice = `Use a file that ends in ${accepted}.`;
	if (type !== '' && (extension === '' || Object.hasOwn(TYPES[kind], extension))) {
		advice = `The file is of the type ${quote(type)}, regardless of its name. ${advice}`;
	} else if (Object.hasOwn(DOCUMENT_TYPES, extension)) {
		advice = `To send this file as it is, choose the resource 'Document'. An image ends in ${accepted}.`;
	} else if (extension === '') {
		advice += " If only the extension is missing, set the option 'File Name'.";
	}
	return new InputError(
		name === ''
			? `The ${kind} has no file name, and the gateway does not accept its type`
			: `The gateway does not accept ${quote(name)} as ${kind === 'image' ? 'an image' : 'a document'}`,
		advice,
	);
}

function safeName(text: string): string {
	const isLong = text.length > LONGEST_READ;
	return (isLong ? text.slice(0, LONGEST_READ) + text.slice(-LONGEST_ENDING) : text)
		.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
		.replace(/["“”]/g, "'")
		.split(/[\\/]/)
		.join('_')
		.replace(/\s+/g, ' ')
		.trim();
}

/** Returns the extension in lower case, without the dot; '' if there is none, as in “Invoice No.5”. */
function extensionOf(name: string): string {
	const found = /^\.*[^.].*\.((?=\d*[a-z])[a-z0-9]{1,8})$/i.exec(name);
	return (found?.[1] ?? '').toLowerCase();
}

/** Returns the extension for a content type; '' if it is not one of the types. */
function extensionOfMimeType(mimeType: string, types: Record<string, string>): string {
	const type = mimeType
		.replace(/[;,].*/s, '')
		.trim()
		.toLowerCase();
	return (
		Object.keys(types).find((extension) => types[extension] === type) ??
		Object.keys(types).find((extension) => extension === OTHER_MIME_TYPES[type]) ??
		''
	);
}

/** @param extension the end of the name, in upper or lower case */
function shortened(name: string, extension: string): string {
	const end = name.length - extension.length - 1;
	const ending = name.slice(end);
	let characters = ending.length;
	let bytes = ending.length;
	let stem = '';
	for (const character of name.slice(0, end)) {
		characters++;
		bytes += Buffer.byteLength(character);
		if (characters > LONGEST_NAME.characters || bytes > LONGEST_NAME.bytes) break;
		stem += character;
	}
	return stem + ending;
}

/** Decides under which name a file is sent. Its first bytes say what it is; its names and its type only name it. */

import { InputError } from '../shared/inputError';
import { isVisible, quote } from '../shared/text';
import { ENDINGS, type Format, formatOf } from './format';

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

/** Other names of these types. JPEG, PNG and PDF need none. */
const OTHER_TYPES: Record<string, string> = { csv: 'application/csv' };

/** Types of pages that servers send instead of a file, such as a sign-in page or an error. */
const PAGE = /^\s*(text\/html|application\/(xhtml\+xml|json))\s*(;|$)/i;

/** Extensions of programs on a server, and of files that have no type yet. */
const MEANINGLESS =
	/\.(html?|php\d?|aspx?|ashx|axd|jspx?|do|action|cgi|cfm|bin|tmp|dat|download)$/i;

/** Including the extension. File systems accept 255 bytes. */
const LONGEST_NAME = { characters: 150, bytes: 255 };

/** Characters of a longer name that are read, at its beginning and, for the extension, at its end. */
const LONGEST_READ = 1_000;
const LONGEST_ENDING = 20;

/** What is known of a file. */
export interface Known {
	/** Its own name. */
	name: string;
	/** The name that a person chose instead; '' if none. */
	chosen?: string;
	mimeType: unknown;
	/** Its first bytes. */
	beginning: Buffer;
}

/** Whether a server sent a page, and says so. Some servers label every file as a page. */
export function isPage(mimeType: unknown, beginning: Buffer): boolean {
	return PAGE.test(String(mimeType)) && formatOf(beginning).isPage;
}

/**
 * Returns the name that the recipient sees, and the content type that follows from it. The name is safe in a multipart
 * header: it has no quotation marks, line breaks, control characters or folders. A name without a real extension gets
 * the extension of the format, or, if several formats begin alike, that of the type.
 *
 * @throws InputError if the extension belongs to another format, or the gateway does not accept the format
 */
export function nameAndType(
	kind: FileKind,
	{ name, chosen = '', mimeType, beginning }: Known,
): { name: string; contentType: string } {
	const types = TYPES[kind];
	const format = formatOf(beginning);
	const stem = safeName(chosen.replace(/[\\/]/g, '_'));
	const ownName = safeName(lastPart(name));
	const own = ownName.replace(MEANINGLESS, '');
	const isChosen = Object.hasOwn(types, endingOf(stem));
	const given = endingOf(isChosen ? stem : own);
	const isAccepted = Object.hasOwn(DOCUMENT_TYPES, given);
	if (isAccepted && !format.endings.includes(given)) {
		throw refusal(kind, isChosen ? stem : ownName, format, given);
	}
	const ending = isAccepted ? given : endingFor(format, given, String(mimeType));
	if (!Object.hasOwn(types, ending)) throw refusal(kind, ownName || stem, format);
	const bare = stem || (given === '' ? own : own.slice(0, -given.length - 1)) || kind;
	const whole = isAccepted && (isChosen || stem === '') ? stem || own : `${bare}.${ending}`;
	return { name: shortened(whole, ending), contentType: types[ending] as string };
}

/** Returns the real extension of a name in lower case, without the dot; '' if there is none. */
function endingOf(name: string): string {
	const ending = /^\.*[^.].*\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
	return ENDINGS.has(ending) ? ending : '';
}

/** Returns the accepted extension of a file whose own is `given`; '' if there is none. */
function endingFor({ endings }: Format, given: string, mimeType: string): string {
	const accepted = endings.filter((each) => Object.hasOwn(DOCUMENT_TYPES, each));
	const isOnlyOne = new Set(accepted.map((each) => DOCUMENT_TYPES[each])).size === 1;
	if (given !== '') return (isOnlyOne && endings.includes(given) && accepted[0]) || '';
	const type = mimeType
		.replace(/[;,].*/s, '')
		.trim()
		.toLowerCase();
	const byType = accepted.find((each) => [DOCUMENT_TYPES[each], OTHER_TYPES[each]].includes(type));
	return (isOnlyOne ? accepted[0] : byType) ?? '';
}

/** @param ending the extension of an accepted format that the name has; '' if it has none */
function refusal(kind: FileKind, name: string, format: Format, ending = ''): InputError {
	const [here = [], anywhere = []] = [TYPES[kind], DOCUMENT_TYPES].map((types) =>
		format.endings.filter((each) => Object.hasOwn(types, each)),
	);
	const isText = format.isPage || anywhere.includes('csv');
	let advice = `Use a file that ends in ${orList(Object.keys(TYPES[kind]))}.`;
	if (isText && (format.isPage || ending !== '' || here.length === 0)) {
		advice =
			'Check where the file comes from: a server may require a sign-in, or have returned an error.';
	} else if (here.length > 0) {
		advice = `If it is the right file, enter a name that ends in ${orList(here)} in the option 'File Name'.`;
	} else if (anywhere.length > 0) {
		advice = "To send this file as it is, choose the resource 'Document'.";
	}
	const what =
		ending === ''
			? `The gateway does not accept ${name === '' ? 'a file' : quote(name)} as ${kind === 'image' ? 'an image' : 'a document'}`
			: `The content of ${quote(name)} does not match its name`;
	return new InputError(format.is === '' ? what : `${what}: it seems to be ${format.is}`, advice);
}

function orList(endings: string[]): string {
	const dotted = endings.map((each) => `.${each}`).join(', ');
	return dotted.replace(/, ([^,]*)$/, ' or $1');
}

/** Returns the file in a path, or in an address where the path is encoded. */
function lastPart(path: string): string {
	return path.split(/[\\/]/).filter(isVisible).at(-1) ?? '';
}

function safeName(text: string): string {
	const isLong = text.length > LONGEST_READ;
	return (isLong ? text.slice(0, LONGEST_READ) + text.slice(-LONGEST_ENDING) : text)
		.replace(/(?!\p{Join_Control})\p{Cf}/gu, '')
		.replace(/\p{Cc}/gu, ' ')
		.replace(/["“”]/g, "'")
		.replace(/\s+/g, ' ')
		.trim();
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

/** Recognizes the format of a file by its first bytes. */

import type { ByteStream } from '../shared/file';

/** The format of a file. */
export interface Format {
	/** With its article; '' if it is unknown. */
	is: string;
	/** Extensions of files in this format. */
	endings: readonly string[];
	/** Whether servers send it in place of a file: a sign-in, or an error. */
	isPage: boolean;
}

/** @param starts a pattern for the first bytes, each as one character */
const row = (is: string, starts: string, endings: string, isPage = false) => ({
	is,
	starts: new RegExp(starts, 'i'),
	endings: endings.split(' '),
	isPage,
});

/** Formats that hold zeros or other bytes that no text has. */
const DOCUMENTS = [
	row('a JPEG picture', String.raw`^\xff\xd8\xff`, 'jpg jpeg jpe jfif pjpeg pjp'),
	row('a PNG picture', String.raw`^\x89PNG\r\n\x1a\n`, 'png'),
	row(
		'a ZIP archive or an Office file',
		String.raw`^PK\x03\x04`,
		'docx xlsx pptx zip docm xlsm odt ods odp',
	),
	// Office encrypts a .docx into the container of a .doc. Some programs write an .xls without this container.
	row(
		'an older or encrypted Office file',
		String.raw`^(\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\t[\x00\x02\x04\x08][\x04-\x10]\x00)`,
		'doc xls ppt docx xlsx pptx msg',
	),
	// Readers accept other bytes in front: ISO 32000-1, Annex H, note 13. An error message may quote these signs.
	row('a PDF', String.raw`^(?!\s*([{[]|<!doctype|<html|<\?xml))[^]{0,1019}%PDF-\d`, 'pdf'),
];

const TEXTS = [
	row(
		'a web page or an error message',
		String.raw`^\s*<(!doctype|!--|html|head|body|\?xml)`,
		'doc xls ppt html xml svg',
		true,
	),
	row(
		'JSON, perhaps an error message',
		String.raw`^\s*(\{|\[\s*[[{"\]])`,
		'csv doc xls ppt json',
		true,
	),
	row('plain text', String.raw`^`, 'csv doc xls ppt txt rtf md log ics vcf'),
];

const OTHERS = [
	row('a HEIC photo', String.raw`^[^]{4}ftyp(hei|hev|mif|msf)`, 'heic heif'),
	row('a GIF picture', String.raw`^GIF8`, 'gif'),
	row('a WebP picture', String.raw`^RIFF[^]{4}WEBP`, 'webp'),
	row(
		'a TIFF, BMP or AVIF picture',
		String.raw`^(II\*\0|MM\0\*|BM|[^]{4}ftypavi)`,
		'tif tiff bmp avif',
	),
	row(
		'an audio file',
		String.raw`^(ID3|\xff[\xf2\xf3\xfb]|OggS|fLaC|RIFF[^]{4}WAVE|#!AMR)`,
		'mp3 ogg opus wav m4a',
	),
	row('a video', String.raw`^([^]{4}ftyp|\x1aE\xdf\xa3|RIFF[^]{4}AVI)`, 'mp4 mov avi mkv webm 3gp'),
	row('an archive', String.raw`^(Rar!|7z\xbc\xaf|\x1f\x8b|BZh)`, 'rar 7z gz tgz tar'),
	row('a program', String.raw`^(MZ|\x7fELF)`, 'exe dll msi bat cmd scr js vbs jar apk'),
];

/** Bytes that are read. */
const LENGTH = 4_096;

/** The extensions of all formats. Other letters behind a dot are part of the name, as in `Quote.v2`. */
export const ENDINGS: ReadonlySet<string> = new Set(
	[...DOCUMENTS, ...TEXTS, ...OTHERS].flatMap(({ endings }) => endings),
);

/** Returns the format of a file that begins with these bytes. */
export function formatOf(beginning: Buffer): Format {
	const start = beginning.toString('latin1', 0, LENGTH).replace(/^\xef\xbb\xbf/, '');
	// A text has no zeros, except in UTF-16, which has a mark in front. A text may begin with “BM” or “MZ”.
	const isText = /^(\xff\xfe|\xfe\xff)/.test(start) || !start.includes('\0');
	const rows = [...DOCUMENTS, ...(isText ? TEXTS : OTHERS)];
	return rows.find(({ starts }) => starts.test(start)) ?? { is: '', endings: [], isPage: false };
}

/** Reads the first bytes of a file, and closes it. */
export async function beginningOf(file: ByteStream): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of file) {
		chunks.push(Buffer.from(chunk));
		length += chunk.length;
		if (length >= LENGTH) break;
	}
	return Buffer.concat(chunks);
}

/** Reads the names that servers and mail programs give to files. */

/** Characters. Node.js accepts 16 KB of headers, and a name has at most 255 bytes. */
const LONGEST_HEADER = 8_192;

/** `; name="value"` or `; name=value`. A backslash escapes a quotation mark or a backslash. */
const PARAMETER = /;\s*([\w-]+\*?)\s*=\s*(?:"((?:\\[^]|[^"\\])*)|([^;]*))/g;

/** `=?UTF-8?B?…?=` or `=?UTF-8?Q?…?=` (RFC 2047). */
const ENCODED_WORD = /=\?([\w-]+)(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/gi;

/** Returns the file name in a Content-Disposition header (RFC 6266); '' if there is none. */
export function fileNameIn(header: string): string {
	const names = new Map<string, string>();
	for (const [, name = '', quoted, plain = ''] of `;${header.slice(0, LONGEST_HEADER)}`.matchAll(
		PARAMETER,
	)) {
		const key = name.toLowerCase();
		// A backslash before any other character is part of a Windows path.
		const value = quoted?.replace(/\\(["\\])/g, '$1') ?? plain.trim();
		if (!names.has(key)) names.set(key, value);
	}
	const [, charset = '', extended = ''] =
		/^([\w-]+)'[^']*'([^]*)/.exec(names.get('filename*') ?? '') ?? [];
	const name = names.get('filename');
	// Node.js reads headers as Latin-1, but most servers write UTF-8.
	return (
		decoded(bytesOf(extended, '%'), charset) ||
		decodedName(name === undefined ? '' : (decoded(name, 'utf-8') ?? name))
	);
}

/** Returns a name without the encodings of mail programs and of web addresses. */
export function decodedName(name: string): string {
	const words = name
		.replace(/\?=\s+=\?/g, '?==?')
		.replace(ENCODED_WORD, (word, charset: string, encoding: string, content: string) => {
			const bytes = /b/i.test(encoding)
				? Buffer.from(content, 'base64').toString('latin1')
				: bytesOf(content.replace(/_/g, ' '), '=');
			return decoded(bytes, charset) ?? word;
		});
	try {
		return decodeURIComponent(words);
	} catch {
		return words;
	}
}

/** Replaces hexadecimal codes behind a sign by their bytes. A byte is one character of Latin-1. */
function bytesOf(text: string, sign: string): string {
	return text
		.split(new RegExp(`${sign}([\\da-f]{2})`, 'i'))
		.map((part, index) => (index % 2 ? String.fromCharCode(parseInt(part, 16)) : part))
		.join('');
}

/** Returns undefined if the bytes are not of this charset, or the charset is unknown. */
function decoded(bytes: string, charset: string): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
	} catch {
		return undefined;
	}
}

/** Characters. Node.js accepts 16 KB of headers, and a name has at most 255 bytes. */
const LONGEST_HEADER = 8_192;

/** `; name="value"` or `; name=value`. A backslash escapes a quotation mark or a backslash. */
const PARAMETER = /;\s*([\w-]+\*?)\s*=\s*(?:"((?:\\[^]|[^"\\])*)|([^;]*))/g;

/** Returns the file name in a Content-Disposition header (RFC 6266), in UTF-8 or with percent signs; '' if there is none. */
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
	const extended = /^utf-8'[^']*'([^]*)/i.exec(names.get('filename*') ?? '')?.[1];
	const name = asUtf8(names.get('filename') ?? extended ?? '');
	return (extended && decoded(extended)) ?? decoded(name) ?? name;
}

/** Node.js reads headers as Latin-1, but most servers write UTF-8. */
function asUtf8(text: string): string {
	const utf8 = Buffer.from(text, 'latin1').toString();
	return utf8.includes('\uFFFD') ? text : utf8;
}

/** Returns undefined if the percent signs in a text do not encode UTF-8. */
function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

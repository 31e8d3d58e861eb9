/** Characters. Node.js takes 16 KB of headers; a name has 255 bytes. */
const LONGEST_HEADER = 8_192;

/**
 * Returns the name that a server gives a file in a Content-Disposition header (RFC 6266), or ''. As
 * forgiving as browsers are: people send files from servers that follow no standard.
 */
export function fileNameIn(header: string): string {
	const parameters = parametersIn(header);
	const plain = parameters.get('filename');
	const extended = parameters.get('filename*') ?? '';
	return (
		decodedExtended(extended) ??
		continued(parameters) ??
		(plain === undefined ? withoutCharset(extended) : decodedPlain(plain))
	);
}

/** If two parameters have the same name, the first counts. */
function parametersIn(header: string): Map<string, string> {
	const parameters = new Map<string, string>();
	for (const part of partsOf(header.slice(0, LONGEST_HEADER))) {
		const [, name = '', value = ''] = /^([^="]*)=([^]*)/.exec(part) ?? [];
		const key = name.trim().toLowerCase();
		if (!parameters.has(key)) parameters.set(key, unquoted(value.trim()));
	}
	return parameters;
}

/** Splits a header at its semicolons, but not at those between quotation marks. */
function partsOf(header: string): string[] {
	const parts = [''];
	// A text in quotation marks, where a backslash may stand in front of one; a semicolon; or anything else.
	for (const [piece] of header.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"?|;|[^;"]+/g)) {
		if (piece === ';') parts.push('');
		else parts.push(`${parts.pop()}${piece}`);
	}
	return parts;
}

/** A backslash before any other character is part of a Windows path, which browsers keep. */
function unquoted(value: string): string {
	const quoted = /^"([^"\\]*(?:\\[^][^"\\]*)*)/.exec(value)?.[1];
	return quoted?.replace(/\\(["\\])/g, '$1') ?? value;
}

/** Puts together a name in pieces: `filename*0="a"; filename*1*=%62` (RFC 2231, section 3). */
function continued(parameters: Map<string, string>): string | undefined {
	let charset = '';
	let name: string | undefined;
	for (let index = 0; ; index++) {
		const plain = parameters.get(`filename*${index}`);
		const encoded = parameters.get(`filename*${index}*`);
		if (encoded === undefined) {
			if (plain === undefined) return name;
			name = (name ?? '') + asUtf8(plain);
			continue;
		}
		const [, first = '', rest = encoded] = (index === 0 && EXTENDED.exec(encoded)) || [];
		charset ||= first || 'utf-8';
		name = (name ?? '') + (decoded(rest, charset) ?? rest);
	}
}

/** `charset'language'text` (RFC 8187). */
const EXTENDED = /^([\w-]+)'[^']*'([^]*)$/;

/** Returns undefined if the text is not encoded as it should be. */
function decodedExtended(value: string): string | undefined {
	const charset = EXTENDED.exec(value)?.[1];
	return charset === undefined ? undefined : decoded(withoutCharset(value), charset);
}

function withoutCharset(value: string): string {
	return EXTENDED.exec(value)?.[2] ?? value;
}

/** Decodes the three ways in which servers write non-English letters into a plain `filename`. */
function decodedPlain(value: string): string {
	const name = decodedWords(asUtf8(value));
	return decoded(name, 'utf-8') ?? name;
}

/** Node.js reads headers as Latin-1, most servers write UTF-8. */
function asUtf8(value: string): string {
	if (/[^\0-\xff]/.test(value)) return value;
	return textOf(Buffer.from(value, 'latin1'), 'utf-8') ?? value;
}

/** Encoded words of e-mail, `=?utf-8?B?…?=` (RFC 2047); spaces between two of them are not part of the text. */
function decodedWords(value: string): string {
	return value
		.replace(/\?=\s+=\?/g, '?==?')
		.replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi, (word, charset: string, kind: string, text) => {
			const bytes = /b/i.test(kind)
				? Buffer.from(text, 'base64')
				: bytesOf(String(text).replace(/_/g, ' '), /=([\da-f]{2})/gi);
			return textOf(bytes, charset) ?? word;
		});
}

/** Returns undefined if a percent sign does not begin an escape, or the bytes are not valid in the charset. */
function decoded(text: string, charset: string): string | undefined {
	if (/%(?![\da-f]{2})/i.test(text)) return undefined;
	return textOf(bytesOf(text, /%([\da-f]{2})/gi), charset);
}

function bytesOf(text: string, escape: RegExp): Buffer {
	const parts = text.split(escape);
	// split() puts each capture of the pattern between two parts.
	return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 ? 'hex' : 'utf8')));
}

function textOf(bytes: Buffer, charset: string): string | undefined {
	try {
		return new TextDecoder(charset, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

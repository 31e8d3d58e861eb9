/** Keeps the access token out of everything that n8n saves, logs or shows, however the gateway writes it. */

const MASK = '***';

/** Characters. A shorter part of the token, or a shorter code of it, may occur in any text. */
const SHORTEST = 8;

/**
 * Returns a function that masks `secret` in any JSON value or text, keys included. A gateway may repeat the access
 * token in its answer, and n8n saves answers.
 */
export function maskOf(secret: string): <T>(value: T) => T {
	const needles = needlesOf(secret);
	const clean = (text: string) =>
		needles.reduce(
			// Searching short texts for a long token would take time for nothing.
			(rest, needle) => (needle.length > rest.length ? rest : rest.replaceAll(needle, MASK)),
			text,
		);
	const mask = (value: unknown): unknown => {
		if (typeof value === 'string') return clean(value);
		if (typeof value === 'number') return String(value) === secret ? MASK : value;
		if (Array.isArray(value)) return value.map(mask);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, entry]) => [clean(key), mask(entry)]),
		);
	};
	return <T>(value: T) => mask(value) as T;
}

/** Returns all ways to write the secret, and its second part as in `12|…`. The longest come first. */
function needlesOf(secret: string): string[] {
	const second = secret.slice(secret.indexOf('|') + 1);
	const plain = second.length < SHORTEST ? [secret] : [secret, second];
	const escaped = plain.flatMap((text) => [...inAddress(text), ...inJson(text), ...inHtml(text)]);
	// JSON in an address, JSON in JSON.
	const twice = escaped.flatMap((text) => [...inAddress(text), ...inJson(text)]);
	const codes = plain
		.flatMap((text) => [...inHex(text), ...inBase64(text)])
		.filter(({ length }) => length >= SHORTEST);
	return [...new Set([...plain, ...escaped, ...twice, ...codes])]
		.filter((needle) => needle !== '')
		.sort((a, b) => b.length - a.length);
}

function inAddress(text: string): string[] {
	const form = new URLSearchParams([['', text]]).toString().slice(1);
	const escaped = [encodeURIComponent(text), encodeURI(text), form];
	const inLowerCase = escaped.map((each) => each.replace(/%../g, (escape) => escape.toLowerCase()));
	return [...escaped, ...inLowerCase];
}

/** Characters that some languages write as codes in HTML and in JSON. */
const CODED = /["'&+<>]/g;

/** Returns the text as JavaScript, as PHP, which escapes slashes, and as .NET write it. */
function inJson(text: string): string[] {
	const json = JSON.stringify(text).slice(1, -1);
	const inNet = text.replace(CODED, (character) => `\\u00${hexOf(character).toUpperCase()}`);
	return [json, json.replaceAll('/', '\\/'), inNet];
}

function inHtml(text: string): string[] {
	const named = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	const codes = [
		(character: string) => `&#${character.charCodeAt(0)};`,
		(character: string) => `&#x${hexOf(character)};`,
		(character: string) => `&#x${hexOf(character).toUpperCase()};`,
	];
	const coded = codes.map((code) => named.replace(/["'+]/g, code));
	return [named, named.replaceAll('"', '&quot;'), ...coded];
}

function hexOf(character: string): string {
	return character.charCodeAt(0).toString(16);
}

function inHex(text: string): string[] {
	const hex = Buffer.from(text).toString('hex');
	return [hex, hex.toUpperCase()];
}

/**
 * Returns the base64 of a text, also in the middle of a longer one, such as `user:token`. There it depends on how many
 * bytes come before, and its ends depend on their neighbors.
 */
function inBase64(text: string): string[] {
	const length = Buffer.byteLength(text);
	const codes = [0, 1, 2].map((before) => {
		const code = Buffer.from(`${'\0'.repeat(before)}${text}`).toString('base64');
		return code.slice(Math.ceil((before * 8) / 6), Math.floor(((before + length) * 8) / 6));
	});
	return codes.flatMap((code) => [
		code,
		code.replaceAll('+', '-').replaceAll('/', '_'),
		encodeURIComponent(code),
	]);
}

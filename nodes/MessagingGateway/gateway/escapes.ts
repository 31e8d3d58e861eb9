/** A text without its escapes. */
export interface Unescaped {
	text: string;
	/** Where in the original the writing of each character begins, and where it ends; undefined for the original. */
	starts?: Int32Array;
}

const HEX = '(?:2[1-9a-f]|[3-6][\\da-f]|7[\\da-e])';
const DECIMAL = '(?:3[3-9]|[4-9]\\d|1[01]\\d|12[0-6])';

/**
 * One character as an address, JSON, PHP, JavaScript or HTML may write it. A token holds nothing but printable ASCII.
 */
const ESCAPE = new RegExp(
	[
		`%(?:u00)?${HEX}`,
		`\\\\(?:(?:u00|x)${HEX}|[^])`,
		`&(?:#0{0,6}${DECIMAL}|#x0{0,6}${HEX}|[a-z]{2,12});`,
	].join('|'),
	'iy',
);

/** With which an escape begins: %, \ and &. */
const SIGNS = new Set([0x25, 0x5c, 0x26]);

/** The names that HTML has for the signs of ASCII. */
const NAMES: Record<string, string> = {
	...{ excl: '!', quot: '"', num: '#', dollar: '$', percnt: '%', amp: '&', apos: "'", lpar: '(' },
	...{ rpar: ')', ast: '*', midast: '*', plus: '+', comma: ',', period: '.', sol: '/', colon: ':' },
	...{ semi: ';', lt: '<', equals: '=', gt: '>', quest: '?', commat: '@', lsqb: '[', lbrack: '[' },
	...{ bsol: '\\', rsqb: ']', rbrack: ']', hat: '^', lowbar: '_', underbar: '_', grave: '`' },
	...{ lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
};

/** Returns a text with each escape of a character replaced by that character; undefined if it has none. */
export function withoutEscapes({ text, starts }: Unescaped): Unescaped | undefined {
	if (!/[%&\\]/.test(text)) return undefined;
	const codes = new Uint16Array(text.length);
	const places = new Int32Array(text.length + 1);
	let length = 0;
	let at = 0;
	while (at < text.length) {
		const width = widthAt(at, text);
		const code = width > 1 ? codeOf(text.slice(at, at + width)) : text.charCodeAt(at);
		codes[length] = code ?? text.charCodeAt(at);
		places[length++] = starts?.[at] ?? at;
		at += code === undefined ? 1 : width;
	}
	if (length === text.length) return undefined;
	places[length] = starts?.[at] ?? at;
	return { text: Buffer.from(codes.buffer, 0, 2 * length).toString('utf16le'), starts: places };
}

/** Returns how long the escape is that begins at a place, 1 if none does. */
function widthAt(at: number, text: string): number {
	if (!SIGNS.has(text.charCodeAt(at))) return 1;
	ESCAPE.lastIndex = at;
	return ESCAPE.test(text) ? ESCAPE.lastIndex - at : 1;
}

/** Returns the code of the character that an escape stands for, undefined if it is a name that HTML lacks. */
function codeOf(escape: string): number | undefined {
	if (!escape.startsWith('&')) {
		return escape.length === 2 ? escape.charCodeAt(1) : parseInt(escape.slice(-2), 16);
	}
	const name = escape.slice(1, -1).toLowerCase();
	if (!name.startsWith('#')) return NAMES[name]?.charCodeAt(0);
	return name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1));
}

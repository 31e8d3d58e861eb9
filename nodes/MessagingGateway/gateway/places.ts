/** Characters up to which the search that JavaScript has is fast with any text. */
const SHORT = 200;

/** Returns where `part` stands in `text`, places that overlap only once. Takes linear time with any two texts. */
export function placesOf(part: string, text: string): number[] {
	// To prepare a long part costs its length, and an answer may hold very many short texts.
	if (part.length > text.length) return [];
	return part.length <= SHORT ? placesOfShort(part, text) : placesOfLong(part, text);
}

function placesOfShort(part: string, text: string): number[] {
	const places: number[] = [];
	if (part === '') return places;
	for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
		places.push(at);
	}
	return places;
}

/** The algorithm of Knuth, Morris and Pratt: looks at each character of the text once. */
function placesOfLong(part: string, text: string): number[] {
	const places: number[] = [];
	const known = bordersOf(part);
	let matched = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		while (matched > 0 && part.charCodeAt(matched) !== code) matched = known[matched - 1] as number;
		if (part.charCodeAt(matched) === code) matched++;
		if (matched < part.length) continue;
		places.push(at - matched + 1);
		matched = 0;
	}
	return places;
}

/** Returns, for each beginning of a text, how long its longest beginning is that is also its end. */
function bordersOf(text: string): Int32Array {
	const borders = new Int32Array(text.length);
	let length = 0;
	for (let at = 1; at < text.length; at++) {
		const code = text.charCodeAt(at);
		while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] as number;
		if (text.charCodeAt(length) === code) length++;
		borders[at] = length;
	}
	return borders;
}

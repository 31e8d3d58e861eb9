/** Reads expressions as text: the code between double braces, and the names in it. */

/** A piece of code in a text with expressions. */
export interface ExpressionPart {
	/** Without the braces. */
	code: string;
}

/** Code of nothing but names: `$json.customer["name"]`, `$('List').item.json.name`. */
export interface Chain {
	/** The beginning: `$json`, `$('List')`. */
	root: string;
	/** The names after it; undefined for a call, such as `first()`. */
	names: Array<string | undefined>;
}

const LONGEST_CHAIN = 500;

const ROOT = /^\$[\w$]*(?:\((?:'[^']*'|"[^"]*")\))?/;
const NEXT =
	/^\s*(?:\?\.|\.)?(?:(?<=\.)(?<name>[A-Za-z_$][\w$]*)(?<call>\(\d*\))?|\[\s*(?:'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<index>\d+))\s*\])/;

/**
 * Returns the pieces of code in a parameter, as entered; none if it has no expression. As in n8n, braces count even
 * inside a text of the code:
 * https://github.com/n8n-io/tournament/blob/master/src/ExpressionSplitter.ts
 */
export function partsOf(parameter: unknown): ExpressionPart[] {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return [];
	const codes: string[] = [];
	let at = 1;
	for (;;) {
		const open = findBraces(parameter, '{{', at);
		if (open === parameter.length) break;
		const close = findBraces(parameter, '}}', open + 2);
		codes.push(parameter.slice(open + 2, close).trim());
		at = Math.min(close + 2, parameter.length);
	}
	return codes.map((code) => ({ code }));
}

/** Returns the index of the next braces without a backslash before them; the length of the text if there are none. */
function findBraces(text: string, braces: string, from: number): number {
	for (let at = text.indexOf(braces, from); at >= 0; at = text.indexOf(braces, at + 2)) {
		let backslashes = 0;
		while (text[at - backslashes - 1] === '\\') backslashes++;
		if (backslashes % 2 === 0) return at;
	}
	return text.length;
}

/** Returns undefined if the code is more than names. */
export function chainOf(code: string): Chain | undefined {
	const root = ROOT.exec(code)?.[0];
	if (root === undefined || code.length > LONGEST_CHAIN) return undefined;
	const chain: Chain = { root, names: [] };
	let at = root.length;
	while (at < code.length) {
		const next = NEXT.exec(code.slice(at));
		if (!next) return undefined;
		const { name, call, single, double, index } = next.groups ?? {};
		chain.names.push(call === undefined ? (name ?? single ?? double ?? index) : undefined);
		at += next[0].length;
	}
	return chain;
}

/** Returns the path of a field in the item: `$json.customer.name` is `customer`, `name`. */
export function pathOf(code: string): string[] | undefined {
	const chain = chainOf(code);
	if (chain?.root !== '$json' || chain.names.length === 0) return undefined;
	const names = chain.names.filter((name) => name !== undefined);
	return names.length === chain.names.length ? names : undefined;
}

/** Braces around a variable of n8n, not around some other placeholder. */
const UNFILLED =
	/\{\{\s*\$(?:\(|(?:json|input|binary|node|now|today|vars|workflow|execution|itemIndex|fromAI)\b)[^{}]*\}\}/;

/** Returns the first piece of code in a field that is set to Fixed, which n8n does not fill in. */
export function unfilledIn(field: unknown): string | undefined {
	if (typeof field !== 'string' || field.startsWith('=')) return undefined;
	return UNFILLED.exec(field)?.[0];
}

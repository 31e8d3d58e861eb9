/** A piece of code in a text with expressions: what stands between double braces. */
export interface ExpressionPart {
	/** The code, without the braces. */
	code: string;
	/** The texts before and behind it, up to the next piece of code or the end. */
	before: string;
	after: string;
}

/** A code of nothing but names: `$json.customer["name"]`, `$('List').item.json.name`. */
export interface Chain {
	/** What it begins with: `$json`, `$('List')`. */
	root: string;
	/** What follows, name by name; undefined for a call, which has no name in the data. */
	names: Array<string | undefined>;
	/** The code up to each name: `$json`, `$json.customer`. */
	codes: string[];
}

const LONGEST_CHAIN = 500;

const ROOT = /^\$[\w$]*(?:\((?:'[^']*'|"[^"]*")\))?/;
const NEXT =
	/^\s*(?:\?\.|\.)?(?:(?<=\.)(?<name>[A-Za-z_$][\w$]*)(?<call>\(\d*\))?|\[\s*(?:'(?<single>[^']*)'|"(?<double>[^"]*)"|(?<index>\d+))\s*\])/;

/** Signs of code that may give nothing on purpose: an empty text, or a condition. */
const EMPTY_ON_PURPOSE = /''|""|``|&&/;

/**
 * Returns the pieces of code in a parameter as a person has set it; none if it has no expression. Braces are found as
 * n8n does, which knows nothing of texts inside of the code:
 * https://github.com/n8n-io/tournament/blob/master/src/ExpressionSplitter.ts
 */
export function partsOf(parameter: unknown): ExpressionPart[] {
	if (typeof parameter !== 'string' || !parameter.startsWith('=')) return [];
	const texts: string[] = [];
	const codes: string[] = [];
	let at = 1;
	for (;;) {
		const open = findBraces(parameter, '{{', at);
		texts.push(parameter.slice(at, open));
		if (open === parameter.length) break;
		const close = findBraces(parameter, '}}', open + 2);
		codes.push(parameter.slice(open + 2, close).trim());
		at = Math.min(close + 2, parameter.length);
	}
	return codes.map((code, index) => ({
		code,
		before: texts[index] as string,
		after: texts[index + 1] as string,
	}));
}

/** Returns where braces stand that no backslash takes for text; the end if there are none. */
function findBraces(text: string, braces: string, from: number): number {
	for (let at = text.indexOf(braces, from); at >= 0; at = text.indexOf(braces, at + 2)) {
		let backslashes = 0;
		while (text[at - backslashes - 1] === '\\') backslashes++;
		if (backslashes % 2 === 0) return at;
	}
	return text.length;
}

/** Returns the names of a code that consists of nothing else. */
export function chainOf(code: string): Chain | undefined {
	const root = ROOT.exec(code)?.[0];
	if (root === undefined || code.length > LONGEST_CHAIN) return undefined;
	const chain: Chain = { root, names: [], codes: [] };
	let at = root.length;
	while (at < code.length) {
		const next = NEXT.exec(code.slice(at));
		if (!next) return undefined;
		const { name, call, single, double, index } = next.groups ?? {};
		chain.codes.push(code.slice(0, at));
		chain.names.push(call === undefined ? (name ?? single ?? double ?? index) : undefined);
		at += next[0].length;
	}
	return chain;
}

/** Returns the path of a field of the item itself: `$json.customer.name` is `customer`, `name`. */
export function pathOf(code: string): string[] | undefined {
	const chain = chainOf(code);
	if (chain?.root !== '$json' || chain.names.length === 0) return undefined;
	const names = chain.names.filter((name) => name !== undefined);
	return names.length === chain.names.length ? names : undefined;
}

/** Whether the code allows for an empty result. */
export function mayBeEmpty(code: string): boolean {
	return EMPTY_ON_PURPOSE.test(code);
}

/** Whether a code gives the same for every item: it reads nothing but settings of the workflow and whole nodes. */
export function isSameForAll(code: string): boolean {
	const chain = chainOf(code);
	if (!chain) return false;
	if (/^\$(?:now|today|vars|workflow|execution|env|runIndex)$/.test(chain.root)) return true;
	return (
		/^\$\(/.test(chain.root) && /^\s*\??\.(?:first|last)\(\)/.test(code.slice(chain.root.length))
	);
}

/** Braces around a name of n8n's, and not around somebody else's placeholder. */
const UNFILLED =
	/\{\{\s*\$(?:\(|(?:json|input|binary|node|now|today|vars|workflow|execution|itemIndex|fromAI)\b)[^{}]*\}\}/;

/** Returns the first piece of code in a field that is set to Fixed, where n8n leaves it as it is. */
export function unfilledIn(field: unknown): string | undefined {
	if (typeof field !== 'string' || field.startsWith('=')) return undefined;
	return UNFILLED.exec(field)?.[0];
}

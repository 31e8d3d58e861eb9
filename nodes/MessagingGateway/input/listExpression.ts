/** Characters. Nobody drags a field and gets a longer expression. */
const LONGEST_EXPRESSION = 2_000;

const ONE_ITEM = String.raw`(?:item|first\(\)|last\(\))\.json`;
const NAME = String.raw`(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")`;

/** A field of one item of the input, as n8n writes it where a person drags the field. */
const OF_INPUT = new RegExp(
	String.raw`^=\s*\{\{\s*(?:\$json|\$input\.${ONE_ITEM})\b([^{}]*)\}\}\s*$`,
	's',
);

/** The same of another node. */
const OF_NODE = new RegExp(
	String.raw`^=\s*\{\{\s*(?:\$\(\s*${NAME}\s*\)\.${ONE_ITEM}|\$node\[${NAME}\]\.json)\b([^{}]*)\}\}\s*$`,
);

/** An item that a node puts out where it has nothing, with Always Output Data, has no fields. */
const WITH_FIELDS = '.filter(i => Object.keys(i.json).length > 0)';

/** An expression that reads one item. */
export interface OneItem {
	/** The node whose item it reads; undefined for the input. */
	node?: string;
	/** The expression that reads all items of the node, in two braces. */
	forAll: string;
	/** The same, where the node may have nothing. */
	forAny: string;
}

/** Returns what an expression reads if it is nothing but a field of one item, as people drag it. */
export function readsOneItem(expression: string): OneItem | undefined {
	if (expression.length > LONGEST_EXPRESSION) return undefined;
	const [whole, ...parts] = OF_NODE.exec(expression) ?? OF_INPUT.exec(expression) ?? [];
	if (whole === undefined) return undefined;
	const rest = (parts.at(-1) as string).trim();
	const written = parts.slice(0, -1).find((name) => name !== undefined);
	const node = written?.replace(/\\(.)/gs, '$1');
	const all = node === undefined ? '$input.all()' : `$('${node.replace(/[\\']/g, '\\$&')}').all()`;
	const expressionOf = (items: string) => `{{ ${items}.map(i => i.json${rest}) }}`;
	return { node, forAll: expressionOf(all), forAny: expressionOf(all + WITH_FIELDS) };
}

/** Returns the expression for a list that may be empty, in two braces. */
export function forEmptyList(expression: string): string {
	const one = readsOneItem(expression);
	if (one) return one.forAny;
	const isList = expression.length <= LONGEST_EXPRESSION && expression.includes('.all().map(');
	return isList && !expression.includes(WITH_FIELDS)
		? expression.replace(/^=\s*/, '').replace('.all().map(', `.all()${WITH_FIELDS}.map(`)
		: `{{ $('Opt-outs').all()${WITH_FIELDS}.map(i => i.json.phone) }}`;
}

/**
 * Returns the pieces of code in an expression, `=… {{ code }} …`, and the text around them. As in n8n, braces count even
 * inside a text of the code:
 * https://github.com/n8n-io/tournament/blob/master/src/ExpressionSplitter.ts
 */
export function splitExpression(expression: string): { codes: string[]; text: string } {
	const codes: string[] = [];
	let text = '';
	let at = 1;
	for (;;) {
		const open = findBraces(expression, '{{', at);
		text += expression.slice(at, open);
		if (open === expression.length) return { codes, text };
		const close = findBraces(expression, '}}', open + 2);
		codes.push(expression.slice(open + 2, close).trim());
		at = Math.min(close + 2, expression.length);
	}
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

/** Returns the first piece of code in a text, with its braces, as somebody wrote it: n8n did not fill it in. */
export function codeIn(text: string): string | undefined {
	const open = text.indexOf('{{');
	const close = text.indexOf('}}', open + 2);
	return open < 0 || close < 0 ? undefined : text.slice(open, close + 2);
}

/** A variable of n8n, or a call. Other programs fill in “{{ name }}”. */
const N8N_CODE = /\$[A-Za-z_(]|[\w$]\(/;

/** Returns the first code for n8n in a text field, if the field is set to Fixed, so that n8n does not fill it in. */
export function unfilledIn(field: unknown): string | undefined {
	if (typeof field !== 'string' || field.startsWith('=')) return undefined;
	const code = splitExpression(`=${field}`).codes.find((each) => N8N_CODE.test(each));
	return code && `{{ ${code} }}`;
}

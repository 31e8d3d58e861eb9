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

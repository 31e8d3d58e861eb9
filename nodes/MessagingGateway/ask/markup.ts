/** A piece of HTML, in which every text is escaped. */
export class Html {
	/** @param text HTML of this node's own. Everybody else's text goes through `markup`. */
	constructor(readonly text: string) {}
}

/** A list is joined without a separator. `undefined` and `false` show nothing. */
type Part = Html | string | number | false | undefined | readonly Part[];

/** The tag of a template, markup`<p>${text}</p>`, that escapes every value, except for pieces of HTML. */
export function markup(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
	return new Html(String.raw({ raw: template }, ...parts.map(htmlOf)));
}

function htmlOf(part: Part): string {
	if (part instanceof Html) return part.text;
	if (typeof part === 'object') return part.map(htmlOf).join('');
	if (part === undefined || part === false) return '';
	return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, no-console -- runs outside of n8n */
/**
 * `npm run texts`: writes reports/texts.md, a page with all texts that users of the node read, for review
 * in one sitting. Git ignores it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import ts from 'typescript';
import { MessagingGatewayApi } from '../credentials/MessagingGatewayApi.credentials';

/** By its full name: without one, tsx takes the file MessagingGateway.node.json. */
const { MessagingGateway } = createRequire(__filename)(
	'../nodes/MessagingGateway/MessagingGateway.node.ts',
) as typeof import('../nodes/MessagingGateway/MessagingGateway.node');

const root = resolve(__dirname, '..');
const TEXTS_PAGE = join(root, 'reports', 'texts.md');

type Labelled = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** Returns the page: labels and descriptions as n8n shows them, then the other texts by file. */
export function textsPage(): string {
	const { description } = new MessagingGateway();
	const credential = new MessagingGatewayApi();
	const shown = new Shown();
	const node = [
		`- ${shown.text(description.displayName)}: ${shown.text(description.description)}`,
		...['subtitle', 'waitingNodeTooltip', 'activationMessage'].flatMap((name) => {
			const text = (description as unknown as Record<string, unknown>)[name];
			return typeof text === 'string' ? [`- _${name}:_ \`${shown.text(text)}\``] : [];
		}),
	];
	return [
		'# All texts that users read',
		'',
		'Made by `npm run texts` from the code. `…` marks what is filled in.',
		'',
		'## The node',
		'',
		...node,
		'',
		'## The credential',
		'',
		...credential.properties.flatMap((field) => shown.lines(field)),
		'',
		'## Fields and options',
		'',
		'Each once, where it is first shown.',
		'',
		...description.properties.flatMap((field) => shown.lines(field)),
		'',
		'## Errors, advice and hints',
		'',
		...sources().flatMap((file) => section(file, shown)),
	]
		.join('\n')
		.concat('\n');
}

/** Lists fields, each only once. */
class Shown {
	private readonly texts = new Set<string>();
	private readonly fields = new Set<string>();

	/** Returns the text, and remembers that it is on the page. */
	text(text: string): string {
		this.texts.add(text);
		return text;
	}

	has(text: string): boolean {
		return this.texts.has(text);
	}

	lines(field: Labelled): string[] {
		const isHidden = 'type' in field && field.type === 'hidden';
		return isHidden ? [] : this.unlessShown(this.indented(field, ''));
	}

	private indented(field: Labelled, indent: string): string[] {
		const label = 'displayName' in field ? field.displayName : field.name;
		const { description, action } = field as INodePropertyOptions;
		const { placeholder, hint, default: initial } = field as INodeProperties;
		const parts = [
			description && this.text(description),
			action && `_Action:_ ${this.text(action)}`,
			placeholder && `_Placeholder:_ \`${this.text(placeholder)}\``,
			hint && `_Hint:_ ${this.text(hint)}`,
			typeof initial === 'string' && / /.test(initial) && `_Default:_ ${this.text(initial)}`,
		].filter(Boolean);
		const line = `${indent}- **${this.text(label)}**${parts.length > 0 ? `: ${parts.join(' ')}` : ''}`;
		const inner =
			('options' in field && field.options) || ('values' in field && field.values) || [];
		const isCollection = field.name === 'options';
		const lines = (inner as Labelled[]).flatMap((each) => {
			const below = this.indented(each, `${indent}  `);
			// Several operations share an option.
			return isCollection ? this.unlessShown(below) : below;
		});
		return isCollection && lines.length === 0 ? [] : [line, ...lines];
	}

	private unlessShown(lines: string[]): string[] {
		const key = lines.join('\n');
		if (this.fields.has(key)) return [];
		this.fields.add(key);
		return lines;
	}
}

function sources(): string[] {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => join(folder, file))
			.sort(),
	);
}

function section(file: string, shown: Shown): string[] {
	const all = textsIn(readFileSync(join(root, file), 'utf8'));
	const texts = [...new Set(all)].filter((text) => !shown.has(text)).map(oneLine);
	return texts.length === 0 ? [] : [`### \`${file}\``, '', ...texts.map((text) => `- ${text}`), ''];
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Returns the texts of a source file that consist of several words. */
export function textsIn(source: string): string[] {
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
		const text = textOf(node);
		if (text !== undefined && isForReaders(text)) texts.push(text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
	return texts;
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

/** Two words of letters in a row, or one that begins a phrase; not code, markup or a header. */
function isForReaders(text: string): boolean {
	if (/^[(^\\=<]|[{}\\]|: ?[\w-]+;|^[a-z]+\/[a-z]|'(none|self)'|^[a-z]+, [a-z]+$/.test(text)) {
		return false;
	}
	return /\p{L}{2,}[,;:.]?[  ]+(?:\p{L}|[…'“(\d])/u.test(text) || /[…'”][  ]\p{L}{2,}/u.test(text);
}

if (require.main === module) {
	mkdirSync(dirname(TEXTS_PAGE), { recursive: true });
	writeFileSync(TEXTS_PAGE, textsPage());
	console.log('Wrote reports/texts.md.');
}

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
/** Checks the documentation against the project that it describes. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../credentials/MessagingGatewayApi.credentials';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { parsePhoneNumber } from '../../nodes/MessagingGateway/numbers/phoneNumber';
import { InputError } from '../../nodes/MessagingGateway/shared/inputError';
import { textsIn, textsPage } from '../../tools/texts';

const root = resolve(__dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const listed = (...patterns: string[]) =>
	execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
		cwd: root,
		encoding: 'utf8',
	})
		.trim()
		.split('\n');
const PAGES = listed('*.md');
const README = readText('README.md');
const CONTRIBUTING = readText('.github/CONTRIBUTING.md');
const { properties } = new MessagingGateway().description;

/** Returns the IDs that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
	const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
	return headings.map((heading) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replace(/ /g, '-'),
	);
}

/** Returns the cells of the table below a heading, without the header row. */
function tableBelow(heading: string, page = README): string[][] {
	const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
	const rows = section.split('\n').filter((line) => line.startsWith('|'));
	const cells = rows.slice(2).map((row) => row.split('|').map((cell) => cell.trim()));
	return cells.map((row) => row.slice(1, -1));
}

describe.each(PAGES)('%s', (path) => {
	const page = readText(path);

	it('a page names only npm scripts that exist', () => {
		const { scripts } = JSON.parse(readText('package.json')) as { scripts: object };
		const named = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script ?? '');
		expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
	});

	it('a page names only source files and folders that exist', () => {
		const named = [...page.matchAll(/`([\w./-]+(?:\.m?ts|\/))`/g)].map(([, file = '']) => file);
		const places = ['', 'nodes/MessagingGateway', dirname(path)];
		const isThere = (file: string) => places.some((place) => existsSync(join(root, place, file)));
		expect(named.filter((file) => !isThere(file))).toEqual([]);
	});

	it('a page links only to files and headings that exist', () => {
		const links = [...page.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
		const broken = links.filter((link) => {
			const [file = '', anchor] = link.split('#');
			const target = file === '' ? path : join(dirname(path), file);
			if (!existsSync(join(root, target))) return true;
			return anchor !== undefined && !anchorsOf(readText(target)).includes(anchor);
		});
		expect(broken).toEqual([]);
	});
});
const named = <T extends { name: string }>(all: T[], name: unknown) =>
	all.find((each) => each.name === name);

it('the README lists the operations as the editor shows them', () => {
	const resources = named(properties, 'resource')?.options as INodePropertyOptions[];
	const shown = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			(options as INodePropertyOptions[]).map(({ name }) => {
				const resource = displayOptions?.show?.resource?.[0];
				return `${resources.find(({ value }) => value === resource)?.name}: ${name}`;
			}),
		);
	const rows = tableBelow('Operations').filter(([, operation]) => /^Send/.test(operation ?? ''));
	expect(rows.map(([resource, operation]) => `${resource}: ${operation}`).sort()).toEqual(
		shown.sort(),
	);
});

it('the README lists the options by the names that the editor shows, in the same order', () => {
	const collections = properties.filter(({ name }) => name === 'options');
	const all = collections.flatMap(({ options }) => options as INodeProperties[]);
	const shown = new Set(all.map(({ displayName }) => displayName.replace(/ \(.*\)$/, '')));
	const rows = tableBelow('Options').map(([name]) => name);
	expect(rows).toEqual([...shown].sort((a, b) => a.localeCompare(b)));
});

it('the README lists the fields of the credential', () => {
	const shown = new MessagingGatewayApi().properties.map(({ displayName }) =>
		displayName.replace(' (Insecure)', ''),
	);
	expect(tableBelow('The credential').map(([field]) => field)).toEqual(shown);
});

it('the README quotes errors in the words that the node uses', () => {
	const sources = listed('nodes/**/*.ts').map(readText).join('\n');
	const cells = tableBelow('What an error means').map(([seen]) => seen);
	const quotes = cells.flatMap((cell) => [...(cell ?? '').matchAll(/"([^"]+)"/g)]);
	const pieces = quotes.flatMap(([, quote = '']) => quote.split(/…/));
	const words = pieces.map((piece) => piece.trim()).filter((piece) => piece.length > 5);
	expect(words.length).toBeGreaterThan(10);
	expect(
		words.filter((piece) => !sources.includes(piece.replace(/^The message is/, 'is'))),
	).toEqual([]);
});

it('the README has the sections that the editor links to', () => {
	const codex = readText('nodes/MessagingGateway/MessagingGateway.node.json');
	const links = [...`${codex}${new MessagingGatewayApi().documentationUrl}`.matchAll(/#([\w-]+)/g)];
	expect(links).toHaveLength(3);
	expect(anchorsOf(README)).toEqual(expect.arrayContaining(links.map(([, anchor]) => anchor)));
});

it('the README lists the examples by the names that n8n shows, as do their files', () => {
	const links = [...README.matchAll(/^(\d+\. )\[(.+)\]\((examples\/.+\.json)\)$/gm)];
	expect(links.map(([, , , file]) => file).sort()).toEqual(listed('examples/*.json').sort());
	for (const [, place = '', title = '', file = ''] of links) {
		expect(JSON.parse(readText(file))).toMatchObject({ name: `${place}${title}` });
		const words = `${place}${title}`.toLowerCase().replace("'", '').match(/\w+/g) ?? [];
		expect(file).toBe(`examples/${words.join('-')}.json`);
	}
});

it('the README has at most 1,400 words', () => {
	expect(README.trim().split(/\s+/).length).toBeLessThanOrEqual(1_400);
});

it('the pages show every picture in docs/images', () => {
	const pages = PAGES.map(readText).join('\n');
	const unused = listed('docs/images/*.png', 'docs/images/*.svg').filter(
		(picture) => !pages.includes(picture.replace('docs/', '')),
	);
	expect(unused).toEqual([]);
});

it('the pages of docs that users read can be reached from the README', () => {
	const pages = listed('docs/*.md');
	const shown = pages.filter((page) => README.includes(`](${page}`));
	const rest = pages.filter((page) => !shown.includes(page));
	expect(rest.filter((page) => !CONTRIBUTING.includes(`](../${page}`))).toEqual([]);
	expect(shown.length).toBeGreaterThan(8);
});
const page = readText('docs/numbers.md');
const numbersIn = (text = '') => [...text.matchAll(/`([^`…]+)`/g)].map(([, number]) => number);

it('docs/numbers.md writes one number in three ways', () => {
	const [, same] = /These three are the same: (.+)/.exec(page) ?? [];
	expect(numbersIn(same).map((number) => parsePhoneNumber(number, '').digits)).toEqual(
		Array(3).fill('6281234567890'),
	);
});

it('docs/numbers.md says which numbers may be one of two', () => {
	const [, either] = /the item is refused, such as (`\d+`) with 62/.exec(page) ?? [];
	expect(numbersIn(either)).toHaveLength(1);
	for (const number of numbersIn(either)) {
		expect(() => parsePhoneNumber(number, '62')).toThrow(InputError);
	}
});

it('docs/numbers.md names what is refused', () => {
	for (const refused of ['-6281234567890', '2026-11-21', '192.168.10.20', '8.12346E+11']) {
		expect(() => parsePhoneNumber(refused, '')).toThrow(InputError);
	}
	expect(page).toContain('a minus sign, a date, an IP address, `8.12346E+11`');
});

it('npm run texts finds errors, advice and hints in the code', () => {
	const source = `
		import a from 'not a text';
		type Kind = 'no text either';
		const headers = { 'Content-Type': 'text/plain; charset=utf-8', name: 'baseUrl' };
		throw new InputError(\`The \${name} is empty\`, 'Enter it, or check the expression.' + more);
	`;
	expect(textsIn(source)).toEqual(['The … is empty', 'Enter it, or check the expression.']);
});

it('npm run texts lists labels and errors on one page', () => {
	expect(textsPage()).toMatch(/^- \*\*Phone Number\*\*: .*### `nodes\//ms);
});

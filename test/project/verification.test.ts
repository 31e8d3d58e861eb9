/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
/** Checks the claims in docs/verification.md that n8n's scan does not check. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(__dirname, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
	license: string;
	homepage: string;
	bugs: { url: string };
	repository: { url: string };
};

const built = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
	(file) => file.endsWith('.js'),
);

it('the built node imports only its own files, what n8n provides and, from Node.js, hashing and random numbers', () => {
	const imports = built
		.flatMap((file) => [...read('dist', file).matchAll(/\b(?:require|import)\(["'](.+?)["']\)/g)])
		.map(([, name]) => name ?? '');
	const foreign = new Set(imports.filter((name) => !name.startsWith('.')));
	expect([...foreign].sort()).toEqual([
		'crypto',
		'form-data',
		'lodash/get',
		'lodash/has',
		'lodash/once',
		'lodash/toPath',
		'n8n-workflow',
	]);
});

it('the built node reads no environment variables', () => {
	const names = (node: ts.Node): string[] => [
		...(ts.isIdentifier(node) ? [node.text] : []),
		...node.getChildren().flatMap(names),
	];
	const used = built.flatMap((file) =>
		names(ts.createSourceFile(file, read('dist', file), ts.ScriptTarget.Latest, true)),
	);
	expect(used).toContain('MessagingGateway');
	expect(used.filter((name) => ['process', 'globalThis'].includes(name))).toEqual([]);
});

it("n8n's own tool calls the package eligible for n8n Cloud", () => {
	const program = join(root, 'node_modules/@n8n/node-cli/bin/n8n-node.mjs');
	const shown = execFileSync(process.execPath, [program, 'cloud-support'], {
		cwd: root,
		encoding: 'utf8',
	});
	expect(shown).toMatch(/Cloud support is .*ENABLED/);
	expect(shown).not.toContain('NOT eligible');
});

it('the package is under the MIT license, both in package.json and in the license file', () => {
	expect(manifest.license).toBe('MIT');
	expect(read('LICENSE')).toMatch(/^MIT License\n/);
});

it('the package names the same repository everywhere', () => {
	const [, repository] =
		/^git\+(https:\/\/github\.com\/.+)\.git$/.exec(manifest.repository.url) ?? [];
	expect(repository).toBeDefined();
	expect(manifest.homepage).toBe(`${repository}#readme`);
	expect(manifest.bugs.url).toBe(`${repository}/issues`);
	const codex = read('nodes', 'MessagingGateway', 'MessagingGateway.node.json');
	const links = [...codex.matchAll(/"url": "([^#"]+)/g)].map(([, url]) => url);
	expect(new Set(links)).toEqual(new Set([repository]));
});

it('the package has a README that says how to install it, how to sign in, and what it does', () => {
	const sections = [...read('README.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
	expect(sections).toEqual(
		expect.arrayContaining(['Install it in n8n', 'The credential', 'Operations', 'Options']),
	);
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs outside of n8n */
/** Checks what this project depends on: used, pinned, and under a license that CONTRIBUTING allows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface Manifest {
	license?: string;
	/** The field that older packages use. */
	licenses?: Array<{ type: string }>;
	bin?: string | Record<string, string>;
	scripts?: Record<string, string>;
	devDependencies?: Record<string, string>;
}

const root = resolve(__dirname, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const manifestOf = (...path: string[]) => JSON.parse(read(...path, 'package.json')) as Manifest;

const { devDependencies = {}, scripts = {} } = manifestOf();
const names = Object.keys(devDependencies);

function sources(): string[] {
	const folders = ['credentials', 'practice-gateway', 'nodes', 'test', 'tools'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file),
		),
	);
	return [...folders, ...readdirSync(root)].filter((file) => /\.(m?js|ts)$/.test(file));
}

const code = sources()
	.map((file) => read(file))
	.join('\n');

function isImported(name: string): boolean {
	const before = String.raw`(?:\bfrom |\bimport |\bimport\(|\brequire(?:\.resolve)?\()`;
	return new RegExp(`${before}['"]${name}(?:/[^'"]*)?['"]`).test(code);
}

/** Some packages are named only in a configuration: types for TypeScript, jest's compiler. */
function isConfigured(name: string): boolean {
	const { compilerOptions } = JSON.parse(read('tsconfig.json')) as {
		compilerOptions: { types: string[] };
	};
	const types = compilerOptions.types.map((type) => `@types/${type}`);
	return types.includes(name) || read('jest.config.js').includes(`['${name}',`);
}

function isCalled(name: string): boolean {
	const { bin = {} } = manifestOf('node_modules', name);
	const programs = typeof bin === 'string' ? [name] : Object.keys(bin);
	const steps = Object.values(scripts).flatMap((script) => script.split(/&&|;/));
	const isNamed = (step: string) => programs.includes(step.trim().split(' ')[0] ?? '');
	return steps.some((step) => isNamed(step) || step.includes(`node_modules/${name}/bin/`));
}

function isUsed(name: string): boolean {
	const typed = name.startsWith('@types/') && isImported(name.replace('@types/', ''));
	return typed || isImported(name) || isConfigured(name) || isCalled(name);
}
it.each(names)(
	'the development dependencies are under a license that allows this use: %s',
	(name) => {
		const { license, licenses } = manifestOf('node_modules', name);
		const isOfN8n = /^(@n8n\/|n8n-)/.test(name);
		const allowed = ['MIT', 'ISC', 'Apache-2.0', 'MPL-2.0', isOfN8n && 'SEE LICENSE IN LICENSE.md'];
		// “(MIT AND Apache-2.0)”: parts are under one or the other.
		const parts = (license ?? licenses?.[0]?.type ?? '').replace(/[()]/g, '').split(' AND ');
		for (const part of parts) expect(allowed).toContain(part);
	},
);

it.each(names)('the development dependencies are used: %s', (name) => {
	expect(isUsed(name)).toBe(true);
});

it('the development dependencies do not count as used just because they are installed', () => {
	expect(isUsed('semver')).toBe(false);
	expect(isUsed('@types/yargs')).toBe(false);
});

it('the development dependencies are pinned to one version each, and the lockfile names no registry', () => {
	for (const version of Object.values(devDependencies)) {
		expect(version).toMatch(/^(npm:typescript@)?\d+\.\d+\.\d+$/);
	}
	expect(read('package-lock.json')).not.toContain('"resolved"');
});

/** Every package that developers install: there for a reason, used, and under a licence that is named. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const { devDependencies } = JSON.parse(readText('package.json')) as {
	devDependencies: Record<string, string>;
};
const ROWS = [...readText('docs/dependencies.md').matchAll(/^\| `(.+?)` \| (.+?) \| (.+?) \|$/gm)];

/** Everything that may use a package, but the page that lists them. */
const USERS = execFileSync(
	'git',
	['ls-files', '-co', '--exclude-standard', '*.ts', '*.js', '*.mjs', '*.json'],
	{ cwd: root, encoding: 'utf8' },
)
	.trim()
	.split('\n')
	.filter((path) => path !== 'package-lock.json')
	.map((path) => (path === 'package.json' ? scriptsOnly(readText(path)) : readText(path)))
	.join('\n');

function scriptsOnly(manifest: string): string {
	return JSON.stringify((JSON.parse(manifest) as { scripts: object }).scripts);
}

test('the page lists each, and no other', () => {
	expect(ROWS.map(([, name]) => name).sort()).toEqual(Object.keys(devDependencies).sort());
});

test.each(ROWS.map(([, name = '', reason = '', licence = '']) => [name, reason, licence]))(
	'%s',
	(name, reason, licence) => {
		const manifest = JSON.parse(readText(`node_modules/${name}/package.json`)) as {
			license?: string;
			/** As older packages write it. */
			licenses?: Array<{ type: string }>;
			version: string;
		};
		expect(licence).toBe(manifest.license ?? manifest.licenses?.[0]?.type);
		expect(reason.length).toBeGreaterThan(5);
		expect(devDependencies[name]).toBe(manifest.version);
		const typed = name.replace(/^@types\/|^@stryker-mutator\/core$/, '') || 'stryker';
		const isUsed = typed === 'node' || new RegExp(`['"\`/ ]${typed}['"\`/ ]`).test(USERS);
		expect(isUsed).toBe(true);
	},
);

import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const shipped = ['nodes/**', 'credentials/**', 'package.json'];
const node = 'nodes/MessagingGateway';

/** The rooms of the house, and what each may import besides shared/; of `types` only types, and outcomes. .github/CONTRIBUTING.md shows the same table. */
const rooms = {
	shared: {},
	ask: {},
	input: {},
	gateway: {},
	delivery: { types: ['gateway'] },
	operations: { types: ['delivery', 'gateway'], values: ['input'] },
};

/** What a room needs from elsewhere is passed to it, or belongs in a room that it may import. */
const MESSAGE =
	'This room may not import that one (see .github/CONTRIBUTING.md). What every room needs belongs in shared/; anything else is passed in by execute.ts.';

/** Matches imports of these rooms or files, from one or more folders down. */
const importOf = (names) => `^(?:\\.\\./)+(?:${names.join('|')})(?:/|$)`;

const roomRules = Object.entries(rooms).map(([room, { types = [], values = [] }]) => {
	const forbidden = [
		...Object.keys(rooms),
		'execute',
		'hints',
		'nodeError',
		'output',
		'settings',
	].filter((other) => ![room, 'shared', ...types, ...values].includes(other));
	const typesOnly = { allowTypeImports: true, message: `Only types of that room. ${MESSAGE}` };
	const patterns = [
		{ regex: importOf(forbidden), message: MESSAGE },
		...types.map((other) => ({ regex: `${importOf([other])}(?!outcome$)`, ...typesOnly })),
	];
	return {
		files: [`${node}/${room}/**/*.ts`],
		rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
	};
});

export default defineConfig(
	globalIgnores([
		'dist',
		'coverage',
		'node_modules',
		'reports',
		'test/support/files',
		'.stryker-tmp',
	]),
	// What n8n's verification applies to the shipped source, from its own scanner.
	(await buildScanConfig()).map((config) => ({ ...config, files: config.files ?? shipped })),
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strict],
		rules: { '@typescript-eslint/no-dynamic-delete': 'off' },
	},
	{
		files: ['nodes/**', 'credentials/**'],
		linterOptions: { noInlineConfig: true },
	},
	...roomRules,
);

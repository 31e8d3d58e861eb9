import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

const shipped = ['nodes/**', 'credentials/**', 'package.json'];
const node = 'nodes/MessagingGateway';

/**
 * What each room may import besides itself and shared/: of `types` only types, and all of gateway/outcome.ts.
 * .github/CONTRIBUTING.md shows the same table.
 */
const rooms = {
	shared: {},
	ask: {},
	input: {},
	gateway: {},
	delivery: { types: ['gateway'] },
	'delivery/pace': { types: ['gateway', 'delivery'] },
	'delivery/memory': { types: ['gateway', 'delivery'] },
	operations: { types: ['delivery', 'gateway'], values: ['input'] },
};

/** What a room needs from elsewhere is passed to it, or belongs in a room that it may import. */
const MESSAGE =
	'This room may not import that one (see .github/CONTRIBUTING.md). What every room needs belongs in shared/; anything else is passed in by execute.ts.';
const TYPES_ONLY = { allowTypeImports: true, message: `Only types of that room. ${MESSAGE}` };

/** Every room and file of the node, as an import names it. */
const everything = readdirSync(node).map((name) => name.replace(/\.ts$/, ''));

/** Matches an import from these rooms or files, from one or more folders down. */
const importOf = (names) => `^\\.{1,2}/(?:\\.{1,2}/)*(?:${names.join('|')})(?:/|$)`;

const roomRules = Object.entries(rooms).map(([room, { types = [], values = [] }]) => {
	const [outer, inner] = room.split('/');
	const allowed = [outer, 'shared', ...types, ...values];
	const patterns = [
		{ regex: importOf(everything.filter((name) => !allowed.includes(name))), message: MESSAGE },
		...types.map((other) => ({ regex: `${importOf([other])}(?!outcome$)`, ...TYPES_ONLY })),
	];
	if (inner) {
		const siblings = Object.keys(rooms).filter(
			(other) => other.startsWith(`${outer}/`) && other !== room,
		);
		const names = siblings.map((other) => other.slice(outer.length + 1)).join('|');
		patterns.push({ regex: `^\\.\\./(?:${names})/`, message: MESSAGE });
		patterns.push({ regex: `^\\.\\./(?!\\.\\./|(?:${names})/)`, ...TYPES_ONLY });
	}
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

import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import { posix, relative } from 'node:path';
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
	files: { values: ['input'] },
	gateway: {},
	delivery: { types: ['gateway'] },
	'delivery/pace': { types: ['gateway', 'delivery'] },
	'delivery/memory': { types: ['gateway', 'delivery'] },
	operations: { types: ['delivery', 'gateway'], values: ['input', 'files'] },
};

/** What a room needs from elsewhere is passed to it, or belongs in a room that it may import. */
const MESSAGE =
	'This room may not import that one (see .github/CONTRIBUTING.md). What every room needs belongs in shared/; anything else is passed in by execute.ts.';

const isWithin = (path, room) => `${path}/`.startsWith(`${room}/`);
/** The room of a file, of rooms within rooms the inner one. */
const roomOf = (path) => Object.keys(rooms).findLast((room) => isWithin(path, room)) ?? '';

/** Returns why a file may not import another one, both as paths in the node; '' if it may. */
function refusalOf(file, other, isType) {
	const room = roomOf(file);
	const { types = [], values = [] } = rooms[room];
	if ([room, 'shared', ...values].some((each) => isWithin(other, each))) return '';
	if (other === 'gateway/outcome' && types.includes('gateway')) return '';
	const isSibling = room.includes('/') && roomOf(other).includes('/');
	if (isSibling || !types.some((each) => isWithin(other, each))) return MESSAGE;
	return isType ? '' : `Only types of that room. ${MESSAGE}`;
}

/** The rule that holds the rooms: for imports, exports from elsewhere, and from folders of any depth. */
const imports = {
	create(context) {
		const file = relative(node, context.filename).replaceAll('\\', '/');
		const check = ({ source, specifiers = [], importKind, exportKind }) => {
			if (!source?.value.startsWith('.')) return;
			const kinds = specifiers.map((each) => each.importKind ?? each.exportKind);
			const isEachType = kinds.length > 0 && kinds.every((kind) => kind === 'type');
			const isType = [importKind, exportKind].includes('type') || isEachType;
			const message = refusalOf(file, posix.join(posix.dirname(file), source.value), isType);
			if (message) context.report({ node: source, message });
		};
		const refuse = (found) =>
			context.report({ node: found, message: 'A file says at its top what it imports.' });
		return {
			ImportDeclaration: check,
			ExportNamedDeclaration: check,
			ExportAllDeclaration: check,
			ImportExpression: refuse,
			TSImportType: refuse,
		};
	},
};

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
	{
		files: Object.keys(rooms).map((room) => `${node}/${room}/**/*.ts`),
		plugins: { rooms: { rules: { imports } } },
		rules: { 'rooms/imports': 'error' },
	},
);

/** What this project asks beyond the default config of n8n's tool, which eslint.config.mjs has to be. */
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const shipped = ['nodes/**', 'credentials/**', 'package.json'];
/** What n8n's verification applies to the shipped source, from its own scanner. */
const scan = await buildScanConfig();

export default defineConfig(
	globalIgnores(['dist', 'coverage', 'reports', 'test/support/files', '.stryker-tmp']),
	{
		// The comments that switch off rules of n8n's tool name rules that have to exist here, too.
		plugins: Object.assign({}, ...scan.map(({ plugins }) => plugins)),
		linterOptions: { reportUnusedDisableDirectives: 'off' },
	},
	scan.map((config) => ({ ...config, files: config.files ?? shipped })),
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.strict],
		rules: { '@typescript-eslint/no-dynamic-delete': 'off' },
	},
	{
		files: ['nodes/**', 'credentials/**'],
		linterOptions: { noInlineConfig: true },
	},
);

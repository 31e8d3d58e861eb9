const { spawnSync } = require('node:child_process');
const {
	chmodSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} = require('node:fs');
const { join } = require('node:path');
const { build: bundle } = require('esbuild');
const { dest, parallel, series, src, watch } = require('gulp');
const outputSchemas = require('./tools/outputSchemas');

const SHIPPED_AS_THEY_ARE = ['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'];
const PROVIDED_BY_N8N = ['n8n-workflow', 'form-data', 'lodash'];
const PACKED_BESIDE_DIST = ['package.json', 'index.js', 'README.md', 'LICENSE'];

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

/** A type error fails the build. */
async function check() {
	const tsc = 'node_modules/typescript-native/bin/tsc';
	const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});
	if (status !== 0) throw new Error('TypeScript found errors; see the lines above.');
}

/** Makes one file of the node and one of the credential, which a person can read. */
async function compile() {
	const { n8n } = JSON.parse(readFileSync('package.json', 'utf8'));
	const sourceOf = (built) => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
	await bundle({
		entryPoints: [...n8n.nodes, ...n8n.credentials].map(sourceOf),
		outbase: '.',
		outdir: 'dist',
		bundle: true,
		external: PROVIDED_BY_N8N,
		platform: 'node',
		charset: 'utf8',
		// The comments that name each file are the same wherever node_modules is.
		preserveSymlinks: true,
	});
}

function assets() {
	return src(SHIPPED_AS_THEY_ARE, { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Ships the licenses of the libraries and their data, which are bundled into the node's file. */
function licenses() {
	const files = 'node_modules/libphonenumber-js/LICENSE*';
	return src(files, { base: 'node_modules', encoding: false }).pipe(dest('dist'));
}

/** Writes the output schemas beside the node, where n8n looks for those of its version 1. */
async function schemas() {
	for (const [resource, operations] of Object.entries(outputSchemas)) {
		const folder = join('dist/nodes/MessagingGateway/__schema__/v1.0.0', resource);
		mkdirSync(folder, { recursive: true });
		for (const [operation, schema] of Object.entries(operations)) {
			writeFileSync(join(folder, `${operation}.json`), JSON.stringify(schema));
		}
	}
}

/**
 * npm keeps the mode of each file, which depends on the builder's umask. One mode for all makes the
 * package the same, byte for byte, on every machine.
 */
async function modes() {
	const entries = readdirSync('dist', { recursive: true, withFileTypes: true });
	const built = entries.filter((entry) => entry.isFile());
	const files = built.map(({ parentPath, name }) => join(parentPath, name));
	for (const file of [...files, ...PACKED_BESIDE_DIST]) chmodSync(file, 0o644);
}

/** Without the type check, which `npm test` runs separately. */
const pack = series(clean, parallel(compile, assets, licenses, schemas), modes);
const build = parallel(check, pack);

exports.pack = pack;
exports.build = build;
exports.watch = series(build, () => watch(['nodes/**', 'credentials/**'], build));

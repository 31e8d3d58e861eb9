const { spawnSync } = require('node:child_process');
const { chmodSync, readdirSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { dest, parallel, series, src, watch } = require('gulp');

const SHIPPED_AS_THEY_ARE = ['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'];
const PACKED_BESIDE_DIST = ['package.json', 'index.js', 'README.md', 'LICENSE'];

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

/** Type-checks and compiles; a type error fails the build. */
async function compile() {
	const tsc = require.resolve('typescript/bin/tsc');
	const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});
	if (status !== 0) throw new Error('TypeScript found errors; see the lines above.');
}

function assets() {
	return src(SHIPPED_AS_THEY_ARE, { base: '.', encoding: false }).pipe(dest('dist'));
}

/**
 * npm packs a file with the mode that it has, which is the builder's umask. One mode for all makes
 * the package the same, byte for byte, whoever builds it.
 */
async function modes() {
	const entries = readdirSync('dist', { recursive: true, withFileTypes: true });
	const built = entries.filter((entry) => entry.isFile());
	const files = built.map(({ parentPath, name }) => join(parentPath, name));
	for (const file of [...files, ...PACKED_BESIDE_DIST]) chmodSync(file, 0o644);
}

const build = series(clean, parallel(compile, assets), modes);

exports.build = build;
exports.watch = series(build, () => watch(['nodes/**', 'credentials/**'], build));

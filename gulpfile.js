const { spawnSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, parallel, series, src, watch } = require('gulp');

const SHIPPED_AS_THEY_ARE = ['{nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'];

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

const build = series(clean, parallel(compile, assets));

exports.build = build;
exports.watch = series(build, () => watch(['nodes/**', 'credentials/**'], build));

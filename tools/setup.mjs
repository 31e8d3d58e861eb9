/**
 * Makes a checkout ready: installs exactly what package-lock.json names, once, with progress.
 * Needs nothing but Node and npm, so every npm script may call it first.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.installed-for');
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	console.error(`This project needs Node 20.19 or newer; this is ${process.version}.`);
	process.exit(1);
}

const wanted = createHash('sha256')
	.update(readFileSync(join(root, 'package-lock.json')))
	.update(process.version)
	.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
	console.log('Installing what the project needs (about a minute, once) …');
	const started = Date.now();
	const { status } = spawnSync('npm', ['ci', '--progress', '--loglevel', 'error'], {
		cwd: root,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (status !== 0) {
		console.error(
			'npm could not install everything. Nothing in the project is broken by this: ' +
				'check the network connection and run the same command again.',
		);
		process.exit(1);
	}
	writeFileSync(stamp, wanted);
	console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

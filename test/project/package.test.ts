/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
/** The package as npm publishes it: packed from the built checkout, and from a copy on another machine. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const MAX_BYTES = 185_000;

/** What differs between two machines: file times, file modes and the time zone. */
const OTHER = {
	umask: '077',
	modes: 'u=rwX,go=',
	modified: new Date('2001-02-03'),
	timezone: 'Asia/Jakarta',
};

let folder: string;
/** What the tarball holds. */
let unpacked: string;
let tarball: string;

const run = (command: string, args: string[], cwd = root): string =>
	execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const tarballIn = (directory: string) =>
	join(directory, readdirSync(directory).find((file) => file.endsWith('.tgz')) ?? 'no tarball');

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'package-'));
	run('npm', ['pack', '--silent', '--pack-destination', folder]);
	tarball = tarballIn(folder);
	run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = join(folder, 'package');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the files that a clone of this work tree would have, including uncommitted changes. */
function projectFiles(): string[] {
	const listed = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
	return listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}

it('the package is the same, byte for byte, wherever and whenever it is built', () => {
	const copy = join(folder, 'other');
	for (const file of projectFiles()) {
		mkdirSync(join(copy, dirname(file)), { recursive: true });
		copyFileSync(join(root, file), join(copy, file));
		utimesSync(join(copy, file), OTHER.modified, OTHER.modified);
	}
	run('chmod', ['-R', OTHER.modes, '.'], copy);
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	const build = `umask ${OTHER.umask} && node_modules/.bin/gulp pack --silent && npm pack --silent`;
	const env = { ...process.env, TZ: OTHER.timezone };
	const { status, stderr } = spawnSync('sh', ['-c', build], { cwd: copy, encoding: 'utf8', env });

	expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
	expect(readFileSync(tarballIn(copy)).equals(readFileSync(tarball))).toBe(true);
});

it(`the package is at most ${MAX_BYTES / 1000} KB`, () => {
	expect(readFileSync(tarball).length).toBeLessThanOrEqual(MAX_BYTES);
});

it('the package has no dependencies except what n8n provides, and installs no other package', () => {
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as object;
	for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies']) {
		expect(manifest).not.toHaveProperty(kind);
	}
	expect(manifest).not.toHaveProperty('bundledDependencies');
	expect(manifest).toMatchObject({ peerDependencies: { 'n8n-workflow': '*' } });

	const nodes = join(folder, 'nodes');
	mkdirSync(nodes);
	writeFileSync(join(nodes, 'package.json'), '{}');
	const options = ['--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit'];
	run('npm', ['install', ...options, tarball], nodes);
	const installed = readdirSync(join(nodes, 'node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual([
		'n8n-nodes-messaging-gateway',
	]);
});

it('the package holds what package.json names, and no tests, sources or maps', () => {
	const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		expect(existsSync(join(unpacked, file))).toBe(true);
	}
	const files = run('tar', ['-tzf', tarball]).trim().split('\n');
	expect(files.filter((file) => /\.(ts|map)$|\btest/.test(file))).toEqual([]);
	expect(files.filter((file) => file.endsWith('.svg'))).toHaveLength(4);
	expect(files).toContain('package/dist/nodes/MessagingGateway/MessagingGateway.node.json');
});

interface Scanned {
	passed: boolean;
	details?: string;
}

/** Runs n8n's scanner in a separate process, because it is an ES module and jest runs CommonJS. */
function scan(...packages: Array<[directory: string, patterns: string]>): Scanned[] {
	const script = `
		import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
		const results = [];
		${packages.map(([directory, patterns]) => `results.push(await analyzePackage(${JSON.stringify(directory)}, ${patterns}));`).join('\n')}
		process.stdout.write(JSON.stringify(results));`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
		cwd: root,
		encoding: 'utf8',
		// With jest's NODE_ENV, the plugin treats every file as a trigger node.
		env: { ...process.env, NODE_ENV: '' },
	});
	return JSON.parse(output) as Scanned[];
}

it("the package passes n8n's own scan, which would reject a dependency", () => {
	const broken = join(folder, 'broken');
	mkdirSync(broken);
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as object;
	const edited = { ...manifest, dependencies: { lodash: '4' } };
	writeFileSync(join(broken, 'package.json'), JSON.stringify(edited));

	expect(
		scan(
			[root, 'SOURCE_FILE_PATTERNS'],
			[unpacked, "['**/*.js', 'package.json']"],
			[broken, "['package.json']"],
		),
	).toEqual([{ passed: true }, { passed: true }, expect.objectContaining({ passed: false })]);
});

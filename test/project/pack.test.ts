import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const MAX_BYTES = 70_000;

/** What differs between two machines: file times, file modes and the time zone. */
interface Machine {
	name: string;
	umask: string;
	/** The file modes of a clone with this umask. */
	modes: string;
	modified: Date;
	timezone: string;
}

const MACHINES: [Machine, Machine] = [
	{
		name: 'one',
		umask: '002',
		modes: 'ug=rwX,o=rX',
		modified: new Date('2026-11-21'),
		timezone: 'UTC',
	},
	{
		name: 'other',
		umask: '077',
		modes: 'u=rwX,go=',
		modified: new Date('2001-02-03'),
		timezone: 'Asia/Jakarta',
	},
];

/** Returns the files that a clone of this work tree would have, including uncommitted changes. */
function projectFiles(): string[] {
	const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
	return listed.filter((file) => file !== '' && existsSync(join(root, file)));
}

function runOn({ umask, timezone }: Machine, cwd: string, command: string): void {
	const { status, stderr } = spawnSync('sh', ['-c', `umask ${umask} && ${command}`], {
		cwd,
		encoding: 'utf8',
		env: { ...process.env, TZ: timezone },
	});
	if (status !== 0) throw new Error(`"${command}" failed:\n${stderr}`);
}

/** Builds and packs a copy of the project. Returns the path of the tarball. */
function packOn(machine: Machine, folder: string): string {
	const copy = join(folder, machine.name);
	for (const file of projectFiles()) {
		mkdirSync(join(copy, dirname(file)), { recursive: true });
		copyFileSync(join(root, file), join(copy, file));
		utimesSync(join(copy, file), machine.modified, machine.modified);
	}
	runOn(machine, copy, `chmod -R ${machine.modes} .`);
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	runOn(machine, copy, 'node_modules/.bin/gulp build --silent && npm pack --silent');
	const [tarball] = readdirSync(copy).filter((file) => file.endsWith('.tgz'));
	return join(copy, tarball ?? 'no tarball');
}

const sha512 = (file: string) => createHash('sha512').update(readFileSync(file)).digest('hex');

describe('the packed node', () => {
	let folder: string;
	let tarballs: string[];

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'pack-'));
		tarballs = MACHINES.map((machine) => packOn(machine, folder));
	}, 180_000);

	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it('is the same, byte for byte, wherever and whenever it is built', () => {
		const [one, other] = tarballs.map(sha512);
		expect(one).toBe(other);
	});

	it(`is at most ${MAX_BYTES / 1000} KB`, () => {
		expect(readFileSync(tarballs[0] ?? '').length).toBeLessThanOrEqual(MAX_BYTES);
	});

	it('has no dependencies except what n8n provides', () => {
		const unpacked = execFileSync('tar', ['-xzOf', tarballs[0] ?? '', 'package/package.json']);
		const manifest = JSON.parse(unpacked.toString()) as Record<string, unknown>;
		const absent = ['dependencies', 'optionalDependencies', 'bundleDependencies'];
		for (const field of [...absent, 'bundledDependencies']) {
			expect(manifest).not.toHaveProperty(field);
		}
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('installs no other package when it is installed as n8n installs it', () => {
		const nodes = join(folder, 'nodes');
		mkdirSync(nodes);
		const options = ['--offline', '--ignore-scripts', '--legacy-peer-deps', '--no-audit'];
		execFileSync('npm', ['install', ...options, ...tarballs.slice(0, 1)], {
			cwd: nodes,
			stdio: 'ignore',
		});
		const installed = readdirSync(join(nodes, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual([
			'n8n-nodes-messaging-gateway',
		]);
	});
});

/** What is published: the same bytes for the same commit, and nothing that comes with it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const folders: string[] = [];

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** Builds and packs a copy of the sources, as another person on another day would. */
function pack(day: string): string {
	const copy = mkdtempSync(join(tmpdir(), 'pack-'));
	folders.push(copy);
	const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	for (const file of listed.split('\0').filter(Boolean)) {
		cpSync(join(root, file), join(copy, file));
		utimesSync(join(copy, file), new Date(day), new Date(day));
	}
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	const build = 'npx gulp build --silent && npm pack --silent';
	const tarball = execFileSync('sh', ['-c', build], { cwd: copy, encoding: 'utf8' }).trim();
	return join(copy, tarball.split('\n').pop() ?? '');
}

describe('the tarball', () => {
	let tarballs: string[];

	beforeAll(() => {
		tarballs = [pack('2026-01-01'), pack('2026-06-30')];
	});

	it('is the same, byte by byte, in two builds', () => {
		const [one, other] = tarballs.map((path) =>
			createHash('sha512').update(readFileSync(path)).digest('hex'),
		);
		expect(one).toBe(other);
	});

	it('is small', () => {
		expect(statSync(tarballs[0] ?? '').size).toBeLessThan(60 * 1024);
	});
});

it('brings no other package along', () => {
	const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
		string,
		unknown
	>;
	const { dependencies, optionalDependencies, bundledDependencies, bundleDependencies } = manifest;
	expect([dependencies, optionalDependencies, bundledDependencies, bundleDependencies]).toEqual([
		undefined,
		undefined,
		undefined,
		undefined,
	]);
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
});

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** Runs n8n's scanner in a separate process, because it is an ES module and jest runs CommonJS. */
function scan(directory: string, patterns: string): { passed: boolean; details?: string } {
	const script = `
		import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
		const result = await analyzePackage(${JSON.stringify(directory)}, ${patterns});
		process.stdout.write(JSON.stringify(result));`;
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
		cwd: root,
		encoding: 'utf8',
		// With jest's NODE_ENV, the plugin treats every file as a trigger node.
		env: { ...process.env, NODE_ENV: '' },
	});
	return JSON.parse(output) as { passed: boolean; details?: string };
}

describe("n8n's own scan of community packages", () => {
	let directory: string;
	let files: string[];

	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'tarball-'));
		const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', directory], {
			cwd: root,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
		execFileSync('tar', ['-xzf', join(directory, filename), '-C', directory]);
		files = execFileSync('tar', ['-tzf', join(directory, filename)], { encoding: 'utf8' })
			.trim()
			.split('\n');
	});

	afterAll(() => rmSync(directory, { recursive: true, force: true }));

	it('passes on the source', () => {
		expect(scan(root, 'SOURCE_FILE_PATTERNS')).toEqual({ passed: true });
	});

	it('passes on the packed tarball', () => {
		expect(scan(join(directory, 'package'), "['**/*.js', 'package.json']")).toEqual({
			passed: true,
		});
	});

	it('can fail: it rejects a package with a runtime dependency', () => {
		const broken = join(directory, 'package', 'package.json');
		const manifest = JSON.parse(readFileSync(broken, 'utf8')) as object;
		const other = mkdtempSync(join(tmpdir(), 'broken-'));
		const edited = { ...manifest, dependencies: { lodash: '4' } };
		writeFileSync(join(other, 'package.json'), JSON.stringify(edited));
		expect(scan(other, "['package.json']").passed).toBe(false);
		rmSync(other, { recursive: true });
	});

	it('ships what the package names, and no tests, sources or maps', () => {
		const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[]; credentials: string[] };
		};
		for (const file of [...n8n.nodes, ...n8n.credentials]) {
			expect(existsSync(join(directory, 'package', file))).toBe(true);
		}
		expect(files.filter((file) => /\.(ts|map)$|test/.test(file))).toEqual([]);
		expect(files.filter((file) => file.endsWith('.svg'))).toHaveLength(4);
		expect(files).toContain('package/dist/nodes/MessagingGateway/MessagingGateway.node.json');
	});
});

/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const SCRIPT = 'tools/releaseNotes.mjs';

function releaseNotes(folder: string, ...args: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, SCRIPT), ...args], {
		encoding: 'utf8',
	});
	return { status, notes: stdout, reason: stderr };
}

describe('the check of a release', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'release-'));
		mkdirSync(join(folder, 'tools'));
		cpSync(join(root, SCRIPT), join(folder, SCRIPT));
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.1.0' }));
	});

	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	function changelog(...lines: string[]): void {
		writeFileSync(join(folder, 'CHANGELOG.md'), lines.join('\n'));
	}

	const OLDER = ['', '## [1.0.0] - 2026-11-21', '', '- Older.', '', '[1.0.0]: https://example.org'];

	it('the check of a release prints the section of the version, without the sections around it', () => {
		const newer = ['## [Unreleased]', '', '- Later.', '', '## [1.1.0] - 2027-01-31', ''];
		changelog(...newer, '### Added', '', '- New.', ...OLDER);
		expect(releaseNotes(folder, 'v1.1.0')).toEqual({
			status: 0,
			notes: '### Added\n\n- New.\n',
			reason: '',
		});
	});

	it('the check of a release stops at the links below the oldest version', () => {
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0' }));
		changelog(...OLDER);
		expect(releaseNotes(folder, 'v1.0.0')).toMatchObject({ status: 0, notes: '- Older.\n' });
	});

	it.each([
		['another version', 'v1.2.0', 'the tag is v1.2.0, but the version in package.json is 1.1.0'],
		['no “v”', '1.1.0', 'the tag is 1.1.0'],
		['a suffix', 'v1.1.0-beta', 'the tag is v1.1.0-beta'],
	])('the check of a release refuses a tag with %s', (_, tag, reason) => {
		changelog('## [1.1.0] - 2027-01-31', '- New.');
		const refused = releaseNotes(folder, tag);
		expect(refused).toMatchObject({ status: 1, notes: '' });
		expect(refused.reason).toContain(reason);
	});

	it('the check of a release asks for the tag', () => {
		expect(releaseNotes(folder).reason).toContain('no tag was named');
	});

	it.each([
		['no section for it', ['## [Unreleased]', '- New.'], 'no section "## [1.1.0]"'],
		['no date', ['## [1.1.0]', '- New.'], '"## [1.1.0] - YYYY-MM-DD"'],
		['words instead of a date', ['## [1.1.0] - soon', '- New.'], '"## [1.1.0] - YYYY-MM-DD"'],
		['a day that does not exist', ['## [1.1.0] - 2027-02-31', '- New.'], '- YYYY-MM-DD'],
		['an empty section', ['## [1.1.0] - 2027-01-31', ''], 'says nothing of 1.1.0'],
	])('the check of a release refuses a changelog with %s', (_, lines, reason) => {
		changelog(...lines, ...OLDER);
		const refused = releaseNotes(folder, 'v1.1.0');
		expect(refused).toMatchObject({ status: 1, notes: '' });
		expect(refused.reason).toContain(reason);
	});
});
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	version: string;
};
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

it("the project's own changelog has the version in package.json, with its date", () => {
	expect(releaseNotes(root, `v${version}`)).toMatchObject({ status: 0, reason: '' });
});

it("the project's own changelog links every version, and the unreleased changes, to the code", () => {
	const headings = [...changelog.matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name);
	const links = [...changelog.matchAll(/^\[([^\]]+)\]: https:\/\//gm)].map(([, name]) => name);
	expect(headings[0]).toBe('Unreleased');
	expect(links).toEqual(headings);
});

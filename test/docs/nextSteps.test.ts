/** Each row of docs/next-steps.md names a test that proves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/next-steps.md'), 'utf8');
const tests = ['test/behaviour', 'test/e2e', 'test/ask']
	.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
	.filter((path) => path.endsWith('.test.ts'))
	.map((path) => readFileSync(path, 'utf8'))
	.join('\n');

const rows = page
	.split('\n')
	.filter((line) => line.startsWith('|'))
	.slice(2)
	.map((line) => line.split('|').slice(1, -1));

it('has a row for each thing that a person may do', () => {
	expect(rows.length).toBeGreaterThanOrEqual(15);
	for (const cells of rows) expect(cells).toHaveLength(5);
});

it.each(rows.map((cells) => [cells[0]?.trim() ?? '', cells[4] ?? '']))(
	'%s: names a test that exists',
	(_, proof) => {
		const [, title] = /`(.+)`/.exec(proof) ?? [];
		expect(title).toBeTruthy();
		// The title opens a test or a table of tests, with or without a suffix.
		const escaped = (title as string).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		expect(tests).toMatch(new RegExp(`['"]${escaped}( \\(.*\\))?['"],`));
	},
);

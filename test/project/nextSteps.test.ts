/** Each row of docs/next-steps.md names a test that proves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/next-steps.md'), 'utf8');
const tests = ['test/node', 'test/n8n']
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

it.each(['README.md', 'docs/scaling.md', 'docs/nothing-twice.md', 'docs/next-steps.md'])(
	'%s says where no memory reaches, and names the Send-Once Key',
	(path) => {
		const text = readFileSync(join(root, path), 'utf8');
		const sections = text.split(/^##? /m);
		const told = sections.filter((section) =>
			['Execute Sub-workflow', 'new execution', 'Send-Once Key'].every((words) =>
				section.includes(words),
			),
		);
		expect(
			told.filter((section) => /cop(y|ied)[^.|]* node|copy the node/.test(section)),
		).not.toEqual([]);
	},
);

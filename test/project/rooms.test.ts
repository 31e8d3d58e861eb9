/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- runs outside of n8n */
/**
 * The table of rooms in .github/CONTRIBUTING.md says what each may import; dependency-cruiser refuses everything else. It is
 * tried on a copy of the rooms with one file for each import.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';

const root = join(__dirname, '../..');
const NODE = 'nodes/MessagingGateway';

interface Room {
	room: string;
	values: string[];
	types: string[];
}

const namesIn = (cell = '') =>
	[...cell.matchAll(/`([\w/]+?)\/?`/g)].map(([, name]) => name as string);
const rooms = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8')
	.split('\n')
	.map((line) => line.split('|').slice(1, -1))
	.filter(([names, , values]) => /^ `\w+\//.test(names ?? '') && values !== undefined)
	.flatMap(([names, , values, types]): Room[] =>
		namesIn(names).map((room) => ({ room, values: namesIn(values), types: namesIn(types) })),
	);

/** Every room, and every file beside them. */
const places = [
	...rooms.map(({ room }) => room),
	...readdirSync(join(root, NODE)).flatMap((name) => /^(.+)\.ts$/.exec(name)?.[1] ?? []),
];
const isWithin = (place: string, room: string) => place === room || place.startsWith(`${room}/`);

type Line = [line: string, isAllowed: boolean];

/** Each way to import from each place, in a folder of a room, and whether the table allows it. */
function importsOf({ room, values, types }: Room, folder: string): Line[] {
	const from = (place: string) => posix.relative(folder, place).replace(/^(?!\.)/, './');
	const lines = places.flatMap((place): Line[] => {
		const target = from(places.indexOf(place) < rooms.length ? `${place}/a` : place);
		const isOwn = isWithin(place, room);
		const isSibling = room.includes('/') && place.includes('/') && !isOwn;
		const mayValue = isOwn || values.includes(place);
		const mayType = mayValue || (!isSibling && types.some((other) => isWithin(place, other)));
		return [
			[`import { a } from '${target}';`, mayValue],
			[`import { a, type b } from '${target}';`, mayValue],
			[`import '${target}';`, mayValue],
			[`export { a } from '${target}';`, mayValue],
			[`export * from '${target}';`, mayValue],
			[`import type { a } from '${target}';`, mayType],
			[`import { type a } from '${target}';`, mayType],
			[`export type { a } from '${target}';`, mayType],
			[`void import('${target}');`, false],
			[`let a: import('${target}').a;`, false],
		];
	});
	const mayOutcome = room === 'gateway' || types.includes('gateway');
	return [...lines, [`import { a } from '${from('gateway/outcome')}';`, mayOutcome]];
}

interface Violation {
	from: string;
	rule: { name: string };
}

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'rooms-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Checks these files, by path in the node, and gives what breaks a rule. */
function check(files: Record<string, string>): Violation[] {
	const base = mkdtempSync(join(folder, 'checkout-'));
	for (const [path, text] of Object.entries(files)) {
		const file = join(base, NODE, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const config = join(root, '.dependency-cruiser.mjs');
	const { stdout } = spawnSync(
		process.execPath,
		[program, '--config', config, '--output-type', 'json', 'nodes'],
		{ cwd: base, encoding: 'utf8', maxBuffer: 1e9 },
	);
	return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

/** One file for each place, to import from. */
const targets = Object.fromEntries(
	[
		...places.map((place, at) => (at < rooms.length ? `${place}/a.ts` : `${place}.ts`)),
		'gateway/outcome.ts',
	].map((path) => [path, 'export const a = 1;\n']),
);

it('the table of CONTRIBUTING names all rooms', () => {
	const folders = readdirSync(join(root, NODE), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ parentPath, name }) => posix.relative(join(root, NODE), join(parentPath, name)));
	const within = (path: string) => rooms.some(({ room }) => isWithin(path, room));
	expect(folders.filter((path) => !within(path))).toEqual([]);
	expect(places).toEqual(expect.arrayContaining(['delivery', 'run', 'MessagingGateway.node']));
});

it('every import that the table does not allow is refused, from any depth of a room, and no other', () => {
	const imports = rooms.flatMap((room) =>
		[room.room, `${room.room}/deep`].flatMap((folder) =>
			importsOf(room, folder).map(([line, isAllowed], at) => ({
				path: `${folder}/import${at}.ts`,
				line,
				isAllowed,
			})),
		),
	);
	const files = Object.fromEntries(imports.map(({ path, line }) => [path, line]));
	const broken = check({ ...targets, ...files }).filter(({ rule }) => rule.name !== 'no orphan');
	const refused = new Set(broken.map(({ from }) => from));

	expect(imports.length).toBeGreaterThan(1000);
	const seen = imports.map(({ path, line }) => [path, line, !refused.has(`${NODE}/${path}`)]);
	expect(seen).toEqual(imports.map(({ path, line, isAllowed }) => [path, line, isAllowed]));
});

it('a circle is refused, of types, too, and so is a file that nothing leads to', () => {
	const violations = check({
		'MessagingGateway.node.ts': "import './shared/used';\n",
		'shared/used.ts': "import type { b } from './other';\nexport type a = b;\n",
		'shared/other.ts': "import type { a } from './used';\nexport type b = a;\n",
		'shared/forgotten.ts': 'export const c = 1;\n',
	});
	expect(new Set(violations.map(({ rule }) => rule.name))).toEqual(
		new Set(['no circle', 'no orphan']),
	);
});

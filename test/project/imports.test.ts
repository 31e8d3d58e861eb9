/** The table of rooms in .github/CONTRIBUTING.md says what each may import, and lint refuses everything else. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

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
	'hints',
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

/** Lints a file in each folder, and returns the lines that it refuses. */
function refusedIn(texts: Record<string, string>): Record<string, number[]> {
	const script = `
		import { ESLint } from 'eslint';
		const eslint = new ESLint();
		const refused = {};
		for (const [folder, text] of Object.entries(${JSON.stringify(texts)})) {
			const [{ messages }] = await eslint.lintText(text, { filePath: '${NODE}/' + folder + '/any.ts' });
			const rule = 'rooms/imports';
			refused[folder] = messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => line - 1);
		}
		console.log(JSON.stringify(refused));`;
	const args = ['--input-type=module', '-e', script];
	return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as never;
}

it('the table of CONTRIBUTING names all rooms', () => {
	expect(rooms.map(({ room }) => room).sort()).toEqual(
		[
			...['ask', 'delivery', 'files', 'gateway', 'input', 'operations', 'shared'],
			...['delivery/memory', 'delivery/pace'],
		].sort(),
	);
	expect(places).toEqual(expect.arrayContaining(['hints', 'execute', 'MessagingGateway.node']));
});

it('the linter refuses every import that the table does not allow, from any depth of a room, and no other', () => {
	const imports = rooms.flatMap((room) =>
		[room.room, `${room.room}/deep`].map((folder) => [folder, importsOf(room, folder)] as const),
	);
	const texts = imports.map(([folder, all]) => [folder, all.map(([line]) => line).join('\n')]);
	const refused = refusedIn(Object.fromEntries(texts) as Record<string, string>);

	for (const [folder, all] of imports) {
		const said = all.map(([line], at) => [line, !refused[folder]?.includes(at)]);
		expect([folder, ...said]).toEqual([folder, ...all]);
	}
});

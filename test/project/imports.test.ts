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
	...readdirSync(join(root, NODE)).flatMap((name) => /^(.+)\.ts$/.exec(name)?.[1] ?? []),
];
const isWithin = (place: string, room: string) => place === room || place.startsWith(`${room}/`);

/** A line that imports from a place, and whether the table allows it. */
function importsOf({ room, values, types }: Room): Array<{ line: string; isAllowed: boolean }> {
	const from = (place: string) => posix.relative(room, place).replace(/^(?!\.)/, './');
	const lines = places.flatMap((place) => {
		const target = places.indexOf(place) < rooms.length ? `${from(place)}/a` : from(place);
		const isOwn = isWithin(place, room);
		const mayValue = isOwn || values.includes(place);
		const mayType =
			mayValue || types.some((other) => isWithin(place, other) && !values.includes(other));
		const isSibling = room.includes('/') && place.includes('/') && !isOwn;
		return [
			{ line: `import { a } from '${target}';`, isAllowed: mayValue },
			{ line: `import type { a } from '${target}';`, isAllowed: mayType && !isSibling },
		];
	});
	const outcome = { line: `import { a } from '${from('gateway/outcome')}';` };
	return [...lines, { ...outcome, isAllowed: room === 'gateway' || types.includes('gateway') }];
}

/** Lints a file of each room, and returns the lines that it refuses. */
function refusedIn(texts: Record<string, string>): Record<string, number[]> {
	const script = `
		import { ESLint } from 'eslint';
		const eslint = new ESLint();
		const refused = {};
		for (const [room, text] of Object.entries(${JSON.stringify(texts)})) {
			const [{ messages }] = await eslint.lintText(text, { filePath: '${NODE}/' + room + '/any.ts' });
			const rule = '@typescript-eslint/no-restricted-imports';
			refused[room] = messages.filter(({ ruleId }) => ruleId === rule).map(({ line }) => line - 1);
		}
		console.log(JSON.stringify(refused));`;
	const args = ['--input-type=module', '-e', script];
	return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })) as never;
}

it('finds the rooms in the table', () => {
	expect(rooms.map(({ room }) => room).sort()).toEqual(
		[
			...['ask', 'delivery', 'gateway', 'input', 'operations', 'shared'],
			...['delivery/memory', 'delivery/pace'],
		].sort(),
	);
	expect(places).toEqual(expect.arrayContaining(['hints', 'execute', 'MessagingGateway.node']));
});

it('refuses every import that the table does not allow, and no other', () => {
	const imports = Object.fromEntries(rooms.map((room) => [room.room, importsOf(room)]));
	const texts = Object.entries(imports).map(([room, all]) => [
		room,
		all.map(({ line }) => line).join('\n'),
	]);
	const refused = refusedIn(Object.fromEntries(texts) as Record<string, string>);

	for (const [room, all] of Object.entries(imports)) {
		const verdicts = all.map(
			({ line }, at) => `${refused[room]?.includes(at) ? 'no' : 'yes'}  ${line}`,
		);
		expect([room, ...verdicts]).toEqual([
			room,
			...all.map(({ line, isAllowed }) => `${isAllowed ? 'yes' : 'no'}  ${line}`),
		]);
	}
});

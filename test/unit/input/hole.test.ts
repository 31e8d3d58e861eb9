import { holeIn, mayHoldWord, type Hole } from '../../../nodes/MessagingGateway/input/hole';

const EMPTY: Hole = { kind: 'empty' };
const word = (of: string): Hole => ({ kind: 'word', word: of });

it.each<[unknown, Hole | undefined]>([
	[undefined, EMPTY],
	[null, EMPTY],
	[NaN, EMPTY],
	['', EMPTY],
	[' \u200B', EMPTY],
	[[], EMPTY],
	['\n', undefined],
	['Ana', undefined],
	[0, undefined],
	[false, undefined],
	[['a', 'b'], undefined],
	[new Date(0), undefined],
	[new Date(NaN), word('Invalid Date')],
	[{ name: 'Ana' }, { kind: 'object', fields: ['name'] }],
	[[{ name: 'Ana' }], { kind: 'object', fields: [] }],
	[Object.create(null), { kind: 'object', fields: [] }],
	['null', word('null')],
	[' undefined ', word('undefined')],
	['null and void', undefined],
])('What is missing in %p, a person’s own data, is %p', (value, hole) => {
	expect(holeIn(value)).toEqual(hole);
});

it.each<[string, string, Hole | undefined]>([
	['Hi undefined!', "'Hi ' + $json.nme + '!'", word('undefined')],
	['It costs NaN', "'It costs ' + 2 * $json.prce", word('NaN')],
	['See [object Object]', "'See ' + $json.place", word('[object Object]')],
	['Invalid DateTime', "DateTime.fromISO($json.day).toFormat('D')", word('Invalid DateTime')],
	['undefined', "$json.name ?? 'undefined'", undefined],
	['Ana Undefined', '$json.a + $json.b', undefined],
])('What is missing in %j, which is made by %s, is %p', (value, code, hole) => {
	expect(holeIn(value, code)).toEqual(hole);
	expect(mayHoldWord(value)).toBe(hole !== undefined || value === 'undefined');
});

it('What is missing in an object with many fields is shown with the first 50', () => {
	const object = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, n]));
	expect(holeIn(object)).toEqual({ kind: 'object', fields: Object.keys(object).slice(0, 50) });
});

import { holeHints } from '../../../nodes/MessagingGateway/hints/holes';
import type { HoleReport } from '../../../nodes/MessagingGateway/operations/textHoles';

const HOLE: HoleReport = {
	code: '$json.nme',
	kind: 'empty',
	count: 37,
	items: [3, 8, 12],
	of: 5_000,
	isPart: false,
	name: 'text',
	isAtLeast: false,
	isOnPurpose: false,
	fields: [],
};
const missing = { field: 'nme', fields: ['name', 'phone'], isOfItems: true };
const ALL = { count: 20, of: 20, items: [0, 1, 2] };

it.each<[Partial<HoleReport>, string]>([
	[
		{},
		'In 37 of 5,000 texts “{{ $json.nme }}” is empty: items 4, 9, 13 and 34 more, counted from 1. A Filter node before this one can leave such items out.',
	],
	[
		{ count: 1, items: [3] },
		'In 1 of 5,000 texts “{{ $json.nme }}” is empty: item 4, counted from 1. A Filter node before this one can leave such items out.',
	],
	[
		{ count: 1_200, isAtLeast: true, items: [0, 1, 2] },
		'In at least 1,200 of 5,000 texts “{{ $json.nme }}” is empty: items 1, 2, 3 and 1,197 more, counted from 1. A Filter node before this one can leave such items out.',
	],
	[
		{ ...ALL, missing: { ...missing, nearest: 'name' } },
		'In all 20 texts “{{ $json.nme }}” is empty. No item has a field “nme”: did you mean “name”?',
	],
	[
		{ ...ALL, missing },
		'In all 20 texts “{{ $json.nme }}” is empty. No item has a field “nme”. The fields are: name, phone.',
	],
	[
		{ ...ALL, missing: { ...missing, fields: ['a', 'b', 'c', 'd', 'e', 'f'] } },
		'In all 20 texts “{{ $json.nme }}” is empty. No item has a field “nme”. The fields are: a, b, c, d, e, f.',
	],
	[
		{ ...ALL, missing: { ...missing, fields: [], isOfItems: false } },
		'In all 20 texts “{{ $json.nme }}” is empty. There is no field “nme”.',
	],
	[
		{ ...ALL, isPart: true, name: 'caption' },
		'In all the first 20 captions “{{ $json.nme }}” is empty.',
	],
	[
		{ count: 1, items: [3], name: 'Send-Once Key' },
		'In 1 of 5,000 Send-Once Keys “{{ $json.nme }}” is empty: item 4, counted from 1. Fill the field in: items with the same key count as one message.',
	],
	[{ count: 1, of: 1 }, 'In the text “{{ $json.nme }}” is empty.'],
	[{ count: 1, of: 1, isPart: true }, 'In the first text “{{ $json.nme }}” is empty.'],
	[{ ...ALL, kind: 'word', word: 'NaN' }, 'In all 20 texts “{{ $json.nme }}” gives “NaN”.'],
	[
		{ ...ALL, kind: 'object', fields: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
		'In all 20 texts “{{ $json.nme }}” is an object, not text. Choose one of its fields: a, b, c, d, e, f and more.',
	],
	[
		{ ...ALL, kind: 'object', isOnPurpose: true },
		'In all 20 texts “{{ $json.nme }}” is an object, not text.',
	],
])('A warning names the code and the texts: %j', (hole, message) => {
	expect(holeHints([{ ...HOLE, ...hole }])).toEqual([
		{ message, type: 'warning', location: 'outputPane' },
	]);
});

it('Code that may be empty on purpose is told without a warning', () => {
	const message = 'In all 20 texts “{{ $json.nme }}” is empty, as its code allows.';
	const hole = { ...HOLE, ...ALL, isOnPurpose: true, missing };
	expect(holeHints([hole])).toEqual([{ message, location: 'outputPane' }]);
});

import {
	chainOf,
	isSameForAll,
	mayBeEmpty,
	partsOf,
	pathOf,
	unfilledIn,
} from '../../../nodes/MessagingGateway/input/expressionParts';

it.each<[unknown, Array<[before: string, code: string, after: string]>]>([
	['Hi {{ $json.name }}', []],
	[7, []],
	['=Hi', []],
	['={{ $json.name }}', [['', '$json.name', '']]],
	[
		'=Hi {{ $json.name }}, {{$json.day}}!',
		[
			['Hi ', '$json.name', ', '],
			[', ', '$json.day', '!'],
		],
	],
	[
		'={{ a }}{{ b }}',
		[
			['', 'a', ''],
			['', 'b', ''],
		],
	],
	['=\\{{ $json.name }} {{ $json.day }}', [['\\{{ $json.name }} ', '$json.day', '']]],
	['=\\\\{{ $json.name }}', [['\\\\', '$json.name', '']]],
	['={{ "\\}}" }} x', [['', '"\\}}"', ' x']]],
	['=Hi {{ $json.name', [['Hi ', '$json.name', '']]],
])('n8n finds the pieces of code of %j', (parameter, expected) => {
	const parts = partsOf(parameter).map(({ before, code, after }) => [before, code, after]);
	expect(parts).toEqual(expected);
});

it.each<[string, string[] | undefined]>([
	['$json.name', ['name']],
	['$json["first name"].short', ['first name', 'short']],
	["$json?.customer?.['phones'][0]", ['customer', 'phones', '0']],
	['$json', undefined],
	['$json.name.trim()', undefined],
	["$('List').item.json.name", undefined],
	['$json.name || 1', undefined],
	['$jsonish.name', undefined],
	['name', undefined],
	[`$json.${'a'.repeat(494)}`, ['a'.repeat(494)]],
	[`$json.${'a'.repeat(495)}`, undefined],
])('The field that %s reads in the item is %j', (code, path) => {
	expect(pathOf(code)).toEqual(path);
});

it('A chain of names has the code before each of them', () => {
	expect(chainOf(`$('My "list"').item.json["a b"].c.trim()`)).toEqual({
		root: `$('My "list"')`,
		names: ['item', 'json', 'a b', 'c', undefined],
		codes: [
			`$('My "list"')`,
			`$('My "list"').item`,
			`$('My "list"').item.json`,
			`$('My "list"').item.json["a b"]`,
			`$('My "list"').item.json["a b"].c`,
		],
	});
});

it.each([
	["$json.title ? $json.title + ' ' : ''", true],
	['$json.title ?? ""', true],
	['$json.title && `${$json.title} `', true],
	['$json.title', false],
])('Whoever wrote %s has thought of it giving nothing: %j', (code, expected) => {
	expect(mayBeEmpty(code)).toBe(expected);
});

it.each([
	["$('Form').first().json.text", true],
	['$now.toISO()', true],
	['$vars.shop', true],
	["$('Form').item.json.text", false],
	["$('Form').item.first()", false],
	["$my$('Form').first().json.text", false],
	['$my$now', false],
	['$nowhere', false],
	['$json.name', false],
	["$('Form').first().json.text + $json.name", false],
])('%s gives the same for every item: %j', (code, expected) => {
	expect(isSameForAll(code)).toBe(expected);
});

it.each([
	['Hi {{ $json.name }}, {{ $json.day }} =', '{{ $json.name }}'],
	['=Hi {{ $json.name }}', undefined],
	['Hi {{ name }}', undefined],
	[7, undefined],
])('the code that n8n leaves as it is in the field %j is %j', (field, code) => {
	expect(unfilledIn(field)).toBe(code);
});

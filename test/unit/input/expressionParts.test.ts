import {
	chainOf,
	partsOf,
	pathOf,
	unfilledIn,
} from '../../../nodes/MessagingGateway/input/expressionParts';

it.each<[unknown, string[]]>([
	['Hi {{ $json.name }}', []],
	[7, []],
	['=Hi', []],
	['={{ $json.name }}', ['$json.name']],
	['=Hi {{ $json.name }}, {{$json.day}}!', ['$json.name', '$json.day']],
	['={{ a }}{{ b }}', ['a', 'b']],
	['=\\{{ $json.name }} {{ $json.day }}', ['$json.day']],
	['=\\\\{{ $json.name }}', ['$json.name']],
	['={{ "\\}}" }} x', ['"\\}}"']],
	['=Hi {{ $json.name', ['$json.name']],
])('n8n finds the pieces of code of %j', (parameter, expected) => {
	expect(partsOf(parameter).map(({ code }) => code)).toEqual(expected);
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

it('A chain of names may hold calls', () => {
	expect(chainOf(`$('My "list"').item.json["a b"].c.trim()`)).toEqual({
		root: `$('My "list"')`,
		names: ['item', 'json', 'a b', 'c', undefined],
	});
});

it.each([
	['Hi {{ $json.name }}, {{ $json.day }} =', '{{ $json.name }}'],
	['=Hi {{ $json.name }}', undefined],
	['Hi {{ name }}', undefined],
	[7, undefined],
])('the code that n8n leaves as it is in the field %j is %j', (field, code) => {
	expect(unfilledIn(field)).toBe(code);
});

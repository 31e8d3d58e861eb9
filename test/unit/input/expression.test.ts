import { splitExpression, unfilledIn } from '../../../nodes/MessagingGateway/input/expression';

it.each<[string, string[], string]>([
	['=Hi', [], 'Hi'],
	['={{ $json.name }}', ['$json.name'], ''],
	['=Hi {{ $json.name }}, {{$json.day}}!', ['$json.name', '$json.day'], 'Hi , !'],
	['={{ a }}{{ b }}', ['a', 'b'], ''],
	['=\\{{ $json.name }} {{ $json.day }}', ['$json.day'], '\\{{ $json.name }} '],
	['=\\\\{{ $json.name }}', ['$json.name'], '\\\\'],
	['={{ "\\}}" }} x', ['"\\}}"'], ' x'],
	['={{ a }} }}', ['a'], ' }}'],
	['=Hi {{ $json.name', ['$json.name'], 'Hi '],
])('n8n finds the pieces of code of %j', (expression, codes, text) => {
	expect(splitExpression(expression)).toEqual({ codes, text });
});

it.each([
	['Hi {{ $json.name }}, {{ $json.day }} =', '{{ $json.name }}'],
	[' ={{$("List").item.json.name}}', '{{ $("List").item.json.name }}'],
	['Until {{ DateTime.now().toFormat("dd") }}', '{{ DateTime.now().toFormat("dd") }}'],
	['{{ [1].map((x) => ({ x })) }}', '{{ [1].map((x) => ({ x })) }}'],
	['{{ name }} {{ $workflow.id }}', '{{ $workflow.id }}'],
	['=Hi {{ $json.name }}', undefined],
	['Hi {{ name }}, {{ first-name (short) }}, for {{ $5 }} or { $json.name }', undefined],
	[7, undefined],
])('the code that n8n leaves as it is in the field %j is %j', (field, code) => {
	expect(unfilledIn(field)).toBe(code);
});

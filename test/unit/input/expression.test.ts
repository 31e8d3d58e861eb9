import { splitExpression } from '../../../nodes/MessagingGateway/input/expression';

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

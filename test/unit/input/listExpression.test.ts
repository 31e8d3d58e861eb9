import { forEmptyList, readsOneItem } from '../../../nodes/MessagingGateway/input/listExpression';

const FILTER = '.filter(i => Object.keys(i.json).length > 0)';

it.each([
	['={{ $json.phone }}', undefined, '$input.all().map(i => i.json.phone)'],
	['={{$json["the phone"]}}', undefined, '$input.all().map(i => i.json["the phone"])'],
	['= {{ $input.item.json.phone }}', undefined, '$input.all().map(i => i.json.phone)'],
	['={{ $input.first().json.a.b }}', undefined, '$input.all().map(i => i.json.a.b)'],
	[
		"={{ $('Opt-outs').item.json.phone }}",
		'Opt-outs',
		"$('Opt-outs').all().map(i => i.json.phone)",
	],
	['={{ $("A \\"b\\"").last().json.a }}', 'A "b"', `$('A "b"').all().map(i => i.json.a)`],
	["={{ $('Ana\\'s').first().json.a }}", "Ana's", "$('Ana\\'s').all().map(i => i.json.a)"],
	[
		'={{ $node["Opt-outs"].json["phone"] }}',
		'Opt-outs',
		`$('Opt-outs').all().map(i => i.json["phone"])`,
	],
	['={{ $json.phone.trim() }}', undefined, '$input.all().map(i => i.json.phone.trim())'],
])('an expression that reads one item is written for all: %s', (expression, node, all) => {
	expect(readsOneItem(expression)).toEqual({
		node,
		forAll: `{{ ${all} }}`,
		forAny: `{{ ${all.replace('.map(', `${FILTER}.map(`)} }}`,
	});
	expect(forEmptyList(expression)).toBe(readsOneItem(expression)?.forAny);
});

it.each([
	"={{ $('Opt-outs').all().map(i => i.json.phone) }}",
	'={{ $json.a }}, {{ $json.b }}',
	'={{ $jsonp.a }}',
	'=0812',
	'={{ 1 }}',
	`={{ $json.${'a'.repeat(2_000)} }}`,
])('an expression that reads one item is not %s', (expression) => {
	expect(readsOneItem(expression)).toBeUndefined();
});

it('the expression for a list that may be empty keeps what the person wrote', () => {
	expect(forEmptyList('={{ $("A").all().map(each => each.json.tel) }}')).toBe(
		`{{ $("A").all()${FILTER}.map(each => each.json.tel) }}`,
	);
});

it('the expression for a list that may be empty is an example for anything else', () => {
	const example = `{{ $('Opt-outs').all()${FILTER}.map(i => i.json.phone) }}`;
	expect(forEmptyList('={{ $json.a }} {{ $json.b }}')).toBe(example);
	expect(forEmptyList(`={{ $('A').all()${FILTER}.map(i => i.json.b) }}`)).toBe(example);
});

it('the expression for a list that may be empty is made from one of at most 2,000 characters', () => {
	const one = (length: number) => `={{ $json.${'a'.repeat(length - 13)} }}`;
	const all = (length: number) => `={{ $('A').all().map(i => i.${'a'.repeat(length - 32)}) }}`;
	for (const of of [one, all]) {
		expect(of(2_000)).toHaveLength(2_000);
		expect(forEmptyList(of(2_000))).toContain('aaa');
		expect(forEmptyList(of(2_001))).not.toContain('aaa');
	}
});

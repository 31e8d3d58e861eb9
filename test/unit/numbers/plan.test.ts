import {
	type Home,
	homeOf,
	nameOf,
	nameOfCode,
} from '../../../nodes/MessagingGateway/numbers/plan';

it.each([
	['34', 'Spain'],
	['1', 'United States (+1)'],
	['800', '+800'],
])('the country code %s is that of %s', (code, name) => {
	expect(nameOfCode(code)).toBe(name);
});

it('a country is named with its code', () => {
	expect(['34', 'ID', '1868'].map((code) => nameOf(homeOf(code) as Home))).toEqual([
		'Spain (34)',
		'Indonesia (62)',
		'Trinidad & Tobago (1)',
	]);
});

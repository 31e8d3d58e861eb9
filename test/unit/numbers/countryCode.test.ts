import { parseCountryCode } from '../../../nodes/MessagingGateway/numbers/countryCode';
import { inputErrorOf } from '../../support/rooms';

it.each([
	['62', '62'],
	['+62', '62'],
	['0062', '62'],
	[' 62 ', '62'],
	[62, '62'],
	['1-868', '1868'],
	['1', '1'],
	['1212', '1212'],
	['62.0', '62'],
	['+62 (0)', '62'],
	['+62 (0) ', '62'],
	['٦٢', '62'],
	['\uFF0B62', '62'],
	['ID', 'ID'],
	[' us ', 'US'],
	['', ''],
	['  ', ''],
	[undefined, ''],
	[null, ''],
])('the country code %s is read as “%s”', (value, expected) => {
	expect(parseCountryCode(value, 'in the credential')).toBe(expected);
});

it.each([
	'0',
	'062',
	'12345',
	'XX',
	'6a',
	'6+2',
	'+',
	'00',
	'26',
	'620',
	'9999',
	'1123',
	'62.5',
	NaN,
])('the country code %s is refused', (value) => {
	expect(inputErrorOf(() => parseCountryCode(value, 'in the credential'))).toMatchObject({
		what: `“${value}” is not a country code`,
		advice:
			"Enter the digits of a country code, e.g. 62, or a country, e.g. ID, in 'Default Country Code' in the credential.",
	});
});

it.each([
	['UK', 'GB'],
	['Indonesia', 'ID'],
	['united states', 'US'],
])('for %s, the error names %s', (value, country) => {
	expect(inputErrorOf(() => parseCountryCode(value, 'in the credential')).what).toBe(
		`“${value}” is not a country code: did you mean ${country}?`,
	);
});

it('a country code is shown as an object if it cannot be written as JSON', () => {
	const circle: { self?: object } = {};
	circle.self = circle;
	expect(inputErrorOf(() => parseCountryCode(circle, 'in the credential')).what).toContain(
		'“An object”',
	);
});

it.each([[{ code: 62 }], [[62]], [6.2], [true]])(
	'the country code %j, which is not a text, is refused',
	(value) => {
		inputErrorOf(() => parseCountryCode(value, 'in the credential'));
	},
);

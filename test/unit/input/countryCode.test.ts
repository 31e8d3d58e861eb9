import { COUNTRY_CODE, parseCountryCode } from '../../../nodes/MessagingGateway/input/countryCode';
import { inputErrorOf } from '../../support/rooms';

it('the list of country codes has none that begins another, and as many as are assigned', () => {
	const all = Array.from({ length: 999 }, (_, at) => String(at + 1)).filter((each) =>
		new RegExp(`^${COUNTRY_CODE}$`).test(each),
	);
	expect(all).toHaveLength(216);
	expect(
		all.filter((each) => all.some((other) => other !== each && other.startsWith(each))),
	).toEqual([]);
});

it.each([
	['62', '62'],
	['+62', '62'],
	['0062', '62'],
	[' 62 ', '62'],
	[62, '62'],
	['1-868', '1868'],
	['62.0', '62'],
	['+62 (0)', '62'],
	['+62 (0) ', '62'],
	['٦٢', '62'],
	['\uFF0B62', '62'],
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
	'ID',
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
		advice: "Enter only its digits in 'Default Country Code' in the credential, e.g. 62.",
	});
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

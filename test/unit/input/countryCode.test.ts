import { COUNTRY_CODE, parseCountryCode } from '../../../nodes/MessagingGateway/input/countryCode';
import { inputErrorOf } from '../../support/rooms';

describe('the list of country codes', () => {
	it('has none that is the beginning of another, and as many as are assigned', () => {
		const all = Array.from({ length: 999 }, (_, at) => String(at + 1)).filter((each) =>
			new RegExp(`^${COUNTRY_CODE}$`).test(each),
		);
		expect(all).toHaveLength(216);
		expect(
			all.filter((each) => all.some((other) => other !== each && other.startsWith(each))),
		).toEqual([]);
	});
});

describe('the default country code', () => {
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
	])('%s is read as “%s”', (value, expected) => {
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
	])('%s is refused', (value) => {
		expect(inputErrorOf(() => parseCountryCode(value, 'in the credential'))).toMatchObject({
			what: `“${value}” is not a country code`,
			advice: "Enter only its digits in 'Default Country Code' in the credential, e.g. 62.",
		});
	});

	it('is shown as an object if it cannot be written as JSON', () => {
		const circle: { self?: object } = {};
		circle.self = circle;
		expect(inputErrorOf(() => parseCountryCode(circle, 'in the credential')).what).toContain(
			'“An object”',
		);
	});

	it.each([[{ code: 62 }], [[62]], [6.2], [true]])(
		'%j, which is not a text, is refused',
		(value) => {
			inputErrorOf(() => parseCountryCode(value, 'in the credential'));
		},
	);
});

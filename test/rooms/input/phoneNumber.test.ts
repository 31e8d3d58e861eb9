import fc from 'fast-check';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import {
	parseCountryCode,
	parsePhoneNumber,
} from '../../../nodes/MessagingGateway/input/phoneNumber';
import { inputErrorOf } from '../../support/rooms';

const digitsOf = (value: unknown, countryCode?: string) =>
	parsePhoneNumber(value, countryCode).digits;

describe('what may stand between the digits of a phone number', () => {
	const harmless: Array<[string, string]> = [
		['a space', ' '],
		['a tab', '\t'],
		['a line break', '\n'],
		['a carriage return', '\r\n'],
		['a no-break space', '\u00A0'],
		['a narrow no-break space', '\u202F'],
		['a thin space', '\u2009'],
		['an ideographic space', '\u3000'],
		['a zero-width space', '\u200B'],
		['a zero-width joiner', '\u200D'],
		['a byte-order mark', '\uFEFF'],
		['a left-to-right mark', '\u200E'],
		['a right-to-left mark', '\u200F'],
		['a pop of direction, as contacts on a phone copy it', '\u202C'],
		['a direction isolate', '\u2066'],
		['a soft hyphen', '\u00AD'],
		['a hyphen', '-'],
		['a non-breaking hyphen', '\u2011'],
		['an en dash', '–'],
		['an em dash', '—'],
		['a minus sign', '−'],
		['a full-width hyphen', '\uFF0D'],
		['a dot', '.'],
		['a middle dot', '·'],
		['an opening bracket', '('],
		['a closing bracket', ')'],
		['square brackets', '[]'],
		['full-width brackets', '\uFF08\uFF09'],
		['a full-width dot', '\uFF0E'],
	];

	it.each(harmless)('takes %s off', (_name, noise) => {
		expect(digitsOf(`${noise}0812${noise}345${noise}67890${noise}`)).toBe('081234567890');
	});

	it.each([
		['a letter', '0812345678a'],
		['a slash', '0812/345678'],
		['a comma', '0812,345678'],
		['an extension', '0812345678 ext 5'],
		['a number sign', '#0812345678'],
		['an asterisk', '*0812345678'],
		['an underscore', '0812_345678'],
		['a control character', '0812\u0000345678'],
		['a second plus', '++62812345678'],
		['a plus inside', '62812+345678'],
		['a plus at the end', '62812345678+'],
		['Arabic digits', '٠٨١٢٣٤٥٦٧٨'],
		['full-width digits', '\uFF10\uFF18\uFF11\uFF12345678'],
		['an emoji', '📞0812345678'],
	])('refuses %s', (_name, value) => {
		expect(inputErrorOf(() => digitsOf(value)).what).toContain('is not a phone number');
	});
});

describe('a zero that nobody dials', () => {
	it.each([
		['6281234567890.0', true],
		['6281234567890.00 ', true],
		['+62 (0)812 3456 7890', true],
		[' 0062(0)812 3456 7890', true],
		['6281.2345.6789.0', false],
		['0812.0 345678', false],
		['6281234567890.01', false],
		['081234.000', false],
		['(0)812 3456 7890', false],
		['+62 (812) 3456 7890', false],
		['+62 812 (03) 456 7890', false],
		['+62 812 3456 7890', false],
		[6281234567890, false],
	])('is in %s: %s', (value, expected) => {
		expect(parsePhoneNumber(value).hasOddZero).toBe(expected);
	});
});

describe('the beginning of a phone number', () => {
	it.each([
		['+6281234567890', '6281234567890'],
		['006281234567890', '6281234567890'],
		[' (+62) 812-3456-7890', '6281234567890'],
		['\u200E+62 812 3456', '628123456'],
		['+0812345678', '0812345678'],
	])('%s loses a plus or 00', (value, expected) => {
		expect(digitsOf(value)).toBe(expected);
	});

	it('keeps a single leading 0 where no country code is set', () => {
		expect(parsePhoneNumber('081234567890')).toEqual({
			digits: '081234567890',
			countryCodeAdded: false,
			mayLackZero: false,
			hasOddZero: false,
		});
	});

	it('puts the country code in the place of a single leading 0', () => {
		expect(parsePhoneNumber('0812 3456 7890', '62')).toEqual({
			digits: '6281234567890',
			countryCodeAdded: true,
			mayLackZero: false,
			hasOddZero: false,
		});
	});

	it('leaves 00 to mean "international", whatever the country code', () => {
		expect(parsePhoneNumber('00491712345678', '62')).toEqual({
			digits: '491712345678',
			countryCodeAdded: false,
			mayLackZero: false,
			hasOddZero: false,
		});
	});

	it('puts no country code in the place of several leading zeros', () => {
		expect(parsePhoneNumber('+00812345678', '62')).toEqual({
			digits: '00812345678',
			countryCodeAdded: false,
			mayLackZero: false,
			hasOddZero: false,
		});
	});

	it('takes 000 as 00 and a leading 0', () => {
		expect(digitsOf('000812345678', '62')).toBe('62812345678');
	});
});

describe('a number that may have lost its leading 0', () => {
	it.each([
		['81234567890', '62', true],
		[81234567890, '62', true],
		['6281234567890', '62', false],
		['081234567890', '62', false],
		['+491712345678', '62', false],
		['00491712345678', '62', false],
		['81234567890', '', false],
	])('%s with the country code “%s”: %s', (value, countryCode, mayLackZero) => {
		expect(parsePhoneNumber(value, countryCode).mayLackZero).toBe(mayLackZero);
	});
});

describe('the length of a phone number', () => {
	it.each([
		['12345', false],
		['123456', true],
		['123456789012345', true],
		['1234567890123456', false],
	])('%s: %s', (value, isTaken) => {
		if (isTaken) expect(digitsOf(value)).toBe(value);
		else inputErrorOf(() => digitsOf(value));
	});

	it('counts with the country code', () => {
		expect(digitsOf('012345', '62')).toBe('6212345');
		inputErrorOf(() => digitsOf('01234', '6'));
		inputErrorOf(() => digitsOf('0123456789012345', '62'));
	});
});

describe('phone numbers that are no text', () => {
	it('takes a whole number', () => {
		expect(digitsOf(6281234567890)).toBe('6281234567890');
		expect(digitsOf(6281234567890n)).toBe('6281234567890');
	});

	it.each([
		['a fraction', 628123456.5],
		['a negative fraction', -0.5],
		['more than a number holds exactly', 2 ** 53],
		['infinity', Infinity],
		['not a number', NaN],
		['true', true],
		['an object', { number: '081234567890' }],
		['a list', ['081234567890']],
		['a symbol', Symbol('081234567890')],
		['a function', () => '081234567890'],
	])('refuses %s', (_name, value) => {
		expect(inputErrorOf(() => digitsOf(value)).what).toContain('is not a phone number');
	});

	it('refuses an object that holds itself', () => {
		const circle: Record<string, unknown> = {};
		circle.circle = circle;
		inputErrorOf(() => digitsOf(circle));
	});

	it('refuses an object that holds a bigint', () => {
		inputErrorOf(() => digitsOf({ number: 6281234567890n }));
	});

	it('refuses an object that JSON leaves out', () => {
		inputErrorOf(() => digitsOf({ toJSON: () => undefined }));
	});

	it('says of an object what stands in it', () => {
		expect(inputErrorOf(() => digitsOf({ number: 5 })).what).toBe(
			'“{"number":5}” is not a phone number',
		);
	});

	it.each([undefined, null, ''])('says that %s is missing', (value) => {
		expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
			what: 'The phone number is missing',
			advice: 'Enter a number, e.g. 081234567890, or check the expression that gives it.',
		});
	});

	it('refuses white space', () => {
		inputErrorOf(() => digitsOf('  \u200B '));
	});
});

describe('a number that a spreadsheet has shortened', () => {
	it.each(['6.28E+12', '6.28e12', '6,28E+12', '6.28123E+12', '6E+12', ' 6.28E+12 '])(
		'%s: says so, and what to do in the spreadsheet',
		(value) => {
			expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
				what: `“${value.trim()}” is a number that a spreadsheet has shortened`,
				advice: expect.stringContaining('Format the column as text'),
			});
		},
	);

	it.each(['6E+12x', 'x6E+12'])('is not what %s is', (value) => {
		expect(inputErrorOf(() => digitsOf(value)).what).toBe(`“${value}” is not a phone number`);
	});
});

describe('every input', () => {
	const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-() .\u00A0\u200E') });

	it('gives 6 to 15 digits, or an InputError that names what is wrong', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), phoneLike, fc.integer()),
				fc.constantFrom('', '62', '1', '1234'),
				(value, countryCode) => {
					try {
						expect(digitsOf(value, countryCode)).toMatch(/^\d{6,15}$/);
					} catch (error) {
						expect(error).toBeInstanceOf(InputError);
						expect((error as InputError).what).not.toBe('');
						expect((error as InputError).what.length).toBeLessThan(400);
						expect((error as InputError).advice).not.toBe('');
					}
				},
			),
			{ numRuns: 2_000 },
		);
	});

	it('means the same with noise between its digits', () => {
		const noise = fc.string({
			unit: fc.constantFrom(
				' ',
				'\u00A0',
				'\u2009',
				'\u200B',
				'\u200E',
				'-',
				'–',
				'−',
				'.',
				'(',
				')',
			),
			maxLength: 3,
		});
		const digits = fc.stringMatching(/^(\+|00)?\d{6,13}$/);
		fc.assert(
			fc.property(
				digits,
				fc.array(noise, { minLength: 20, maxLength: 20 }),
				fc.constantFrom('', '62'),
				(number, noises, countryCode) => {
					const decorated = [...number].map((digit, at) => (noises[at] ?? '') + digit).join('');
					const resultOf = (value: string) => {
						try {
							return digitsOf(value, countryCode);
						} catch (error) {
							return (error as Error).name;
						}
					};
					expect(resultOf(decorated + noises[19])).toBe(resultOf(number));
				},
			),
		);
	});

	it('gives the same again when its result is read once more, where it begins with the country code', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^0[1-9]\d{5,11}$/), (number) => {
				const once = digitsOf(number, '62');
				expect(digitsOf(once, '62')).toBe(once);
				expect(once).toBe(`62${number.slice(1)}`);
			}),
		);
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
		['', ''],
		['  ', ''],
		[undefined, ''],
		[null, ''],
	])('%s is read as “%s”', (value, expected) => {
		expect(parseCountryCode(value)).toBe(expected);
	});

	it.each(['0', '062', '12345', 'ID', '6a', '6+2', '+', '00', '٦٢'])('%s is refused', (value) => {
		expect(inputErrorOf(() => parseCountryCode(value))).toMatchObject({
			what: `The Default Country Code “${value}” is not a country code`,
			advice: 'Enter its digits only, e.g. 62.',
		});
	});

	it('is shown as an object where it cannot be written', () => {
		const circle: { self?: object } = {};
		circle.self = circle;
		expect(inputErrorOf(() => parseCountryCode(circle)).what).toContain('“An object”');
	});

	it.each([[{ code: 62 }], [[62]], [6.2], [true]])('%j, which is no text, is refused', (value) => {
		inputErrorOf(() => parseCountryCode(value));
	});
});

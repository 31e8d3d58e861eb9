import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/input/phoneNumber';
import { inputErrorOf } from '../../support/rooms';

/** In front of a number it makes a negative one. */
const MINUS = /^[-−\uFF0D]/;

const digitsOf = (value: unknown, countryCode?: string) =>
	parsePhoneNumber(value, countryCode, 'send').digits;

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

	it.each(harmless)('a phone number may contain %s', (_name, noise) => {
		expect(digitsOf(`0812${noise}345${noise}67890${noise}`)).toBe('081234567890');
		if (!MINUS.test(noise)) expect(digitsOf(`${noise}0812345${noise}67890`)).toBe('081234567890');
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
		['an emoji', '📞0812345678'],
	])('a phone number may not contain %s', (_name, value) => {
		expect(inputErrorOf(() => digitsOf(value)).what).toContain('is not a phone number');
	});
});

it.each(
	Intl.supportedValuesOf('numberingSystem').filter(
		(each) => !/han|hebr|jpan|grek|roman|armn|geor|ethi|taml$|cyrl/.test(each),
	),
)('a phone number may have digits of the script “%s”', (system) => {
	const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false });
	expect(digitsOf(format.format(9_876_543_210))).toBe('9876543210');
});

it.each(['\uFF0B62812345678', '\uFE6262812345678', '\u200F+٦٢٨١٢٣٤٥٦٧٨'])(
	'a phone number may begin with the plus sign of another script: %s',
	(value) => {
		expect(parsePhoneNumber(value)).toMatchObject({
			digits: '62812345678',
			isInternational: true,
		});
	},
);

it.each([
	['+62 0812 3456 7890', '', '6281234567890'],
	['0049170 12345678', '', '4917012345678'],
	['0062 0812 3456 7890', '60', '6281234567890'],
	['62 0812 3456 7890', '62', '6281234567890'],
	['+44 020 7946 0018', '', '442079460018'],
	// Without + or a code that is set, nobody knows whether it begins with a country code.
	['200 555 0100', '', '2005550100'],
	['620812345678', '', '620812345678'],
	['620812345678', '60', '620812345678'],
	['+62 00812 345 678', '', '62812345678'],
	['+00812 345 678', '', '00812345678'],
	// The numbers of these countries begin with 0.
	['+39 06 1234 5678', '', '390612345678'],
	['+225 07 12 34 56 78', '', '2250712345678'],
	['39 06 1234 5678', '39', '390612345678'],
])('the number %s with the code “%s” is %s', (value, code, expected) => {
	expect(digitsOf(value, code)).toBe(expected);
});

it.each([
	['+62 (0)812 3456 7890', '6281234567890'],
	['+62(0)81234567890', '6281234567890'],
	['(+62) (0) 812-3456-7890', '6281234567890'],
	[' 0062 [0] 812 3456 7890', '6281234567890'],
	['\u200E+62 ( 0 ) 812 3456 7890', '6281234567890'],
	['+62\uFF080\uFF0981234567890', '6281234567890'],
	['62 (0)812 3456 7890', '6281234567890'],
	['+44 (0)20 7946 0018', '442079460018'],
	['+353 (0)1 234 5678', '35312345678'],
	['+1 (0)212 555 0100', '12125550100'],
])('a 0 in brackets is taken off behind a country code: %s', (value, expected) => {
	expect(digitsOf(value)).toBe(expected);
	expect(digitsOf(value, '62')).toBe(expected);
});

it.each([
	['(0)812 3456 7890', '081234567890'],
	['+62 (812) 3456 7890', '6281234567890'],
	['+62 812 (03) 456 7890', '62812034567890'],
	['+62 812 3456 (0)', '6281234560'],
	['812 (0)345 6789', '81203456789'],
	['0812 (0) 345678', '08120345678'],
	['+62 (0', '620'],
])('a 0 in brackets stays elsewhere: %s', (value, expected) => {
	if (expected.length < 6) inputErrorOf(() => digitsOf(value));
	else expect(digitsOf(value)).toBe(expected);
});

it.each([
	'1',
	'7',
	'20',
	'27',
	'211',
	'234',
	'290',
	'30',
	'39',
	'351',
	'370',
	'386',
	'40',
	'423',
	'49',
	'500',
	'51',
	'58',
	'591',
	'60',
	'66',
	'670',
	'687',
	'692',
	'81',
	'84',
	'86',
	'800',
	'852',
	'880',
	'90',
	'95',
	'98',
	'962',
	'971',
	'998',
])('a 0 in brackets, and no further digit, is taken off behind the country code %s', (code) => {
	expect(digitsOf(`+${code} (0)71234567`)).toBe(`${code}71234567`);
	expect(digitsOf(`${code} (0)71234567`)).toBe(`${code}71234567`);
	expect(digitsOf(`+${code}5 (0)71234567`)).toBe(`${code}5071234567`);
});

it.each([
	['6281234567890.0', '6281234567890'],
	['6281234567890.00', '6281234567890'],
	[' 6281234567890.0\u200B ', '6281234567890'],
	['081234567890.0', '081234567890'],
	['+6281234567890.0', '6281234567890'],
	['+62 812-3456-7890.0', '6281234567890'],
])('a .0 behind a whole number is taken off: %s', (value, expected) => {
	expect(digitsOf(value)).toBe(expected);
});

it.each([
	['6281.2345.6789.0', '6281234567890'],
	['0812.0 345678', '08120345678'],
	['081234.000', '081234000'],
])('a .0 stays as a digit if the dot separates: %s', (value, expected) => {
	expect(digitsOf(value)).toBe(expected);
});

it('a .0 does not make a short number long enough', () => {
	inputErrorOf(() => digitsOf('12345.0'));
});

it.each([
	'-6281234567890',
	-6281234567890,
	' -0812 345 678',
	'- 081234567890',
	'−081234567890',
	'\uFF0D0812345678',
	'\u200E-(0812) 345678',
])('a phone number has no minus sign in front: %s', (value) => {
	expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
		what: expect.stringMatching(/^“.+” begins with a minus sign$/),
		advice: expect.stringMatching(/^Enter the number without it\. /),
	});
});

it.each(['– 081234567890', '—081234567890', '• 081234567890'])(
	'a phone number may have a bullet in front, which is not a minus sign: %s',
	(value) => {
		if (value.startsWith('•')) inputErrorOf(() => digitsOf(value));
		else expect(digitsOf(value)).toBe('081234567890');
	},
);

it.each([
	'2026-11-21',
	'2026-1-2',
	'2026/11/21',
	'2026.11.21',
	'1999-12-31',
	'1900-01-01',
	'21.11.2026',
	'21. 11. 2026',
	'21/11/2026',
	'11/21/2026',
	'21-11-2026',
	'21–11–2026',
	'21.11.26',
	' 2026-11-21\u200B',
	'2026-11-21T10:15:00.000Z',
	'2026-11-21 10:15',
	'21.11.2026, 9:05',
	'2026-11-21 10.15',
	'2026-11-21 1015',
	'2026 11 21',
	'21 11 2026',
	'21.  11.  2026',
	'21.11.26 10:15',
])('a date is not taken for a phone number: %s', (value) => {
	expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
		what: expect.stringMatching(/^“.+” is a date, not a phone number$/),
		advice: expect.stringContaining('write its digits without dots, dashes and slashes'),
	});
});

it('a date that a program provides as an object is not taken for a phone number', () => {
	expect(inputErrorOf(() => digitsOf(new Date(0))).what).toBe(
		'“1970-01-01T00:00:00.000Z” is a date, not a phone number',
	);
});

it.each([
	'2026-13-21',
	'2026-11-32',
	'2026-00-10',
	'2026-10-00',
	'1234-11-21',
	'2100-11-21',
	'32.11.2026',
	'13.13.2026',
	'21.11-2026',
	'021-11-2026',
	'21.11.3026',
	'21.11.202',
	'20261121',
	'21 11 26',
	'2026 11 21 1',
	'+2026-11-21',
	'21.11.2026.1',
	'21.11.26 1015',
])('a phone number is not taken for a date: %s', (value) => {
	expect(digitsOf(value)).toBe(value.replace(/\D/g, ''));
});

it.each(['192.168.1.100', '10.10.10.10', ' 255.255.255.255 ', '1.22.33.44', '192．168．1．100'])(
	'an IP address is not taken for a phone number: %s',
	(value) => {
		expect(inputErrorOf(() => digitsOf(value)).what).toBe(
			`“${value.trim()}” is an IP address, not a phone number`,
		);
	},
);

it.each([
	'6281234567890.5',
	'+62 812-3456-7890.25',
	'1234567.50',
	'628123456.789',
	'6281234567890.01',
	'123456.5',
])('a phone number has no decimals: %s', (value) => {
	expect(inputErrorOf(() => digitsOf(value)).what).toBe(
		`“${value}” has decimals, as no phone number does`,
	);
});

it.each([
	'0812.345678',
	'62.81234567890',
	'0812345.678',
	'081.234.567.89',
	'62 (813) 1111.2222',
	'+628123456.789',
	'628123456-78.901',
])('a phone number may have dots that separate no decimals: %s', (value) => {
	expect(digitsOf(value)).toBe(value.replace(/\D/g, ''));
});

it.each(['192.168.1.256', '01.23.45.67', '+20.12.34.56', '20.12.34.56.78', '192.168.100'])(
	'a number is not taken for an IP address: %s',
	(value) => {
		expect(digitsOf(value)).toBe(value.replace(/\D/g, ''));
	},
);

it.each([
	['brackets', '('.repeat(1_000_000)],
	['brackets behind a country code', `+62${'('.repeat(1_000_000)}`],
	['zeros in brackets', `+62${'(0)'.repeat(300_000)}`],
	['spaces', ' '.repeat(1_000_000)],
	['minus signs', '-'.repeat(1_000_000)],
	['dots', '1.'.repeat(500_000)],
	['digits', '9'.repeat(1_000_000)],
	['digits and .0', `${'9'.repeat(1_000_000)}.0x`],
	['spaces behind a year', `2026${' '.repeat(1_000_000)}x`],
])('a phone number is refused in a moment, even with a million %s', (_, value) => {
	const work = () => inputErrorOf(() => digitsOf(value));
	runInNewContext('work()', { work }, { timeout: 2_000 });
});

it.each([
	['+6281234567890', '6281234567890'],
	['006281234567890', '6281234567890'],
	[' (+62) 812-3456-7890', '6281234567890'],
	['\u200E+62 812 3456', '628123456'],
	['+0812345678', '0812345678'],
])('the phone number %s loses a plus or 00', (value, expected) => {
	expect(digitsOf(value)).toBe(expected);
});

it('a phone number keeps a single leading 0 if no country code is set', () => {
	expect(parsePhoneNumber('081234567890')).toEqual({
		digits: '081234567890',
		asEntered: '081234567890',
		isInternational: false,
		isDoubtful: false,
	});
});

it('a single leading 0 is replaced with the country code, and what was entered is remembered', () => {
	expect(parsePhoneNumber('0812 3456 7890', '62')).toMatchObject({
		digits: '6281234567890',
		asEntered: '081234567890',
	});
});

it('the digits 00 stand for "international" with any country code', () => {
	expect(parsePhoneNumber('00491712345678', '62')).toMatchObject({
		digits: '491712345678',
		asEntered: '491712345678',
	});
});

it('a phone number keeps several leading zeros', () => {
	expect(parsePhoneNumber('+00812345678', '62')).toMatchObject({
		digits: '00812345678',
		asEntered: '00812345678',
	});
});

it.each([
	'0812 3456 7890',
	'+62 (0)812-3456-7890',
	81234567890,
	'00491712345678',
	'6281234567890.0',
])('a phone number is remembered as it was entered, with any country code: %s', (value) => {
	const asEntered = ['', '62', '1'].map((code) => parsePhoneNumber(value, code, 'send').asEntered);
	expect(new Set(asEntered).size).toBe(1);
});

it('the digits 000 are 00 and a leading 0', () => {
	expect(digitsOf('000812345678', '62')).toBe('62812345678');
});

it.each([
	['81234567890', '62', true],
	[81234567890, '62', true],
	['6281234567890', '62', false],
	['081234567890', '62', false],
	['+491712345678', '62', false],
	['00491712345678', '62', false],
	['81234567890', '', false],
	['81234567890.0', '62', true],
	['62(0)81234567890', '62', false],
])('the number %s with the code “%s” may lack its 0: %s', (value, countryCode, isDoubtful) => {
	expect(parsePhoneNumber(value, countryCode, 'send').isDoubtful).toBe(isDoubtful);
	const parse = () => parsePhoneNumber(value, countryCode);
	if (!isDoubtful) return void expect(parse()).toMatchObject({ isDoubtful });
	expect(inputErrorOf(parse)).toMatchObject({
		what: `“${value}” begins neither with 0 or + nor with the Default Country Code ${countryCode}: a spreadsheet may have dropped the 0`,
		advice: expect.stringContaining("'Doubtful Numbers' to 'Send'"),
	});
});

it.each([
	['12345', false],
	['123456', true],
	['123456789012345', true],
	['1234567890123456', false],
])('a phone number has 6 to 15 digits (%s: %s)', (value, isTaken) => {
	if (isTaken) expect(digitsOf(value)).toBe(value);
	else inputErrorOf(() => digitsOf(value));
});

it('the length of a phone number counts with the country code', () => {
	expect(digitsOf('012345', '62')).toBe('6212345');
	inputErrorOf(() => digitsOf('01234', '6'));
	inputErrorOf(() => digitsOf('0123456789012345', '62'));
});

it('a phone number may be a whole number', () => {
	expect(digitsOf(6281234567890)).toBe('6281234567890');
	expect(digitsOf(6281234567890n)).toBe('6281234567890');
});

it.each([
	['a part of 1', 0.5],
	['more than a number holds exactly', 2 ** 53],
	['infinity', Infinity],
	['not a number', NaN],
	['true', true],
	['an object', { number: '081234567890' }],
	['a list', ['081234567890']],
	['a symbol', Symbol('081234567890')],
	['a function', () => '081234567890'],
])('a phone number may not be %s', (_name, value) => {
	expect(inputErrorOf(() => digitsOf(value)).what).toContain('is not a phone number');
});

it('a phone number may not be an object that holds itself', () => {
	const circle: Record<string, unknown> = {};
	circle.circle = circle;
	inputErrorOf(() => digitsOf(circle));
});

it('a phone number may not be an object that holds a bigint', () => {
	inputErrorOf(() => digitsOf({ number: 6281234567890n }));
});

it('a phone number may not be an object that JSON leaves out', () => {
	inputErrorOf(() => digitsOf({ toJSON: () => undefined }));
});

it('the error about an object in place of a phone number shows what it contains', () => {
	expect(inputErrorOf(() => digitsOf({ number: 5 })).what).toBe(
		'“{"number":5}” is not a phone number',
	);
});

it.each([undefined, null, ''])('an error says that a number which is %s is missing', (value) => {
	expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
		what: 'The phone number is missing',
		advice: 'Enter a number, e.g. 081234567890, or check the expression that provides it.',
	});
});

it('a phone number may not be white space', () => {
	inputErrorOf(() => digitsOf('  \u200B '));
});

it.each(['6.28E+12', '6.28e12', '6,28E+12', '6.28123E+12', '6E+12', ' 6.28E+12 '])(
	'the error about %s says that a spreadsheet shortened it, and what to do there',
	(value) => {
		expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
			what: `“${value.trim()}” is not the whole phone number: your spreadsheet shortened it`,
			advice: expect.stringContaining('Format the column as text'),
		});
	},
);

it.each(['6E+12x', 'x6E+12'])('a spreadsheet has not made %s of a number', (value) => {
	expect(inputErrorOf(() => digitsOf(value)).what).toBe(`“${value}” is not a phone number`);
});

const areTwo = (parts: string[]) => {
	const lengths = parts.map((part) => part.replace(/\D/g, '').length).filter((n) => n > 0);
	return lengths.length > 1 && lengths.every((n) => n > 6);
};

/** Punctuation that makes something else of digits: two numbers, a negative number, a date, an address, a 0 that is not dialed. */
const hasOwnMeaning = (decorated: string) => {
	const visible = decorated.replace(/[\s\u200B\u200E]/g, '');
	return (
		MINUS.test(visible) ||
		// A date, with or without a time.
		/^\d{1,4}[-–−./]\d{1,2}[-–−./]\d{1,4}(\d{1,2}\.\d\d.*)?$/.test(visible) ||
		/^\d+(\.\d+){3}$/.test(visible) ||
		/^[^.]*\d\.\d+$/.test(visible) ||
		[/\s/, /[^\d\u200B\u200E]/].some((between) => areTwo(decorated.split(between))) ||
		// A date with spaces.
		/^\d{1,4} \d\d? \d{1,4}$/.test(decorated) ||
		/\(0\)|\.0{1,2}$/.test(visible)
	);
};

describe('two numbers in one cell', () => {
	const advice =
		"Give each number an item of its own, or, for a text, a line of its own in the list of 'Send Bulk'.";

	it.each([
		['0812 345, 0813 456', 2],
		['081234567890/081345678901', 2],
		['081234567890 / +62 813-4567-8901', 2],
		['081234567890;081345678901;', 2],
		['081234567890\n081345678901', 2],
		['081234567890\r\n081345678901', 2],
		['0812 3456 7890 or 0813 4567 8901', 2],
		['081234567890 dan 081345678901', 2],
		['081234567890 | 081345678901 & 081456789012', 3],
		['081234567890 081345678901', 2],
		['081234567890  081345678901 ', 2],
		['081234567890; ; 081345678901', 2],
		['123456, 654321', 2],
		['123456789012345, 123456789054321', 2],
		['081234567890\u00A0081345678901', 2],
		['5551234\t5559876', 2],
		['0812345 0898765', 2],
		['0812-345 0813-456', 2],
		['123456\n \n654321', 2],
	])('an error says of %j that it has %i numbers, and what to do', (value, count) => {
		expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
			what: expect.stringMatching(
				new RegExp(`^“.*” contains ${count} phone numbers, not one$`),
			) as string,
			advice,
		});
	});

	it.each(['5551234-5559876', '5551234.5559876', '(0812345)(0898765)'])(
		'two numbers in one cell are seen without a space between them: %s',
		(value) => {
			expect(inputErrorOf(() => digitsOf(value)).what).toContain('more than one phone number');
		},
	);

	it.each([
		'081234 567890',
		'081234 56789012',
		'0812\t3456\t7890',
		'+62 812345 678901',
		'0171 1234567',
		'0812345678\n',
	])('one number is not taken for two in %j', (value) => {
		expect(digitsOf(value)).toBe(value.replace(/\D/g, ''));
	});

	it('the numbers in one cell are counted in up to 10,000 characters', () => {
		const numbers = `${Array(769).fill('081234567890').join(' ')}   `;
		expect(numbers).toHaveLength(9_999);
		const whatOf = (value: string) => inputErrorOf(() => digitsOf(value)).what;
		expect(whatOf(`${numbers} `)).toContain('contains 769 phone numbers');
		expect(whatOf(`${numbers}  `)).toContain('is not a phone number');
	});

	it('two numbers in one cell may be an array', () => {
		expect(inputErrorOf(() => digitsOf(['081234567890', 6281345678901]))).toMatchObject({
			what: '“["081234567890",6281345678901]” contains 2 phone numbers, not one',
			advice,
		});
	});

	it.each([
		'081234567890/91',
		'081234567890, Ana',
		'081234567890, 2026-11-21',
		'081234567890,',
		'0812 3456 7890 1234 5678',
		'Ana or Budi',
		'A123456B654321',
		'1234567x 7654321',
		'12, 34',
		'1234567890123456, 081234567890',
		[],
		['081234567890'],
		['081234567890', null],
	])('two numbers in one cell are not found in %j', (value) => {
		expect(inputErrorOf(() => digitsOf(value)).what).toMatch(/” is not a phone number$/);
	});

	it.each(['0812345, ', '/', ' ', ' a', ' 081234567890', '1 or '])(
		'two numbers in one cell are looked for in a moment, even in 100,000 times “%s”',
		(part) => {
			const work = () => {
				inputErrorOf(() => digitsOf(`x${part.repeat(100_000)}`));
				inputErrorOf(() => digitsOf(`081234567890${part.repeat(100_000)}x`));
			};
			runInNewContext('work()', { work }, { timeout: 4_000 });
		},
	);
});

describe('any input', () => {
	const phoneLike = fc.string({ unit: fc.constantFrom(...'0123456789+-() .\u00A0\u200E') });

	it('any input gives 6 to 15 digits, or an InputError that names what is wrong', () => {
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

	it('any number is the same with any decoration between its digits', () => {
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
					fc.pre(!hasOwnMeaning(decorated + noises[19]));
					// In front of a number, a dash may be a minus sign.
					fc.pre(!/^[^\d+]*[-–−]/.test(decorated));
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

	it('any number that gets its country code gives the same again when the result is read once more', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^0[1-9]\d{5,11}$/), (number) => {
				const once = digitsOf(number, '62');
				expect(digitsOf(once, '62')).toBe(once);
				expect(once).toBe(`62${number.slice(1)}`);
			}),
		);
	});
});

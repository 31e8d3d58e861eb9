import fc from 'fast-check';
import { parseRecipients } from '../../../nodes/MessagingGateway/input/recipients';
import { inputErrorOf } from '../../support/rooms';

const digitsOf = (value: unknown, countryCode = '') =>
	parseRecipients(value, countryCode).map(({ digits }) => digits);

const ONE = '6281234567890';
const TWO = '6281234567891';

describe('a list of phone numbers', () => {
	it.each([
		['a line each', `${ONE}\n${TWO}`],
		['lines as Windows ends them', `${ONE}\r\n${TWO}\r\n`],
		['lines as an old Mac ends them', `${ONE}\r${TWO}`],
		['commas', `${ONE}, ${TWO}`],
		['semicolons', `${ONE};${TWO}`],
		['all of these, and gaps', `,;\n ${ONE} ;;\n\n , ${TWO}\u00A0,\n`],
		['a list of texts', [ONE, TWO]],
		['a list of numbers', [Number(ONE), Number(TWO)]],
		['a list with gaps', [null, ONE, '', undefined, ' ', TWO]],
	])('may be written with %s', (_name, value) => {
		expect(digitsOf(value)).toEqual([ONE, TWO]);
	});

	it('may be a single number', () => {
		expect(digitsOf(Number(ONE))).toEqual([ONE]);
	});

	it('keeps spaces and dashes inside a number from parting it', () => {
		expect(digitsOf('+62 812-3456-7890')).toEqual([ONE]);
	});

	it('keeps its order and its duplicates', () => {
		expect(digitsOf([TWO, ONE, TWO])).toEqual([TWO, ONE, TWO]);
	});

	it('gives each number the country code', () => {
		expect(parseRecipients(`081234567890,${TWO}`, '62')).toEqual([
			{ digits: ONE, countryCodeAdded: true, mayLackZero: false, hasOddZero: false },
			{ digits: TWO, countryCodeAdded: false, mayLackZero: false, hasOddZero: false },
		]);
	});

	it.each(['', ' \n,; ', [], [null, ''], undefined, null])(
		'is refused where it is empty: %j',
		(value) => {
			expect(inputErrorOf(() => digitsOf(value))).toMatchObject({
				what: 'The list of phone numbers is empty',
				advice: 'Enter one number a line, or check the expression that gives them.',
			});
		},
	);

	it('is refused for one wrong number, which is named', () => {
		expect(inputErrorOf(() => digitsOf([ONE, 'Budi', TWO]))).toMatchObject({
			what: '“Budi” is not a phone number',
			advice: expect.stringContaining('Enter 6 to 15 digits'),
		});
	});

	it('names three wrong numbers and counts the others', () => {
		const three = inputErrorOf(() => digitsOf('a,b,c'));
		const five = inputErrorOf(() => digitsOf(`a,b,${ONE},c,d,e`));

		expect(three.what).toBe(
			'“a” is not a phone number; “b” is not a phone number; “c” is not a phone number',
		);
		expect(five.what).toBe(`${three.what}; and 2 more like that`);
	});

	it('is refused where it is an object, or holds one', () => {
		expect(inputErrorOf(() => digitsOf({ a: ONE })).what).toContain('is not a phone number');
		inputErrorOf(() => digitsOf([[ONE]]));
	});

	it('gives a number for each entry, however they are separated', () => {
		const number = fc.stringMatching(/^[1-9]\d{5,14}$/);
		const separator = fc.stringMatching(/^ ?[\n,;]{1,3} ?$/);
		fc.assert(
			fc.property(fc.array(fc.tuple(number, separator), { minLength: 1 }), (entries) => {
				expect(digitsOf(entries.flat().join(''))).toEqual(entries.map(([digits]) => digits));
			}),
		);
	});

	it('reads 100,000 numbers in a moment', () => {
		const numbers = Array.from({ length: 100_000 }, (_, i) => String(6281200000000 + i));
		const started = Date.now();

		expect(digitsOf(numbers.join('\n'))).toEqual(numbers);
		expect(Date.now() - started).toBeLessThan(2_000);
	});
});

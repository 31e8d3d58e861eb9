import fc from 'fast-check';
import {
	parseRecipients,
	parseSkipNumbers,
} from '../../../nodes/MessagingGateway/input/recipients';
import { inputErrorFrom } from '../../support/rooms';

const digitsOf = async (value: unknown, countryCode = '') =>
	(await parseRecipients(value, countryCode)).numbers.map(({ digits }) => digits);

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
	])('may be asEntered with %s', async (_name, value) => {
		expect(await digitsOf(value)).toEqual([ONE, TWO]);
	});

	it('may be a single number', async () => {
		expect(await digitsOf(Number(ONE))).toEqual([ONE]);
	});

	it('does not split a number at spaces and dashes', async () => {
		expect(await digitsOf('+62 812-3456-7890')).toEqual([ONE]);
	});

	it('keeps its order and its duplicates', async () => {
		expect(await digitsOf([TWO, ONE, TWO])).toEqual([TWO, ONE, TWO]);
	});

	it('gives each number the country code', async () => {
		expect(await parseRecipients(`081234567890,${TWO}`, '62')).toEqual({
			numbers: [
				{ digits: ONE, asEntered: '081234567890' },
				{ digits: TWO, asEntered: TWO },
			],
			refusals: [],
		});
	});

	it.each(['', ' \n,; ', [], [null, ''], undefined, null])(
		'is refusals if it is empty: %j',
		async (value) => {
			for (const invalid of ['refuse', 'skip'] as const) {
				expect(await inputErrorFrom(parseRecipients(value, '', invalid))).toMatchObject({
					what: 'The list of phone numbers is empty',
					advice: 'Enter one number per line, or check the expression that provides them.',
				});
			}
		},
	);

	it('is refusals for one wrong number, which is named', async () => {
		expect(await inputErrorFrom(digitsOf([ONE, 'Budi', TWO]))).toMatchObject({
			what: '“Budi” is not a phone number',
			advice: expect.stringContaining('Enter 6 to 15 digits'),
		});
	});

	it('is refusals for two numbers in one entry', async () => {
		expect(await inputErrorFrom(digitsOf(`${ONE}/${TWO}, ${ONE}`))).toMatchObject({
			what: `“${ONE}/${TWO}” contains 2 phone numbers, not one`,
			advice: expect.stringContaining("a line of its own in the list of 'Send Bulk'"),
		});
	});

	it('names three wrong numbers and counts the others', async () => {
		const three = await inputErrorFrom(digitsOf('a,2026-11-21,10.0.0.1'));
		const five = await inputErrorFrom(digitsOf(`a,2026-11-21,${ONE},10.0.0.1,d,e`));

		expect(three.what).toBe(
			'“a” is not a phone number; “2026-11-21” is a date, not a phone number; “10.0.0.1” is an IP address, not a phone number',
		);
		expect(five.what).toBe(`${three.what}; and 2 more`);
	});

	it('is refusals if it is an object, or contains one', async () => {
		const error = await inputErrorFrom(digitsOf({ a: ONE }));
		expect(error.what).toContain('is not a phone number');
		await inputErrorFrom(digitsOf([[ONE]]));
	});

	it('has a number for each entry, however they are separated', async () => {
		const number = fc.stringMatching(/^[1-9]\d{5,14}$/);
		const separator = fc.stringMatching(/^ ?[\n,;]{1,3} ?$/);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(number, separator), { minLength: 1 }), async (entries) => {
				expect(await digitsOf(entries.flat().join(''))).toEqual(entries.map(([digits]) => digits));
			}),
		);
	});
});

describe('a list whose wrong numbers are skipped', () => {
	it('keeps the others, and names each entry that it leaves out', async () => {
		const list = await parseRecipients([ONE, 'abc', '', -6281234567890, TWO], '', 'skip');

		expect(list.numbers.map(({ digits }) => digits)).toEqual([ONE, TWO]);
		expect(list.refusals).toEqual([
			'“abc” is not a phone number',
			'“-6281234567890” begins with a minus sign',
		]);
	});

	it('is refusals if all of them are wrong', async () => {
		const error = await inputErrorFrom(parseRecipients('abc, def', '', 'skip'));
		expect(error.what).toBe('“abc” is not a phone number; “def” is not a phone number');
	});
});

describe('an opt-out list', () => {
	it.each([
		['text', `+62 812-3456-7890\n081234567891;${TWO}`],
		['an array', [Number(ONE), '0062 812 3456 7891', null, '']],
	])('contains the numbers of %s, however they are asEntered', async (_, value) => {
		expect(await parseSkipNumbers(value, '62')).toEqual(new Set([ONE, TWO]));
	});

	it.each([undefined, null, '', ' \n;, ', [], ['', null]])('may be blank: %j', async (value) => {
		expect(await parseSkipNumbers(value, '62')).toEqual(new Set());
	});

	it('holds both readings of a number whose leading 0 a spreadsheet may have dropped', async () => {
		const numbers = [81234567890, '+81234567891', '081234567892', '6281234567893'];
		expect(await parseSkipNumbers(numbers, '62')).toEqual(
			new Set(['81234567890', '6281234567890', '81234567891', '6281234567892', '6281234567893']),
		);
		expect(await parseSkipNumbers(['81234567890'], '')).toEqual(new Set(['81234567890']));
	});

	it('is refusals with advice about one wrong entry, or about several', async () => {
		const rest = 'Until then the node sends nothing, so that nobody who opted out gets a message.';
		const one = await inputErrorFrom(parseSkipNumbers('abc', ''));
		const two = await inputErrorFrom(parseSkipNumbers('abc, def', ''));
		expect(one.advice).toBe(`Correct or remove it. ${rest}`);
		expect(two.advice).toBe(`Correct or remove them. ${rest}`);
	});

	it.each([
		[[ONE, 'abc'], '“abc”', 'is not a phone number'],
		['abc, def', '“abc”', 'is not a phone number; 1 more entry is wrong'],
		['abc, def, 5', '“abc”', 'is not a phone number; 2 more entries are wrong'],
		['10.0.0.1', '“10.0.0.1”', 'is an IP address, not a phone number'],
		[['6,28E+12'], '“6,28E+12”', 'is not the whole phone number: your spreadsheet shortened it'],
		[{ phone: ONE }, `“{"phone":"${ONE}"}”`, 'is not a phone number'],
	])('is refusals with a wrong entry: %j', async (value, entry, why) => {
		expect(await inputErrorFrom(parseSkipNumbers(value, ''))).toMatchObject({
			what: `${entry} in the option 'Skip Numbers' ${why}`,
			advice: expect.stringContaining('the node sends nothing'),
		});
	});
});

describe('100,000 entries', () => {
	const numbers = Array.from({ length: 100_000 }, (_, i) => String(6281200000000 + i));

	/** Resolves to how many times other work ran meanwhile. */
	const turnsDuring = async (work: () => Promise<unknown>) => {
		let turns = 0;
		const ticker = setInterval(() => turns++, 1);
		await work();
		clearInterval(ticker);
		return turns;
	};

	it.each<[string, string[]]>([
		['plain', numbers],
		['formatted', numbers.map((number) => `+62 ${number.slice(2, 5)}-${number.slice(5)}`)],
		['local', numbers.map((number) => `0${number.slice(2)}`)],
	])('let other work in between while they are read: %s', async (_, entries) => {
		const asText = await turnsDuring(async () => {
			expect((await parseSkipNumbers(entries.join('\n'), '62')).size).toBe(100_000);
		});
		const asArray = await turnsDuring(async () => {
			expect((await parseSkipNumbers(entries, '62')).size).toBe(100_000);
		});
		const list = await turnsDuring(async () => await parseRecipients(entries, '62'));

		expect(Math.min(asText, asArray, list)).toBeGreaterThan(0);
	});

	it('may all be wrong', async () => {
		const wrong = numbers.map((number) => `${number}x`);
		const skip = await turnsDuring(async () => await inputErrorFrom(parseSkipNumbers(wrong, '62')));
		const list = await turnsDuring(async () => {
			const { refusals } = await parseRecipients([...wrong, ONE], '62', 'skip');
			expect(refusals).toHaveLength(100_000);
		});

		expect(Math.min(skip, list)).toBeGreaterThan(0);
	});
});

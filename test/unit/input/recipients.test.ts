import fc from 'fast-check';
import { parseRecipients } from '../../../nodes/MessagingGateway/input/recipients';
import { parseSkipNumbers } from '../../../nodes/MessagingGateway/input/skipNumbers';
import { inputErrorFrom } from '../../support/rooms';

const digitsOf = async (value: unknown, countryCode = '') =>
	(await parseRecipients(value, countryCode, REFUSE)).numbers.map(({ digits }) => digits);

const REFUSE = { invalid: 'refuse', doubtful: 'refuse' } as const;
const SKIP = { invalid: 'skip', doubtful: 'refuse' } as const;

const ONE = '6281234567890';
const TWO = '6281234567891';

it.each([
	['a line each', `${ONE}\n${TWO}`],
	['lines as Windows ends them', `${ONE}\r\n${TWO}\r\n`],
	['lines as an old Mac ends them', `${ONE}\r${TWO}`],
	['commas', `${ONE}, ${TWO}`],
	['semicolons', `${ONE};${TWO}`],
	['full-width commas', `${ONE}，${TWO}、`],
	['Arabic commas and semicolons', `${ONE}،${TWO}؛`],
	['full-width semicolons', `${ONE}；${TWO}`],
	['separators of lines and paragraphs', `${ONE}\u2028${TWO}\u2029\u0085`],
	['all of these, and gaps', `,;\n ${ONE} ;;\n\n , ${TWO}\u00A0,\n`],
	['a list of texts', [ONE, TWO]],
	['a list of numbers', [Number(ONE), Number(TWO)]],
	['a list with gaps', [null, ONE, '', undefined, ' ', TWO]],
])('a list of phone numbers may be entered with %s', async (_name, value) => {
	expect(await digitsOf(value)).toEqual([ONE, TWO]);
});

it('a list of phone numbers may be a single number', async () => {
	expect(await digitsOf(Number(ONE))).toEqual([ONE]);
});

it('a list of phone numbers does not split a number at spaces and dashes', async () => {
	expect(await digitsOf('+62 812-3456-7890')).toEqual([ONE]);
});

it('a list of phone numbers keeps its order and its duplicates', async () => {
	expect(await digitsOf([TWO, ONE, TWO])).toEqual([TWO, ONE, TWO]);
});

it('a list of phone numbers gives each number the country code', async () => {
	expect(await parseRecipients(`081234567890,${TWO}`, '62', REFUSE)).toEqual({
		numbers: [
			expect.objectContaining({ digits: ONE, asEntered: '081234567890' }),
			expect.objectContaining({ digits: TWO, asEntered: TWO }),
		],
		refusals: [],
	});
});

it.each(['', ' \n,; ', [], [null, ''], undefined, null])(
	'a list of phone numbers is refused if it is empty: %j',
	async (value) => {
		for (const invalid of ['refuse', 'skip'] as const) {
			const rules = { invalid, doubtful: 'refuse' } as const;
			expect(await inputErrorFrom(parseRecipients(value, '', rules))).toMatchObject({
				what: 'The list of phone numbers is empty',
				advice: 'Enter one number per line, or check the expression that provides them.',
			});
		}
	},
);

it('a list of phone numbers is refused for one wrong number, which is named', async () => {
	expect(await inputErrorFrom(digitsOf([ONE, 'Budi', TWO]))).toMatchObject({
		what: '“Budi” is not a phone number',
		advice: expect.stringContaining('Enter 6 to 15 digits'),
	});
});

it('a list of phone numbers is refused for two numbers in one entry', async () => {
	expect(await inputErrorFrom(digitsOf(`${ONE}/${TWO}, ${ONE}`))).toMatchObject({
		what: `“${ONE}/${TWO}” contains 2 phone numbers, not one`,
		advice: expect.stringContaining("a line of its own in the list of 'Send Bulk'"),
	});
});

it('a list of phone numbers names three wrong numbers and counts the others', async () => {
	const three = await inputErrorFrom(digitsOf('a,2026-11-21,10.0.0.1'));
	const five = await inputErrorFrom(digitsOf(`a,2026-11-21,${ONE},10.0.0.1,d,e`));

	expect(three.what).toBe(
		'“a” is not a phone number; “2026-11-21” is a date, not a phone number; “10.0.0.1” is an IP address, not a phone number',
	);
	expect(five.what).toBe(`${three.what}; and 2 more`);
});

it('a list of phone numbers that is refused says how to send to the other numbers, if there are some', async () => {
	const skip = "To send to the other numbers only, set the option 'Invalid Numbers' to 'Skip'.";
	expect(await inputErrorFrom(digitsOf(`abc, ${ONE}`))).toMatchObject({
		what: '“abc” is not a phone number',
		advice: expect.stringMatching(new RegExp(`^Enter 6 to 15 digits.* ${skip}$`)),
		parameter: 'options.invalidNumbers',
	});
	const error = await inputErrorFrom(digitsOf('abc, def'));
	expect(error.advice).not.toContain(skip);
	expect(error.parameter).toBeUndefined();
});

it('a list of phone numbers is refused if it is an object, or contains one', async () => {
	const error = await inputErrorFrom(digitsOf({ a: ONE }));
	expect(error.what).toContain('is not a phone number');
	await inputErrorFrom(digitsOf([[ONE]]));
});

it('a list of phone numbers has a number for each entry, however they are separated', async () => {
	const number = fc.stringMatching(/^[1-9]\d{5,14}$/);
	const separator = fc.stringMatching(/^ ?[\n,;]{1,3} ?$/);
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(number, separator), { minLength: 1 }), async (entries) => {
			expect(await digitsOf(entries.flat().join(''))).toEqual(entries.map(([digits]) => digits));
		}),
	);
});

it('a list whose wrong numbers are skipped keeps the others, and names each entry that it leaves out', async () => {
	const list = await parseRecipients([ONE, 'abc', '', -6281234567890, TWO], '', SKIP);

	expect(list.numbers.map(({ digits }) => digits)).toEqual([ONE, TWO]);
	expect(list.refusals).toEqual([
		{ asEntered: 'abc', why: '“abc” is not a phone number' },
		{ asEntered: '-6281234567890', why: '“-6281234567890” begins with a minus sign' },
	]);
});

it('a list whose wrong numbers are skipped leaves out doubtful ones, too, unless they are to be sent to', async () => {
	const of = async (doubtful: 'refuse' | 'send') =>
		await parseRecipients(`${ONE}, 81234567891`, '62', { invalid: 'skip', doubtful });
	expect((await of('refuse')).refusals).toEqual([
		{
			asEntered: '81234567891',
			why: expect.stringMatching(/^“81234567891” begins neither with 0 or \+ nor with .+ 62: /),
		},
	]);
	expect((await of('send')).numbers.map(({ digits }) => digits)).toEqual([ONE, '81234567891']);
});

it('a list whose wrong numbers are skipped is refused if all of them are wrong', async () => {
	const error = await inputErrorFrom(parseRecipients('abc, def', '', SKIP));
	expect(error.what).toBe('“abc” is not a phone number; “def” is not a phone number');
});

afterEach(() => jest.restoreAllMocks());

it.each([
	[0, 0, 0],
	[10, 5, 3],
])(
	'reading three entries that take %s ms each lets others go on %s and %s times',
	async (each, forList, forOptOuts) => {
		let now = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => (now += each));
		const breaths = jest.spyOn(globalThis, 'setTimeout');
		await parseRecipients([ONE, 'a', 'b'], '', SKIP);
		expect(breaths).toHaveBeenCalledTimes(forList);
		await parseSkipNumbers([ONE, TWO, ''], []);
		expect(breaths).toHaveBeenCalledTimes(forList + forOptOuts);
	},
);

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
	])('reading 100,000 entries lets other work in between: %s', async (_, entries) => {
		const asText = await turnsDuring(async () => {
			expect(
				(await parseSkipNumbers(entries.join('\n'), ['62'])).readings.size,
			).toBeGreaterThanOrEqual(100_000);
		});
		const asArray = await turnsDuring(async () => {
			expect((await parseSkipNumbers(entries, ['62'])).readings.size).toBeGreaterThanOrEqual(
				100_000,
			);
		});
		const list = await turnsDuring(async () => await parseRecipients(entries, '62', REFUSE));

		expect(Math.min(asText, asArray, list)).toBeGreaterThan(0);
	});

	it('reading 100,000 entries that are all wrong lets other work in between', async () => {
		const wrong = numbers.map((number) => `${number}x`);
		const skip = await turnsDuring(
			async () => await inputErrorFrom(parseSkipNumbers(wrong, ['62'])),
		);
		const list = await turnsDuring(async () => {
			const { refusals } = await parseRecipients([...wrong, ONE], '62', SKIP);
			expect(refusals).toHaveLength(100_000);
		});

		expect(Math.min(skip, list)).toBeGreaterThan(0);
	});
});

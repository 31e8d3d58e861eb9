import fc from 'fast-check';
import {
	parsePeople,
	parseRecipients,
	People,
} from '../../../nodes/MessagingGateway/numbers/numberList';
import { parsePhoneNumber } from '../../../nodes/MessagingGateway/numbers/phoneNumber';
import { inputErrorFrom } from '../../support/rooms';
import { AROUND } from './corpus';
import { EXAMPLES, WRITINGS } from './plans';

const ONE = '6281234567890';
const TWO = '6281234567891';
const REFUSE = { invalid: 'refuse', doubtful: 'refuse' } as const;
const SKIP = { invalid: 'skip', doubtful: 'refuse' } as const;

const digitsOf = async (value: unknown, countryCode = '') =>
	(await parseRecipients(value, countryCode, REFUSE)).numbers.map(({ digits }) => digits);

describe('a list of recipients', () => {
	it.each([
		['a line each', `${ONE}\n${TWO}`],
		['lines as Windows ends them', `${ONE}\r\n${TWO}\r\n`],
		['commas and semicolons', `,;\n ${ONE} ;;\n\n , ${TWO}\u00A0,\n`],
		['full-width and Arabic separators', `${ONE}，${TWO}؛`],
		['an index a line', `1. ${ONE}\n2. ${TWO}`],
		['texts', [ONE, TWO]],
		['numbers', [Number(ONE), Number(TWO)]],
		['a JSON text', JSON.stringify([ONE, TWO])],
		['quotation marks', `"${ONE}","${TWO}"`],
		['rows of a sheet', [[ONE], [TWO]]],
		['gaps', [null, ONE, '', undefined, ' ', TWO]],
	])('may be entered with %s', async (_name, value) => {
		expect(await digitsOf(value)).toEqual([ONE, TWO]);
	});

	it('keeps its order and its duplicates, and gives each number the country code', async () => {
		expect(await digitsOf(`081234567891,${ONE},+62 812-3456-7891`, '62')).toEqual([TWO, ONE, TWO]);
	});

	it.each(['', ' \n,; ', [], [null, ''], undefined, null])(
		'is refused if it is empty: %j',
		async (value) => {
			expect(await inputErrorFrom(parseRecipients(value, '', SKIP))).toMatchObject({
				what: 'The list of phone numbers is empty',
				advice: 'Enter one number per line, or check the expression that provides them.',
			});
		},
	);

	it('is refused for wrong numbers: three are named, the others counted', async () => {
		expect(await inputErrorFrom(digitsOf(`a,2026-11-21,${ONE},10.0.0.1,d,e`))).toMatchObject({
			what: '“a” is not a phone number; “2026-11-21” is a date, not a phone number; “10.0.0.1” is an IP address, not a phone number; and 2 more',
			advice: expect.stringContaining("set the option 'Invalid Numbers' to 'Skip'") as string,
		});
		const error = await inputErrorFrom(digitsOf({ a: ONE }));
		expect(error.advice).not.toContain('Invalid Numbers');
	});

	it('whose wrong numbers are skipped names each that it leaves out, doubtful ones, too', async () => {
		const list = await parseRecipients([ONE, 'abc', '', '819012345678', TWO], '62', SKIP);
		expect(list.numbers.map(({ digits }) => digits)).toEqual([ONE, TWO]);
		expect(list.refusals).toMatchObject([
			{ asEntered: 'abc', why: '“abc” is not a phone number' },
			{
				asEntered: '819012345678',
				why: '“819012345678” may be +62819012345678 (Indonesia) or +819012345678 (Japan)',
			},
		]);
		await inputErrorFrom(parseRecipients('abc, def', '', SKIP));
	});

	it('has a number for each entry, however they are separated', async () => {
		const number = fc.stringMatching(/^62812\d{6,8}$/);
		const separator = fc.stringMatching(/^ ?[\n,;]{1,3} ?$/);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(number, separator), { minLength: 1 }), async (entries) => {
				expect(await digitsOf(entries.flat().join(''))).toEqual(entries.map(([digits]) => digits));
			}),
		);
	});
});

const OPTION = { label: 'Skip Numbers', untilThen: 'Nothing goes out.', ifEmpty: '' };
const people = async (value: unknown, countryCode = '', isExpression = false) =>
	await parsePeople(value, countryCode, isExpression, OPTION);
const person = (value: string, code = '') => parsePhoneNumber(value, code, 'send');

const plainOf = (text: string) => text.replace(/[^+\d]/g, '');

describe('the people in a list', () => {
	it('are found if digits that are a number at home are one from abroad', async () => {
		// Porto Alegre and Peru.
		expect((await people('51987654321', 'BR')).mayInclude(person('+51987654321'))).toBe(true);
		expect((await people('51987654321', 'BR')).includes(person('+51987654321'))).toBe(false);
	});

	it('are found in each way to write their numbers, in twelve countries', async () => {
		const twelve = ['ID', 'IN', 'US', 'BR', 'MX', 'DE', 'GB', 'FR', 'ES', 'IT', 'RU', 'AR'];
		const missed: string[] = [];
		let pairs = 0;
		for (const example of EXAMPLES.filter(({ country }) => twelve.includes(country))) {
			const { country, code } = example;
			const forms = Object.values(WRITINGS).flatMap((write) => write(example) ?? []);
			// As programs write them: each form with marks of its own.
			const writings = forms.flatMap((form, at) => [
				form,
				AROUND[(at * 7 + country.charCodeAt(0)) % AROUND.length]?.(form) ?? form,
			]);
			for (const [listCode, itemCode] of [
				[country, country],
				[code, code],
				['', ''],
			] as const) {
				for (const out of writings) {
					// Without a country, a list with such a number is refused.
					const list = await people(out, listCode).catch(() => undefined);
					if (!list) continue;
					for (const to of writings) {
						const number = await Promise.resolve(to)
							.then((each) => person(each, itemCode))
							.catch(() => undefined);
						if (!number) continue;
						// Without a country, digits that are a number elsewhere are one there.
						const isElsewhere = (each: string) =>
							listCode === '' &&
							!/^(?:\+|0)/.test(plainOf(each)) &&
							!plainOf(each).startsWith(code);
						if (isElsewhere(out) || isElsewhere(to)) continue;
						pairs++;
						if (!list.mayInclude(number)) missed.push(`${listCode} ${out} ${to}`);
					}
				}
			}
		}
		expect(missed).toEqual([]);
		expect(pairs).toBeGreaterThan(1_000);
	});

	it.each([
		['+52 1 55 1234 5678', '+52 55 1234 5678'],
		['+55 11 96123-4567', '+55 11 6123-4567'],
		['+54 9 11 2345-6789', '+54 11 2345-6789'],
		['+225 07 01 23 45 67', '+225 01 23 45 67'],
		['+229 01 97 12 34 56', '+229 97 12 34 56'],
		['+241 06 03 12 34', '+241 6 03 12 34'],
	])('are the same with %s and %s', async (one, other) => {
		expect((await people(one)).mayInclude(person(other))).toBe(true);
		expect((await people(other)).includes(person(one))).toBe(true);
	});

	it.each([
		['+225 07 08 12 34 56', '+225 05 08 12 34 56'],
		['+225 27 08 12 34 56', '+225 05 08 12 34 56'],
		['+55 11 3123-4567', '+55 11 93123-4567'],
		['+62 812 3456 7890', '+62 812 3456 7891'],
	])('certainly do not include %s for %s', async (one, other) => {
		expect((await people(one)).includes(person(other))).toBe(false);
		expect((await people(other)).includes(person(one))).toBe(false);
		expect((await people([one, other])).includes(person(one))).toBe(true);
	});

	it('certainly do not include a third of whose number only the end is that of two of them', async () => {
		const list = await people(['+225 07 08 12 34 56', '+225 05 08 12 34 56']);
		expect(list.includes(person('+225 01 08 12 34 56'))).toBe(false);
	});

	it.each([
		['0612345664', '+34612345664'],
		['0512343562', '48512343562'],
		['+420 601 127 341', '0601127341'],
	])('may be the same with a 0 that their country does not dial: %s and %s', async (one, other) => {
		expect((await people(one)).mayInclude(person(other))).toBe(true);
	});

	it('are not others, and a number that may be another one is unclear', async () => {
		const list = await people(ONE);
		expect(list.mayInclude(person(TWO))).toBe(false);
		expect(list.mayInclude(person('081234567891'))).toBe(false);
		expect((await people('+52 55 1234 5678')).mayInclude(person('+52 55 1234 5679'))).toBe(false);
		expect(list.mayInclude(person('819012345678', '62'))).toBe('unclear');
		expect((await people('+819012345678')).mayInclude(person('819012345678', '62'))).toBe(
			'unclear',
		);
		expect(new People().mayInclude(person('819012345678', '62'))).toBe(false);
		expect((await people('081234545678')).mayInclude(person('+800 1234 5678'))).toBe(false);
	});

	it('are looked up in a moment, also if none of 100,000 has a country code', () => {
		const list = new People();
		for (let n = 0; n < 100_000; n++) {
			const digits = `0812${1_000_000 + n}`;
			list.add({ digits, asEntered: digits, isInternational: false });
		}
		const started = performance.now();
		expect(list.mayInclude(person('+62 812 1000 007'))).toBe(true);
		expect(list.mayInclude(person('+62 812 2000 007'))).toBe(false);
		expect(performance.now() - started).toBeLessThan(1_000);
	});

	it('are found without a country code, if it is that of one of them', async () => {
		const list = await people('+34612345678, +6281234567890');
		expect(list.mayInclude(person('0812-3456-7890'))).toBe(true);
		expect(list.mayInclude(person('0812-3456-7891'))).toBe(false);
		expect((await people('081234567800')).mayInclude(person('+6281234567800'))).toBe(true);
	});

	it('are found as they were entered, also if the country codes differ', async () => {
		const list = await people('0612 0045 78', 'FR');
		expect(list.mayInclude(person('0612004578', 'ID'))).toBe(true);
		expect(list.mayInclude(person('+31 6 12 00 45 78'))).toBe(false);
	});

	it('are found by the shortest numbers, too, whose country may be that of the item', () => {
		const list = new People(true);
		list.add({ digits: '624002', asEntered: '4002', isInternational: false });
		expect(list.mayInclude(person('+683 4002'))).toBe(true);
		expect(list.mayInclude(person('+683 4003'))).toBe(false);
	});

	it('certainly include a recipient only if its number can be read for certain', async () => {
		const list = await people(['+819012345678', '081234567890']);
		expect(list.includes(person('+819012345678'))).toBe(true);
		expect(list.includes(person('819012345678', '62'))).toBe(false);
		expect(list.includes(person('0812-3456-7890'))).toBe(true);
		expect(list.includes(person(ONE))).toBe(false);
	});

	it('are nobody if the field is left empty, or the array is empty', async () => {
		for (const value of ['', [], null, undefined]) expect((await people(value)).size).toBe(0);
		expect((await people([], '', true)).size).toBe(0);
	});

	it.each([[undefined], [null], [''], [','], [[undefined]], [[null, ' ']]])(
		'cannot be read if an expression returns no number: %j',
		async (value) => {
			expect((await inputErrorFrom(people(value, '', true))).what).toBe(
				"The expression in the option 'Skip Numbers' returns no number",
			);
		},
	);

	it.each<[unknown, string]>([
		[' \n;, ', "The option 'Skip Numbers' holds no number"],
		['abc, def', "“abc” in the option 'Skip Numbers' is not a phone number; and 1 more"],
		[[ONE, NaN], "“NaN” in the option 'Skip Numbers' is not a phone number"],
		[
			[[ONE, TWO]],
			`“["${ONE}","${TWO}"]” in the option 'Skip Numbers' is a list of 2 entries, not a phone number`,
		],
		[
			'655 11',
			"“655 11” in the option 'Skip Numbers' is not a phone number of Spain (34): it has 5 digits instead of 9",
		],
		['1@lid', "“1@lid” in the option 'Skip Numbers' is a WhatsApp ID, not a phone number"],
	])('cannot be read from %j: nothing goes out', async (value, what) => {
		expect(await inputErrorFrom(people(value, '34'))).toMatchObject({
			what,
			advice: expect.stringContaining('Nothing goes out.') as string,
		});
	});

	it.each([
		['abc', 'Correct or remove it. Nothing goes out.'],
		['abc, def', 'Correct or remove them. Nothing goes out.'],
	])('cannot be read from %s: what to do', async (value, advice) => {
		expect((await inputErrorFrom(people(value))).advice).toBe(advice);
	});
});

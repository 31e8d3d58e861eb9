import { parseSkipNumbers } from '../../../nodes/MessagingGateway/input/skipNumbers';
import { inputErrorFrom } from '../../support/rooms';

const ONE = '6281234567890';
const TWO = '6281234567891';
const REST = 'Until then the node sends nothing, so that nobody who opted out gets a message.';

it.each([
	['text', `+62 812-3456-7890\n081234567891;${TWO}`],
	['an array', [Number(ONE), '0062 812 3456 7891', null, '']],
])('an opt-out list holds the numbers of %s, however they are written', async (_, value) => {
	const { readings, withoutCode } = await parseSkipNumbers(value, ['62']);
	expect([...readings]).toEqual(expect.arrayContaining([ONE, TWO]));
	expect(withoutCode).toBe(0);
});

it('an opt-out list counts numbers that nobody can tell the country of', async () => {
	expect(await parseSkipNumbers(['0812345678', ONE, '0812345600'], [])).toMatchObject({
		withoutCode: 2,
	});
});

it('an opt-out list is empty if the field is, or if the array is', async () => {
	const none = { readings: new Set(), withoutCode: 0 };
	for (const value of ['', [], null, undefined])
		expect(await parseSkipNumbers(value, [])).toEqual(none);
	expect(await parseSkipNumbers([], [], '={{ [] }}')).toEqual(none);
});

it.each([[' '], [' \n;, '], [['', null]], [[undefined]]])(
	'an opt-out list is refused if it holds no number: %j',
	async (value) => {
		expect(await inputErrorFrom(parseSkipNumbers(value, []))).toMatchObject({
			what: "The option 'Skip Numbers' holds no number",
			advice: `Enter the numbers, or leave the field empty if there are none. ${REST}`,
		});
	},
);

it.each([[undefined], [null], [''], [' '], [','], ['\n'], [[undefined]], [[null, ' ']]])(
	'an opt-out list is refused if its expression gives no number: %j',
	async (value) => {
		const list = parseSkipNumbers(value, [], "={{ $('Opt-outs').item.json.fone }}");
		expect(await inputErrorFrom(list)).toMatchObject({
			what: "The expression in the option 'Skip Numbers' gives no number",
			advice: `Check the name of the field in it. If the list may be empty, use {{ $('Opt-outs').all().filter(i => Object.keys(i.json).length > 0).map(i => i.json.fone) }} ${REST}`,
		});
	},
);

it('an opt-out list is refused with advice about one wrong entry, or about several', async () => {
	const one = await inputErrorFrom(parseSkipNumbers('abc', []));
	const two = await inputErrorFrom(parseSkipNumbers('abc, def', []));
	expect(one.advice).toBe(`Correct or remove it. ${REST}`);
	expect(two.advice).toBe(`Correct or remove them. ${REST}`);
});

it.each([
	[[ONE, 'abc'], '“abc”', 'is not a phone number'],
	['abc, def', '“abc”', 'is not a phone number; 1 more entry is wrong'],
	['abc, def, 5', '“abc”', 'is not a phone number; 2 more entries are wrong'],
	['10.0.0.1', '“10.0.0.1”', 'is an IP address, not a phone number'],
	[['6,28E+12'], '“6,28E+12”', 'is not the whole phone number: your spreadsheet shortened it'],
	[{ phone: ONE }, `“{"phone":"${ONE}"}”`, 'is not a phone number'],
	[NaN, '“NaN”', 'is not a phone number'],
	[false, '“false”', 'is not a phone number'],
	[[[ONE]], `“["${ONE}"]”`, 'is not a phone number'],
])('an opt-out list is refused with a wrong entry: %j', async (value, entry, why) => {
	expect(await inputErrorFrom(parseSkipNumbers(value, [], '={{ $json.a }}'))).toMatchObject({
		what: `${entry} in the option 'Skip Numbers' ${why}`,
		advice: expect.stringContaining('the node sends nothing'),
	});
});

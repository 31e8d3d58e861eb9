import { parseSwitch, toWholeNumber } from '../../../nodes/MessagingGateway/input/optionValue';
it.each([
	[5, 5],
	[2.9, 2],
	[-2.1, -3],
	['7', 7],
	[' 7 ', 7],
	[0, 0],
	[0.2, 1],
	[-0.2, -1],
	[Infinity, 2_147_483_647],
	[1e10, 2_147_483_647],
])('a whole number of %j is %d', (value, expected) => {
	expect(toWholeNumber(value, 50)).toBe(expected);
});

it.each([undefined, null, '', ' ', 'x', NaN, true, false, {}, [1, 2]])(
	'a whole number of %j is the one for want of a number',
	(value) => {
		expect(toWholeNumber(value, 50)).toBe(50);
	},
);

it.each([true, 1, 'true', 'TRUE', 'yes', 'Yes', 'on', '1', ' true\n'])('%j means yes', (value) => {
	expect(parseSwitch(value)).toBe(true);
});

it.each([false, 0, '', 'false', 'FALSE', 'no', 'off', '0', ' no '])('%j means no', (value) => {
	expect(parseSwitch(value)).toBe(false);
});

it.each([undefined, null, NaN, 2, -1, ' ', 'maybe', 'truee', 'not true', '01', [], [true], {}, 1n])(
	'%p means neither yes nor no',
	(value) => {
		expect(parseSwitch(value)).toBeUndefined();
	},
);

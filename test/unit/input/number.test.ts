import { toWholeNumber } from '../../../nodes/MessagingGateway/input/number';
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

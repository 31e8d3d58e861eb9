import { parseSwitch } from '../../../nodes/MessagingGateway/input/switch';

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

import { checkDryRun, readDryRun } from '../../../nodes/MessagingGateway/operations/dryRunOptions';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';

const fail = () => {
	throw new Error('Referenced node does not exist');
};

/** Returns what is wrong. */
function fault(read: () => unknown): string {
	try {
		return String(read());
	} catch (error) {
		return (error as InputError).what;
	}
}

it.each<[string, () => unknown, string]>([
	['nothing', () => undefined, "The expression in the option 'Dry Run' returns nothing"],
	['null', () => null, "The expression in the option 'Dry Run' returns nothing"],
	['another word', () => 'maybe', 'is “maybe”, which means neither yes nor no'],
	['a list', () => [true], 'is an object or a list, which means neither yes nor no'],
])('a dry run refuses everything if its expression gives %s', (_, read, what) => {
	expect(fault(() => readDryRun(read))).toContain(what);
});

it('a dry run refuses everything if its expression fails, and says why', () => {
	expect(fault(() => readDryRun(fail))).toBe(
		"The expression in the option 'Dry Run' failed: Referenced node does not exist",
	);
});

it('a dry run tells what to do about a value that is no choice, and about items that differ', () => {
	expect(() => readDryRun(fail)).toThrow(
		expect.objectContaining({
			advice:
				'Correct it: use true (dry run) or false (send). Until then nothing goes out, so that nobody gets a message by mistake.',
		}),
	);
	expect(() => checkDryRun(fail, true)).toThrow(
		expect.objectContaining({
			advice:
				"'Dry Run' applies to the whole run of the node. In later executions, separate the items with an If node before it.",
		}),
	);
});

it.each<[boolean, unknown, string]>([
	[true, 'yes', 'undefined'],
	[false, 0, 'undefined'],
	[true, false, "The option 'Dry Run' is on for the first item, but not for this one"],
	[true, undefined, "The option 'Dry Run' is on for the first item, but not for this one"],
	[false, true, "The option 'Dry Run' is off for the first item, but not for this one"],
	[false, 'maybe', "The option 'Dry Run' is off for the first item, but not for this one"],
])('a dry run (first item: %j) is compared with %j of another', (isDryRun, value, expected) => {
	expect(fault(() => checkDryRun(() => value, isDryRun))).toBe(expected);
});

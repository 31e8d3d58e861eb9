import type { INode } from 'n8n-workflow';
import { GivenOptions } from '../../../nodes/MessagingGateway/operations/givenOptions';
import { readTestNumber } from '../../../nodes/MessagingGateway/operations/dryRunOptions';
import { InputError } from '../../../nodes/MessagingGateway/shared/inputError';

const given = (options: object) =>
	new GivenOptions({ getNode: () => ({ parameters: { options } }) as unknown as INode });
const SET = given({ testNumber: '={{ $vars.me }}' });

/** Returns the number, or what is wrong. */
function read(from: GivenOptions, value: unknown) {
	try {
		return readTestNumber(from, () => value, '62');
	} catch (error) {
		return (error as InputError).what;
	}
}

it.each<[unknown, string]>([
	['0812 3456 7890', '6281234567890'],
	[6281234567890, '6281234567890'],
	['', "The expression in the option 'Test Number' returns nothing"],
	[undefined, "The expression in the option 'Test Number' returns nothing"],
	[null, "The expression in the option 'Test Number' returns nothing"],
	['me', "“me” in the option 'Test Number' is not a phone number"],
])('the test number %j is read as %j', (value, expected) => {
	expect(read(SET, value)).toBe(expected);
});

it('a test number that may be one of two is refused: it may be that of somebody else', () => {
	expect(read(SET, '819012345678')).toBe(
		"“819012345678” in the option 'Test Number' may be +62819012345678 (Indonesia) or +819012345678 (Japan)",
	);
});

it('a test number that is empty, or whose expression fails, refuses the run and says why', () => {
	expect(read(given({ testNumber: '' }), '')).toBe("The option 'Test Number' is empty");
	const fail = () => {
		throw new Error('Node ‘Never’ hasn’t been executed.');
	};
	expect(() => readTestNumber(SET, fail, '')).toThrow(
		expect.objectContaining({
			what: "The expression in the option 'Test Number' failed: Node ‘Never’ hasn’t been executed",
			advice:
				'Enter your own phone number, or remove the option to send to everybody. Until then nothing goes out.',
		}),
	);
});

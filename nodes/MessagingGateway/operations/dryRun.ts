import { parseSwitch } from '../input/switch';
import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { givenBy, type GivenOptions, guardBy } from './givenOptions';

const ADVICE =
	'Correct it: it has to give true, to send nothing, or false, to send. Until then nothing goes out, so that nobody gets a message by mistake.';

/**
 * Returns whether the option Dry Run is on. Without the option it is off.
 *
 * @param read returns its value for the first item
 * @throws InputError if the value means neither yes nor no: somebody wanted to be safe, and nothing may go out
 */
export function readDryRun(given: GivenOptions, read: () => unknown): boolean {
	if (!given.has('dryRun')) return false;
	const value = guardBy(read, 'Dry Run', ADVICE);
	const isOn = parseSwitch(value);
	if (isOn !== undefined) return isOn;
	throw new InputError(
		value === undefined || value === null
			? "The option 'Dry Run' has an expression that gives nothing"
			: `The option 'Dry Run' is ${shown(value)}, which means neither yes nor no`,
		ADVICE,
	);
}

/** @throws InputError if an item asks otherwise than the first, whose choice holds for the whole run */
export function checkDryRun(read: () => unknown, isDryRun: boolean): void {
	if (parseSwitch(givenBy(read)) === isDryRun) return;
	throw new InputError(
		`The option 'Dry Run' is ${isDryRun ? 'on' : 'off'} for the first item, but not for this one`,
		'One run of the node either sends or sends nothing: in later executions, an If node before it can separate the items.',
	);
}

function shown(value: unknown): string {
	return typeof value === 'object' ? 'an object or a list' : quote(String(value));
}

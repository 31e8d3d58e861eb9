import { Breather } from '../shared/time';
import { InputError } from '../shared/inputError';
import { excerpt } from '../shared/text';
import { doubtOf, type Refusal, refusalOf } from './notAPhoneNumber';
import { type Doubtful, type PhoneNumber, readPhoneNumber } from './phoneNumber';
import { withReadings } from './readings';
import { isBlank, toReadable } from './text';

const MOST_SHOWN = 3;

/** Between two numbers of a list: the end of a line, a comma or a semicolon, in the scripts of the world. */
const SEPARATOR = /[\n\r\v\f\u0085\u2028\u2029,;，﹐،、；﹔؛]/;

export interface Recipients {
	/** Duplicates included. */
	numbers: PhoneNumber[];
	/** Entries that were left out. */
	refusals: LeftOut[];
}

/** An entry that is no recipient: what it is in the list, and one sentence without its period. */
export interface LeftOut {
	asEntered: string;
	why: string;
}

/** An entry that is no recipient. Why is worked out only for those that are told. */
interface Wrong {
	entry: unknown;
	refusal(): Refusal;
}

/** What a list does with entries that cannot be sent to as they are. */
export interface ListRules {
	/** Whether one wrong number refuses the whole list, or is left out. */
	invalid: 'refuse' | 'skip';
	/** A number that is refused is a wrong one. */
	doubtful: Doubtful;
	/** Where some have opted out: the country codes with which a number is compared with theirs. */
	countryCodes?: readonly string[];
}

/**
 * Resolves to the numbers of a bulk list.
 *
 * @param value text with one number per line, or separated by commas or semicolons; or an array
 * @throws InputError if the list is empty or refused, naming wrong numbers
 */
export async function parseRecipients(
	value: unknown,
	countryCode: string,
	{ invalid, doubtful, countryCodes }: ListRules,
): Promise<Recipients> {
	const numbers: PhoneNumber[] = [];
	const wrong: Wrong[] = [];
	const breather = new Breather();
	for (const entry of entriesOf(value)) {
		if (breather.isDue()) await breather.breathe();
		const number = readPhoneNumber(entry, countryCode);
		if (number?.isDoubtful && doubtful === 'refuse') {
			wrong.push({ entry, refusal: () => doubtOf(entry, countryCode) });
		} else if (number) numbers.push(withReadings(number, countryCodes));
		else if (!isBlank(entry)) wrong.push({ entry, refusal: () => refusalOf(entry) });
	}
	if (wrong.length > 0 && numbers.length === 0) throw listRefused(wrong);
	if (wrong.length > 0 && invalid === 'refuse') throw mayBeSkipped(listRefused(wrong));
	if (numbers.length === 0) {
		throw new InputError(
			'The list of phone numbers is empty',
			'Enter one number per line, or check the expression that provides them.',
		);
	}
	const refusals: LeftOut[] = [];
	for (const { entry, refusal } of wrong) {
		refusals.push({ asEntered: excerpt(toReadable(entry)), why: toSentence(refusal()) });
		if (breather.isDue()) await breather.breathe();
	}
	return { numbers, refusals };
}

/** Returns the entries of a list, blank ones included. */
export function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? value.split(SEPARATOR) : [value];
}

function listRefused(wrong: readonly Wrong[]): InputError {
	const refusals = wrong.slice(0, MOST_SHOWN).map(({ refusal }) => refusal());
	const more = wrong.length - refusals.length;
	return new InputError(
		`${refusals.map(toSentence).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
		(refusals[0] as Refusal).advice,
	);
}

/** A list is refused whole, but its other numbers can do without the wrong ones. */
function mayBeSkipped({ what, advice }: InputError): InputError {
	const skip = "To send to the other numbers only, set the option 'Invalid Numbers' to 'Skip'.";
	return Object.assign(new InputError(what, `${advice} ${skip}`), {
		parameter: 'options.invalidNumbers',
	});
}

function toSentence({ entry, reason }: Refusal): string {
	return `${entry} ${reason}`;
}

import { Breather } from '../shared/breather';
import { InputError } from '../shared/inputError';
import { refusalOf, type Refusal } from './notAPhoneNumber';
import { readPhoneNumber, type PhoneNumber } from './phoneNumber';
import { isBlank } from './text';

const MOST_SHOWN = 3;

export interface Recipients {
	/** Duplicates included. */
	numbers: PhoneNumber[];
	/** For each entry that was left out, one sentence without its period. */
	refused: string[];
}

/**
 * Resolves to the numbers of a bulk list.
 *
 * @param value text with one number per line, or separated by commas or semicolons; or an array
 * @param invalid whether one wrong number refuses the whole list, or is left out
 * @throws InputError if the list is empty or refused, naming wrong numbers
 */
export async function parseRecipients(
	value: unknown,
	countryCode: string,
	invalid: 'refuse' | 'skip' = 'refuse',
): Promise<Recipients> {
	const { numbers, refusals } = await readList(value, countryCode);
	const [first] = refusals;
	if (first && (invalid === 'refuse' || numbers.length === 0)) throw listRefused(refusals, first);
	if (numbers.length === 0) {
		throw new InputError(
			'The list of phone numbers is empty',
			'Enter one number per line, or check the expression that provides them.',
		);
	}
	return { numbers, refused: refusals.map(toSentence) };
}

/**
 * Resolves to the digits of an opt-out list, none if the list is empty.
 *
 * @param value like that of `parseRecipients`
 * @throws InputError if an entry is not a phone number: the person who opted out would get messages
 */
export async function parseSkipNumbers(value: unknown, countryCode: string): Promise<Set<string>> {
	const { numbers, refusals } = await readList(value, countryCode);
	const [first] = refusals;
	if (first) {
		const more = refusals.length - 1;
		throw new InputError(
			`The option 'Skip Numbers' contains ${first.entry}, which ${first.reason}${more > 0 ? `, and ${more} more like that` : ''}`,
			'Correct or remove the entry. Until then nobody gets a message, so that nobody who opted out gets one.',
		);
	}
	return new Set(numbers.map(({ digits }) => digits));
}

async function readList(
	value: unknown,
	countryCode: string,
): Promise<{ numbers: PhoneNumber[]; refusals: Refusal[] }> {
	const numbers: PhoneNumber[] = [];
	const refusals: Refusal[] = [];
	const breather = new Breather();
	for (const entry of entriesOf(value)) {
		const number = readPhoneNumber(entry, countryCode);
		if (number) numbers.push(number);
		else if (!isBlank(entry)) refusals.push(refusalOf(entry));
		if (breather.isDue()) await breather.breathe();
	}
	return { numbers, refusals };
}

function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? value.split(/[\n\r,;]/) : [value];
}

function listRefused(refusals: Refusal[], { advice }: Refusal): InputError {
	const shown = refusals.slice(0, MOST_SHOWN).map(toSentence);
	const more = refusals.length - shown.length;
	return new InputError(
		`${shown.join('; ')}${more > 0 ? `; and ${more} more like that` : ''}`,
		advice,
	);
}

function toSentence({ entry, reason }: Refusal): string {
	return `${entry} ${reason}`;
}

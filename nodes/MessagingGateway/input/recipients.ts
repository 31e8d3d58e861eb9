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
	refusals: string[];
}

/**
 * Resolves to the numbers of a bulk list.
 *
 * @param value text with one number per line, or separated by commas or semicolons; or an array
 * @param invalid whether one wrong number refuses the whole list, or is left out
 * @throws InputError if the list is empty or refusals, naming wrong numbers
 */
export async function parseRecipients(
	value: unknown,
	countryCode: string,
	invalid: 'refuse' | 'skip' = 'refuse',
): Promise<Recipients> {
	const { numbers, wrong } = await readList(value, countryCode);
	if (wrong.length > 0 && (invalid === 'refuse' || numbers.length === 0)) throw listRefused(wrong);
	if (numbers.length === 0) {
		throw new InputError(
			'The list of phone numbers is empty',
			'Enter one number per line, or check the expression that provides them.',
		);
	}
	const refusals: string[] = [];
	const breather = new Breather();
	for (const entry of wrong) {
		refusals.push(toSentence(refusalOf(entry)));
		if (breather.isDue()) await breather.breathe();
	}
	return { numbers, refusals };
}

/**
 * Resolves to the digits of an opt-out list, none if the list is empty.
 *
 * @param value like that of `parseRecipients`
 * @throws InputError if an entry is not a phone number: somebody who opted out would get messages
 */
export async function parseSkipNumbers(value: unknown, countryCode: string): Promise<Set<string>> {
	const { numbers, wrong } = await readList(value, countryCode);
	if (wrong.length > 0) {
		const { entry, reason } = refusalOf(wrong[0]);
		const others = wrong.length - 1;
		const more =
			others > 0 ? `; ${others} more ${others === 1 ? 'entry is' : 'entries are'} wrong` : '';
		throw new InputError(
			`${entry} in the option 'Skip Numbers' ${reason}${more}`,
			`Correct or remove ${more ? 'them' : 'it'}. Until then the node sends nothing, so that nobody who opted out gets a message.`,
		);
	}
	// A spreadsheet may have dropped the 0 of somebody who opted out: neither reading gets a message.
	return new Set(
		numbers.flatMap(({ digits, withZero }) =>
			withZero === undefined ? [digits] : [digits, withZero],
		),
	);
}

/** Resolves to the numbers of a list, and to the entries that are something else. */
async function readList(
	value: unknown,
	countryCode: string,
): Promise<{ numbers: PhoneNumber[]; wrong: unknown[] }> {
	const numbers: PhoneNumber[] = [];
	const wrong: unknown[] = [];
	const breather = new Breather();
	for (const entry of entriesOf(value)) {
		const number = readPhoneNumber(entry, countryCode);
		if (number) numbers.push(number);
		else if (!isBlank(entry)) wrong.push(entry);
		if (breather.isDue()) await breather.breathe();
	}
	return { numbers, wrong };
}

function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? value.split(/[\n\r,;]/) : [value];
}

function listRefused(wrong: unknown[]): InputError {
	const refusals = wrong.slice(0, MOST_SHOWN).map(refusalOf);
	const more = wrong.length - refusals.length;
	return new InputError(
		`${refusals.map(toSentence).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
		refusals[0]?.advice ?? '',
	);
}

function toSentence({ entry, reason }: Refusal): string {
	return `${entry} ${reason}`;
}

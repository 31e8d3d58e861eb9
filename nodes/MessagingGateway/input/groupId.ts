import { InputError } from '../shared/inputError';
import { quote } from '../shared/text';
import { toIdentifier, toRequiredText } from './text';

/** How spreadsheets and programs write long numbers, after which some of the last digits are gone. */
const SHORTENED = /^\d+[.,]\d+(?:e\+?\d+)?(?:@.*)?$|^\d+e\+\d+(?:@.*)?$/i;

const LINK = /^(?:https?:\/\/|(?:[\w-]+\.)+[a-z]{2,}\/)/i;
/** A number with a plus sign, or an address in a chat with one person. Digits alone may be the ID of a group. */
const PERSON = /^(?:[a-z]+:)?\s*\+[\d\s().-]{6,}$|@(?:c\.us|s\.whatsapp\.net|lid)$/i;

/** Characters. Anything longer is not an ID. */
const LONGEST_ID = 1_000;

export interface GroupId {
	id: string;
	/** It has letters and spaces, as in “Class 5B”: people confuse a group's ID with its name. */
	looksLikeName: boolean;
}

/**
 * Returns the ID of a group.
 *
 * @param name what the ID is called inside a sentence, e.g. “chat group ID”
 * @throws InputError if it cannot be one part of an address's path, or a spreadsheet shortened it
 */
export function toGroupId(value: unknown, name: string): GroupId {
	const id = toRequiredText(toIdentifier(value, name), name);
	if (id === '.' || id === '..' || id.length > LONGEST_ID) {
		throw new InputError(`${quote(id)} is not a ${name}`, `Copy the ${name} from your gateway.`);
	}
	const other = LINK.test(id) ? 'a link' : PERSON.test(id) ? 'a phone number' : undefined;
	if (other !== undefined) {
		throw new InputError(
			`${quote(id)} is ${other}, not a ${name}`,
			`Copy the ${name} from your gateway.`,
		);
	}
	if (SHORTENED.test(id)) {
		throw new InputError(
			`${quote(id)} is not the whole ${name}: your spreadsheet shortened it`,
			'Format the column as text in the spreadsheet and enter the whole ID again.',
		);
	}
	return { id, looksLikeName: /\p{L}/u.test(id) && /[\s\p{Z}]/u.test(id) };
}

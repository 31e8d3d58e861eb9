import { Breather } from '../shared/time';
import { InputError } from '../shared/inputError';
import { excerpt } from '../shared/text';
import { isBlank, toReadable } from '../input/text';
import {
	type Doubtful,
	isUsable,
	type PhoneNumber,
	readPhoneNumber,
	whyRefused,
} from './phoneNumber';
import { accountOf as ownerOf, countryCodeIn, digitsIn } from './plan';
import type { Refusal } from './written';

const MOST_SHOWN = 3;

/** Between two numbers of a list: the end of a line, a comma or a semicolon, in the scripts of the world. */
const SEPARATOR = /[\n\r\v\f\u0085\u2028\u2029,;，﹐،、；﹔؛]/;

export interface Recipients {
	/** Duplicates included. */
	numbers: PhoneNumber[];
	/** Entries that were left out. */
	refusals: LeftOut[];
}

/** An entry that is not a recipient: its text in the list, and one sentence without its period. */
export interface LeftOut {
	asEntered: string;
	why: string;
}

/** An entry that is not a recipient. The reason is worked out only for entries that are reported. */
interface Wrong {
	entry: unknown;
	number?: PhoneNumber;
}

/** How a list treats entries that cannot be sent to as they are. */
export interface ListRules {
	/** Whether one wrong number refuses the whole list, or is left out. */
	invalid: 'refuse' | 'skip';
	/** A refused number counts as a wrong one. */
	doubtful: Doubtful;
}

/** Returns the entries of a list, blank ones included. */
export function entriesOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return typeof value === 'string' ? value.split(SEPARATOR) : [value];
}

/** Resolves to the numbers of a list, and to its other entries, without the blank ones. */
async function readList(
	value: unknown,
	countryCode: string,
	doubtful: Doubtful,
): Promise<{ numbers: PhoneNumber[]; wrong: Wrong[] }> {
	const numbers: PhoneNumber[] = [];
	const wrong: Wrong[] = [];
	const breather = new Breather();
	for (const entry of entriesOf(value)) {
		if (breather.isDue()) await breather.breathe();
		if (isBlank(entry)) continue;
		const number = readPhoneNumber(entry, countryCode);
		if (isUsable(number, doubtful)) numbers.push(number);
		else wrong.push({ entry, number });
	}
	return { numbers, wrong };
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
	{ invalid, doubtful }: ListRules,
): Promise<Recipients> {
	const { numbers, wrong } = await readList(value, countryCode, doubtful);
	if (wrong.length > 0 && numbers.length === 0) throw listRefused(wrong);
	if (wrong.length > 0 && invalid === 'refuse') throw mayBeSkipped(listRefused(wrong));
	if (numbers.length === 0) {
		throw new InputError(
			'The list of phone numbers is empty',
			'Enter one number per line, or check the expression that provides them.',
		);
	}
	const breather = new Breather();
	const refusals: LeftOut[] = [];
	for (const { entry, number } of wrong) {
		refusals.push({
			asEntered: excerpt(toReadable(entry)),
			why: toSentence(whyRefused(entry, number)),
		});
		if (breather.isDue()) await breather.breathe();
	}
	return { numbers, refusals };
}

function listRefused(wrong: readonly Wrong[]): InputError {
	const refusals = wrong.slice(0, MOST_SHOWN).map(({ entry, number }) => whyRefused(entry, number));
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

/** An option that lists the numbers to skip, or the only numbers to send to. */
export interface ListOption {
	/** “Skip Numbers”. */
	label: string;
	/** One sentence: nothing is sent until the list can be read. */
	untilThen: string;
	/** The advice if the list may be empty. */
	ifEmpty: string;
	/** Items have their own country codes, so a number without one may belong to any of these countries. */
	isReadByItem?: boolean;
}

/**
 * Resolves to the people in a list of numbers.
 *
 * @param value like that of a bulk list; a field left empty and an empty array are an empty list
 * @param isExpression whether an expression provides it: then it must not be empty
 * @throws InputError if an entry is not certainly a phone number, or all are blank
 */
export async function parsePeople(
	value: unknown,
	countryCode: string,
	isExpression: boolean,
	{ label, untilThen, ifEmpty, isReadByItem }: ListOption,
): Promise<People> {
	if (isEmptyList(value, isExpression)) return new People([]);
	const { numbers, wrong } = await readList(value, countryCode, 'refuse');
	if (wrong.length > 0) {
		const [{ entry, number }] = wrong as [Wrong];
		const { entry: shown, reason } = whyRefused(entry, number);
		const others = wrong.length - 1;
		const more =
			others > 0 ? `; ${others} more ${others === 1 ? 'entry is' : 'entries are'} wrong` : '';
		throw new InputError(
			`${shown} in the option '${label}' ${reason}${more}`,
			`Correct or remove ${more ? 'them' : 'it'}. ${untilThen}`,
		);
	}
	if (numbers.length > 0) return new People(numbers, isReadByItem);
	throw isExpression
		? new InputError(
				`The expression in the option '${label}' returns no number`,
				`Check the name of the field in it. ${ifEmpty} ${untilThen}`,
			)
		: new InputError(
				`The option '${label}' holds no number`,
				`Enter the numbers, or leave the field empty if there are none. ${untilThen}`,
			);
}

function isEmptyList(value: unknown, isExpression: boolean): boolean {
	if (Array.isArray(value)) return value.length === 0;
	return !isExpression && (value === '' || value === null || value === undefined);
}

/** The people in a list of numbers. */
export class People {
	/** One form of each number, with 0 in front if the country is unknown. */
	private readonly owners = new Set<string>();
	/** As entered without a country code, and without zeros in front. */
	private readonly entered = new Set<string>();
	/** Numbers as entered whose country is one of several, or known only to the gateway. */
	private readonly locals: string[] = [];
	/** The country codes of the others. */
	private readonly codes = new Set<string>();
	/** By country code: the owners of the local numbers in that country. */
	private readonly localsByCode = new Map<string, Set<string>>();
	/** How many entries there are. */
	readonly size: number;

	/** How many numbers have no country code, neither of their own nor a Default Country Code. */
	readonly withoutCode: number = 0;

	constructor(numbers: readonly PhoneNumber[], isReadByItem = false) {
		this.size = numbers.length;
		for (const number of numbers) {
			this.owners.add(ownerOf(number.digits));
			if (!number.isInternational) this.entered.add(withoutZeros(number.asEntered));
			const isEverywhere = isReadByItem && !number.isInternational;
			if (isLocal(number) || isEverywhere) this.locals.push(number.asEntered);
			if (isLocal(number)) this.withoutCode++;
			else this.codes.add(countryCodeIn(number.digits));
		}
	}

	/**
	 * Whether a recipient is one of them, however both are written; `unclear` if the recipient's number is ambiguous. If
	 * only one of the two has a country code, the other is read as a number of that country.
	 */
	mayInclude(number: PhoneNumber): boolean | 'unclear' {
		if (this.size === 0) return false;
		if (!number.isInternational && this.entered.has(withoutZeros(number.asEntered))) return true;
		if (number.doubt) return 'unclear';
		if (this.includes(number)) return true;
		const { digits } = number;
		if (isLocal(number)) {
			return [...this.codes].some((code) => this.owners.has(ownerIn(code, digits)));
		}
		return this.locals.length > 0 && this.localsIn(countryCodeIn(digits)).has(ownerOf(digits));
	}

	/** Whether a recipient certainly is one of them. */
	includes(number: PhoneNumber): boolean {
		return !number.doubt && this.owners.has(ownerOf(number.digits));
	}

	private localsIn(code: string): Set<string> {
		const known = this.localsByCode.get(code);
		if (known) return known;
		const owners = new Set(this.locals.map((digits) => ownerIn(code, digits)));
		this.localsByCode.set(code, owners);
		return owners;
	}
}

/** Returns the owner of a number inside a country. */
function ownerIn(countryCode: string, digits: string): string {
	return ownerOf(digitsIn(countryCode, digits));
}

/** Only the gateway knows its country. */
function isLocal({ digits }: PhoneNumber): boolean {
	return digits.startsWith('0') && !digits.startsWith('00');
}

function withoutZeros(digits: string): string {
	return digits.replace(/^0+/, '');
}

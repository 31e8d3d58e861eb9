import { Breather } from '../shared/time';
import { getOrAdd } from '../shared/getOrAdd';
import { InputError } from '../shared/inputError';
import { excerpt, figure, sentences } from '../shared/text';
import { listIn } from '../input/shape';
import { isBlank, toReadable } from '../input/text';
import { type Doubtful, isLocal, type PhoneNumber, readPhoneNumber } from './phoneNumber';
import { accountOf, countryCodeIn, homeOf, readAtHome } from './plan';

/** How many wrong entries of a bulk list an error names. */
const MOST_SHOWN = 3;

/** Between two numbers of a list: the end of a line, a comma or a semicolon, in the scripts of the world. */
const SEPARATOR = /[\n\r\v\f\u0085\u2028\u2029,;，﹐،、；﹔؛]/;

/** How a list treats entries that cannot be sent to as they are. */
export interface ListRules {
	/** Whether one wrong number refuses the whole list, or is left out. */
	invalid: 'refuse' | 'skip';
	/** A refused number counts as a wrong one. */
	doubtful: Doubtful;
}

/** Returns the entries of a list, blank ones included. */
export function entriesOf(value: unknown): unknown[] {
	const list = listIn(value);
	if (list) return list;
	return typeof value === 'string' ? value.split(SEPARATOR) : [value];
}

/** An entry that is not a phone number. */
interface Wrong {
	/** Its text in the list. */
	asEntered: string;
	/** One sentence without its period. */
	why: string;
	advice: string;
}

/** Takes the numbers of a list, without the blank entries. Resolves to the wrong ones. */
async function readList(
	value: unknown,
	read: (entry: unknown) => PhoneNumber | InputError,
	take: (number: PhoneNumber) => void,
): Promise<Wrong[]> {
	const wrong: Wrong[] = [];
	const breather = new Breather();
	for (const entry of entriesOf(value)) {
		if (breather.isDue()) await breather.breathe();
		if (isBlank(entry)) continue;
		const number = read(entry);
		if (number instanceof InputError) {
			const { what: why, advice } = number;
			wrong.push({ asEntered: excerpt(toReadable(entry)), why, advice });
		} else take(number);
	}
	return wrong;
}

/** Names the first wrong entries, and counts the others. */
function whatIsWrong(wrong: readonly Wrong[], most: number): string {
	const named = wrong.slice(0, most).map(({ why }) => why);
	if (wrong.length > most) named.push(`and ${figure(wrong.length - most)} more`);
	return named.join('; ');
}

/**
 * Resolves to the numbers of a bulk list, duplicates included, and to the entries that were left out.
 *
 * @param value text with one number per line, or separated by commas or semicolons; or an array
 * @throws InputError if the list is empty or refused, naming wrong numbers
 */
export async function parseRecipients(
	value: unknown,
	countryCode: string,
	{ invalid, doubtful }: ListRules,
): Promise<{ numbers: PhoneNumber[]; refusals: Wrong[] }> {
	const numbers: PhoneNumber[] = [];
	const refusals = await readList(
		value,
		(entry) => readPhoneNumber(entry, countryCode, doubtful),
		(number) => numbers.push(number),
	);
	const isEmpty = numbers.length === 0;
	const [first] = refusals;
	if (first && (isEmpty || invalid === 'refuse')) {
		const skip = "To send to the other numbers only, set the option 'Invalid Numbers' to 'Skip'.";
		const advice = isEmpty ? first.advice : `${first.advice} ${skip}`;
		throw new InputError(whatIsWrong(refusals, MOST_SHOWN), advice);
	}
	if (!isEmpty) return { numbers, refusals };
	throw new InputError(
		'The list of phone numbers is empty',
		'Enter one number per line, or check the expression that provides them.',
	);
}

/** An option that lists the numbers to skip, or the only numbers to send to. */
export interface ListOption {
	/** “Skip Numbers”. */
	label: string;
	/** One sentence: nothing is sent until the list can be read. */
	untilThen: string;
	/** The advice if the list may be empty. */
	ifEmpty?: string;
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
	const people = new People(isReadByItem);
	const isEmptyArray = listIn(value)?.length === 0;
	if (isEmptyArray || (!isExpression && (value ?? '') === '')) return people;
	const wrong = await readList(
		value,
		(entry) => readPhoneNumber(entry, countryCode, 'refuse', ` in the option '${label}'`),
		(number) => people.add(number),
	);
	if (wrong.length > 0) {
		const those = wrong.length === 1 ? 'it' : 'them';
		throw new InputError(whatIsWrong(wrong, 1), `Correct or remove ${those}. ${untilThen}`);
	}
	if (people.size > 0) return people;
	throw isExpression
		? new InputError(
				`The expression in the option '${label}' returns no number`,
				sentences('Check the name of the field in it.', ifEmpty, untilThen),
			)
		: new InputError(
				`The option '${label}' holds no number`,
				`Enter the numbers, or leave the field empty if there are none. ${untilThen}`,
			);
}

/** Digits by which numbers without a country code are looked up. */
const LONGEST_END = 5;

/** The people in a list of numbers. */
export class People {
	/** By account: the forms of its number in the list, with a space between them. */
	private readonly accounts = new Map<string, string>();
	private readonly countryCodes = new Set<string>();
	/** Numbers as entered without a country code, and without zeros in front. */
	private readonly entered = new Set<string>();
	/** Numbers as entered that may belong to any country, by their last digits, which are the same in all forms. */
	private readonly anywhere = new Map<string, string[]>();
	/** How many entries there are. */
	size = 0;
	/** How many numbers have no country code, neither of their own nor a Default Country Code. */
	withoutCode = 0;

	constructor(private readonly isReadByItem = false) {}

	/** Adds a number that is certain. */
	add(number: PhoneNumber): void {
		const { digits, asEntered, isInternational } = number;
		this.size++;
		if (isLocal(number)) this.withoutCode++;
		const account = accountOf(digits);
		const known = this.accounts.get(account);
		if (known === undefined) this.accounts.set(account, digits);
		else if (!known.split(' ').includes(digits)) this.accounts.set(account, `${known} ${digits}`);
		this.countryCodes.add(countryCodeIn(digits));
		if (isInternational) return;
		this.entered.add(withoutZeros(asEntered));
		if (!isLocal(number) && !this.isReadByItem) return;
		const alike = getOrAdd(this.anywhere, withoutZeros(asEntered).slice(-LONGEST_END), () => []);
		if (!alike.includes(asEntered)) alike.push(asEntered);
	}

	/**
	 * Whether a recipient is one of them, however both are written; `unclear` if the recipient's number is ambiguous. If
	 * only one of the two has a country code, the other is read as a number of that country.
	 */
	mayInclude(number: PhoneNumber): boolean | 'unclear' {
		const { digits, asEntered, isInternational, doubt } = number;
		const account = accountOf(digits);
		// Digits of the list that were read as a number at home may be one from abroad.
		if (this.entered.has(isInternational ? digits : withoutZeros(asEntered))) return true;
		if (doubt) return this.size > 0 && 'unclear';
		if (this.accounts.has(account)) return true;
		const isIn = (code: string) => accountsIn(code, digits).some((each) => this.accounts.has(each));
		if (isLocal(number)) return [...this.countryCodes].some(isIn);
		// The shortest numbers have four digits.
		const alike = [LONGEST_END, 4].flatMap((end) => this.anywhere.get(digits.slice(-end)) ?? []);
		return alike.some((each) => accountsIn(countryCodeIn(digits), each).includes(account));
	}

	/**
	 * Whether a recipient certainly is one of them: the same number, or its form with more or fewer digits. If both forms
	 * have as many digits, only their ends are the same, and they may be numbers of two people.
	 */
	includes({ digits, doubt }: PhoneNumber): boolean {
		const forms = doubt ? undefined : this.accounts.get(accountOf(digits))?.split(' ');
		return forms?.some((each) => each === digits || each.length !== digits.length) ?? false;
	}
}

function withoutZeros(digits: string): string {
	return digits.replace(/^0+/, '');
}

/** Returns the accounts of a number inside a country, with a 0 in front of it that may be needless there. */
function accountsIn(countryCode: string, local: string): string[] {
	const home = homeOf(countryCode);
	if (!home) return [];
	const writings = new Set([local, withoutZeros(local)]);
	return [...writings].map((each) => accountOf(readAtHome(home, each).digits));
}

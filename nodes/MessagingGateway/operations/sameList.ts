import type { ListedRecipients } from './recipient';

/** Lists that are remembered: those that came last. */
const MOST_LISTS = 20;

interface Known {
	value: unknown;
	rules: string;
	recipients: ListedRecipients;
}

/** Reads each list of a run once: an expression that gives all numbers gives them again for every item. */
export class SameList {
	private readonly known: Known[] = [];

	/**
	 * Resolves to the recipients of a list: to the very same object for an equal list that is read by equal rules.
	 *
	 * @param read reads the list; what it throws is not remembered
	 */
	async recipientsOf(
		value: unknown,
		rules: string,
		read: () => Promise<ListedRecipients>,
	): Promise<ListedRecipients> {
		const same = this.known.find((each) => each.rules === rules && isEqual(each.value, value));
		if (same) return same.recipients;
		const recipients = await read();
		this.known.unshift({ value, rules, recipients });
		this.known.length = Math.min(this.known.length, MOST_LISTS);
		return recipients;
	}
}

function isEqual(one: unknown, other: unknown): boolean {
	if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
	return one.length === other.length && one.every((entry, at) => entry === other[at]);
}

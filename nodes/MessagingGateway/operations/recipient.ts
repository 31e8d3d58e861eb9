import type { Message, Recipient } from '../delivery/message';
import type { GroupId } from '../input/groupId';
import type { PhoneNumber } from '../numbers/phoneNumber';

/** A number that an item asks for, and why it gets nothing, if it must not get anything. */
export type AskedNumber = PhoneNumber & Pick<Recipient, 'skip'>;

/** The recipients of a list, and the entries that were left out. */
export type ListedRecipients = Pick<Message, 'recipients' | 'refusals'>;

export function toNumber({ digits, asEntered, skip }: AskedNumber): Recipient {
	// A Default Country Code would have replaced the 0.
	const isLocal = digits.startsWith('0') && !digits.startsWith('00');
	return {
		to: digits,
		asEntered,
		...(skip && { skip }),
		...(isLocal && { doubt: 'hasNoCountryCode' }),
	};
}

export function toGroup({ id, looksLikeName }: GroupId): Recipient {
	return { to: id, asEntered: id, ...(looksLikeName && { doubt: 'looksLikeName' }) };
}

import type { Recipient } from '../delivery/message';
import type { PhoneNumber } from '../input/phoneNumber';
import type { GroupId } from '../input/text';

export function toNumber({ digits, written, mayLackZero }: PhoneNumber): Recipient {
	return { to: digits, written, ...(mayLackZero && { doubt: 'mayLackZero' }) };
}

export function toGroup({ id, looksLikeName }: GroupId): Recipient {
	return { to: id, written: id, ...(looksLikeName && { doubt: 'looksLikeName' }) };
}

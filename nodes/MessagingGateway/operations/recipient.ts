import type { Recipient } from '../delivery/message';
import type { PhoneNumber } from '../input/phoneNumber';
import type { GroupId } from '../input/groupId';

export function toNumber({ digits, asEntered, readings }: PhoneNumber): Recipient {
	// A Default Country Code would have replaced the 0.
	const isLocal = digits.startsWith('0') && !digits.startsWith('00');
	return {
		to: digits,
		asEntered,
		...(readings && { readings }),
		...(isLocal && { doubt: 'hasNoCountryCode' }),
	};
}

export function toGroup({ id, looksLikeName }: GroupId): Recipient {
	return { to: id, asEntered: id, ...(looksLikeName && { doubt: 'looksLikeName' }) };
}

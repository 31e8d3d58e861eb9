import type { Blame } from './outcome';

/**
 * Returns whose fault it is that the gateway refused a message; undefined for that of the message itself.
 *
 * @param code the status, or the code in the answer
 * @param mayKnowPath whether something that knows the path gave the answer, or the path names the recipient
 */
export function blameOf(code: number, mayKnowPath: boolean): Blame | undefined {
	switch (code) {
		// The token, or the sign-in of a proxy.
		case 401:
		case 407:
			return 'subscription';
		// A path that nobody knows; or a device, contact group or recipient that the gateway does not know.
		case 404:
		case 405:
			return mayKnowPath ? 'maybeRecipient' : 'subscription';
		// What this token may send, or to whom; a Device ID, or a number.
		case 403:
		case 422:
			return 'maybeRecipient';
		default:
			return undefined;
	}
}

/** Returns whether the gateway refused what the message says, and would again. */
export function isMistake(code: number): boolean {
	return [400, 413, 415, 422].includes(code);
}

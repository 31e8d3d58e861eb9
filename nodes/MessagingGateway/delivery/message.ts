import type { Failure } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Deadline } from '../shared/deadline';
import type { Opening, Upload } from '../shared/file';

/** A phone number or a group. */
export interface Recipient {
	/** As the gateway gets it. */
	to: string;
	/** As the item has it. Settings, such as the Default Country Code, do not change it. */
	asEntered: string;
	/** Why it must not get anything. Absent if it may. */
	skip?: 'optedOut' | 'unclear' | 'notAllowed';
	/** A reason to check the recipient, although the message can be sent. */
	doubt?: 'hasNoCountryCode' | 'isAbroad' | 'mayBeAbroad' | 'looksLikeName';
}

/**
 * The message that one input item asks for: its content and recipients, but not when, how often or in which requests
 * it goes out.
 */
export interface Message {
	/**
	 * Tells one text from another: equal texts of bulk messages share requests, and the hint about *Send Bulk* counts
	 * equal single ones. Absent for a message with a file.
	 */
	identity?: string;
	/** May hold duplicates. Of a list that comes back for every item, the same array. */
	recipients: Recipient[];
	/** Entries of a list that are not recipients, each with the reason: one sentence without its period. */
	refusals: Array<{ asEntered: string; why: string }>;
	/**
	 * `single`: one recipient, one request. `list`: its recipients share requests.
	 * `grouped`: its recipients share requests with those of equal messages in other items.
	 */
	travels: 'single' | 'list' | 'grouped';
	/** Whether a reply comes back. Only the execution that sent the message can get it, not a retry. */
	expectsReply?: boolean;
	/**
	 * Fetches the file that goes with it. Absent if there is none.
	 *
	 * @throws InputError if the file cannot be sent
	 */
	openFile?(opening: Opening): Promise<Upload>;
	/** Returns the request that sends it, with its file. */
	requestTo(recipients: string[], file?: Upload): GatewayRequest;
}

/** A message that is ready to be sent, with its item and its Send-Once Key. */
export interface ReadyItem {
	/** The index of the input item. */
	index: number;
	/** '' if the item has none. */
	sendOnceKey: string;
	message: Message;
	/** Milliseconds that one request may take; 0 is no limit. */
	timeout: number;
	/** Undefined if it may go out at any time. */
	sendBefore?: Deadline;
}

/** An item that was read: its message, or why it cannot be sent. */
export type ReadItem = ReadyItem | { index: number; failure: Failure };

import type { Failure } from '../gateway/outcome';
import type { GatewayRequest } from '../gateway/request';
import type { Upload } from '../shared/file';

/** A phone number or a group. */
export interface Recipient {
	/** As the gateway gets it. */
	to: string;
	/** As the item has it. Settings, such as the Default Country Code, do not change it. */
	asEntered: string;
	/** Why it gets nothing, if it must not get anything. */
	skip?: 'optedOut' | 'unclear' | 'notAllowed';
	/** What a person should look at, although the message can be sent. */
	doubt?: 'hasNoCountryCode' | 'looksLikeName';
}

/** What one input item asks for: what to send and to whom, but not when, how often, or how it travels. */
export interface Message {
	/** What its recipients get, besides the file. Messages with equal words travel together, or could. */
	words: string;
	/** The device, for texts that may go out through several. */
	device: string;
	/** May hold duplicates. Equal lists of a run are the same array. */
	recipients: Recipient[];
	/** Values of a list that are no recipients, each with why: one sentence without its period. */
	refusals: Array<{ asEntered: string; why: string }>;
	/**
	 * `single`: one recipient, one request. `list`: its recipients share requests.
	 * `grouped`: its recipients share requests with those of equal messages in other items.
	 */
	travels: 'single' | 'list' | 'grouped';
	/** Whether a reply comes back, to the execution that sends it and to no other, such as a retry. */
	expectsReply?: boolean;
	/**
	 * Opens the file that goes with it. Absent if there is none.
	 *
	 * @throws InputError if the file cannot be sent
	 */
	openFile?(): Promise<Upload>;
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
}

/** An item that was read: its message, or why it cannot be sent. */
export type ReadItem = ReadyItem | { index: number; failure: Failure };

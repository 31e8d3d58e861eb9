import type { GatewayRequest } from '../gateway/request';

/** What one input item asks for: what to send and to whom, but not when, how often or how it travels. */
export type Message = SingleMessage | BulkMessage;

export interface SingleMessage {
	kind: 'single';
	/** Messages for one recipient keep the order of their items. */
	recipient: string;
	/** Equal for two messages only where their recipients would see the same. */
	identity: string;
	/** @throws InputError where the file cannot be sent */
	prepare(): Promise<GatewayRequest>;
}

export interface BulkMessage {
	kind: 'bulk';
	/** Equal for two messages with the same text through the same device. */
	identity: string;
	/** Digits; may hold duplicates. */
	recipients: string[];
	/** Travels together with the equal messages of other items. */
	acrossItems: boolean;
	requestTo(numbers: string[]): GatewayRequest;
}

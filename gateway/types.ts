import type { Plan } from './plan';

export type Endpoint =
	| 'v1/send'
	| 'v1/sendbulk'
	| 'v1/sendgroup'
	| 'v2/send-image'
	| 'v2/send-group-image'
	| 'v2/send-document'
	| 'v2/send-group-document';

export interface GatewayOptions {
	/** 0 chooses a free one. */
	port?: number;
	host?: string;
	/** Such as `/tenant-7`; every path lies below it. */
	pathPrefix?: string;
	token?: string;
	deviceId?: string;
	/** Digits that take the place of a leading 0 in the records. */
	countryCode?: string;
	tls?: { key: string; cert: string };
	/** `bytes` keeps files for the inbox page (16 MB each, 64 MB in all); `hash` only their SHA-256. */
	keepFiles?: 'hash' | 'bytes';
	/** Beyond it requests get 429. */
	plan?: Plan;
	/** Off for runs of many thousands of requests. */
	keepRequests?: boolean;
}

export interface ReceivedFile {
	field: string;
	name: string;
	contentType: string;
	/** Bytes. */
	size: number;
	sha256: string;
	bytes?: Buffer;
}

/** One row of the gateway's ledger: what it has taken to deliver. */
export interface QueuedMessage {
	queueId: string;
	/** `YYYY-MM-DD HH:MM:SS` */
	at: string;
	endpoint: Endpoint;
	deviceId?: string;
	/** As the request gave them. */
	recipients: string[];
	groupId?: string;
	/** The text of a text message, the caption of an image. */
	text?: string;
	file?: ReceivedFile;
	bodyFormat: 'json' | 'form' | 'multipart';
}

export interface ReceivedRequest {
	method: string;
	/** As it stood in the request line. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	/** Absent where the connection was broken instead of an answer. */
	status?: number;
}

export type Fault =
	/** Before a byte of the body is read. */
	| 'resetBeforeBody'
	/** After the first bytes of the body. */
	| 'resetDuringBody'
	/** After the whole body, without an answer. */
	| 'resetAfterBody'
	/** Half of the right envelope, then a reset. */
	| 'halfAnswer'
	/** The connection stays open and nothing comes. */
	| 'silence'
	/** The right envelope, a byte every 100 ms. */
	| 'slowDrip'
	/** Fewer bytes than the Content-Length says. */
	| 'wrongLength'
	/** An answer that never ends. */
	| 'endlessAnswer'
	/** The right envelope as HTTP/1.0: no length, ended by closing. */
	| 'http10';

/** What the gateway is to do wrong. All of it is data, so that another process can ask for it. */
export interface Misbehaviour {
	/** Only for requests whose URL contains this. */
	path?: string;
	/** Only for requests to this number, as the request gave it; not for faults before the body. */
	recipient?: string;
	/** Only so often. */
	times?: number;
	/** Only for this share of the requests, 0 to 1. */
	rate?: number;
	/** Milliseconds before anything else. */
	latency?: number;
	/** Queue the message all the same. */
	queueAnyway?: boolean;
	respond?: { status: number; headers?: Record<string, string>; body?: string | object };
	fault?: Fault;
}

export interface Gateway {
	/** With the path prefix, without a trailing slash. The inbox page is at `${baseUrl}/`. */
	baseUrl: string;
	token: string;
	deviceId: string;
	messages: readonly QueuedMessage[];
	requests: readonly ReceivedRequest[];
	/** Requests that went beyond the plan. */
	refusedByPlan: number;
	/** Adds a rule; the first that fits a request holds. */
	misbehave(rule: Misbehaviour): void;
	/** Forgets all rules. */
	behave(): void;
	/** Forgets all messages and requests. */
	clear(): void;
	/** Ends every connection at once. */
	close(): Promise<void>;
}

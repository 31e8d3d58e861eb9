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
	/** 0 chooses a free port. */
	port?: number;
	host?: string;
	/** For example `/tenant-7`; every path starts with it. */
	pathPrefix?: string;
	token?: string;
	deviceId?: string;
	/** Digits that replace a leading 0 in the records. */
	countryCode?: string;
	tls?: { key: string; cert: string };
	/** `bytes` keeps files for the outbox page (16 MB each, 64 MB in all); `hash` keeps only their SHA-256. */
	keepFiles?: 'hash' | 'bytes';
	/** Requests beyond it get 429. */
	plan?: Plan;
	/** Turn this off for runs with many thousands of requests. */
	keepRequests?: boolean;
	/** Gets every body that was read whole. */
	onBody?: (body: ReceivedBody) => void;
}

/** The body of a request to an endpoint. */
export interface ReceivedBody {
	/** As the endpoint is defined: `/api/v1/message/sendgroup/:groupID`. */
	path: string;
	fields: Record<string, unknown>;
	file?: ReceivedFile;
	format: 'json' | 'form' | 'multipart';
}

export interface ReceivedFile {
	field: string;
	name: string;
	contentType: string;
	/** In bytes. */
	size: number;
	sha256: string;
	bytes?: Buffer;
}

/** One row of the gateway's ledger: a message that it accepted for delivery. */
export interface QueuedMessage {
	queueId: string;
	/** `YYYY-MM-DD HH:MM:SS` */
	at: string;
	endpoint: Endpoint;
	deviceId?: string;
	/** As written in the request. */
	recipients: string[];
	groupId?: string;
	/** The text of a text message, or the caption of an image. */
	text?: string;
	file?: ReceivedFile;
	bodyFormat: 'json' | 'form' | 'multipart';
}

export interface ReceivedRequest {
	method: string;
	/** As written in the request line. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	/** Absent if the connection was broken instead of answered. */
	status?: number;
}

export type Fault =
	/** Before a byte of the body is read. */
	| 'resetBeforeBody'
	/** After the first bytes of the body. */
	| 'resetDuringBody'
	/** After the whole body, without an answer. */
	| 'resetAfterBody'
	/** Half of the correct envelope, then a reset. */
	| 'halfAnswer'
	/** The connection stays open without an answer. */
	| 'silence'
	/** The correct envelope, one byte every 100 ms. */
	| 'slowDrip'
	/** Fewer bytes than the Content-Length says. */
	| 'wrongLength'
	/** An answer that never ends. */
	| 'endlessAnswer'
	/** The correct envelope in HTTP/1.0: no length, ended by closing the connection. */
	| 'http10';

/** A rule that makes the gateway misbehave. It is plain data, so that another process can send it. */
export interface Misbehavior {
	/** Only for requests whose URL contains this. */
	path?: string;
	/** Only for requests to this number, as written in the request; not for faults before the body. */
	recipient?: string;
	/** How many requests it applies to; all of them if left out. */
	times?: number;
	/** The share of the requests it applies to, from 0 to 1. */
	rate?: number;
	/** Milliseconds to wait before anything else. */
	latency?: number;
	/** Queue the message anyway. */
	queueAnyway?: boolean;
	respond?: { status: number; headers?: Record<string, string>; body?: string | object };
	fault?: Fault;
}

export interface Gateway {
	/** With the path prefix, without a trailing slash. The outbox page is at `${baseUrl}/`. */
	baseUrl: string;
	token: string;
	deviceId: string;
	messages: readonly QueuedMessage[];
	requests: readonly ReceivedRequest[];
	/** Requests that went beyond the plan. */
	refusedByPlan: number;
	/** Adds a rule; the first one that matches a request applies. */
	misbehave(rule: Misbehavior): void;
	/** Removes all rules. */
	behave(): void;
	/** Removes all messages and requests. */
	clear(): void;
	/** Ends every connection at once. */
	close(): Promise<void>;
}

import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { webAddress } from '../shared/webAddress';
import { readAnswer, type Answer } from './answer';
import { bodyOf, type Body } from './body';
import { within } from '../shared/time';
import { readFault } from './fault';
import { followersOf } from '../shared/followers';
import { parseJson } from './json';
import { notSentBecauseOf, type Outcome } from './outcome';
import { InputError } from '../shared/inputError';
import { redactorOf } from './redact';
import { type GatewayRequest } from './request';
import { isStream } from '../shared/file';

const CREDENTIAL = 'messagingGatewayApi';

/** Characters of an answer that are read; an envelope has under 1,000. */
const LONGEST_ANSWER = 1_000_000;

/** Characters. */
const SHORTEST_TOKEN = 8;
const LONGEST_TOKEN = 8_192;
/** Characters of a token that are neither letter nor digit: each can be written in many ways. */
const MOST_SIGNS = 1_000;

/** Milliseconds after which a request is given up that n8n itself has not ended in time. */
const GRACE = 2_000;

export interface GatewayCredential {
	baseUrl: string;
	accessToken: string;
	deviceId?: string;
	allowUnauthorizedCerts?: boolean;
}

/** One subscription, for one run of the node: the credential is read and decrypted once. */
export class GatewayClient {
	private readonly redact: <T>(value: T) => T;
	private readonly decrypted: ICredentialsDecrypted;

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly credential: GatewayCredential,
		private readonly baseUrl: string,
		private readonly token: string,
	) {
		this.redact = redactorOf(token);
		this.decrypted = { id: '', name: '', type: CREDENTIAL, data: { ...credential } };
	}

	/** @throws InputError where nothing can be sent with the credential */
	static async open(context: IExecuteFunctions): Promise<GatewayClient> {
		const credential = await context.getCredentials<GatewayCredential>(CREDENTIAL);
		const { baseUrl, accessToken } = credential;
		return new GatewayClient(
			context,
			credential,
			checkedBaseUrl(baseUrl),
			checkedToken(accessToken),
		);
	}

	get deviceId(): string {
		return String(this.credential.deviceId ?? '')
			.replace(/\p{Cf}/gu, '')
			.trim();
	}

	/** Sends one request once, and says what became of it. Never throws. */
	async exchange(request: GatewayRequest, timeout: number): Promise<Outcome> {
		const url = `${this.baseUrl}/${request.path.map(encodeURIComponent).join('/')}`;
		const { host } = new URL(url);
		const deadline = Date.now() + (timeout || Infinity);
		const connection = this.connection();
		let body: Body | undefined;
		try {
			body = await bodyOf(request);
			const sending = this.context.helpers.httpRequestWithAuthentication.call(
				connection.context,
				CREDENTIAL,
				this.optionsFor(url, body, timeout),
				{ credentialsDecrypted: this.decrypted },
			) as Promise<IN8nHttpFullResponse>;
			const response = await within((timeout || Infinity) + GRACE, sending, notInTime);
			const answer = this.cleanAnswer(await readResponse(response, deadline));
			connection.isOver = !answer.incomplete;
			return this.cleanOutcome(readAnswer(answer, { ...request, url, baseUrl: this.baseUrl }));
		} catch (error) {
			if (error instanceof InputError) return notSentBecauseOf(error);
			return body?.fileFault() ?? this.cleanOutcome(readFault(error, host));
		} finally {
			body?.close();
			connection.close();
		}
	}

	/**
	 * A connection that can be ended. n8n ends a request with the execution only, whatever signal it is
	 * given, so that each gets a context of its own whose execution ends with the connection, too.
	 */
	private connection() {
		const { context } = this;
		const ending = new AbortController();
		const cancelled = context.getExecutionCancelSignal?.();
		const followers = cancelled && followersOf(cancelled);
		if (cancelled?.aborted) ending.abort();
		followers?.add(ending);
		return {
			context: Object.create(context, {
				getExecutionCancelSignal: { value: () => ending.signal },
			}) as IExecuteFunctions,
			/** The answer has come to its end. */
			isOver: false,
			close() {
				followers?.delete(ending);
				if (!this.isOver) ending.abort();
			},
		};
	}

	/**
	 * Takes the token out before the answer is read, as an excerpt could cut it in two. A token so
	 * short that it may be part of the JSON itself is only taken out afterwards.
	 */
	private cleanAnswer(answer: Answer): Answer {
		if (this.token.length < SHORTEST_TOKEN) return answer;
		const json = parseJson(answer.body);
		return {
			...answer,
			headers: this.redact(answer.headers),
			body: json === undefined ? this.redact(answer.body) : JSON.stringify(this.redact(json)),
		};
	}

	private cleanOutcome(outcome: Outcome): Outcome {
		return outcome.outcome === 'accepted'
			? { ...outcome, envelope: this.redact(outcome.envelope) }
			: { ...outcome, what: this.redact(outcome.what), advice: this.redact(outcome.advice) };
	}

	private optionsFor(url: string, body: Body, timeout: number): IHttpRequestOptions {
		return {
			method: 'POST',
			url,
			headers: { Accept: 'application/json', ...body.headers },
			body: body.content,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			skipSslCertificateValidation: this.credential.allowUnauthorizedCerts === true,
			timeout,
		};
	}
}

function checkedBaseUrl(text: unknown): string {
	const url = webAddress(text);
	const plain = url && url.origin + url.pathname;
	if (plain && plain === url.href) return plain.replace(/\/+$/, '');
	throw new InputError(
		'The Base URL of the credential is not an address that messages can be sent to',
		'Enter it with its beginning and without a question mark, e.g. https://gateway.example.com, and run this again.',
	);
}

function checkedToken(text: unknown): string {
	const token = String(text ?? '').trim();
	if (token.length > LONGEST_TOKEN || (token.match(/[^a-z0-9]/gi) ?? []).length > MOST_SIGNS) {
		throw new InputError(
			'The Access Token of the credential is too long for a token',
			'Copy the token anew from the gateway into the credential, and run this again.',
		);
	}
	if (/^[\x21-\x7e]+$/.test(token)) return token;
	throw new InputError(
		`The Access Token of the credential ${token === '' ? 'is missing' : 'holds a space or a character that no token has'}`,
		'Copy the token anew from the gateway into the credential, and run this again.',
	);
}

/** Reads an answer as far as it may be believed: not for ever, and not more than is worth reading. */
async function readResponse(response: IN8nHttpFullResponse, deadline: number): Promise<Answer> {
	const { statusCode: status, headers } = response;
	const body = response.body as unknown;
	if (!isStream(body)) {
		return {
			status,
			headers,
			body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
		};
	}
	// Of an end that comes after this is done nobody wants to know.
	body.on('error', () => undefined);
	const chunks: Buffer[] = [];
	let length = 0;
	let incomplete: Answer['incomplete'];
	const read = async () => {
		try {
			for await (const chunk of body) {
				chunks.push(Buffer.from(chunk));
				length += chunk.length;
				if (length > LONGEST_ANSWER) return void (incomplete = 'tooLong');
			}
		} catch {
			incomplete ??= 'brokenOff';
		}
	};
	// A stream of n8n's may not end before its server sends something more, even destroyed.
	await within(deadline - Date.now(), read(), () => void (incomplete = 'tooSlow'));
	body.destroy();
	return { status, headers, body: Buffer.concat(chunks).toString('utf8'), incomplete };
}

function notInTime(): never {
	throw Object.assign(new Error('Time is up'), { code: 'ETIMEDOUT' });
}

import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { isStream } from '../shared/file';
import { InputError } from '../shared/inputError';
import { withTimeout } from '../shared/time';
import { withoutInvisible } from '../shared/trimmed';
import { parseAnswer, readAnswer, type Answer, type RawAnswer } from './answer';
import { FILE_NOT_SENT_WHOLE } from './answerTexts';
import { bodyOf, type Body } from './body';
import { Connection } from './connection';
import {
	checkedBaseUrl,
	checkedRequestsPerMinute,
	checkedToken,
	enteredCountryCode,
	subscriptionOf,
	type GatewayCredential,
} from './credential';
import { readFault } from './fault';
import { notSentBecauseOf, uncertain, type Failure, type Outcome } from './outcome';
import { redactorOf } from './redact';
import type { GatewayRequest } from './request';

const CREDENTIAL = 'messagingGatewayApi';

/** Characters of an answer that are read; an envelope has under 1,000. */
const LONGEST_ANSWER = 1_000_000;

/** From this many characters on, a token cannot be part of the JSON around it. */
const SHORTEST_TOKEN = 8;

/** Milliseconds after its timeout when the client gives up a request that n8n itself has not ended. */
const GRACE = 2_000;

/** One subscription at the gateway, for one run of the node: the credential is decrypted once. */
export class GatewayClient {
	/** A key for everything that belongs to this subscription; it does not show the token. */
	readonly subscription: string;
	/** What the plan allows; 0 is no limit. */
	readonly requestsPerMinute: number;
	/** As it was entered. */
	readonly defaultCountryCode: string;
	/** '' if the credential has none. */
	readonly deviceId: string;
	private readonly redact: <T>(value: T) => T;
	private readonly decrypted: ICredentialsDecrypted;

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly credential: GatewayCredential,
		private readonly baseUrl: string,
		private readonly token: string,
	) {
		this.subscription = subscriptionOf(baseUrl, token);
		this.requestsPerMinute = checkedRequestsPerMinute(credential);
		this.defaultCountryCode = enteredCountryCode(credential);
		this.deviceId = withoutInvisible(String(credential.deviceId ?? ''));
		this.redact = redactorOf(token);
		this.decrypted = { id: '', name: '', type: CREDENTIAL, data: { ...credential } };
	}

	/** @throws InputError if nothing can be sent with the credential */
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

	/**
	 * Sends one request once and resolves to its outcome. Never throws.
	 *
	 * @param onLeaving called before anything of it can reach the gateway
	 */
	async exchange(
		request: GatewayRequest,
		timeout: number,
		onLeaving: () => void = () => undefined,
	): Promise<Outcome> {
		const url = `${this.baseUrl}/${request.path.map(encodeURIComponent).join('/')}`;
		const deadline = Date.now() + (timeout || Infinity);
		const connection = new Connection(this.context);
		let body: Body | undefined;
		let isOver = false;
		try {
			body = await connection.prepare(bodyOf(request, connection.signal));
			onLeaving();
			const response = await this.send(url, body, connection, timeout);
			const answer = this.cleanAnswer(await readResponse(response, body, deadline));
			isOver = !answer.incomplete;
			const outcome = readAnswer(answer, { ...request, url, baseUrl: this.baseUrl });
			const isEarly = answer.status < 300 && outcome.outcome !== 'notSent' && !body.isSent();
			return this.cleanOutcome(isEarly ? earlyAnswer(answer, body) : outcome);
		} catch (error) {
			if (error instanceof InputError) return notSentBecauseOf(error);
			return body?.readFileFault() ?? this.cleanOutcome(readFault(error, new URL(url).host));
		} finally {
			connection.close(isOver);
			body?.close();
		}
	}

	private async send(
		url: string,
		body: Body,
		{ context }: Connection,
		timeout: number,
	): Promise<IN8nHttpFullResponse> {
		const sending = context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			this.optionsFor(url, body, timeout),
			{ credentialsDecrypted: this.decrypted },
		) as Promise<IN8nHttpFullResponse>;
		return await withTimeout((timeout || Infinity) + GRACE, sending, throwTimedOut);
	}

	/**
	 * Removes the token before the answer is read, because an excerpt could cut it in two. A token so
	 * short that it could be part of the JSON itself is removed afterwards.
	 */
	private cleanAnswer(raw: RawAnswer): Answer {
		const answer = parseAnswer(raw);
		return this.token.length < SHORTEST_TOKEN ? answer : this.redact(answer);
	}

	private cleanOutcome(outcome: Outcome): Outcome {
		if (outcome.outcome === 'accepted') {
			return { ...outcome, envelope: this.redact(outcome.envelope) };
		}
		const { what, advice, words } = outcome;
		return {
			...outcome,
			what: this.redact(what),
			advice: this.redact(advice),
			...(words !== undefined && { words: this.redact(words) }),
		};
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

/** Reads an answer until the deadline, and no more of it than an envelope could need. */
async function readResponse(
	response: IN8nHttpFullResponse,
	sent: Body,
	deadline: number,
): Promise<RawAnswer> {
	const { statusCode: status, headers } = response;
	const body = response.body as unknown;
	if (!isStream(body)) {
		return {
			status,
			headers,
			body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
		};
	}
	// An error after the answer has been read does not matter.
	body.on('error', () => undefined);
	const isEarly = status < 300 && !sent.isSent();
	if (isEarly) await untilSent(sent, deadline);
	const chunks: Buffer[] = [];
	let length = 0;
	let incomplete: RawAnswer['incomplete'];
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
	// Even when destroyed, the stream that axios makes of an answer ends only after the server's next bytes:
	// https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1090-L1107
	await withTimeout(deadline - Date.now(), read(), () => void (incomplete = 'tooSlow'));
	body.destroy();
	return { status, headers, body: Buffer.concat(chunks).toString('utf8'), incomplete };
}

/**
 * Waits for the rest of a file before its answer is read: Node.js closes a connection at the end of the
 * answer, whether or not the request has left.
 * https://github.com/nodejs/node/blob/v20.20.2/lib/_http_client.js#L748-L763
 */
async function untilSent(body: Body, deadline: number): Promise<void> {
	await withTimeout(deadline - Date.now(), body.untilSent(), () => undefined);
}

/** An answer that came before the whole file was sent cannot be trusted. */
function earlyAnswer({ status: httpCode }: Answer, body: Body): Failure {
	return body.readFileFault() ?? uncertain({ ...FILE_NOT_SENT_WHOLE, httpCode });
}

function throwTimedOut(): never {
	throw Object.assign(new Error('Time is up'), { code: 'ETIMEDOUT' });
}

/**
 * Sends one request to the gateway and returns its outcome. `body.ts` writes the body; `answer.ts` and `fault.ts` decide
 * the outcome. The access token is masked in everything that comes out of this file.
 */

import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { isStream } from '../shared/file';
import { InputError } from '../shared/inputError';
import { quote, withoutInvisible } from '../shared/text';
import { followersOf, unlessStopped, withTimeout } from '../shared/time';
import { type Answer, parseAnswer, type RawAnswer, readAnswer } from './answer';
import { FILE_NOT_SENT_WHOLE } from './answerTexts';
import { type Body, bodyOf } from './body';
import {
	checkedBaseUrl,
	checkedRequestsPerMinute,
	checkedToken,
	enteredCountryCode,
	type GatewayCredential,
	subscriptionOf,
} from './credential';
import { readFault } from './fault';
import { notSentBecauseOf, type Outcome, uncertain } from './outcome';
import type { GatewayRequest } from './request';
import { maskOf } from './secrets';

const CREDENTIAL = 'messagingGatewayApi';

/** Characters that are read of an answer. An envelope has fewer than 1,000. */
const LONGEST_ANSWER = 1_000_000;

/** Characters. A shorter token could be part of the JSON around it. */
const SHORTEST_TOKEN = 8;

/** Milliseconds after the timeout. Then the client gives up a request that n8n itself has not ended. */
const GRACE = 2_000;

/** One subscription at the gateway, for one run of the node. The credential is decrypted once. */
export class GatewayClient {
	/** Identifies the subscription without showing the token. */
	readonly subscription: string;
	/** The limit of the plan; 0 is no limit. */
	readonly requestsPerMinute: number;
	/** As entered. */
	readonly defaultCountryCode: string;
	/** '' if the credential has none. */
	readonly deviceId: string;
	private readonly mask: <T>(value: T) => T;
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
		this.mask = maskOf(token);
		this.decrypted = { id: '', name: '', type: CREDENTIAL, data: { ...credential } };
	}

	/** @throws InputError if nothing can be sent with the credential */
	static async open(context: IExecuteFunctions): Promise<GatewayClient> {
		const credential = await readCredential(context);
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
		let isAccepted = false;
		try {
			body = await connection.prepare(bodyOf(request));
			onLeaving();
			const response = await this.send(url, body, connection, timeout);
			const answer = this.maskAnswer(await readResponse(response, deadline));
			isOver = !answer.incomplete;
			const outcome = readAnswer(answer, { ...request, url, baseUrl: this.baseUrl });
			isAccepted = outcome.outcome === 'accepted' && body.isPassedOn();
			if (isAccepted || outcome.outcome !== 'accepted') return this.maskOutcome(outcome);
			// Node.js ends the connection with the answer, so the gateway does not get the rest of the file:
			// https://github.com/nodejs/node/blob/v20.20.2/lib/_http_client.js#L748-L763
			return uncertain({ ...FILE_NOT_SENT_WHOLE, httpCode: answer.status });
		} catch (error) {
			if (error instanceof InputError) return notSentBecauseOf(error);
			return body?.readFileFault() ?? this.maskOutcome(readFault(error, new URL(url).host));
		} finally {
			connection.close(isOver);
			body?.close(isAccepted);
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
	 * Masks the token before the answer is read, because an excerpt could cut the token in two. A token so short that it
	 * could be part of the JSON itself is masked afterwards.
	 */
	private maskAnswer(raw: RawAnswer): Answer {
		const answer = parseAnswer(raw);
		return this.token.length < SHORTEST_TOKEN ? answer : this.mask(answer);
	}

	private maskOutcome(outcome: Outcome): Outcome {
		if (outcome.outcome === 'accepted') {
			return { ...outcome, envelope: this.mask(outcome.envelope) };
		}
		const { what, advice, words } = outcome;
		return {
			...outcome,
			what: this.mask(what),
			advice: this.mask(advice),
			...(words !== undefined && { words: this.mask(words) }),
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

/** @throws InputError if no credential is chosen, or n8n does not have it, such as in a workflow of another n8n */
async function readCredential(context: IExecuteFunctions): Promise<GatewayCredential> {
	try {
		return await context.getCredentials<GatewayCredential>(CREDENTIAL);
	} catch (error) {
		throw unopened(context, error);
	}
}

function unopened(context: IExecuteFunctions, error: unknown): InputError {
	const chosen = context.getNode().credentials?.[CREDENTIAL];
	const words = quote(String((error as Partial<Error>)?.message ?? error));
	return new InputError(
		chosen
			? `n8n cannot open the credential ${quote(chosen.name)} of this node: ${words}`
			: 'No credential is chosen in this node',
		"Choose or create a 'Messaging Gateway API' credential in this node.",
		'',
	);
}

/** Reads an answer until the deadline, and no more of it than any envelope needs. */
async function readResponse(response: IN8nHttpFullResponse, deadline: number): Promise<RawAnswer> {
	const { statusCode: status, headers } = response;
	const body = response.body as unknown;
	if (!isStream(body)) {
		return {
			status,
			headers,
			body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
		};
	}
	// An error after the answer was read does not matter.
	body.on('error', () => undefined);
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
	// A stream of axios, even if destroyed, ends only after the server sends more:
	// https://github.com/axios/axios/blob/v1.18.0/lib/adapters/http.js#L1090-L1107
	await withTimeout(deadline - Date.now(), read(), () => void (incomplete = 'tooSlow'));
	body.destroy();
	return { status, headers, body: Buffer.concat(chunks).toString('utf8'), incomplete };
}

function throwTimedOut(): never {
	throw Object.assign(new Error('Time is up'), { code: 'ETIMEDOUT' });
}

/**
 * n8n ends a request only when its execution ends, and overwrites any other signal. So each request has a context of its
 * own, whose execution seems to end with the connection:
 * https://github.com/n8n-io/n8n/blob/n8n@2.41.1/packages/core/src/execution-engine/node-execution-context/utils/request-helpers/authentication.ts#L35-L37
 *
 * The connection of one request. It ends with the execution, or when it is closed.
 */
class Connection {
	/** The context for n8n's request helper. */
	readonly context: IExecuteFunctions;
	private readonly ending = new AbortController();
	private readonly followers: Set<AbortController> | undefined;

	constructor(context: IExecuteFunctions) {
		const stopped = context.getExecutionCancelSignal?.();
		this.followers = stopped && followersOf(stopped);
		this.followers?.add(this.ending);
		if (stopped?.aborted) this.ending.abort();
		this.context = Object.create(context, {
			getExecutionCancelSignal: { value: () => this.ending.signal },
		}) as IExecuteFunctions;
	}

	/**
	 * Resolves to the body of the request. One that comes too late is closed.
	 *
	 * @throws InputError as soon as the execution is stopped
	 */
	async prepare(work: Promise<Body>): Promise<Body> {
		return await unlessStopped(this.ending.signal, work, (late) => late.close(false));
	}

	/** Releases the connection after a complete answer; otherwise, ends it. */
	close(isOver: boolean): void {
		this.followers?.delete(this.ending);
		if (!isOver) this.ending.abort();
	}
}

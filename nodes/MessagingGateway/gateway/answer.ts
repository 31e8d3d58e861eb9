/** Decides the outcome of an answer: accepted, not sent or uncertain, who is to blame, and whether to try again. */

import type { IDataObject } from 'n8n-workflow';

import { durationText, excerpt, quote, webAddress } from '../shared/text';
import { isAboutDevice, isObject, parseJson, wordsIn } from './answerBody';
import { denialIn } from './denial';
import { type Blame, type Failure, LOOK_FIRST, notSent, type Outcome, uncertain } from './outcome';
import * as texts from './answerTexts';

/** The gateway's answer, as far as the client read it. */
export interface RawAnswer {
	status: number;
	headers: Record<string, unknown>;
	body: string;
	/** Why `body` is not the whole answer, if it is not. */
	incomplete?: 'brokenOff' | 'tooLong' | 'tooSlow';
}

export interface Answer extends RawAnswer {
	/** The value of the body; undefined if it is not JSON. */
	json: unknown;
}

/** The parts of a request on which the meaning of its answer depends. */
export interface Asked {
	url: string;
	baseUrl: string;
	answer: 'envelope' | 'anyJson';
	pathAdvice?: string;
	/** Present if the request carried a file. */
	file?: object;
}

export function parseAnswer(raw: RawAnswer): Answer {
	return { ...raw, json: parseJson(raw.body) };
}

/** Decides, for every possible answer, whether the gateway queued the message. */
export function readAnswer(answer: Answer, asked: Asked): Outcome {
	const { status, headers } = answer;
	// Many programs answer with 303 once they have processed a form (RFC 9110, 15.4.4).
	if (status === 303) return unusable(answer, texts.UNUSABLE.seeOther);
	if (status >= 300 && status < 400) return redirected(answer, asked);
	if (status === 429) return busy(answer, texts.BUSY.tooMany);
	if (status === 503 && readRetryAfter(headers)) return busy(answer, texts.BUSY.unavailable);
	if (status >= 500 || status === 408 || status === 499) return broken(answer);
	if (status >= 400) return refused(answer, asked);
	if (status >= 200) return readSuccess(answer, asked);
	return unusable(answer, texts.UNUSABLE.noAnswer);
}

function readSuccess(answer: Answer, asked: Asked): Outcome {
	if (answer.incomplete === 'tooLong') return unusable(answer, texts.UNUSABLE.endless);
	if (answer.incomplete) return unusable(answer, texts.UNUSABLE.cutOff);

	const { json } = answer;
	if (json === undefined && answer.body.trim() !== '') {
		return unusable(answer, texts.UNUSABLE.notJson, wordsIn(answer));
	}
	const code = isObject(json) && json.code !== '' ? (json.code ?? undefined) : undefined;
	const isAccepting = code === 200 || code === '200';
	if (code !== undefined && !isAccepting) return otherCode(answer, code, asked);
	const denial = isAccepting || asked.answer === 'anyJson' ? denialIn(json) : undefined;
	if (denial !== undefined) return contradictory(answer, denial);
	if (asked.answer === 'anyJson') {
		const envelope = isObject(json) ? json : { response: json === undefined ? '' : json };
		return { outcome: 'accepted', envelope: envelope as IDataObject };
	}
	if (isAccepting) return { outcome: 'accepted', envelope: json as IDataObject };
	return json === undefined
		? unusable(answer, texts.UNUSABLE.empty)
		: unusable(answer, texts.UNUSABLE.noCode, wordsIn(answer));
}

/** A code of 400 or more is a refusal. The meaning of any other code is unknown. */
function otherCode(answer: Answer, code: unknown, asked: Asked): Failure {
	const text = excerpt(typeof code === 'string' ? code : JSON.stringify(code));
	const shown = [...text].slice(0, 40).join('');
	const isStatus = typeof code === 'number' || (typeof code === 'string' && /^\d+$/.test(code));
	const status = isStatus ? Number(code) : 0;
	if (status === 429) return busy(answer, texts.BUSY.tooMany, `code ${shown}`);
	if (status === 503) return busy(answer, texts.BUSY.unavailable, `code ${shown}`);
	if (status >= 400) return refused(answer, asked, { code: status, place: `code ${shown}` });
	return uncertain({
		what: `The gateway answered with code ${shown} instead of 200${saying(wordsIn(answer))}`,
		advice: LOOK_FIRST,
		httpCode: answer.status,
	});
}

/** The gateway may have queued the message in spite of the error that it reports. */
function contradictory(answer: Answer, denial: string): Failure {
	const what = withStatus(texts.CONTRADICTORY.what, answer.status, wordsIn(answer) || denial);
	return uncertain({ what, advice: texts.CONTRADICTORY.advice, httpCode: answer.status });
}

function redirected(answer: Answer, asked: Asked): Failure {
	const { status: httpCode, headers } = answer;
	const location = typeof headers.location === 'string' ? headers.location : '';
	const isTarget = location !== '' && URL.canParse(location, asked.url);
	const target = isTarget ? webAddress(new URL(location, asked.url)) : undefined;
	const address = target && `${target.origin}${target.pathname}`;
	// Parsing an address can put together a token that the gateway had split. A cut could then hide it from the mask.
	const place = address && excerpt(address) === address ? address : undefined;
	const path = asked.url.slice(asked.baseUrl.length);
	if (place?.replace(/\/$/, '') === asked.url) {
		return notSent({
			what: `The gateway redirected the request to its own address instead of accepting it (status ${httpCode})`,
			advice: `${texts.BLOCKED.what}. ${texts.BLOCKED.advice}`,
			httpCode,
			blame: 'subscription',
		});
	}
	return notSent({
		what: `The gateway redirected the request to ${place ?? 'another address'} instead of accepting it (status ${httpCode})`,
		advice: place?.endsWith(path)
			? `Set the Base URL in the credential to ${place.slice(0, -path.length)}.`
			: `Set the Base URL in the credential to the address of the gateway itself (now ${asked.baseUrl}).`,
		httpCode,
		blame: 'subscription',
	});
}

function busy(answer: Answer, what: string, status = `status ${answer.status}`): Failure {
	const afterMs = readRetryAfter(answer.headers)?.afterMs;
	return notSent({
		what: `${what} (${status})${saying(wordsIn(answer))}`,
		advice:
			afterMs === undefined
				? texts.BUSY.advice
				: `Wait ${durationText(afterMs)}: the gateway asked n8n to pause for that long.`,
		httpCode: answer.status,
		retry: { afterMs, busy: true },
	});
}

function broken(answer: Answer): Failure {
	const what = withStatus(texts.BROKEN, answer.status, wordsIn(answer));
	return uncertain({ what, advice: LOOK_FIRST, httpCode: answer.status });
}

/** @param said the code in the answer; if absent, the status of the answer is the code */
function refused(answer: Answer, asked: Asked, said?: { code: number; place: string }): Failure {
	const { status: httpCode } = answer;
	const words = wordsIn(answer);
	if (!said && isFromProgramInFront(answer)) {
		const what = withStatus(texts.BLOCKED.what, httpCode, words);
		return notSent({ what, advice: texts.BLOCKED.advice, httpCode, blame: 'subscription' });
	}
	const { code, place } = said ?? { code: httpCode, place: `status ${httpCode}` };
	// A gateway that puts a code into its answer knows the path.
	const knownTexts = said && texts.ABOUT_PATH.has(code) ? undefined : texts.REFUSALS[code];
	const known = knownTexts?.({
		...asked,
		path: excerpt(new URL(asked.url).pathname),
		hasFile: asked.file !== undefined,
	});
	const mayKnowPath = answer.json !== undefined || asked.pathAdvice !== undefined;
	return notSent({
		what: `${known?.what ?? texts.REFUSED} (${place})${saying(words)}`,
		advice: known?.advice ?? correctionFor(words),
		httpCode,
		...blameFor(code, words, mayKnowPath),
	});
}

/** The API answers in JSON. A page that forbids the request, or asks for a password, is from a program in front of it. */
function isFromProgramInFront({ status, headers, json, body }: Answer): boolean {
	if (status === 401) return /^\s*basic\b/i.test(String(headers['www-authenticate']));
	return [403, 406].includes(status) && json === undefined && /<\w/.test(body);
}

function blameFor(
	code: number,
	words: string,
	mayKnowPath: boolean,
): Pick<Failure, 'blame' | 'isMistake' | 'words'> {
	const blame = blameOf(code, mayKnowPath);
	return {
		...(blame && { blame, words: excerpt(words) }),
		...(isMistake(code) && !isAboutDevice(words) && { isMistake: true }),
	};
}

function correctionFor(words: string): string {
	if (isAboutDevice(words)) return texts.CORRECTIONS.device;
	return words ? texts.CORRECTIONS.named : texts.CORRECTIONS.unknown;
}

function unusable({ status: httpCode }: Answer, what: string, words = ''): Failure {
	return uncertain({
		what: withStatus(what, httpCode, words),
		advice: texts.CHECK_OUTBOX_AND_BASE_URL,
		httpCode,
	});
}

function withStatus(what: string, status: number, words: string): string {
	return `${what} (status ${status})${saying(words)}`;
}

function saying(words: string): string {
	return words ? `: ${quote(words)}` : '';
}

/**
 * Returns who is to blame for a refusal; undefined if it is the message itself.
 *
 * @param code the status, or the code in the answer
 * @param mayKnowPath whether the answer comes from a program that knows the path, or the path names the recipient
 */
function blameOf(code: number, mayKnowPath: boolean): Blame | undefined {
	switch (code) {
		// Wrong token, no plan, a proxy that requires a sign-in, a web page in place of the API.
		case 401:
		case 402:
		case 407:
		case 419:
		case 440:
		case 498:
			return 'subscription';
		// Unknown path, device, contact group or recipient.
		case 404:
		case 405:
		case 410:
			return mayKnowPath ? 'maybeRecipient' : 'subscription';
		// This token may not send this, or not to this recipient; or the Device ID or the number is wrong.
		case 403:
		case 422:
			return 'maybeRecipient';
		default:
			return undefined;
	}
}

/** Whether the gateway refused the content of the message, and would refuse it again. */
function isMistake(code: number): boolean {
	return [400, 413, 415, 422].includes(code);
}
/** Milliseconds. A shorter pause counts as none: the gateway would still be busy, and every try would be wasted. */
const SHORTEST_PAUSE = 1_000;

/**
 * Returns the pause that the gateway asks for (RFC 9110, 10.2.3: seconds or a date); undefined if there is no such
 * header. `afterMs` is undefined for a pause of less than a second.
 */
function readRetryAfter(
	headers: Record<string, unknown>,
): { afterMs: number | undefined } | undefined {
	const ms = millisecondsIn(headers);
	if (ms === undefined) return undefined;
	return { afterMs: ms < SHORTEST_PAUSE ? undefined : ms };
}

function millisecondsIn(headers: Record<string, unknown>): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return undefined;
	if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
	const until = toTime(value);
	// The clocks of the gateway and of n8n may differ.
	return until === undefined ? undefined : until - (toTime(headers.date) ?? Date.now());
}

/** Returns the time of a date with a time of day, in milliseconds since 1970; undefined for anything else. */
function toTime(value: unknown): number | undefined {
	if (typeof value !== 'string' || !/\d\d:\d\d:\d\d/.test(value)) return undefined;
	const time = Date.parse(value);
	return Number.isNaN(time) ? undefined : time;
}

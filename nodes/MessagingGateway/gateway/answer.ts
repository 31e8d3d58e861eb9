import type { IDataObject } from 'n8n-workflow';

import { webAddress } from '../shared/webAddress';
import { isObject, parseJson } from './json';
import { LOOK_FIRST, type Failure, type Outcome } from './outcome';
import { wordsOfHtml } from './html';
import { durationText } from '../shared/duration';
import { excerpt, quote } from '../shared/quote';

/** What came back from the gateway, read as far as it is worth reading. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	body: string;
	/** Why `body` is not the whole answer, where it is not. */
	incomplete?: 'brokenOff' | 'tooLong' | 'tooSlow';
}

/** What was asked, as far as it decides on the meaning of the answer. */
export interface Asked {
	url: string;
	baseUrl: string;
	answer: 'envelope' | 'anyJson';
	pathAdvice?: string;
	/** Present where a file went with it. */
	file?: object;
}

/** The names under which APIs put what a person is to read. */
const TELLING = ['message', 'msg', 'error', 'detail', 'description', 'reason', 'title'];

/** Texts of one list or object that are read. */
const MOST_TEXTS = 5;

/** Decides, for every answer there is, whether the message was queued. */
export function readAnswer(answer: Answer, asked: Asked): Outcome {
	const { status } = answer;
	if (status >= 300 && status < 400) return redirected(answer, asked);
	if (status === 429) return busy(answer);
	if (status === 503 && retryAfterMs(answer) !== undefined) return busy(answer);
	if (status >= 500 || status === 408 || status === 499) return broken(answer);
	if (status >= 400) return refused(answer, asked);
	if (status >= 200) return readSuccess(answer, asked);
	return unreadable(answer, 'an answer that is none');
}

function readSuccess(answer: Answer, asked: Asked): Outcome {
	if (answer.incomplete === 'tooLong') return unreadable(answer, 'an endless answer');
	if (answer.incomplete) return unreadable(answer, 'an answer that was cut off');

	const json = parseJson(answer.body);
	if (json === undefined && answer.body.trim() !== '') {
		return unreadable(answer, 'something that is not JSON', wordsOf(answer));
	}
	const code = isObject(json) && json.code !== '' ? (json.code ?? undefined) : undefined;
	if (code === 200 || code === '200') {
		return { outcome: 'accepted', envelope: json as IDataObject };
	}
	if (code !== undefined) return refusedByCode(answer, code);
	if (asked.answer === 'anyJson') {
		const envelope = isObject(json) ? json : { response: json === undefined ? '' : json };
		return { outcome: 'accepted', envelope: envelope as IDataObject };
	}
	return json === undefined
		? unreadable(answer, 'an empty answer')
		: unreadable(answer, 'an answer without a result code', wordsOf(answer));
}

function redirected(answer: Answer, asked: Asked): Failure {
	const location = typeof answer.headers.location === 'string' ? answer.headers.location : '';
	const isTarget = location !== '' && URL.canParse(location, asked.url);
	const target = isTarget ? webAddress(new URL(location, asked.url)) : undefined;
	const place = target && `${target.origin}${target.pathname}`;
	const tail = asked.url.slice(asked.baseUrl.length);
	if (place?.replace(/\/$/, '') === asked.url) {
		return notSent(answer, {
			what: `The gateway sent the request back to its own address instead of taking it (status ${answer.status})`,
			advice:
				'Something before the gateway, such as a sign-in or a check for robots, keeps n8n out. Ask its provider to let n8n through.',
		});
	}
	return notSent(answer, {
		what: `The gateway sent the request on to ${place ? excerpt(place) : 'another address'} instead of taking it (status ${answer.status})`,
		advice: place?.endsWith(tail)
			? `Set the Base URL of the credential to ${excerpt(place.slice(0, -tail.length))} and run this again.`
			: `Set the Base URL of the credential to the gateway's own address: now it is ${asked.baseUrl}.`,
	});
}

function busy(answer: Answer): Failure {
	const afterMs = retryAfterMs(answer);
	return {
		...notSent(answer, {
			what: saying(
				answer,
				answer.status === 429
					? 'The gateway takes no more messages for now'
					: 'The gateway is not available for now',
			),
			advice:
				afterMs === undefined
					? 'Send fewer messages at once (the options Batching and Max Concurrency), and run this again later.'
					: `Run this again after ${durationText(afterMs)}: that is when the gateway wants to be asked again.`,
		}),
		retry: { afterMs, busy: true },
	};
}

function broken(answer: Answer): Failure {
	return {
		outcome: 'uncertain',
		origin: 'gateway',
		what: saying(answer, 'The gateway failed while it handled the message'),
		advice: LOOK_FIRST,
		httpCode: answer.status,
	};
}

function refused(answer: Answer, asked: Asked): Failure {
	const { pathname } = new URL(asked.url);
	const texts: Record<number, [what: string, advice: string]> = {
		401: [
			'The gateway did not accept the access token',
			'Correct the Access Token of the credential and run this again.',
		],
		403: [
			'The gateway does not allow this',
			'Ask the provider of the gateway what this access token and device may send.',
		],
		404: [
			`The gateway does not know the path ${excerpt(pathname)}`,
			`Correct the Base URL of the credential (now ${asked.baseUrl}).${asked.pathAdvice ? ` ${asked.pathAdvice}` : ''}`,
		],
		405: [
			`The gateway takes no messages at the path ${excerpt(pathname)}`,
			`Correct the Base URL of the credential (now ${asked.baseUrl}).`,
		],
		407: [
			'A proxy between n8n and the gateway asks who n8n is',
			"Ask the administrator of n8n to give it the proxy's user name and password.",
		],
		413: asked.file
			? [
					'The file is larger than the gateway takes',
					'Send a smaller file, or ask the provider of the gateway for the limit.',
				]
			: [
					'The message is larger than the gateway takes',
					'Shorten the text or, for many numbers, lower the option Numbers per Request.',
				],
	};
	const [what, advice] = texts[answer.status] ?? [
		'The gateway refused the message',
		correction(answer),
	];
	return notSent(answer, { what: saying(answer, what), advice });
}

function refusedByCode(answer: Answer, code: unknown): Failure {
	const words = wordsOf(answer);
	const text = excerpt(typeof code === 'string' ? code : JSON.stringify(code));
	const shown = [...text].slice(0, 40).join('');
	return notSent(answer, {
		what: `The gateway refused the message with code ${shown}${words ? `: ${quote(words)}` : ''}`,
		advice: correction(answer),
	});
}

function correction(answer: Answer): string {
	return wordsOf(answer)
		? 'Correct what the gateway names and run this again.'
		: 'The gateway does not say why. Check what this item sends, and the Device ID, or ask the provider of the gateway.';
}

function unreadable(answer: Answer, instead: string, words = ''): Failure {
	return {
		outcome: 'uncertain',
		origin: 'gateway',
		what: `The gateway answered with ${instead} (status ${answer.status})${words ? `: ${quote(words)}` : ''}`,
		advice:
			"Look into the gateway's outbox before you send it again, and check that the Base URL of the credential leads to the gateway itself.",
		httpCode: answer.status,
	};
}

function notSent(answer: Answer, { what, advice }: Pick<Failure, 'what' | 'advice'>): Failure {
	return { outcome: 'notSent', origin: 'gateway', what, advice, httpCode: answer.status };
}

function saying(answer: Answer, what: string): string {
	const words = wordsOf(answer);
	return `${what} (status ${answer.status})${words ? `: ${quote(words)}` : ''}`;
}

/** The gateway's own words: its `message`, a validator's `errors: { field: [text] }`, or what a page says. */
function wordsOf({ body, incomplete }: Answer): string {
	const json = parseJson(body);
	if (json === undefined) return incomplete && /^\s*[[{]/.test(body) ? '' : wordsOfHtml(body);
	if (!isObject(json)) return wordsOfHtml(textsIn(json).join(' – '));
	const message = TELLING.map((name) => textsIn(json[name])).find((texts) => texts.length > 0);
	return wordsOfHtml([...(message ?? []), ...textsIn(json.errors, true)].join(' – '));
}

/** The texts in a value, each with the name of its field, where that tells more than “message” does. */
function textsIn(value: unknown, isByField = false): string[] {
	if (typeof value === 'string') return value === '' ? [] : [value];
	if (Array.isArray(value)) return value.slice(0, MOST_TEXTS).flatMap((each) => textsIn(each));
	if (!isObject(value)) return [];
	return Object.entries(value)
		.flatMap(([name, entry]) => {
			const text = textsIn(entry).join(' ');
			const isPlain = !isByField && typeof entry === 'string' && TELLING.includes(name);
			return text === '' ? [] : [isPlain ? text : `${name}: ${text}`];
		})
		.slice(0, MOST_TEXTS);
}

/** Milliseconds that the gateway asks to wait (RFC 9110, 10.2.3: seconds or a date). */
function retryAfterMs({ headers }: Answer): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return undefined;
	if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000;
	const date = /\d\d:\d\d:\d\d/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Finds out whether an answer that counts as a success says no in one of its own fields. */

import { excerpt } from '../shared/text';
import { isObject } from './answerBody';

/** Fields that say whether it worked. Names are compared in lower case, without anything but letters. */
const FLAG = /^(?:is|was)?(?:success(?:ful|fully)?|succeeded|ok|okay|result|sent|queued|accepted)$/;
/** Fields in which 0 means no, wherever they stand. */
const SUCCESS = /^(?:is|was)?(?:success(?:ful|fully)?|succeeded|ok|okay)$/;
/** Fields that can also count messages. */
const COUNT = /(?:sent|queued|accepted)$/;
const STATUS =
	/^(?:http|api|response|request|send|message|delivery)?(?:status|state)(?:text|message)?$/;
/** Fields of a code, in which 0 means success. */
const CODE = /^(?:http|api|response|result|return|status)(?:status)?code$/;
/** Fields that are empty if it worked. */
const ERROR =
	/^(?:is|has|was)?(?:err|errors?|fault|exception|failed|failures?)(?:code|no|message|msg|text|description|details?|type|name)?$/;
const ERROR_CODE = /(?:code|no)$/;
/** Fields whose content is about the request, too. In those that hold a record, a `code` can be anything. */
const ABOUT_REQUEST = /^(?:status|state|meta|response)$/;
const RECORD = /^(?:data|results?|payload|body|messages?)$/;

/** Characters that are read of a text. */
const LONGEST_TEXT = 1_000;

const NOTHING = /^(?:0*|false|no|none|null|nil|undefined|n\/a|-|ok|success|no errors?)$/i;

/** Words of failure in the languages of the page of a question. */
const FAILURES = new Set(
	[
		'no not false fail fails failed failure failures error errors err exception fault unsuccessful unable cannot',
		'refused rejected denied declined forbidden unauthorized unauthorised unauthenticated invalid incorrect bad wrong',
		'expired exceeded insufficient missing limited throttled timeout conflict unprocessable unsupported',
		'blocked banned suspended disabled inactive disconnected offline unavailable unreachable unregistered',
		'unsent undelivered undeliverable aborted canceled cancelled closed stopped timed dropped ko nok',
		'gagal ditolak tidak salah dibatalkan kedaluwarsa',
		'errores fallo fallos falló fallido fallida fallidos rechazado rechazada cancelado cancelada inválido inválida',
		'errore errori fallito fallita rifiutato rifiutata',
		'erro erros falha falhas falhou não rejeitado rejeitada recusado recusada',
		'fehler fehlgeschlagen abgelehnt nicht ungültig',
		'erreur erreurs échec échecs échoué échouée refusé refusée rejeté rejetée invalide',
		'فشل خطأ مرفوض विफल असफल त्रुटि',
	].flatMap((line) => line.split(' ')),
);
/** In front of a word of failure, or of trouble, these mean success. */
const NONE = new Set(
	'0 no zero without sin sem tanpa ohne kein keine sans aucun aucune'.split(' '),
);
const TROUBLE = /^(?:problem|issue|warning)s?$/;

/**
 * Returns the field in which an answer says no, with its value; undefined if it says no nowhere. An answer without
 * fields is judged like a field `result`.
 */
export function denialIn(json: unknown): string | undefined {
	if (!isObject(json) && !Array.isArray(json)) {
		return denies('result', json, true) ? shown('', json) : undefined;
	}
	return denialOf(json, { isTop: true });
}

/** Where the fields of an object stand. */
interface Place {
	isTop?: boolean;
	isAboutRequest?: boolean;
}

function denialOf(value: unknown, place: Place): string | undefined {
	if (Array.isArray(value)) return firstFound(value, (each) => denialOf(each, place));
	if (!isObject(value)) return undefined;
	return firstFound(Object.entries(value), ([name, inner]) => {
		const plain = name.toLowerCase().replace(/[^a-z]/g, '');
		const isCode = place.isAboutRequest === true && plain === 'code';
		if (denies(isCode ? 'statuscode' : plain, inner, place.isTop === true))
			return shown(name, inner);
		const isAboutRequest = ABOUT_REQUEST.test(plain);
		return isAboutRequest || RECORD.test(plain) ? denialOf(inner, { isAboutRequest }) : undefined;
	});
}

function firstFound<T>(list: T[], find: (each: T) => string | undefined): string | undefined {
	for (const each of list) {
		const found = find(each);
		if (found !== undefined) return found;
	}
	return undefined;
}

/**
 * Whether a field says no.
 *
 * @param isTop whether 0 means no in a field of a state: in a record, it can be the first of several states
 */
function denies(name: string, value: unknown, isTop: boolean): boolean {
	if (ERROR.test(name)) return !isNothing(value) && !(ERROR_CODE.test(name) && is2xx(value));
	const isStatus = STATUS.test(name) || CODE.test(name);
	if (!isStatus && !FLAG.test(name)) return false;
	if (typeof value !== 'string' && typeof value !== 'number') return value === false;
	const text = String(value).trim();
	if (/^-\d/.test(text)) return true;
	if (text === '0') return SUCCESS.test(name) || (isTop && !CODE.test(name) && !COUNT.test(name));
	return (isStatus && statusIn(text) >= 400) || reportsFailure(text);
}

/** Returns the number with which a text begins, if it is a status: "404", "HTTP 500", "402 Payment Required". */
function statusIn(text: string): number {
	return Number(/^(?:HTTP\S*\s+)?(\d{3,})(?:$|[\s:-]+[A-Z])/.exec(text)?.[1]);
}

function is2xx(value: unknown): boolean {
	return /^2\d\d$/.test(String(typeof value === 'object' ? '' : value));
}

/** Whether the content of an error field means that there is none, such as `{ "code": 0, "message": "" }`. */
function isNothing(value: unknown): boolean {
	if (value === null || value === undefined) return true;
	if (typeof value === 'object') return Object.values(value).every(isNothing);
	return NOTHING.test(String(value as string | number | boolean).trim());
}

/** Whether a text has a word of failure: "not sent", "SEND_FAILED", but not "no errors", "0 failed" or "not yet sent". */
function reportsFailure(text: string): boolean {
	const words = wordsOf(text);
	return words.some((word, index) => {
		if (!FAILURES.has(word)) return false;
		const next = words[index + 1] ?? '';
		if (NONE.has(word)) return !FAILURES.has(next) && !TROUBLE.test(next);
		return !NONE.has(words[index - 1] ?? '') && next !== '0' && next !== 'yet';
	});
}

function wordsOf(text: string): string[] {
	const apart = text
		.slice(0, LONGEST_TEXT)
		.normalize('NFC')
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
	return apart.toLowerCase().match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
}

function shown(name: string, value: unknown): string {
	const [text] = excerpt(JSON.stringify(value)).split(' …');
	return name === '' ? `${text}` : `${name}: ${text}`;
}

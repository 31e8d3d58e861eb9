/** Decides the outcome of a request without an answer: did any part of it leave n8n before the connection broke? */

import { adviceOnBlocked, adviceOnDocker, BLOCKED } from '../shared/host';
import { stoppedError } from '../shared/time';
import { type Failure, LOOK_FIRST, notSent, notSentBecauseOf, uncertain } from './outcome';

/** Codes that Node.js uses only before any part of the request has left. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL']);
const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT']);
/** Codes of a connection that broke, and may not break the next time. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE']);
const STOPPED = 'ERR_CANCELED';
const TLS_CODE =
	/^(CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL_\w+_CERTIFICATE_REQUIRED)/;
/** Words that OpenSSL uses only while a connection is being secured. Waiting does not help. */
const TLS_REFUSED =
	/wrong version number|handshake failure|unsupported protocol|protocol version|packet length too long|no shared cipher|unrecognized name|(dh|ee) key too small|no protocols available|inappropriate fallback/i;
/** Words that Node.js uses for a connection that broke while it was being secured. */
const TLS_BROKEN = /before secure TLS connection/i;

/** Decides whether a message without an answer may have been queued. */
export function readFault(error: unknown, host: string): Failure {
	const facts = factsOf(error);
	const { code, syscall, message, name } = facts;
	const hostname = new URL(`http://${host}`).hostname;
	if (BLOCKED.test(name)) {
		return notSent({
			what: `n8n's protection of internal addresses blocked ${host}`,
			advice: adviceOnBlocked(hostname),
			blame: 'subscription',
		});
	}
	if (code === 'EAI_AGAIN' || (syscall === 'getaddrinfo' && code !== 'ENOTFOUND')) {
		return unreachable(`n8n cannot look up the address ${host} right now`, hostname);
	}
	if (code === 'ENOTFOUND') {
		return notSent({
			what: `The address ${host} does not exist`,
			advice: adviceOnDocker(hostname) ?? 'Correct the Base URL in the credential.',
			blame: 'subscription',
		});
	}
	if (UNREACHABLE.has(code) || syscall === 'connect') {
		return unreachable(
			`The gateway at ${host} cannot be reached (${code || 'no connection'})`,
			hostname,
		);
	}
	if (code === 'ERR_INVALID_URL') {
		return notSent({
			what: `${host} is not a web address`,
			advice: 'Correct the Base URL in the credential.',
			blame: 'subscription',
		});
	}
	const isSecuring = facts.stage === 'securing' || TLS_BROKEN.test(message);
	// OpenSSL uses the same words for a connection that breaks after it was secured. Node.js then puts them into the code.
	// Before, the code is EPROTO.
	const isSecured = facts.stage === 'sending' || (!isSecuring && code.startsWith('ERR_SSL_'));
	if (isSecured && !TLS_CODE.test(code)) return brokenOff(code);
	if (facts.stage && code === STOPPED) return notSentBecauseOf(stoppedError());
	if (facts.stage && TIMED_OUT.has(code)) {
		return unreachable(
			`The gateway at ${host} cannot be reached (no connection in time)`,
			hostname,
		);
	}
	if (isSecuring && (code === '' || BROKEN.has(code))) {
		return { ...insecure(code, host), blame: 'gateway', retry: {} };
	}
	if (isSecuring || TLS_CODE.test(code) || TLS_REFUSED.test(message)) return insecure(code, host);
	if (facts.stage)
		return unreachable(`The gateway at ${host} cannot be reached (${code})`, hostname);
	return brokenOff(code);
}

function insecure(code: string, host: string): Failure {
	return notSent({
		what: `The connection to ${host} could not be secured (${code || 'TLS failure'})`,
		advice:
			"Check whether the Base URL in the credential should start with https:// or http://. If the gateway uses a self-signed certificate, turn on 'Ignore SSL Issues' in the credential.",
		blame: 'subscription',
	});
}

function unreachable(what: string, hostname: string): Failure {
	const onDocker = adviceOnDocker(hostname);
	return notSent({
		what,
		advice: onDocker
			? `Check that the gateway is running. ${onDocker}`
			: 'Check that the gateway is running and that the Base URL in the credential is correct.',
		blame: 'gateway',
		retry: {},
	});
}

/** The connection broke while the request was being sent, so the gateway may have queued the message. */
function brokenOff(code: string): Failure {
	const what =
		code === STOPPED
			? 'The execution was stopped while the message was on its way'
			: TIMED_OUT.has(code)
				? 'The gateway did not answer in time'
				: `The connection broke while the message was on its way${code ? ` (${code})` : ''}`;
	return uncertain({ what, advice: LOOK_FIRST, ...(code === STOPPED && { cause: 'canceled' }) });
}

interface Facts {
	code: string;
	syscall: string;
	message: string;
	name: string;
	/** The stage of the connection. Undefined if unknown: a part of the request may have left n8n. */
	stage?: 'connecting' | 'securing' | 'sending';
}

/**
 * Each release of n8n wraps the errors of Node.js and axios in its own way, so the innermost facts count. n8n 1.x drops
 * the wrapped error and keeps its code and words in fields of the wrapper:
 * https://github.com/n8n-io/n8n/blob/n8n@1.123.0/packages/workflow/src/errors/node-api.error.ts
 */
function factsOf(error: unknown): Facts {
	const found: Facts = { code: '', syscall: '', message: '', name: '' };
	let level = error;
	for (let depth = 0; depth < 6 && typeof level === 'object' && level !== null; depth++) {
		const { code, httpCode, syscall, message, messages, name, cause, errors } = level as Record<
			string,
			unknown
		>;
		const known = [code, httpCode].find((each) => typeof each === 'string' && /^[A-Z]/.test(each));
		if (known) found.code = String(known);
		if (typeof syscall === 'string') found.syscall = syscall;
		for (const words of [message, messages].flat()) {
			if (typeof words === 'string') found.message += `${words}\n`;
		}
		if (typeof name === 'string') found.name = name;
		found.stage ??= stageOf(level);
		level = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
	}
	if (/^connect [A-Z]/m.test(found.message)) found.syscall ||= 'connect';
	return found;
}

/**
 * A destroyed socket keeps the number of bytes it sent, and whether it was still being secured, only in fields that
 * Node.js does not document:
 * https://github.com/nodejs/node/blob/v20.20.2/lib/net.js#L976-L978
 * https://github.com/nodejs/node/blob/v20.20.2/lib/_tls_wrap.js#L1735
 *
 * Returns how far the connection got. An error of axios carries its request.
 */
function stageOf(error: object): Facts['stage'] {
	const { config, request, name } = error as Record<string, unknown>;
	// The error of a request that was stopped before axios made it carries none.
	if (name === 'CanceledError' && config && !request) return 'connecting';
	if (typeof request !== 'object' || request === null || !('socket' in request)) return undefined;
	if (request.socket === null) return 'connecting';
	const { _bytesDispatched, secureConnecting } = (request.socket ?? {}) as Record<string, unknown>;
	if (_bytesDispatched === 0) return 'connecting';
	if (secureConnecting === true) return 'securing';
	return _bytesDispatched === undefined ? undefined : 'sending';
}

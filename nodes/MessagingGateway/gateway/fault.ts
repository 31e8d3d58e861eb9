import { LOOK_FIRST, type Failure } from './outcome';

/** Codes that Node.js gives only before anything of the request has left: nobody is listening there. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EADDRNOTAVAIL']);
/** Codes that it also gives to a connection that is open, where the request may have arrived. */
const CUT_OFF = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT']);
const TLS_CODE =
	/^(CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA)/;
const TLS_HANDSHAKE =
	/before secure TLS connection|wrong version number|handshake failure|unsupported protocol|protocol version|packet length too long|no shared cipher/i;
const BLOCKED = /^Ssrf|UnknownConnectionHost/;

/** Decides, for an exchange without an answer, whether the message may have been queued. */
export function readFault(error: unknown, host: string): Failure {
	const { code, syscall, message, name } = facts(error);
	if (BLOCKED.test(name)) {
		return notSent(
			`This n8n does not allow requests to ${host}`,
			'Ask the administrator of n8n to allow this address.',
		);
	}
	if (TLS_CODE.test(code) || TLS_HANDSHAKE.test(message)) {
		return notSent(
			`The connection to ${host} could not be secured (${code || 'TLS failure'})`,
			'Check that the Base URL of the credential begins with https:// only where the gateway speaks it; for a certificate that the gateway signed itself, switch on Ignore SSL Issues in the credential.',
		);
	}
	if (code === 'EAI_AGAIN') {
		return waitable(`The name ${host} could not be looked up for now`);
	}
	if (code === 'ENOTFOUND' || syscall === 'getaddrinfo') {
		return notSent(
			`There is no server with the name ${host}`,
			'Correct the Base URL of the credential.',
		);
	}
	if (UNREACHABLE.has(code) || (CUT_OFF.has(code) && syscall === 'connect')) {
		return waitable(`The gateway at ${host} cannot be reached (${code})`);
	}
	if (code === 'ERR_INVALID_URL') {
		return notSent(`${host} is not an address`, 'Correct the Base URL of the credential.');
	}
	return uncertain(code);
}

/** The request was on its way when the connection broke, so the gateway may have queued the message. */
function uncertain(code: string): Failure {
	const what =
		code === 'ERR_CANCELED'
			? 'The execution was cancelled while the message was on its way'
			: code === 'ECONNABORTED' || code === 'ETIMEDOUT'
				? 'The gateway did not answer in time'
				: `The connection broke while the message was on its way${code ? ` (${code})` : ''}`;
	return {
		outcome: 'uncertain',
		origin: 'gateway',
		what,
		advice: LOOK_FIRST,
	};
}

function notSent(what: string, advice: string): Failure {
	return { outcome: 'notSent', origin: 'gateway', what, advice };
}

function waitable(what: string): Failure {
	return {
		...notSent(
			what,
			'Check that the gateway is running and that the Base URL of the credential is right, and run this again.',
		),
		retry: {},
	};
}

/**
 * n8n wraps what Node.js and axios throw, differently in each version: the innermost facts count. Where
 * the wrapped error itself is lost, as in 1.x, its code and its words stand in fields of the wrapper.
 */
function facts(error: unknown) {
	const found = { code: '', syscall: '', message: '', name: '' };
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
		level = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
	}
	if (/^connect [A-Z]/m.test(found.message)) found.syscall ||= 'connect';
	return found;
}

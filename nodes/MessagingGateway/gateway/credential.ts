/** Reads the fields of the credential. Each function throws an InputError if nothing can be sent with the field. */

import { BASE_URL_CLEANING, cleaned, TOKEN_CLEANING } from './cleaning';
import { InputError } from '../shared/inputError';
import { excerpt, hashOf, webAddress } from '../shared/text';

/** Characters. */
const LONGEST_TOKEN = 8_192;
/** Characters. No browser takes a longer address. */
const LONGEST_URL = 2_048;
/** Characters that people may paste with either of them: “Bearer ”, quotation marks, spaces. */
const MOST_AROUND = 1_000;

/** The fields of the credential, as n8n passes them on. */
export interface GatewayCredential {
	baseUrl: string;
	accessToken: string;
	deviceId?: string;
	allowUnauthorizedCerts?: boolean;
	requestsPerMinute?: number;
	defaultCountryCode?: string | number;
}

/** @throws InputError if the text is not an address, even after cleaning */
export function checkedBaseUrl(text: unknown): string {
	const entered = String(text ?? '');
	const isLong = entered.length > LONGEST_URL + MOST_AROUND;
	const url = isLong ? undefined : webAddress(cleaned(entered, BASE_URL_CLEANING));
	const plain = url && url.origin + url.pathname;
	if (plain && plain === url.href) return plain.replace(/\/+$/, '');
	const excess = url && excessIn(url);
	if (excess) {
		throw new InputError(
			`The Base URL in the credential contains ${excess}`,
			`Enter only the address of the gateway, such as ${excerpt(url.origin)}.`,
		);
	}
	throw new InputError(
		'The Base URL in the credential is not a web address',
		'Enter the address of your subscription, e.g. https://gateway.example.com.',
	);
}

/** Returns the part of an address that the address of a gateway cannot have. */
function excessIn({ username, password, href }: URL): string {
	if (username || password) return 'a user name or a password';
	return href.search(/[?#]/) === href.indexOf('#') ? 'a “#”' : 'a “?”';
}

/** @throws InputError if the text cannot be a token */
export function checkedToken(text: unknown): string {
	const entered = String(text ?? '');
	const isLong = entered.length > LONGEST_TOKEN + MOST_AROUND;
	const token = isLong ? entered : cleaned(entered, TOKEN_CLEANING);
	if (token.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(token)) return token;
	throw new InputError(
		`The Access Token in the credential ${whyNoToken(token)}`,
		'Copy the token from your gateway into the credential again.',
	);
}

function whyNoToken(token: string): string {
	if (token.length > LONGEST_TOKEN) return 'is too long for a token';
	return token === ''
		? 'is missing'
		: 'contains a space or another character that is not allowed in a token';
}

/**
 * Returns the limit; 0 is none.
 *
 * @throws InputError if the field is not a number, such as an expression that returns nothing
 */
export function checkedRequestsPerMinute(credential: Partial<GatewayCredential>): number {
	// A credential that was saved by an older release has no such field.
	if (!Object.hasOwn(credential, 'requestsPerMinute')) return 0;
	const value: unknown = credential.requestsPerMinute;
	const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const count = isNumber ? Number(value) : NaN;
	// A limit below 1 is still a limit.
	if (count >= 0 && count < Infinity) return count > 0 ? Math.max(1, Math.floor(count)) : 0;
	throw new InputError(
		"'Requests per Minute' in the credential is not a number of 0 or more",
		'Enter the number of requests that your plan allows in a minute, or 0 for no limit.',
	);
}

/**
 * Returns the Default Country Code as it was entered; '' if there is none.
 *
 * @throws InputError if an expression in the field returns nothing: messages would go to other people
 */
export function enteredCountryCode(credential: Partial<GatewayCredential>): string {
	// A credential that was saved by an older release has no such field.
	if (!Object.hasOwn(credential, 'defaultCountryCode')) return '';
	const { defaultCountryCode: code } = credential;
	if (typeof code === 'string' || typeof code === 'number') return String(code);
	throw new InputError(
		"The expression of 'Default Country Code' in the credential returns no code",
		'Correct it, or empty the field.',
	);
}

/** Returns the same key for every credential of one subscription. It does not show the token. */
export function subscriptionOf(baseUrl: string, token: string): string {
	return hashOf(JSON.stringify([baseUrl, token]));
}

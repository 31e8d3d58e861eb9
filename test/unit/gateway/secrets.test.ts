import fc from 'fast-check';
import { maskOf } from '../../../nodes/MessagingGateway/gateway/secrets';
// Anew each time, so that a mistake in the making of it is found too.
const redact = <T>(value: T): T => maskOf('s3cr/t')(value);

it.each([
	['a text', 'Bearer s3cr/t!', 'Bearer ***!'],
	['a text that has it twice', 's3cr/ts3cr/t', '******'],
	['an address', '/?t=s3cr%2Ft', '/?t=***'],
	['a key', { 's3cr/t': 1 }, { '***': 1 }],
	['a value deep inside', { a: [{ b: 's3cr/t' }] }, { a: [{ b: '***' }] }],
	['a list', ['s3cr/t', 5], ['***', 5]],
	['a number', 5, 5],
	['true', true, true],
	['null', null, null],
	['undefined', undefined, undefined],
])('a secret is taken out of %s', (_name, given, expected) => {
	expect(redact(given)).toEqual(expected);
});

it('taking a secret out leaves everything else as it is', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const text = JSON.stringify(value);
			fc.pre(!text.includes('s3cr/t') && !text.includes('s3cr%2Ft'));
			expect(redact(value)).toEqual(value);
		}),
	);
});

it('taking a secret out does not touch what it was given', () => {
	const given = { a: ['s3cr/t'] };
	redact(given);
	expect(given).toEqual({ a: ['s3cr/t'] });
});

it('taking a secret out makes a key that would be a prototype elsewhere an ordinary one', () => {
	const result = redact(JSON.parse('{"__proto__":{"polluted":"s3cr/t"}}') as object);
	expect(Object.hasOwn(result, '__proto__')).toBe(true);
	expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":"***"}}');
	expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

it('taking a secret out changes nothing without a secret', () => {
	expect(maskOf('')({ a: 'b' })).toEqual({ a: 'b' });
});

const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
const HTML_OF_NET: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const HTML: Record<string, string> = { ...HTML_OF_NET, '"': '&quot;' };

it.each([
	['text', (token: string) => token],
	['JSON', (token: string) => JSON.stringify(token).slice(1, -1)],
	['JSON in JSON', (token: string) => JSON.stringify(JSON.stringify(token)).slice(3, -3)],
	['PHP', (token: string) => JSON.stringify(token).slice(1, -1).replaceAll('/', '\\/')],
	['an address', encodeURIComponent],
	['an address in an address', (token: string) => encodeURIComponent(encodeURIComponent(token))],
	['JSON in an address', (token: string) => encodeURIComponent(JSON.stringify(token).slice(1, -1))],
	['.NET', (token: string) => token.replace(/["'&+<>]/g, (each) => `\\u00${hexOf(each)}`)],
	['an HTML page', (token: string) => token.replace(/[&<>"]/g, (each) => HTML[each] ?? each)],
	[
		'an HTML page of .NET',
		(token: string) =>
			token.replace(/["'&+<>]/g, (each) => HTML_OF_NET[each] ?? `&#x${hexOf(each)};`),
	],
	[
		'an HTML page of Go',
		(token: string) =>
			token.replace(/["'&+<>]/g, (each) => HTML_OF_NET[each] ?? `&#${each.charCodeAt(0)};`),
	],
])('taking a secret out finds any token as %s writes it', (_name, write) => {
	const secret = fc.stringMatching(/^[\x21-\x7e]{4,40}$/);
	fc.assert(
		fc.property(secret, (token) => {
			const left = maskOf(token)(`§${write(token)}§`);
			// Nobody can tell a backslash of the token from one of its writing.
			expect(left.replace(/\\|%(?:25)*5c/gi, '')).toBe('§***§');
		}),
		{ numRuns: 300 },
	);
});

const inCode = (encoding: BufferEncoding) => (token: string) =>
	Buffer.from(token).toString(encoding);

it.each<[string, (token: string) => string]>([
	['base64', inCode('base64')],
	['base64 for addresses', inCode('base64url')],
	['hexadecimal', inCode('hex')],
	['hexadecimal in capitals', (token) => inCode('hex')(token).toUpperCase()],
	['its second part', (token) => token.slice(token.indexOf('|') + 1)],
	['base64 of its second part', (token) => inCode('base64')(token.slice(token.indexOf('|') + 1))],
	['base64 in an address', (token) => encodeURIComponent(inCode('base64')(token))],
])('taking a secret out finds it as %s', (_, write) => {
	const secret = fc.stringMatching(/^[1-9]\d?\|[\w/+&]{12,40}$/);
	fc.assert(
		fc.property(secret, (token) => {
			expect(maskOf(token)(`§${write(token)}§`)).toMatch(/^§\*\*\*[^§]{0,7}§$/);
		}),
	);
});

it('taking a secret out finds all of it that base64 of a longer text shows', () => {
	const secret = fc.stringMatching(/^\w{12,40}$/);
	const around = fc.string({ maxLength: 5 });
	fc.assert(
		fc.property(secret, around, around, (token, before, after) => {
			const code = Buffer.from(`${before}${token}${after}`).toString('base64');
			const left = maskOf(token)(code).split('***');
			expect(left).toHaveLength(2);
			for (const part of left)
				expect(Buffer.from(part, 'base64').toString()).not.toContain(token.slice(1, -1));
		}),
	);
});

it('taking a secret out leaves it nowhere in any JSON value, keys included', () => {
	const secret = fc.stringMatching(/^[\x21-\x29\x2b-\x7e]{4,40}$/);
	fc.assert(
		fc.property(
			secret,
			fc.string(),
			fc.string(),
			fc.jsonValue({ maxDepth: 3 }),
			(token, before, after, other) => {
				const text = before + token + after;
				const value = [text, { [text]: { [token]: [encodeURIComponent(token), other] } }];
				const seen: string[] = [];
				JSON.stringify(maskOf(token)(value), (key, each: unknown) => {
					seen.push(key);
					if (typeof each === 'string') seen.push(each);
					return each;
				});
				for (const each of seen) expect(each).not.toContain(token);
			},
		),
		{ numRuns: 500 },
	);
});

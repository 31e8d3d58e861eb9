import fc from 'fast-check';
import {
	type Asked,
	parseAnswer,
	type RawAnswer,
	readAnswer,
} from '../../../nodes/MessagingGateway/gateway/answer';
import { parseJson } from '../../../nodes/MessagingGateway/gateway/answerBody';
import type { Failure } from '../../../nodes/MessagingGateway/gateway/outcome';

const BASE = 'https://gateway.example.com/prefix';
const asked = (over: Partial<Asked> = {}): Asked => ({
	url: `${BASE}/api/v1/message/send`,
	baseUrl: BASE,
	answer: 'envelope',
	...over,
});

const read = (answer: Partial<RawAnswer>, over: Partial<Asked> = {}) =>
	readAnswer(parseAnswer({ status: 200, headers: {}, body: '', ...answer }), asked(over));

/** Like `read`, for an answer that is a failure. */
const failed = (answer: Partial<RawAnswer>, over: Partial<Asked> = {}): Failure => {
	const outcome = read(answer, over);
	if (outcome.outcome === 'accepted') throw new Error('It was accepted');
	return outcome;
};

const json = (value: unknown) => ({ body: JSON.stringify(value) });
const ENVELOPE = { code: 200, message: 'Message is sent in the background' };
const HTML = '<html><head><title>Oops</title></head><body>Something broke</body></html>';
const rows: Array<[string, Partial<RawAnswer>, string, boolean]> = [
	['200 with the code 200', json(ENVELOPE), 'accepted', false],
	['200 with the code "200"', json({ ...ENVELOPE, code: '200' }), 'accepted', false],
	['201 with the code 200', { status: 201, ...json(ENVELOPE) }, 'accepted', false],
	['299 with the code 200', { status: 299, ...json(ENVELOPE) }, 'accepted', false],
	['200 with the code 500', json({ code: 500, message: 'no' }), 'notSent', false],
	['200 with the code 201', json({ code: 201 }), 'uncertain', false],
	['200 with the code "200 "', json({ code: '200 ' }), 'uncertain', false],
	['200 with the code true', json({ code: true }), 'uncertain', false],
	['200 with the code 202', json({ code: 202 }), 'uncertain', false],
	['200 with the code "OK"', json({ code: 'OK' }), 'uncertain', false],
	['200 with the code 399', json({ code: 399 }), 'uncertain', false],
	['200 with the code 400', json({ code: 400 }), 'notSent', false],
	['200 with the code 429', json({ code: 429 }), 'notSent', true],
	['200 with the code "503"', json({ code: '503' }), 'notSent', true],
	['200 with the code "402"', json({ code: '402' }), 'notSent', false],
	['200 with the code "5e2"', json({ code: '5e2' }), 'uncertain', false],
	['200 with the code " 500"', json({ code: ' 500' }), 'uncertain', false],
	['200 with the code false', json({ code: false }), 'uncertain', false],
	['200 with the code 0', json({ code: 0 }), 'uncertain', false],
	['200 with a list as the code', json({ code: [200] }), 'uncertain', false],
	['200 with no code', json({ message: 'ok' }), 'uncertain', false],
	['200 with the code null', json({ code: null }), 'uncertain', false],
	['200 with HTML', { body: HTML }, 'uncertain', false],
	['200 with nothing', {}, 'uncertain', false],
	['200 with white space', { body: ' \n' }, 'uncertain', false],
	['204 with nothing', { status: 204 }, 'uncertain', false],
	['200 with a list', json([ENVELOPE]), 'uncertain', false],
	['200 with a number', json(200), 'uncertain', false],
	['200 with a text', json('200'), 'uncertain', false],
	['200 cut off', { ...json(ENVELOPE), incomplete: 'brokenOff' }, 'uncertain', false],
	['200 without an end', { ...json(ENVELOPE), incomplete: 'tooLong' }, 'uncertain', false],
	['200 too slow', { ...json(ENVELOPE), incomplete: 'tooSlow' }, 'uncertain', false],
	['200 with half an envelope', { body: '{"code":200,"mess' }, 'uncertain', false],
	['100', { status: 100 }, 'uncertain', false],
	['199', { status: 199, ...json(ENVELOPE) }, 'uncertain', false],
	['0', { status: 0 }, 'uncertain', false],
	['300', { status: 300 }, 'notSent', false],
	['301', { status: 301 }, 'notSent', false],
	['302', { status: 302 }, 'notSent', false],
	['303', { status: 303 }, 'uncertain', false],
	['307', { status: 307 }, 'notSent', false],
	['308', { status: 308 }, 'notSent', false],
	['399', { status: 399 }, 'notSent', false],
	['302 with an envelope', { status: 302, ...json(ENVELOPE) }, 'notSent', false],
	['400', { status: 400 }, 'notSent', false],
	['401', { status: 401 }, 'notSent', false],
	['403', { status: 403 }, 'notSent', false],
	['404', { status: 404 }, 'notSent', false],
	['405', { status: 405 }, 'notSent', false],
	['408', { status: 408 }, 'uncertain', false],
	['409', { status: 409 }, 'notSent', false],
	['413', { status: 413 }, 'notSent', false],
	['422', { status: 422 }, 'notSent', false],
	['422 with an envelope', { status: 422, ...json(ENVELOPE) }, 'notSent', false],
	['429', { status: 429 }, 'notSent', true],
	['429 with Retry-After', { status: 429, headers: { 'retry-after': '3' } }, 'notSent', true],
	['498', { status: 498 }, 'notSent', false],
	['499', { status: 499 }, 'uncertain', false],
	['500', { status: 500 }, 'uncertain', false],
	['500 with an envelope', { status: 500, ...json(ENVELOPE) }, 'uncertain', false],
	['502', { status: 502 }, 'uncertain', false],
	['503', { status: 503 }, 'uncertain', false],
	['503 with Retry-After', { status: 503, headers: { 'retry-after': '3' } }, 'notSent', true],
	[
		'503 with a time that is over',
		{ status: 503, headers: { 'retry-after': '0' } },
		'notSent',
		true,
	],
	['503 with a wrong one', { status: 503, headers: { 'retry-after': 'x' } }, 'uncertain', false],
	['500 with Retry-After', { status: 500, headers: { 'retry-after': '3' } }, 'uncertain', false],
	['504', { status: 504 }, 'uncertain', false],
	['599', { status: 599 }, 'uncertain', false],
	['999', { status: 999 }, 'uncertain', false],
];

it.each(rows)('every answer has its outcome: %s', (_name, answer, outcome, isRetried) => {
	const result = read(answer);

	expect(result.outcome).toBe(outcome);
	expect('retry' in result && result.retry !== undefined).toBe(isRetried);
	if (result.outcome !== 'accepted') {
		expect(result.origin).toBe('gateway');
		expect(result.httpCode).toBe(answer.status ?? 200);
		expect(result.what).toMatch(/\(status \d+\)|\(code \d+\)|with code/);
		expect(result.advice).toMatch(/\.$/);
	}
});

it('an accepted answer comes out as it came', () => {
	const envelope = { ...ENVELOPE, data: { queue_id: '7', nested: [{ a: null }] }, extra: true };
	expect(read(json(envelope))).toEqual({ outcome: 'accepted', envelope });
});

it('an accepted answer may have a byte order of its keys, spaces and a text as its code', () => {
	const result = read({ body: ' {"message":"m" , "code" : "200"}\n' });
	expect(result).toEqual({ outcome: 'accepted', envelope: { message: 'm', code: '200' } });
});

it('an accepted answer may begin with a byte order mark, as PHP files saved with one do', () => {
	expect(read({ body: `\uFEFF${JSON.stringify(ENVELOPE)}` }).outcome).toBe('accepted');
});

it('an accepted answer may contain the name __proto__, and changes no prototype', () => {
	const result = read({ body: '{"code":200,"__proto__":{"polluted":true},"constructor":1}' });
	expect(result.outcome).toBe('accepted');
	expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	expect((result as unknown as { envelope: { polluted?: boolean } }).envelope.polluted).toBe(
		undefined,
	);
});
const group = { answer: 'anyJson' as const };

it.each([
	['nothing', { status: 204 }, { response: '' }],
	['white space', { body: ' \n ' }, { response: '' }],
	['an object without a code', json({ status: true }), { status: true }],
	['a success', json({ success: true, error: '' }), { success: true, error: '' }],
	['no error', json({ error: null }), { error: null }],
	['an empty list of errors', json({ error: [] }), { error: [] }],
	['false as an error', json({ error: false }), { error: false }],
	['an object whose code is null', json({ code: null }), { code: null }],
	['an envelope', json(ENVELOPE), ENVELOPE],
	['a list', json([1, 2]), { response: [1, 2] }],
	['a text', json('queued'), { response: 'queued' }],
	['a number', json(7), { response: 7 }],
])('the answer to a v2 group send may be %s', (_name, answer, envelope) => {
	expect(read(answer, group)).toEqual({ outcome: 'accepted', envelope });
});

it.each([
	['a failing code', json({ code: 400, message: 'no' }), 'notSent'],
	['an unknown code', json({ code: 201 }), 'uncertain'],
	['success: false', json({ success: false }), 'uncertain'],
	['status: false', json({ status: false, message: 'no' }), 'uncertain'],
	['success: "false"', json({ success: 'false' }), 'uncertain'],
	['an error', json({ error: 'Not a group' }), 'uncertain'],
	['an object as an error', json({ error: { code: 7 } }), 'uncertain'],
	['a number as an error', json({ error: 7 }), 'uncertain'],
	['true as an error', json({ error: true }), 'uncertain'],
	['an error that begins with false', json({ error: 'False number' }), 'uncertain'],
	['an error that ends with false', json({ error: 'The number is false' }), 'uncertain'],
	['false', json(false), 'uncertain'],
	['HTML', { body: HTML }, 'uncertain'],
	['half a JSON text', { body: '{"a":' }, 'uncertain'],
	['an answer that was cut off', { incomplete: 'brokenOff' as const }, 'uncertain'],
	['a 500', { status: 500 }, 'uncertain'],
	['a 404', { status: 404 }, 'notSent'],
])('the answer to a v2 group send is a failure if it is %s', (_name, answer, outcome) => {
	expect(read(answer, group).outcome).toBe(outcome);
});

it.each([undefined, group])('an answer with code 200 that says no is uncertain (%j)', (over) => {
	expect(
		failed(json({ ...ENVELOPE, status: false, message: 'Device is disconnected' }), over),
	).toEqual({
		outcome: 'uncertain',
		origin: 'gateway',
		what: 'The gateway reported success and an error in the same answer (status 200): “Device is disconnected”',
		advice: expect.stringContaining(
			"Check the gateway's outbox before you send it again.",
		) as string,
		httpCode: 200,
	});
	expect(failed(json({ code: '200', success: false }), over).what).toContain('“success: false”');
	const envelope = {
		...ENVELOPE,
		error: false,
		errors: [],
		status: 'success',
		data: { status: 'Pending' },
	};
	expect(read(json(envelope), over)).toEqual({ outcome: 'accepted', envelope });
});

const to = (location: unknown, status = 301) => failed({ status, headers: { location } });

it('a redirect names its target, and the Base URL that would have been right', () => {
	expect(to('https://new.example.com/x/api/v1/message/send')).toMatchObject({
		what: 'The gateway redirected the request to https://new.example.com/x/api/v1/message/send instead of accepting it (status 301)',
		advice: 'Set the Base URL in the credential to https://new.example.com/x.',
	});
});

it('a redirect is resolved against the address of the request', () => {
	expect(to('/api/v1/message/send').advice).toContain('to https://gateway.example.com.');
	expect(to('//other.example.com/api/v1/message/send').advice).toContain(
		'to https://other.example.com.',
	);
});

it('a redirect that leads elsewhere names the Base URL as it is', () => {
	expect(to('https://gateway.example.com/login?next=secret')).toMatchObject({
		what: 'The gateway redirected the request to https://gateway.example.com/login instead of accepting it (status 301)',
		advice: `Set the Base URL in the credential to the address of the gateway itself (now ${BASE}).`,
	});
});

it('a redirect to where it came from says that something keeps n8n out', () => {
	for (const location of [asked().url, `${asked().url}/`, '?challenge=1', '#x']) {
		expect(to(location, 302)).toMatchObject({
			what: 'The gateway redirected the request to its own address instead of accepting it (status 302)',
			advice: expect.stringContaining('let n8n through'),
		});
	}
});

it.each([undefined, '', 'http://[', 5, ['https://a.example.com'], 'myapp://in', 'javascript:1'])(
	'a redirect without a target that can be read (%j) says so',
	(location) => {
		expect(to(location, 302)).toMatchObject({
			what: 'The gateway redirected the request to another address instead of accepting it (status 302)',
			advice: `Set the Base URL in the credential to the address of the gateway itself (now ${BASE}).`,
		});
	},
);

it('a redirect cannot bring more than an excerpt of its target', () => {
	for (const length of [290, 10_000]) {
		const { what, advice } = to(`https://a.example.com/${'x'.repeat(length)}`);
		// A part of an address could be a part of the token.
		expect(what).toMatch(/redirected the request to another address instead/);
		expect(advice.length).toBeLessThan(200);
	}
});
const after = (value: unknown, date?: unknown) =>
	failed({ status: 429, headers: { 'retry-after': value, date } }).retry?.afterMs;

it('the pause that the gateway asks for concerns all messages', () => {
	expect(failed({ status: 429 }).retry).toEqual({ afterMs: undefined, busy: true });
});

it.each([
	['120', 120_000],
	['1', 1_000],
	['0', undefined],
	[' 7 ', 7_000],
	['', undefined],
	['-5', undefined],
	['1.5', undefined],
	['soon', undefined],
	['Wait 10', undefined],
	['12345678901', undefined],
	['2999-01-01', undefined],
	['not before 2999', undefined],
	[['5'], undefined],
	[5, undefined],
	[undefined, undefined],
])('the pause that the gateway asks for with “%s” is %s ms', (value, expected) => {
	expect(after(value)).toBe(expected);
});

it.each([
	['counts from the date of the answer', 'Wed, 21 Oct 2015 07:28:00 GMT', 90_000],
	['is not told if that is over', 'Wed, 21 Oct 2015 07:29:30 GMT', undefined],
	['is not told if less than a second is left', 'Wed, 21 Oct 2015 07:29:29.5 GMT', undefined],
])('the pause that the gateway asks for may be a date, and %s', (_name, date, expected) => {
	expect(after('Wed, 21 Oct 2015 07:29:30 GMT', date)).toBe(expected);
});

it.each([undefined, 'yesterday', 5])(
	'the pause that the gateway asks for counts from now if the answer has the date %s',
	(date) => {
		const wait = after(new Date(Date.now() + 90_000).toUTCString(), date) ?? 0;
		expect(wait).toBeGreaterThan(80_000);
		expect(wait).toBeLessThanOrEqual(90_000);
	},
);

it('the pause that the gateway asks for is given in the unit that fits', () => {
	const advice = (seconds: string) =>
		failed({ status: 429, headers: { 'retry-after': seconds } }).advice;
	expect(advice('90')).toContain('Wait 90 seconds');
	expect(advice('120')).toContain('Wait 120 seconds');
	expect(advice('121')).toContain('Wait 3 minutes');
	expect(advice('3600')).toContain('Wait 60 minutes');
	expect(advice('86400')).toContain('Wait 24 hours');
	expect(advice('999999999')).toContain('Wait 11,575 days');
	expect(advice('1')).toContain('Wait 1 second:');
	expect(advice('0')).toBe(advice(''));
	expect(advice('')).toContain("'Batching' and 'Max Concurrency'");
});

it('the pause that the gateway asks for has its own words for too many messages, and for an unavailable gateway', () => {
	expect(failed({ status: 429 }).what).toBe(
		'The gateway is not accepting more messages right now (status 429)',
	);
	expect(failed({ status: 503, headers: { 'retry-after': '1' } }).what).toBe(
		'The gateway is temporarily unavailable (status 503)',
	);
});
const said = (body: string, status = 422) => failed({ status, body }).what;

it('the words of a failure are the message of the gateway', () => {
	expect(said('{"message":"Saldo habis."}')).toBe(
		'The gateway refused the message (status 422): “Saldo habis”',
	);
});

it.each(['error', 'detail'])('the words of a failure may stand in “%s”', (key) => {
	expect(said(JSON.stringify({ [key]: 'words' }))).toContain('“words”');
});

it("the words of a failure hold a validator's errors, each with its field", () => {
	const body = JSON.stringify({
		message: 'The given data was invalid.',
		errors: { number: ['is required', 'is short'], message: 'is long' },
	});
	expect(said(body)).toBe(
		'The gateway refused the message (status 422): “The given data was invalid. – number: is required is short – message: is long”',
	);
});

it.each([
	['{"message":{"number":["is wrong"]}}', 'number: is wrong'],
	['{"error":{"message":"is wrong","code":5}}', 'is wrong'],
	['{"message":"","error":"is wrong"}', 'is wrong'],
	['{"errors":[{"detail":"is wrong"}]}', 'is wrong'],
	['["is wrong", "is long"]', 'is wrong – is long'],
	['{"error":{"message":["is wrong"]}}', 'message: is wrong'],
	[
		'{"errors":{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}}',
		'a: 1 – b: 2 – c: 3 – d: 4 – e: 5',
	],
	['{"msg":"is wrong"}', 'is wrong'],
	['{"error":{"a":1,"b":2,"c":3,"d":4,"e":5,"message":"is wrong"}}', 'is wrong'],
])('the words of a failure are found in %s', (body, words) => {
	expect(said(body)).toBe(`The gateway refused the message (status 422): “${words}”`);
});

it('the words of a failure are empty if the answer is half of a JSON', () => {
	for (const body of ['{"me', ' [{"a"']) {
		const outcome = failed({ status: 400, body, incomplete: 'brokenOff' });
		expect(outcome.what).toBe('The gateway refused the message (status 400)');
		expect(outcome.advice).toContain('does not say why');
	}
	expect(failed({ status: 400, body: 'No such n', incomplete: 'brokenOff' }).what).toContain('“No');
	expect(said('{"me')).toContain('“{"me”');
	const page = { status: 400, body: 'No such number. {', incomplete: 'brokenOff' as const };
	expect(failed(page).what).toContain('“No such number. {”');
});

it('the words of a failure hold errors that are a list or a text', () => {
	expect(said('{"errors":["a","b"]}')).toContain('“a – b”');
	expect(said('{"errors":"a"}')).toContain('“a”');
	expect(said('{"errors":["a","b","c","d","e","f"]}')).toContain('“a – b – c – d – e”');
});

it('the words of a failure are the title of a page, or what it says', () => {
	expect(said(HTML)).toContain('“Oops”');
	expect(said('<h1>Bad &amp; gone</h1><script>x()</script>')).toContain('“Bad & gone”');
	expect(said('plain words')).toContain('“plain words”');
	expect(said('"words in JSON"')).toContain('“words in JSON”');
});

it.each(['', '{}', '[]', '5', 'null', '{"message":{"a":1}}', '{"errors":[1,{}]}'])(
	'the words of a failure are empty if the gateway has none: %s',
	(body) => {
		expect(said(body)).toBe('The gateway refused the message (status 422)');
	},
);

it('the words of a failure are short, on one line, without markup, control or direction characters', () => {
	const hostile = `<b>a\u0000b\u202Ec\r\nd</b>${'x'.repeat(5_000)}`;
	const what = said(JSON.stringify({ message: hostile }));
	expect(what).toMatch(/“a b c d x+ …”/);
	expect(what.length).toBeLessThan(400);
});

it('the words of a failure say of a refusal in an accepted answer what its code was', () => {
	expect(failed(json({ code: 401, message: 'Wrong device' }))).toMatchObject({
		what: 'The gateway rejected the access token (code 401): “Wrong device”',
		httpCode: 200,
	});
	expect(failed(json({ code: 'E7' })).what).toBe(
		'The gateway answered with code E7 instead of 200',
	);
	expect(failed(json({ code: [200] })).what).toContain('with code [200]');
	expect(failed(json({ code: 'x'.repeat(500) })).what.length).toBeLessThan(100);
	expect(failed(json({ code: `${'x'.repeat(39)}😀y` })).what).toMatch(/x😀 instead of 200$/u);
	expect(failed(json({ code: '' })).what).toContain('without a result code');
});

it('the words of a failure say what came in the place of an envelope', () => {
	const what = (answer: Partial<RawAnswer>) => failed(answer).what;
	expect(what({})).toBe('The gateway sent an empty answer (status 200)');
	expect(what({ status: 100 })).toBe('The gateway did not send a usable answer (status 100)');
	expect(what({ body: HTML })).toBe(
		'The gateway sent an answer that is not JSON (status 200): “Oops”',
	);
	expect(what(json({ message: 'ok' }))).toBe(
		'The gateway sent an answer without a result code (status 200): “ok”',
	);
	expect(what({ incomplete: 'brokenOff' })).toBe(
		'The gateway sent an answer that was cut off (status 200)',
	);
	expect(what({ incomplete: 'tooSlow' })).toBe(
		'The gateway sent an answer that was cut off (status 200)',
	);
	expect(what({ incomplete: 'tooLong' })).toBe(
		'The gateway sent an answer that is too long (status 200)',
	);
});
const adviceAt = (status: number, over: Partial<Asked> = {}) => failed({ status }, over);

it.each([
	[400, 'The gateway refused the message', 'does not say why'],
	[401, 'The gateway rejected the access token', 'Copy the token'],
	[403, 'The gateway does not allow this message', 'provider'],
	[404, 'The gateway does not know the path /prefix/api/v1/message/send', BASE],
	[405, 'The gateway accepts no messages at the path /prefix/api/v1/message/send', BASE],
	[
		402,
		'The gateway requires a payment: the plan may have expired, or its credit may be used up',
		'Renew',
	],
	[410, 'The path /prefix/api/v1/message/send no longer exists at the gateway', BASE],
	[413, 'The message is too large for the gateway', 'Numbers per Request'],
	[419, 'The gateway answered like a web page, not like an API', BASE],
	[498, 'The gateway rejected the access token', 'Copy the token'],
	[407, 'A proxy between n8n and the gateway requires a sign-in', 'administrator'],
	[418, 'The gateway refused the message', 'does not say why'],
])('an error says what to do at %s', (status, what, advice) => {
	expect(adviceAt(status).what).toBe(`${what} (status ${status})`);
	expect(adviceAt(status).advice).toContain(advice);
});

it.each<[string, string, Partial<RawAnswer>, Partial<Asked>?]>([
	['subscription', 'a refused token', { status: 401, ...json({ message: 'Unauthenticated.' }) }],
	['subscription', 'a code for it', json({ code: 401 })],
	['subscription', 'a proxy', { status: 407 }],
	['subscription', 'a plan that has ended', { status: 402 }],
	['subscription', 'the same as a code', json({ code: '402' })],
	['subscription', 'the page of a web site', { status: 419 }],
	['subscription', 'a path that is gone', { status: 410, body: HTML }],
	['subscription', 'a program in front', { status: 403, body: HTML }],
	['subscription', 'a redirect', { status: 302, headers: { location: '/login' } }],
	['subscription', 'a redirect to itself', { status: 307, headers: { location: asked().url } }],
	['subscription', 'a path that nobody knows', { status: 404, body: HTML }],
	['subscription', 'a path without POST', { status: 405 }],
	['maybeRecipient', 'one that the gateway knows', { status: 404, ...json({ message: 'x' }) }],
	['maybeRecipient', 'the same as a code', json({ code: '404' })],
	['maybeRecipient', 'a path with the group in it', { status: 404 }, { pathAdvice: 'x' }],
	['maybeRecipient', 'a ban', { status: 403 }],
	['maybeRecipient', 'a wrong field', { status: 422, ...json({ errors: { number: ['x'] } }) }],
	['message', 'a bad request', { status: 400 }],
	['message', 'too large a file', { status: 413 }],
	['message', 'a gateway that is busy', { status: 429 }],
	['message', 'an error', { status: 500 }],
	['message', 'a code for an error', json({ code: 500 })],
])('an answer shows whose fault it is (%s): %s', (whose, _name, answer, over = {}) => {
	expect(failed(answer, over).blame ?? 'message').toBe(whose);
});

it.each<[boolean, string, Partial<RawAnswer>]>([
	[true, 'a bad request', { status: 400 }],
	[true, 'too large a file', { status: 413 }],
	[true, 'a wrong number', { status: 422, ...json({ errors: { number: ['x'] } }) }],
	[true, 'the same as a code', json({ code: '422' })],
	[false, 'a wrong Device ID', { status: 422, ...json({ message: 'The device_id is unknown' }) }],
	[false, 'a refused token', { status: 401 }],
	[false, 'a ban', { status: 403 }],
	[false, 'no credit', json({ code: 402 })],
	[false, 'a device that is offline', json({ code: 500 })],
])('an answer shows whether a Retry would be refused (%s): %s', (is, _name, answer) => {
	expect(failed(answer).isMistake ?? false).toBe(is);
});

it.each<[string, number, string, Record<string, string>?]>([
	['Cloudflare', 403, '<!DOCTYPE html><title>Attention Required! | Cloudflare</title>'],
	[
		'CloudFront',
		403,
		'<HTML><HEAD><TITLE>ERROR: The request could not be satisfied</TITLE></HEAD>',
	],
	['a firewall', 406, '<html><head><title>Not Acceptable!</title></head></html>'],
	['a sign-in', 401, '<h1>401</h1>', { 'www-authenticate': 'Basic realm="staging"' }],
])(
	'a page of a program in front of the gateway (%s) is no word of the gateway',
	(_name, status, body, headers = {}) => {
		expect(failed({ status, body, headers })).toMatchObject({
			outcome: 'notSent',
			what: expect.stringMatching(
				/^Something in front of the gateway, .*blocked n8n \(status 40\d\)/,
			) as string,
			advice: expect.stringContaining('let n8n through') as string,
			blame: 'subscription',
		});
	},
);

it.each([
	[403, json({ message: 'Not your group' })],
	[403, { body: 'Forbidden' }],
	[401, { body: '{}', headers: { 'www-authenticate': 'Bearer' } }],
])('a refusal of the gateway itself is no page of another program: %s %j', (status, answer) => {
	expect(failed({ status, ...answer }).what).not.toContain('in front');
});

it('a refusal that may be the recipient’s comes with the gateway’s own words, of limited length', () => {
	const refused = (message: string) =>
		failed({ status: 422, ...json({ message }) }).words?.length ?? 0;
	expect(failed({ status: 403, ...json({ message: 'No plan' }) }).words).toBe('No plan');
	expect(refused('x'.repeat(100_000))).toBeLessThan(1_000);
});

it('an error advises to correct the value that the gateway names, if it names one', () => {
	expect(failed({ status: 400, body: 'No' }).advice).toContain('Correct the value that');
	expect(failed(json({ code: 500, message: 'No' })).advice).toContain('Correct the value that');
	expect(failed(json({ code: 500 })).advice).toContain('does not say why');
});

it.each(['The selected deviceid is invalid.', 'device_id: unknown', 'Wrong Device ID'])(
	'an error advises to check the Device ID in the credential if the gateway says “%s”',
	(message) => {
		const advice =
			"Check the Device ID in the credential, and the option 'Device ID' if you set it.";
		expect(failed({ status: 422, ...json({ message }) }).advice).toBe(advice);
		expect(failed(json({ code: 422, message })).advice).toBe(advice);
	},
);

it('the advice of an error never ends in a second step that the output adds itself', () => {
	for (const status of [301, 400, 401, 403, 404, 405, 407, 413, 429, 500, 999]) {
		expect(adviceAt(status).advice).not.toMatch(/run this again/i);
	}
});

it('an error at 413 advises about the file, if there is one', () => {
	expect(adviceAt(413, { file: {} })).toMatchObject({
		what: 'The file is too large for the gateway (status 413)',
		advice: expect.stringContaining('smaller file'),
	});
});

it('an error at 404 includes the advice of the operation', () => {
	const { advice } = adviceAt(404, { pathAdvice: 'Check the Group ID.' });
	expect(advice).toBe(`Correct the Base URL in the credential (now ${BASE}). Check the Group ID.`);
});

it('an error advises to check the outbox if it is uncertain', () => {
	for (const answer of [{ status: 500 }, { body: HTML }, {}]) {
		expect(failed(answer).advice).toContain("Check the gateway's outbox before");
	}
	expect(failed({ status: 500 }).what).toBe(
		'The gateway reported an internal error while it handled the message (status 500)',
	);
});
const nested = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth);

it('a hostile answer contains nothing that other programs would fail on', () => {
	expect(read({ body: `{"code":200,"data":${nested(49)}}` }).outcome).toBe('accepted');
	expect(read({ body: `{"code":200,"data":${nested(50)}}` }).outcome).toBe('uncertain');
	expect(read({ body: `{"code":200,"data":${nested(200_000)}}` }).outcome).toBe('uncertain');
});

it.each(['{"code":{"toString":1,"valueOf":2}}', '{"code":[{"toString":null}]}'])(
	'a hostile answer with the code of %s is uncertain like any other',
	(body) => {
		expect(failed({ body }).outcome).toBe('uncertain');
	},
);

it.each([
	['a message that is not a text', '{"code":500,"message":{"toString":1}}'],
	['errors that are not texts', '{"code":500,"errors":{"a":{"toString":1},"b":[{"toString":1}]}}'],
	['a prototype', '{"code":500,"__proto__":{"message":1},"errors":{"__proto__":["x"]}}'],
	['a number without an end', `{"code":${'9'.repeat(1_000)}}`],
])('a hostile answer with %s is refused like any other', (_name, body) => {
	expect(failed({ body }).outcome).toBe('notSent');
});

const value = fc.letrec((tie) => ({
	any: fc.oneof(
		fc.jsonValue({ maxDepth: 5 }),
		fc.dictionary(
			fc.constantFrom('code', 'message', 'errors', 'toString', '__proto__', 'data', 'error'),
			tie('any'),
			{ maxKeys: 5 },
		),
		fc.constantFrom(200, '200', 400, null, HTML),
	),
})).any;
const body = fc.oneof(
	value.map((each) => JSON.stringify(each) ?? ''),
	value.map((each) => (JSON.stringify(each) ?? '').slice(0, -1)),
	fc.string({ unit: 'binary' }),
	fc.constantFrom('', HTML),
);
const answer: fc.Arbitrary<RawAnswer> = fc.record(
	{
		status: fc.oneof(
			fc.integer({ min: -1, max: 1_000 }),
			fc.constantFrom(200, 201, 301, 404, 429, 503),
		),
		headers: fc.dictionary(
			fc.constantFrom('location', 'retry-after', '__proto__'),
			fc.oneof(fc.anything(), fc.webUrl(), fc.date().map(String)),
		),
		body,
		incomplete: fc.constantFrom('brokenOff', 'tooLong', 'tooSlow'),
	},
	{ requiredKeys: ['status', 'headers', 'body'] },
);

it.each(['error', 'success', 'status'])(
	'a hostile answer may hold an object that is no text in “%s”',
	(name) => {
		const body = JSON.stringify({ code: 200, [name]: { toString: 200 } });
		const outcome = name === 'error' ? 'uncertain' : 'accepted';
		expect(read({ body }, { answer: 'anyJson' }).outcome).toBe(outcome);
	},
);

it('a hostile answer is always one of the outcomes, and accepted only if a whole 2xx says the code 200', () => {
	fc.assert(
		fc.property(answer, fc.constantFrom('envelope' as const, 'anyJson' as const), (given, kind) => {
			const result = read(given, { answer: kind });
			if (result.outcome === 'accepted') {
				expect(given.status).toBeGreaterThanOrEqual(200);
				expect(given.status).toBeLessThan(300);
				expect(given.incomplete).toBeUndefined();
				if (kind === 'envelope') {
					expect(String((JSON.parse(given.body) as { code: unknown }).code)).toBe('200');
					expect(result.envelope).toEqual(parseJson(given.body));
				}
				return;
			}
			expect(['notSent', 'uncertain']).toContain(result.outcome);
			expect(result.what.length).toBeLessThan(800);
			expect(result.what).not.toMatch(/[\p{Cc}\p{Cf}]/u);
			expect(typeof result.advice).toBe('string');
			expect(Object.keys(result).sort()).toEqual(
				['advice', 'httpCode', 'origin', 'outcome', 'what']
					.concat(['blame', 'isMistake', 'retry', 'words'].filter((name) => name in result))
					.sort(),
			);
		}),
		{ numRuns: 2_000 },
	);
});

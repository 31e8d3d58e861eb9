import { withoutEscapes } from '../../../nodes/MessagingGateway/gateway/escapes';
import { redactorOf } from '../../../nodes/MessagingGateway/gateway/redact';

it.each([
	'%2b',
	'%u002B',
	'\\u002b',
	'\\x2b',
	'\\+',
	'&plus;',
	'&#43;',
	'&#0043;',
	'&#x2b;',
	'&#X02B;',
])('the escape %s is a plus sign', (escape) => {
	const { text, starts } = withoutEscapes({ text: `a${escape}b` }) ?? {};
	expect(text).toBe('a+b');
	const end = 1 + escape.length;
	expect([...(starts ?? [])].slice(0, 4)).toEqual([0, 1, end, end + 1]);
});

it.each(['a', '100 % & more', '&bogus;', '&#32;', '&;', '%7f'])(
	'a text without an escape of a sign has none: %s',
	(text) => {
		expect(withoutEscapes({ text })).toBeUndefined();
	},
);

it('taking a secret out leaves nothing of it at the end of a text with an escape', () => {
	expect(redactorOf('token/1')('token\\/1')).toBe('***');
});

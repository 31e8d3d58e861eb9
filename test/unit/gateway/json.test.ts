import fc from 'fast-check';
import { parseJson, wordsOfHtml } from '../../../nodes/MessagingGateway/gateway/answerBody';

it.each([
	['{"queue_id":12345678901234567890}', { queue_id: '12345678901234567890' }],
	['[-9007199254740993, 9007199254740991]', ['-9007199254740993', 9007199254740991]],
	[
		'{"a":"12345678901234567890","b":"\\"12345678901234567890"}',
		{ a: '12345678901234567890', b: '"12345678901234567890' },
	],
	['12345678901234567890', '12345678901234567890'],
	[
		'[1234567890123456789.5, 1e20, 12345678901234567890e1]',
		[Number('1234567890123456789.5'), 1e20, 1.2345678901234568e20],
	],
	['{"12345678901234567890":1}', { '12345678901234567890': 1 }],
	['["a 1234567890123456 b", 1234567890123456]', ['a 1234567890123456 b', 1234567890123456]],
])('an answer keeps all digits of whole numbers, as text: %s', (json, value) => {
	expect(parseJson(json)).toEqual(value);
});

it.each(['{12345678901234567890:1}', '[12345678901234567890', '012345678901234567890'])(
	'an answer counts as JSON only if it is JSON: %s',
	(text) => {
		expect(parseJson(text)).toBeUndefined();
	},
);

it('an answer without long numbers is read as JSON.parse does', () => {
	fc.assert(
		fc.property(fc.json(), fc.constantFrom('', '"1234567890123456"'), (json, text) => {
			fc.pre(!/(?<![\d.])\d{16,}(?![.\d])/.test(json));
			const both = text === '' ? json : `[${json},${text}]`;
			expect(JSON.stringify(parseJson(both))).toBe(JSON.stringify(JSON.parse(both)));
		}),
	);
});

it.each([
	['<html><TITLE lang="en">Not found</TITLE><body>Go away</body></html>', 'Not found'],
	['<title></title><p>Go away</p>', 'Go away'],
	['<p>- * -</p>', ''],
	[`<p>${'a'.repeat(91)}${'\uFFFD'.repeat(9)}</p>`, `${'a'.repeat(91)}${'\uFFFD'.repeat(9)}`],
	[`<p>${'a'.repeat(90)}${'\uFFFD'.repeat(10)}</p>`, ''],
])('the words of the page %s are “%s”', (html, words) => {
	expect(wordsOfHtml(html)).toBe(words);
});

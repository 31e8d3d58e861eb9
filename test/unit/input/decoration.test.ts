import {
	plainTextOf,
	withPlainPunctuation,
} from '../../../nodes/MessagingGateway/input/decoration';

it.each([
	['[0812] {3}', '[0812] {3}'],
	['（０８１２）３【4】', '(0812)3(4)'],
	['＋62–812．3', '+62-812.3'],
	['– 0812', ' 0812'],
	['−5', '-5'],
])('the text %j has the plain punctuation %j', (text, plain) => {
	expect(withPlainPunctuation(text)).toBe(plain);
});

it('a value is read as a number if it is a short text or a whole number', () => {
	expect([81, 81n, '٨1', 8.1, NaN, {}, null, true].map(plainTextOf)).toEqual([
		'81',
		'81',
		'81',
		'',
		'',
		'',
		'',
		'',
	]);
	expect(plainTextOf('1'.repeat(1_000))).toBe('1'.repeat(1_000));
	expect(plainTextOf('1'.repeat(1_001))).toBe('');
});

import fc from 'fast-check';

import { wordsOfHtml } from '../../../nodes/MessagingGateway/gateway/answerBody';
import {
	excerpt,
	quote,
	textOfHtml,
	webAddress,
	withoutMarkup,
} from '../../../nodes/MessagingGateway/shared/text';

it.each([
	['<a href="https://a.example">Sign in</a>', '‹a href="https://a.example"›Sign in‹/a›'],
	['<img src=x>', '‹img src=x›'],
	['a < b & c > d', 'a ‹ b & c › d'],
	['&lt;b&gt;', '＆lt;b＆gt;'],
	['&#60;b&#x3e;', '＆#60;b＆#x3e;'],
	['AT&T; Smith & Co', 'AT＆T; Smith & Co'],
	['[Sign in](https://a.example)', '[Sign in] (https://a.example)'],
	['`code`', 'ˋcodeˋ'],
])('markup in the words of strangers is made a text: %s', (words, shown) => {
	expect(excerpt(words)).toBe(shown);
	expect(quote(words)).toBe(`“${shown}”`);
});

it('the expressions that the node advises stay as they are in a quotation', () => {
	const expression = "{{ $('Opt-outs').all().map(i => i.json.phone) }} `$json.name`";
	expect(withoutMarkup(expression)).toBe(expression);
	expect(withoutMarkup('<b>&amp;')).toBe('‹b>＆amp;');
});

it('a quotation leaves no markup in any text, and is the same the second time', () => {
	const unit = fc.constantFrom('<', '>', '&', 'lt', '#60', ';', '](', '[', '`', 'a', ' ', '\u200B');
	fc.assert(
		fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
			const shown = excerpt(text);
			expect(shown).not.toMatch(/[<>`]|&#?\w+;|\]\(/);
			expect(excerpt(shown)).toBe(shown);
			expect(shown.length).toBeLessThanOrEqual(302);
		}),
	);
});
it.each([
	['a\nb\r\n\tc', 'a b c'],
	['  a  ', 'a'],
	['a\u0000\u001Bb', 'a b'],
	['a\u202Eb\u200Bc', 'a b c'],
	['a\uD83D', 'a'],
	['', ''],
])('an excerpt of %j is %j', (text, expected) => {
	expect(excerpt(text)).toBe(expected);
});

it('an excerpt has at most 300 characters and a sign that there was more', () => {
	expect(excerpt('a'.repeat(300))).toBe('a'.repeat(300));
	expect(excerpt('a'.repeat(301))).toBe(`${'a'.repeat(300)} …`);
	expect(excerpt(`${'a'.repeat(299)} b`)).toBe(`${'a'.repeat(299)} …`);
	expect(excerpt('a'.repeat(10_000_000))).toHaveLength(302);
});

it('an excerpt is that of the first 6,000 characters', () => {
	expect(excerpt(`${' '.repeat(5_999)}ab`)).toBe('a');
});

it('an excerpt is one clean line for any text', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
			const line = excerpt(text);
			expect(line.length).toBeLessThanOrEqual(302);
			expect(line).not.toMatch(/[\p{Cc}\p{Cf}\n\u2028]/u);
			expect(line.trim()).toBe(line);
		}),
	);
});

it('an excerpt never ends in half a character', () => {
	expect(Buffer.from(excerpt('😀'.repeat(400))).toString()).not.toContain('\uFFFD');
	expect(excerpt(`a${'😀'.repeat(400)}`)).toBe(`a${'😀'.repeat(149)} …`);
});

it.each([
	['<p>a</p><p>b</p>', 'a b'],
	['<style>x{}</style><script>y()</script>b', 'b'],
	['<SCRIPT src="x">y()</SCRIPT >b', 'b'],
	['a<script>never closed', 'a'],
	['a<style>x{}</style>b', 'a b'],
	['a&lt;b', 'a‹b'],
	['a & 5 < 6 and 7 > 3', 'a & 5 ‹ 6 and 7 › 3'],
	['can&#039;t, won&#x27;t, don&apos;t', "can't, won't, don't"],
	['&#x1F600;&#X1f600; &#0; &#x10ffff;. &#x110000;', '😀😀 \u{10ffff}. ＆#x110000;'],
	['a #x b', 'a #x b'],
	['<head><title>t</title></head>b', 'b'],
	['<header>a</header>b', 'a b'],
	['a &amp; b &lt;c&gt; &quot;d&quot;&nbsp;e', 'a & b ‹c› "d" e'],
	['&bogus; &eacute; &am;', '＆bogus; ＆eacute; ＆am;'],
	['a <b', 'a'],
	['<<b>>a', '‹ ›a'],
	['', ''],
	['plain', 'plain'],
])('the text of the page %j is %j', (html, expected) => {
	expect(textOfHtml(html)).toBe(expected);
});

it('the text of a page is looked for in its first 60,000 characters', () => {
	const markup = `<${'b'.repeat(59_996)}>`;
	expect(textOfHtml(`${markup}ab c`)).toBe('ab');
});

it('the text of a page holds no markup of any page', () => {
	const page = fc.string({
		unit: fc.constantFrom('<', '>', '</', 'script', 'b', ' ', '&lt;', '&gt;', '"', '!--', '-->'),
		maxLength: 60,
	});
	fc.assert(
		fc.property(page, (html) => {
			expect(textOfHtml(html)).not.toMatch(/[<>]/);
			expect(wordsOfHtml(html)).not.toMatch(/[<>]/);
		}),
	);
});

it('the words of a page are its title, if it has one', () => {
	expect(wordsOfHtml('<title>502 Bad Gateway</title><body>nginx</body>')).toBe('502 Bad Gateway');
	expect(wordsOfHtml('<TITLE lang="en">\n a &amp; b \n</TITLE>c')).toBe('a & b');
});

it('the words of a page are its text if it has no title', () => {
	expect(wordsOfHtml('<title></title><body>nginx</body>')).toContain('nginx');
	expect(wordsOfHtml('<title> </title><h1>nginx</h1>')).toContain('nginx');
	expect(wordsOfHtml('nothing to see')).toBe('nothing to see');
});

it('the words of a page are empty if nobody could read them', () => {
	expect(wordsOfHtml('\uFFFD\uFFFD\uFFFDPNG\uFFFD\uFFFD')).toBe('');
	expect(wordsOfHtml('. – …')).toBe('');
	expect(wordsOfHtml('\uFFFDabcdefghi')).toBe('');
	expect(wordsOfHtml('\uFFFDabcdefghij')).toBe('\uFFFDabcdefghij');
});

it.each([
	['a', '“a”'],
	['Saldo habis.', '“Saldo habis”'],
	['a... ', '“a”'],
	['a.b', '“a.b”'],
	['...', '“...”'],
	['', '“”'],
])('the words %j are quoted as %j', (words, expected) => {
	expect(quote(words)).toBe(expected);
});

it.each(['https://a.example/b', ' https://a.example/b\n', '\u00A0https://a.example/\u200Bb\u3000'])(
	'a web address has no space and nothing invisible around it: %j',
	(text) => {
		expect(webAddress(text)?.href).toBe('https://a.example/b');
	},
);

it.each(['', 'a.example', 'ftp://a.example', 'file:///etc/hosts', undefined, {}])(
	'a web address is not %j',
	(text) => {
		expect(webAddress(text)).toBeUndefined();
	},
);
